"""Normalisations written as arithmetic or between reshapes."""
