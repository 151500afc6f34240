"""Which rows of a thread may be deleted, so that its newest checkpoints stay what they are."""
