"""Serving pages to the browser of one's own machine, and to nobody else.

`guard` says who may come in, `serving` how many and for how long. Nothing is imported here.
"""
