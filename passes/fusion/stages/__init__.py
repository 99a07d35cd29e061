"""The stages of a target, and the one that runs an op."""
