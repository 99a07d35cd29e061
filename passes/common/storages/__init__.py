"""The storages of values, through their views, and the pieces of byte orders."""
