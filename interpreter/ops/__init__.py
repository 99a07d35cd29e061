"""What the ops compute: one file per family of the dialect."""
