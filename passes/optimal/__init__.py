"""Layouts by a linear program: the least data that can be moved."""
