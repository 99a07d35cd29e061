"""Random ops, random programs, and random programs that compute the same or nearly the same. For tests only."""
