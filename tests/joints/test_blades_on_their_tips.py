"""A blade in the plane that points out of it has no direction to glide in, and says so."""

import numpy as np
import pytest

import kempe
from kempe.errors import BadConnection
from kempe.geometry import Inertia
from kempe.joints import KnifeEdge


def skate(*, upright: bool):
    """A body on one blade; `upright` turns its x axis out of the plane."""
    m = kempe.Builder("skate", plane=True)
    disc = Inertia(1.0, (0, 0, 0), 0.01 * np.eye(3))
    body = m.body("body", at=(0, 0), angle=0.0, inertia=disc, velocity=(1.0, 0.2))
    end = body.at(0, 0)
    m.add(KnifeEdge(m.ground.at(0, 0), end.facing((1, 0)) if upright else end, name="blade"))
    return m.build()


def test_a_blade_on_its_tip_is_refused_where_it_held_nothing_in_silence():
    with pytest.raises(BadConnection, match=r"'blade' holds no velocity: .* stands on its tip"):
        skate(upright=True).simulate(until=0.1)
    glides = skate(upright=False).simulate(until=0.1, steps=2)
    assert glides["body.y"].rate == pytest.approx(0.0, abs=1e-12)
