"""Exporters, one module per family of ops."""
