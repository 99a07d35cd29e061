"""Layouts by rules: a strategy chooses orders, from which conversions follow."""
