"""From a model to something that runs."""
