"""What page and server say to each other: one schema, from which the page's types are made.

A request has an `id` of the page's choice and a `type`; every answer names it by `re`. Lengths are
in m, angles in rad, times in s, unless a text carries a unit; coordinates of points are those of
the scene that is shown.
"""
