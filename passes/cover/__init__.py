"""Groups with the fewest bytes between them: a search over the steps of a block."""
