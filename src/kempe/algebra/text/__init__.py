"""Formulas as people write them: a grammar of our own that can calculate and never run code."""
