"""Reading a motion: measures, points, poses seen from other bodies, centrodes, curvature."""
