"""One file per promise of the contract."""
