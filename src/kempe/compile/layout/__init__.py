"""Where the numbers of a model lie: coordinates of bodies, elements, parameters."""
