"""The graph of frames: any frame seen from any other, loops, closure, reconciliation."""
