"""ASMT files that kempe writes: what is read of them moves as what they were written of."""

import numpy as np
import pytest

import kempe as kp
from kempe.drives import Harmonic, Polynomial, Ramp, Table, TextFormula
from kempe.foreign.asmt.expressions import formula_of
from kempe.foreign.asmt.laws import expression_of

ROUNDING = 1e-9  # m: of closing the loops
GALLERY = ("four_bar", "slider_crank", "quick_return", "oldham", "cardan", "rssr", "bennett")


def moved(mechanism, bodies):
    motion = mechanism.kinematics(until=1.0, steps=12)
    poses = [motion.state(k).poses for k in range(len(motion))]
    return {b: np.array([X[b].matrix() for X in poses]) for b in bodies}


@pytest.mark.parametrize("name", GALLERY)
def test_what_is_written_and_read_again_moves_alike(name, tmp_path):
    first = getattr(kp.gallery, name)()
    report = first.export(tmp_path / "a.asmt")
    assert not report.left_out
    again = kp.load(tmp_path / "a.asmt")
    assert not again.imported.report.left_out
    bodies = [body.name for body in first.model.moving]
    expected, found = moved(first, bodies), moved(again, bodies)
    for word, values in expected.items():
        np.testing.assert_allclose(found[word], values, atol=ROUNDING, err_msg=word)
    assert max(np.ptp(values, axis=0).max() for values in expected.values()) > 0.01


def test_masses_and_springs_come_back_and_swing_alike(tmp_path):
    m = kp.Builder("swing", gravity=(0, 0, -9.81))
    inertia = kp.Inertia(2.0, (0.01, 0.02, 0.0), [[2, 0.3, 0], [0.3, 3, 0.1], [0, 0.1, 4]])
    bob = m.body("bob", inertia=inertia, at=(0.3, 0.1, 0.2))
    ball = kp.joints.Spherical(m.ground.at(0, 0, 0), bob.at(-0.3, -0.1, -0.2))
    m.add(ball, "ball")
    spring = kp.forces.LineSpring(m.ground.at(1, 0, 0), bob.at(0.1, 0, 0), 40.0, 0.3, free=0.5)
    m.force(spring, "spring")
    first = m.build()
    report = first.export(tmp_path / "a.asmt")
    assert not report.left_out
    again = kp.load(tmp_path / "a.asmt")
    ends = [x.simulate(until=0.5, steps=5)["bob.x"].values for x in (first, again)]
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-6)
    assert np.ptp(ends[0]) > 0.01


@pytest.mark.parametrize(
    "law",
    [
        Ramp(0.3, -2.0, 1.5),
        Polynomial((1.0, 0.0, -3.0, 0.25)),
        Harmonic(amplitude=0.2, frequency=1.5, phase=-0.4, mean=-1.0),
        TextFormula("a * sin(2 * pi * t) - abs(t - 0.5)^2", ("a",), (-0.2,), scale=-2.0, per=3.0),
    ],
    ids=lambda law: type(law).__name__,
)
def test_a_law_that_is_written_is_the_law_that_is_read(law):
    again = TextFormula(formula_of(expression_of(law)))
    for t in (0.0, 0.21, 0.8, 3.0):
        assert float(again.value(t)) == pytest.approx(float(law.value(t)), abs=1e-12)


def test_a_law_that_is_no_formula_has_no_expression():
    assert expression_of(Table(((0.0, 0.0), (1.0, 2.0)))) is None
    assert expression_of(TextFormula("1 if t < 1 else 2")) is None


def test_what_the_format_cannot_hold_is_listed(tmp_path):
    report = kp.gallery.engine().export(tmp_path / "a.asmt")
    assert {item.what for item in report.left_out} == {"force 'gas'", "force 'brake'"}


def test_wheels_in_mesh_come_back(tmp_path):
    m = kp.Builder("train")
    a, b = m.body("a"), m.body("b", at=(0.3, 0, 0))
    hinge = m.revolute(m.ground.at(0, 0, 0), a.at(0, 0, 0), name="first")
    m.revolute(m.ground.at(0.3, 0, 0), b.at(0, 0, 0), name="second")
    pair = kp.couplers.GearPair.meshing(a.at(0, 0, 0), b.at(0, 0, 0), teeth=(20, 40), name="mesh")
    m.couple(pair, "mesh")
    m.drive(hinge.angle, rpm=60)
    first = m.build()
    report = first.export(tmp_path / "a.asmt")
    assert not report.left_out
    again = kp.load(tmp_path / "a.asmt")
    for mechanism in (first, again):
        turn = mechanism.kinematics(until=1.0, steps=8)["second.angle"]
        assert float(turn.values[-1] - turn.values[0]) == pytest.approx(-np.pi, abs=1e-9)
