"""Executors: what runs a tape."""
