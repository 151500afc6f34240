"""One file per output; all of them render the same summary and measure nothing."""
