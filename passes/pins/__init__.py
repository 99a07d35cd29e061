"""Pins in plan files: the names of values, and the file that pins them."""
