"""The parts of the npu-opt driver: command line, input, pipeline, output."""
