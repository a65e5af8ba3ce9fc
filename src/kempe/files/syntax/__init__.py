"""Text to data and back: YAML and JSON with limits, and where in the text each value stands."""
