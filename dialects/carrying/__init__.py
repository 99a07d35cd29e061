"""Code that ops run: what they hand over to it and take back, and how often it runs."""
