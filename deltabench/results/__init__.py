"""Everything that is known after measuring: the file, the statistics, the summary."""
