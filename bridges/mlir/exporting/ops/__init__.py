"""The lowering of each op, one file per family of the dialect."""
