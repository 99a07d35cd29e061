"""Windows of images that are written as moves of elements."""
