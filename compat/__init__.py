"""Adaptations of other packages. Every part of npu-opt may import it; it imports none."""
