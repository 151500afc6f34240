"""Two compiled twins of one graph, driven alike and compared in everything that can be seen."""
