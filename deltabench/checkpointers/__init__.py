"""One file per backend: open it, count what it stores, say what it can do."""
