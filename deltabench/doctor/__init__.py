"""Whether versions, a graph, a checkpointer and a database work with delta channels."""
