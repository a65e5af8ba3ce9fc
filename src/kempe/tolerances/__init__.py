"""How far what a mechanism does may be off, when its dimensions are a little off.

`deviations` says by how much parameters may differ and how they are spread, `play` what a pin does
in a hole that is too wide, and `enclosure` proves bounds for whatever lies between.
"""
