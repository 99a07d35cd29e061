"""Groups in a program: as functions, or as numbers on the ops."""
