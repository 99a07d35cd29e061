"""Quantised ops written as floats between dequantisation and quantisation."""
