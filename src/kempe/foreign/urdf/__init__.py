"""URDF files: robots of ROS as mechanisms."""
