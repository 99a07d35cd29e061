"""Groups of ops that are executed as one, and the data that they read and write."""
