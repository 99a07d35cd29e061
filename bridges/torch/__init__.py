"""Import and export of programs of PyTorch: `torch.export.ExportedProgram`."""
