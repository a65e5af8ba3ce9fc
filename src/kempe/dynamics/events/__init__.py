"""Runs with events: legs between moments, and what stops, latches and friction do at each."""
