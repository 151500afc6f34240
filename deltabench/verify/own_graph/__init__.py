"""A user's own graph with its inputs, as a guarantee that is tried like the others."""
