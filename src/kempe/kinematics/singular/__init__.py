"""Singular positions: where they are, and which branches leave them."""
