"""Rows of a block over boxes: balls, intervals and pairs of doubles in arrays, with all bounds."""
