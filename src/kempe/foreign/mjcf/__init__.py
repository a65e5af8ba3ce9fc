"""MJCF files: mechanisms of MuJoCo, read and written."""
