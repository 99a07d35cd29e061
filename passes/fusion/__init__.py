"""Fusion: groups of ops that are executed as one, and their outlining into functions."""
