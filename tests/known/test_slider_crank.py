"""The slider-crank against its closed form.

Source: [Norton] ch. 4: x = r cos + sqrt(l^2 - (e - r sin)^2).
"""

import math

import numpy as np
import pytest

import kempe

SPEED = 100.0  # rad/s
CRANK, ROD, OFFSET = 0.05, 0.15, 0.01  # m
#: Solved to 1e-13 of the machine's size; the rod is never steeper than asin(0.4).
SAME = 1e-12  # relative to the largest value
STROKE = 0.10025109984371981  # sqrt((l + r)^2 - e^2) - sqrt((l - r)^2 - e^2)


def closed_form(theta):
    """Position, velocity and acceleration of the slider, at constant crank speed."""
    u = OFFSET - CRANK * np.sin(theta)
    du, ddu = -CRANK * SPEED * np.cos(theta), CRANK * SPEED**2 * np.sin(theta)
    w = np.sqrt(ROD**2 - u * u)
    x = CRANK * np.cos(theta) + w
    v = -CRANK * SPEED * np.sin(theta) - u * du / w
    a = -CRANK * SPEED**2 * np.cos(theta) - (du**2 + u * ddu) / w - (u * du) ** 2 / w**3
    return x, v, a


@pytest.fixture(params=[True, False], ids=["plane", "space"])
def turn(request):
    m = kempe.Builder("press", plane=request.param)
    crank = m.bar("crank", CRANK, at=(0, 0), angle=0)
    rod = m.bar("rod", ROD, at=(CRANK, 0), angle=math.asin(OFFSET / ROD))
    slider = m.body("slider", at=(0.2, OFFSET))
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, slider.at(0, 0))
    m.prismatic(m.ground.at(0, OFFSET), slider.at(0, 0), name="guide")
    m.drive(crank.angle, speed=SPEED)
    return m.build().kinematics(until=2.0 * math.pi / SPEED, steps=360)


def test_the_slider_moves_as_the_closed_form_says(turn):
    assert turn.outcome.is_done
    slider, guide = turn["slider"], turn["guide.displacement"]
    truth = closed_form(SPEED * turn.t)
    found = (slider.position[:, 0], slider.velocity[:, 0], slider.acceleration[:, 0])
    read = (guide.values, guide.rate, guide.acceleration)
    for mine, channel, expected in zip(found, read, truth, strict=True):
        np.testing.assert_allclose(mine, expected, rtol=0, atol=SAME * np.abs(expected).max())
        np.testing.assert_allclose(channel, expected, rtol=0, atol=SAME * np.abs(expected).max())


def test_the_figures_of_the_table_are_reproduced(turn):
    """Source: closed form, recomputed elsewhere; theta = 0 and 5 degrees."""
    slider = turn["slider"]
    for k, row in (
        (0, (0.19966629547095766, 0.33407655239053047, -667.7839827854227)),
        (5, (0.19970358212325373, -0.24828794465273224, -665.4899791845378)),
    ):
        found = slider.position[k, 0], slider.velocity[k, 0], slider.acceleration[k, 0]
        assert found == pytest.approx(row, rel=1e-10)


def test_the_stroke_is_that_of_the_dead_points(turn):
    assert math.sqrt((ROD + CRANK) ** 2 - OFFSET**2) - math.sqrt(
        (ROD - CRANK) ** 2 - OFFSET**2
    ) == pytest.approx(STROKE, abs=1e-15)
    # between samples of one degree: x'' (0.5 deg)^2 / 2 = 2.5e-6 m at either end, at most
    assert 0.0 <= STROKE - turn["slider.x"].ptp("m") < 5e-6


def test_crank_and_rod_in_line_are_a_stroke_apart():
    """Stretched at asin(e / (l + r)), folded half a turn and asin(e / (l - r)) on."""
    far = math.asin(OFFSET / (ROD + CRANK))
    near = math.pi + math.asin(OFFSET / (ROD - CRANK))
    press = kempe.gallery.slider_crank(crank=CRANK, rod=ROD, offset=OFFSET, start=far)
    x = press.kinematics(over=("crank.angle", far, near), steps=4)["slider.x"].values
    assert x[0] - x[-1] == pytest.approx(STROKE, abs=SAME)


def test_the_slider_neither_lifts_nor_turns(turn):
    assert np.abs(turn["slider"].position[:, 1] - OFFSET).max() < SAME
    assert np.abs(turn["slider.angle"].values).max() < SAME


def test_a_crank_longer_than_its_rod_stops_where_the_rod_is_square():
    mechanism = kempe.gallery.slider_crank(crank=3.0, rod=1.0, start=0.1)
    turn = mechanism.kinematics(over=("crank.angle", 0.1, 3.0))
    assert turn.outcome.name == "DeadPoint"
    assert turn.outcome.facts["value"] == pytest.approx(math.asin(1.0 / 3.0), abs=1e-9)
