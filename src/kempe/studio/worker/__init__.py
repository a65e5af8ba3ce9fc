"""What computes for the studio: a process of its own, which can be ended at any moment."""
