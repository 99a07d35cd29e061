"""Code shared by tests: random programs, and oracles that are independent of the code under test."""
