"""Files as programs and programs as files, in all formats."""
