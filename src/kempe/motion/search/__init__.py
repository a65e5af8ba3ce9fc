"""The certified search of blocks, and what becomes of what it finds."""
