"""Patterns of ops that exporters write where one op says the same, and the ops that replace them."""
