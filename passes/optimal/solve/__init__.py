"""The problem in numbers, without a program: one mode for each op at the least cost, and the proof."""
