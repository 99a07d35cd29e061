"""Layouts for all values, from those that some ops know."""
