"""DXF drawings: sketches of linkages in the plane, read as mechanisms and written from them."""
