"""Sweeps: stretch after stretch, through singular positions where that was asked for."""
