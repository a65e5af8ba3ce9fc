"""Mechanisms: it never jumps, it tells you why, and it shows every way they go together."""

__version__ = "0.1.0"
