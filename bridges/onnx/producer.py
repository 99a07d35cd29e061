"""The name of this tool in models, and the key for those before it."""

PRODUCER = "npu-opt"
"""The producer name in the model."""
SOURCE_PRODUCER = "npu_opt.source_producer"
"""The metadata key for the tools that produced the imported model, oldest first."""
