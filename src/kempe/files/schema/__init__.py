"""What may stand in a model file: made from what the rooms export, and complaints about it."""
