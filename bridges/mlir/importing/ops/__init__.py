"""The reader of each upstream op, by the families of the npu dialect."""
