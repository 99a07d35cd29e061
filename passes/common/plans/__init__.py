"""The plan of a pass and the step that applies it, for ops, arguments and results."""
