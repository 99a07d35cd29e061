"""Questions about a program as a graph: calls, uses, live ops, classes, and the flow through it."""
