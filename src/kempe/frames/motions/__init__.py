"""What an edge of a frame graph can be: a fixed pose, a function of time, samples."""
