"""Norms that exporters take apart."""
