"""What is to be seen: shapes, bodies, joints' symbols, traces and plots of one motion, as data."""
