"""Values that hold for a whole run: assumed sizes, and limits of constants and files."""
