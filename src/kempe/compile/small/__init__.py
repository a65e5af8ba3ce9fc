"""The small plan: one tape for the whole step."""
