"""Observers of a run, which report on the program before and after each pass."""
