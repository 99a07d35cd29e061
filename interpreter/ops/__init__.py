"""The meanings of ops: one file per family of the dialect."""
