"""The gate: judges results by rules, against a baseline or by themselves; measures nothing."""
