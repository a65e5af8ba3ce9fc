"""Closing the loops of a mechanism, from whatever was given, and counting its turns."""
