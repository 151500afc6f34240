"""Whether delta channels keep what the runtime promises, tried on real twins of one graph."""
