"""Layouts by rules: strategies make a plan, one step applies it."""
