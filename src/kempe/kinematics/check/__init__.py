"""Whether a mechanism goes together and can be driven, and what to do where not."""
