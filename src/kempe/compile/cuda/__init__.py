"""Sweeps as CUDA source: the same tapes, one thread for every variant of a mechanism."""
