"""Lowerings, one file per family of the dialect."""
