"""Prices of conversions, the problem of a module that they make, and byte orders that only prices favour."""
