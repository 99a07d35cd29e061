"""Oracles: the rules of passes and tools, implemented again for clarity and not for speed."""
