"""The slow splines of the verifier are the same function as those of the core, everywhere."""

import mpmath
import numpy as np
import pytest

from kempe.algebra import Spline
from kempe.motion.verify.tape_run import _over

SEED = 20261
SAME = 1e-12  # of the largest value: the core works in doubles
POINTS = mpmath.mp.clone()
POINTS.dps = 40
BOXES = mpmath.iv

BREAKS = [0.0, 1.0, 2.5]
CUBIC = [[0.0, 1.0, -2.0, 0.5], [0.5, 3.0, 1.0, -1.0]]
WEIGHTS = [[1.0, 2.0, 1.0, 0.7], [0.7, 1.0, 3.0, 1.0]]
SPLINES = {
    "polynomial": Spline.of(BREAKS, CUBIC),
    "one piece": Spline.of(BREAKS[:2], CUBIC[:1]),
    "quotient": Spline.of(BREAKS, CUBIC, WEIGHTS),
    "constant": Spline.of(BREAKS, [[0.5], [0.5]]),
    "periodic": Spline.of(BREAKS, [CUBIC[0], [0.5, 3.0, 1.0, 0.0]], is_periodic=True),
}
# A quotient's denominator has roots beyond the ends; there the tangents go on all the same.
PLACES = [-40.0, -3.0, -0.3, 0.0, 0.4, 1.0, 1.7, 2.5, 2.9, 7.0, 60.0]


@pytest.mark.parametrize("order", [0, 1, 2, 3])
@pytest.mark.parametrize("name", SPLINES)
def test_at_points_it_is_what_users_get_also_beyond_the_ends(name, order):
    spline = SPLINES[name]
    for x in PLACES:
        if order > 1 and x in (0.0, 1.0, 2.5):
            continue  # there the two sides have other derivatives
        wanted = spline(x, order)
        found = float(_over(spline, POINTS.mpf(x), order, POINTS))
        assert found == pytest.approx(wanted, rel=SAME, abs=SAME), x


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("name", SPLINES)
def test_over_intervals_it_encloses_every_value(name, order):
    rng = np.random.default_rng(SEED)
    spline = SPLINES[name]
    for _ in range(60):
        low = float(rng.choice(PLACES)) + float(rng.uniform(-0.5, 0.5))
        high = low + float(rng.choice([1e-6, 0.1, 2.0, 6.0]))
        box = _over(spline, BOXES.mpf([low, high]), order, BOXES)
        for x in np.linspace(low, high, 23):
            value = spline(float(x), order)
            assert float(box.a) - SAME * abs(value) <= value <= float(box.b) + SAME * abs(value)


@pytest.mark.parametrize("name", ["polynomial", "quotient", "one piece"])
def test_beyond_the_ends_a_box_is_as_narrow_as_the_tangent(name):
    spline = SPLINES[name]
    box = _over(spline, BOXES.mpf([10.0, 11.0]), 0, BOXES)
    slope = abs(spline(float(spline.breaks[-1]), 1))
    assert float(box.b) - float(box.a) == pytest.approx(slope, rel=1e-6)
