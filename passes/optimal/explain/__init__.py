"""Reasons for a choice in words: conflicts, the prices of pins, and the best programs with single changes."""
