"""Random sequences of operations against the oracle, shrunk, and printed as scripts."""
