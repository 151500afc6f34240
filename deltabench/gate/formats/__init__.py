"""One file per output of the gate."""
