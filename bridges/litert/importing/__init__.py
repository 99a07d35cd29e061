"""Import of LiteRT models as programs."""
