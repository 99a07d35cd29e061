"""The data-flow of a block as a graph, and its post-dominators."""
