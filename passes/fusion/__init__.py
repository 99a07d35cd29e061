"""Groups of ops that are executed as one, and functions for them."""
