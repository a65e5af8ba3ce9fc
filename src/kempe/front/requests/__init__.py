"""What is asked of a mechanism, checked and brought to SI before anything is computed."""
