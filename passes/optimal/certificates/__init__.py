"""Certificates: the minimum of a problem as a file that another program checks."""
