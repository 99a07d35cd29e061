"""The command line: its arguments, their help, and checks of their values."""
