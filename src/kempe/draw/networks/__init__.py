"""Graphs of bodies and of frames on paper: where the boxes stand, and the lines between."""
