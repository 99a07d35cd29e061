"""Notes in a program beside its ops: reasons, pins, and orders at the border."""
