"""Oracles: the rules of passes and tools, written again to be read and not to be fast."""
