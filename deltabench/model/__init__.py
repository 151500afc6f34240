"""The cost model: what every K stores, exactly where it was recorded and estimated beyond."""
