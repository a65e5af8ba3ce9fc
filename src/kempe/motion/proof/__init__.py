"""Proving a motion map again from its model: exact polynomials, balls of doubles, a cover.

`polynomial` is the arithmetic of formulas: sums of products of unknowns and of *atoms* (roots,
cosines of given angles, splines) with fractions as coefficients. `derivation` writes the rows of a
model down again and eliminates unknowns. `balls` encloses rows over thousands of boxes at once.
`covering` walks through the cuts of a saved cover and proves every last part.
"""
