"""The terminal: words of the command line, output, progress, errors and exit codes."""
