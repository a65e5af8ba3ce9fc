"""Proving a motion map again, by other ways and in other arithmetic than it was found.

`verification` takes a map from its file and says what holds. `written` has the equations of the
model as exact polynomials: sums of products of unknowns and of *atoms* (roots, cosines of given
angles, splines) with fractions as coefficients. `enclosures` bounds rows over thousands of boxes at
once; `cover` walks through the cuts of a saved cover, proving every last part.
"""
