"""What leaves the room: SVG, GIF, a page that plays, a sheet with curves."""
