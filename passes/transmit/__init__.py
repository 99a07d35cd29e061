"""Inference of the layouts of all values from those of the ops with known layouts."""
