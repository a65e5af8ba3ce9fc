"""Programs: what runs a structure, where it is remembered, and by which executor."""
