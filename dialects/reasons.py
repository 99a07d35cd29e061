"""Reasons of passes in the locations of ops: `NameLoc("<pass>: <reason>", <location of the op that it serves>)`."""

REWRITTEN = "relayout"
"""The reason in the location of an op that was rewritten, not inserted."""
