"""Random ops, random programs, and variants of programs that compute the same or nearly the same. For tests only."""
