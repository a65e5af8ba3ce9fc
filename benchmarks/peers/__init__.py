"""The same mechanisms in other libraries; each is run in the peers' own environment."""
