"""The large plan: one tape for each kind of element, run over tiles."""
