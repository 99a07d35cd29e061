"""A program as a page: its figures, its transposes with their reasons, and its graph."""
