"""Tracks with corners: a motion goes on beyond a corner, whichever side it was found from first."""

import itertools

import numpy as np

import kempe
from kempe.geometry.curves import Polyline

CORNERS = (
    (0.75, 1.75),
    (1.625, 0.875),
    (1.625, -0.625),
    (1.875, -1.125),
    (0.75, -2.0),
    (-1.875, -0.125),
)
CRANK, ROD, PIVOT = 1.625, 2.5, np.array([0.125, -0.25])
STEP = 0.02
SMALL = 1e-4  # of a length of 1: what a place of a corner takes away


def test_every_stretch_between_two_corners_is_listed():
    """A curve that ran into one that had ended at the corner was not listed: no search ended."""
    m = kempe.Builder("crank and track", plane=True)
    arm = m.bar("crank", CRANK)
    m.revolute(m.ground.at(*PIVOT), arm.start)
    m.stick("rod", arm.end, m.point("P", on=Polyline(CORNERS)), ROD)
    found = m.build().motions()
    assert found.outcome == "complete_except"
    assert all(place.size < SMALL for place in found.singular)
    assert found.verify().holds
    samples = np.concatenate([c.sample(STEP).q for c in found.components])
    for a, b in itertools.pairwise(CORNERS):
        for share in np.linspace(0.02, 0.98, 40):
            point = (1.0 - share) * np.array(a) + share * np.array(b)
            d = point - PIVOT
            size = np.hypot(*d)
            cosine = (size**2 + CRANK**2 - ROD**2) / (2.0 * size * CRANK)
            if abs(cosine) > 1.0:
                continue
            for side in (1.0, -1.0):  # the crank before and behind the line to the point
                angle = np.arctan2(d[1], d[0]) + side * np.arccos(cosine)
                off = np.hypot(*(samples[:, 3:5] - point).T)
                turned = np.abs(np.exp(1j * samples[:, 2]) - np.exp(1j * angle))
                assert (off + turned).min() < 4.0 * STEP
