"""Composed random cases with oracles of another kind; see README.md."""
