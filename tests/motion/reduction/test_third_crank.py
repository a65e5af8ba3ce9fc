"""A parallelogram with a third crank moves, though its rows repeat each other to first order only.

Its motion is known: the coupler stays parallel to the ground and all cranks turn together, once
round, through two places where everything lies flat.
"""

import math

import numpy as np
import pytest

import kempe as kp

HELD = 1e-5  # rad, of the coupler: rows that repeat others hold to a bound only
SIZES = (  # crank, ground, the third crank's share of the ground, the ground's direction (deg)
    (1.0, 2.0, 0.5, 0.0),
    (1.0, 3.0, 0.5, 0.0),
    (1.5, 2.0, 0.25, 30.0),
    (0.1 + 0.2, 1.0, 0.5, 45.0),
)


def three_cranks(crank: float, ground: float, share: float, lean: float) -> kp.Mechanism:
    m = kp.Builder("three cranks", plane=True)
    x, y = math.cos(math.radians(lean)), math.sin(math.radians(lean))
    coupler = m.bar("coupler", ground)
    for k, part in enumerate((0.0, share, 1.0)):
        own = m.bar(f"crank{k}", crank)
        m.revolute(m.ground.at(part * ground * x, part * ground * y), own.start)
        m.revolute(own.end, coupler.at(part * ground, 0))
    return m.build()


@pytest.mark.parametrize("sizes", SIZES)
def test_a_third_crank_takes_no_motion_away(sizes: tuple[float, float, float, float]) -> None:
    found = three_cranks(*sizes).motions(effort=kp.Effort(seconds=40.0))
    assert found.outcome == "numerical"
    assert found.unsearched.boxes == 0
    assert [len(place.branches) for place in found.singular] == [2, 2]
    assert [component.closed for component in found.components] == [False, False]
    turned = 0.0
    for component in found.components:
        angles = component.sample(0.05).q[:, 2::3]  # of the coupler and three cranks
        lean = np.exp(1j * angles[:, 0]) / np.exp(1j * math.radians(sizes[3]))
        assert np.abs(lean - 1.0).max() < HELD
        together = np.exp(1j * (angles[:, 2:] - angles[:, 1:2]))
        assert np.abs(together - 1.0).max() < HELD
        turned += float(np.ptp(angles[:, 1]))
    assert turned == pytest.approx(2.0 * math.pi, abs=1e-3)  # but for two places
