"""Ops that move data, transposes, packs, unpacks and gathers, and their cost."""
