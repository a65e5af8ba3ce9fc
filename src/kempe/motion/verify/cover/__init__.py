"""Boxes, balls and pairs of doubles in arrays: charts and covers proved again."""
