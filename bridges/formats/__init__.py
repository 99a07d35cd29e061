"""Common parts of the dialects of model formats."""
