"""The demands of a target on ops, the forms that meet them, and the cost in its unit."""
