"""One file per guarantee: its promise, where it comes from, and how it is tried."""
