"""Proving that two programs compute the same: value numbering modulo views."""
