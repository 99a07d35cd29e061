"""Strategies on targets that demand blocks: they choose among the modes of `layout-optimal`."""
