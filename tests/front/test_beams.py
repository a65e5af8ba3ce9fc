"""Beams of pieces and springs: they converge to Euler and Bernoulli with the square of n."""

import math

import numpy as np
import pytest

import kempe
from kempe.drives import Ramp
from kempe.errors import BadNumber
from kempe.forces import AppliedLoad, Weight
from kempe.geometry import Rotation
from kempe.geometry.section import Section
from kempe.measures import Coordinate, Turn

LENGTH = 0.5  # m
STRIP = Section.rectangle("4 mm", "12.5 mm", young="210 GPa", density=7850.0)
#: what bends by 1e-5 of its length bends by small angles: their squares are 1e-10
LIGHT = 0.01  # N
ROOTS = (1.8751040687119611, 4.694091132974174)  # cos x cosh x = -1
#: what the leading error, C / n^2, leaves of the next one at n = 8
NEXT = 0.02


def cantilever(plane, segments, load=None, damping=0.0):
    m = kempe.Builder("cantilever", plane=plane)
    beam = m.beam("beam", LENGTH, STRIP, segments=segments, damping=damping)
    m.fixed(m.ground.at(0, 0), beam.start)
    if load is not None:
        m.force(load(beam.end), "load")
    for axis, word in ((kempe.Y, "y"), *(() if plane else ((kempe.Z, "z"),))):
        m.gauge(f"tip_{word}", Coordinate(axis), m.ground.at(0, 0), beam.end)
    if not plane:
        m.gauge("twist", Turn(kempe.X), m.ground.at(0, 0), beam.end)
    return m.build()


@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize("segments", [1, 4, 10])
def test_a_load_at_the_end_bends_it_by_the_midpoint_rule_of_its_integral(plane, segments):
    """P h / (E I) sum (L - x_i)^2 = P L^3 / (3 E I) (1 - 1 / (4 n^2)), small angles."""
    rest = cantilever(plane, segments, lambda end: Weight(end, (0.0, -LIGHT, 0.0))).statics()
    true = -LIGHT * LENGTH**3 / (3.0 * STRIP.bending_z)
    assert rest["tip_y"] == pytest.approx(true * (1.0 - 0.25 / segments**2), rel=1e-6)


def test_in_space_it_bends_about_its_other_axis_too():
    rest = cantilever(False, 6, lambda end: Weight(end, (0.0, 0.0, LIGHT))).statics()
    true = LIGHT * LENGTH**3 / (3.0 * STRIP.bending_y)
    assert rest["tip_z"] == pytest.approx(true * (1.0 - 0.25 / 36), rel=1e-6)
    assert abs(rest["tip_y"]) < 1e-9


def test_a_torque_about_it_twists_it_by_t_l_over_g_j():
    torque = 1e-3

    def load(end):
        return AppliedLoad(end, torque=(Ramp(torque), Ramp(0.0), Ramp(0.0)))

    rest = cantilever(False, 5, load).statics()
    assert rest["twist"] == pytest.approx(torque * LENGTH / STRIP.twisting, rel=1e-5)


def bending(number, stiffness):
    x = ROOTS[number]
    return x * x / (2.0 * math.pi * LENGTH**2) * math.sqrt(stiffness / STRIP.mass)


@pytest.mark.parametrize("plane", [True, False])
def test_two_natural_frequencies_converge_with_the_square_of_n(plane):
    errors = {}
    for n in (4, 8):
        found = np.array(cantilever(plane, n).linearize().frequencies)
        wanted = [bending(k, STRIP.bending_z) for k in (0, 1)]
        if not plane:
            wanted.append(bending(0, STRIP.bending_y))
            wanted.append(math.sqrt(STRIP.twisting / STRIP.polar) / (4.0 * LENGTH))
        errors[n] = [np.abs(found - f).min() / f for f in wanted]
    orders = np.log2(np.array(errors[4]) / errors[8])
    np.testing.assert_allclose(orders, 2.0, atol=0.1)
    assert errors[8][0] < 0.25 / 64
    assert errors[8][1] < 0.85 / 64
    if not plane:  # pi^2 / 96 n^-2: a chain of n springs and n masses, half of one at its end
        assert errors[8][3] == pytest.approx(math.pi**2 / 96 / 64, rel=NEXT)


def test_damping_goes_with_the_frequency_of_a_mode():
    """c = b k damps a mode of w by b w / 2."""
    b = 1e-5
    linear = cantilever(True, 4, damping=b).linearize()
    for mode in linear.modes[:2]:
        assert mode.damping == pytest.approx(b * 2 * math.pi * mode.frequency / 2, rel=1e-3)


def test_it_stands_where_it_is_put_with_its_mass_and_its_names():
    m = kempe.Builder("tilted", units="mm")
    turn = Rotation.about((0, 0, 1), math.pi / 2)
    beam = m.beam("b", 200, STRIP, segments=3, at=(10, 20, 30), rotation=turn)
    m.fixed(m.ground.at(10, 20, 30), beam.start)
    model = m.build().model
    assert [body.name for body in model.moving] == ["b_0", "b_1", "b_2", "b_3"]
    assert sum(body.inertia.mass for body in model.moving) == pytest.approx(0.2 * STRIP.mass)
    last = model.body("b_3")
    tip = last.guess.point(kempe.Vector(*last.points["end"]))
    np.testing.assert_allclose([float(c) for c in tip], [0.01, 0.22, 0.03], atol=1e-15)
    assert beam.middle.body == "b_1"
    np.testing.assert_allclose(beam.middle.position, [0.2 / 3, 0, 0], atol=1e-15)


def test_a_file_keeps_the_pieces(tmp_path):
    mechanism = cantilever(True, 3, lambda end: Weight(end, (0.0, -LIGHT, 0.0)))
    loaded = kempe.load(mechanism.save(tmp_path / "beam.yaml"))
    assert loaded.statics()["tip_y"] == mechanism.statics()["tip_y"]


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"segments": 0}, "1 to 200 segments"),
        ({"segments": 2.5}, "1 to 200 segments"),
        ({"length": -1.0}, "length is positive"),
        ({"damping": -1.0}, "damping not below 0"),
        ({"section": 3.0}, "its section is 3.0"),
    ],
)
def test_what_is_no_beam_is_refused(given, complaint):
    m = kempe.Builder("wrong", plane=True)
    whole = {"length": 1.0, "section": STRIP} | given
    with pytest.raises(BadNumber, match=f"beam 'b'.*{complaint}"):
        m.beam("b", whole.pop("length"), whole.pop("section"), **whole)
