"""Frame graphs in files: YAML, JSON, transform logs, URDF."""
