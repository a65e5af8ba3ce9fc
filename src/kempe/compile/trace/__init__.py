"""From formulas to expression graphs: rows, Jacobians, forces, and their factors."""
