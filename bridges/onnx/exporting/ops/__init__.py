"""Exporters, one file per family of the dialect."""
