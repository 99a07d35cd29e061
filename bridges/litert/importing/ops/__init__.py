"""Readers, one module per family of ops."""
