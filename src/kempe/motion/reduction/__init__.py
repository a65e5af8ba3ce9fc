"""Making a system small, counting its freedom, taking it apart into blocks."""
