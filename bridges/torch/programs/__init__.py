"""Exported programs in memory and in files: what needs PyTorch."""
