"""Documents of the studio: changed by operations, kept with their history, mirrored as YAML."""
