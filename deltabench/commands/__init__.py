"""One file per command, or per family of commands: options in, one call, rendering out."""
