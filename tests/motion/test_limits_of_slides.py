"""Several limits of one slide in space hold all at once, whichever comes first."""

import itertools

import numpy as np
import pytest

import kempe as kp
from kempe.joints import Prismatic
from kempe.measures import Displacement

BEFORE = 0.25  # m: a second gauge of the slide reads that much less


def slide():
    """A body on a rail along x; its place, its joint and a gauge all read the same way."""
    m = kp.Builder("slide")
    body = m.body("body")
    rail = m.ground.at(0.1, 0.2, 0.3).facing((1, 0, 0))
    m.add(Prismatic(rail, body.at(0, 0, 0)), name="rail")
    later = m.ground.at(0.1 + BEFORE, 0.2, 0.3).facing((1, 0, 0))
    m.gauge("again", Displacement(), later, body.at(0, 0, 0))
    return m.build()


# all of them in terms of the displacement: x = 0.1 + d, again = d - 0.25
SETS = [
    ({"body.x": (0.3, 0.8), "rail.displacement": (-3.0, 3.0)}, (0.2, 0.7)),
    ({"body.x": (0.3, 0.8), "rail.displacement": (0.5, 3.0)}, (0.5, 0.7)),
    ({"again": (0.0, 0.3), "body.x": (0.0, 0.6), "rail.displacement": (-1.0, 0.4)}, (0.25, 0.4)),
    ({"again": (2.0, 2.5), "rail.displacement": (-1.0, 1.0)}, None),
]


@pytest.mark.parametrize(("limits", "kept"), SETS)
def test_an_arc_goes_as_far_as_all_limits_of_a_slide_allow(limits, kept):
    mechanism = slide()
    for order in itertools.permutations(limits.items()):
        found = mechanism.motions(limits=dict(order))
        assert (len(found.components), found.outcome) == (int(kept is not None), "complete")
        for arc in found.components:
            values = mechanism.follow(arc)["rail.displacement"].values
            np.testing.assert_allclose([values.min(), values.max()], kept, atol=1e-9)
