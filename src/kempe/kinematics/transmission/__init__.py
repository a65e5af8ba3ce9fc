"""How well a motion is handed on: ratios, angles, and the distance from dead points."""
