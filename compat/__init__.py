"""What npu-opt needs of other packages beyond what they offer. Every part imports it; it imports none."""
