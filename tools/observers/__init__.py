"""Observers of a run: they look at the program around each pass and report."""
