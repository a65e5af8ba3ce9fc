"""Bodies and joints of the plane as exact equations: unknowns, numbers, rows."""
