"""Names joined by edges, without any mechanics: closed paths, width, diameter."""
