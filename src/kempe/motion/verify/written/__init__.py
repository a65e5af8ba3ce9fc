"""The equations of a model written down once more, as exact polynomials."""
