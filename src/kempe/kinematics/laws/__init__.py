"""Laws of drives at one moment: their rate, where they have no value, where they jump."""
