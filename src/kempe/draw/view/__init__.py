"""A scene at one moment as flat paths: the camera, the symbols projected, arrows, colours."""
