"""SDFormat files: models of Gazebo as mechanisms."""
