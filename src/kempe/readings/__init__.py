"""What can be read off a motion, by name."""
