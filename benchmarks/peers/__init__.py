"""The same four-bar in other libraries; each is run in the peers' own environment."""
