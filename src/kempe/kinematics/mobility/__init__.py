"""How freely a mechanism moves from where it stands, and what would make it move."""
