"""The calls of each op, a file for each family."""
