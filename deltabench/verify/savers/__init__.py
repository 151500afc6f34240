"""A checkpointer on its own: what is put into it, and what must come back."""
