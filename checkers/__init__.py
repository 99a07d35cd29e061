"""Programs that check what npu-opt proves. Each is one file, and imports nothing of npu-opt."""
