"""From a model with masses to a program and a start that can be integrated."""
