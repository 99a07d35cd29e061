"""Bridges to other systems: their files in, their files out."""
