"""Names of values, and reasons in words."""
