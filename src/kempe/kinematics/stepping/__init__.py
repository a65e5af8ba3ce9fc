"""One stretch of a sweep: what is solved, sample after sample, and how it ended."""
