"""Four-bars that meet given poses, points or angles exactly: all of them, by the certified search.

The unknowns are joints as points of the projective plane, so that the search has a bounded domain
and misses none.
"""
