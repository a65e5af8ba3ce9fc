"""What makes no sense is refused in words before anything moves; what goes wrong keeps samples."""

import math
import pickle

import numpy as np
import pytest

import kempe
from kempe import Builder, Inertia, Marker
from kempe.errors import (
    BadConnection,
    BadNumber,
    ExpressionError,
    KempeError,
    ModelError,
    UnknownName,
)
from kempe.forces import Control, JointFriction, LineSpring, SpringDamper
from kempe.measures import Distance, Gauge

ROD = Inertia(1.0, (0.5, 0, 0), np.diag([0.0, 1 / 12, 1 / 12]))


def pendulum(force=None, inertia=ROD, **rod):
    """A rod on a hinge, and what a force makes of it."""
    m = Builder("pendulum", plane=True, gravity=(0, -9.81))
    bar = m.bar("rod", 1.0, at=(0, 0), angle=0.0, inertia=inertia, **rod)
    m.revolute(m.ground.at(0, 0), bar.start, name="hinge")
    if force is not None:
        m.force(force(bar), "force")
    return m.build()


MASSES = {
    "negative": (lambda: Inertia(-1.0, (0, 0, 0), np.eye(3)), "-1"),
    "nan": (lambda: Inertia(math.nan, (0, 0, 0), np.eye(3)), "nan"),
    "infinite": (lambda: Inertia(math.inf, (0, 0, 0), np.eye(3)), "inf"),
    "text": (lambda: Inertia("heavy", (0, 0, 0), np.eye(3)), "'heavy'"),
    "centre": (lambda: Inertia(1.0, (math.nan, 0, 0), np.eye(3)), "not finite"),
    "tensor": (lambda: Inertia(1.0, (0, 0, 0), math.nan * np.eye(3)), "not finite"),
    "triangle": (lambda: Inertia(1.0, (0, 0, 0), np.diag([1.0, 1.0, 5.0])), "1, 1, 5 kg m"),
    "negative moments": (lambda: Inertia(1.0, (0, 0, 0), -np.eye(3)), "-1, -1, -1"),
    "not symmetric": (lambda: Inertia(1.0, (0, 0, 0), np.eye(3) + np.eye(3, k=1)), "symmetric"),
}


@pytest.mark.parametrize("name", MASSES)
def test_masses_that_no_body_has_are_refused_with_their_figures(name):
    make, words = MASSES[name]
    with pytest.raises(BadNumber, match=words):
        make()


def test_a_triangle_that_only_rounding_breaks_is_let_pass():
    flat = np.diag([0.1, 0.2, 0.3 * (1 + 1e-12)])
    assert Inertia(1.0, (0, 0, 0), flat).mass == 1.0


WRONG = {
    "force on an unknown body": (
        lambda rod: LineSpring(Marker("rood"), rod.end, 1.0), UnknownName, "'rood'.*'rod'"),
    "measure of an unknown body": (
        lambda rod: SpringDamper(Gauge("gap", Distance(), Marker("rood"), rod.end), 1.0),
        UnknownName, "'rood'.*'rod'"),
    "unknown symbol": (lambda rod: Control(rod.angle, "-k * x"), ExpressionError, "no 'k'"),
    "broken formula": (lambda rod: Control(rod.angle, "-2 * x +"), ExpressionError, "missing"),
    "no number": (lambda rod: SpringDamper(rod.angle, math.nan), BadNumber, "stiffness"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_forces_that_make_no_sense_are_refused_where_they_are_given(name):
    make, kind, words = WRONG[name]
    with pytest.raises(kind, match=words) as caught:
        pendulum(make)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(copy, KempeError)
    assert str(copy) == str(caught.value)


@pytest.mark.parametrize("options", [
    {"until": math.nan}, {"until": -1.0}, {"until": 0.0}, {"until": math.inf},
    {"until": 1.0, "steps": 0}, {"until": 1.0, "steps": -3}, {"until": 1.0, "steps": 10**12},
    {"until": 1.0, "tolerance": "fine"}, {"until": 1.0, "tolerance": math.inf},
    {"until": 1.0, "tolerance": True},
], ids=str)  # fmt: skip
def test_settings_without_sense_are_refused(options):
    with pytest.raises(BadNumber):
        pendulum().simulate(**options)


@pytest.mark.parametrize(
    ("text", "ending"),
    [("sqrt(0.5 - t)", "Diverged"), ("1 / (t - 0.5)", "StepTooSmall")],
)
def test_a_formula_that_fails_on_the_way_ends_the_run_there_and_keeps_what_was_before(text, ending):
    motion = pendulum(lambda rod: Control(rod.angle, text)).simulate(until=1.0, steps=100)
    assert motion.outcome.name == ending
    assert motion.outcome.facts["t"] == pytest.approx(0.5, abs=1e-6)
    assert len(motion) == 50
    assert motion.outcome.advice
    for array in (motion.motion.q, motion.motion.v, motion.motion.a, motion.motion.multipliers):
        assert np.isfinite(array).all()


def test_a_formula_that_fails_at_once_leaves_no_sample_and_no_nan():
    motion = pendulum(lambda rod: Control(rod.angle, "sqrt(-1 - t)")).simulate(until=1.0)
    assert motion.outcome.name == "Diverged"
    assert len(motion) == 0
    assert len(motion.energy.total) == 0
    assert len(motion["hinge.force"]) == 0
    assert "Diverged" in motion.report()


def test_a_spring_that_no_step_can_follow_ends_as_a_step_too_small():
    motion = pendulum(lambda rod: SpringDamper(rod.angle, 1e30)).simulate(until=1.0)
    assert motion.outcome.name == "StepTooSmall"
    assert len(motion) >= 1
    assert np.isfinite(motion.motion.a).all()


@pytest.mark.parametrize(
    ("damping", "until", "advice"),
    [(1e12, 10.0, "stiff"), (-50.0, 100.0, "grows without bounds")],
)
def test_a_run_that_would_never_come_to_its_end_is_ended(damping, until, advice):
    swing = pendulum(lambda rod: SpringDamper(rod.angle, damping=damping))
    motion = swing.simulate(until=until, method="dop853")  # the usual one would change over
    assert motion.outcome.name == "StepTooSmall"
    assert advice in motion.outcome.advice
    assert len(motion) >= 1
    assert np.isfinite(motion.motion.a).all()


def test_a_speed_beyond_all_numbers_is_no_success():
    motion = pendulum(spin=1e200).simulate(until=1.0)
    assert motion.outcome.name == "Diverged"
    assert np.isfinite(motion.motion.v).all()


@pytest.mark.parametrize("mass", [1e-300, 1e300])
def test_masses_of_any_size_fall_alike(mass):
    inertia = Inertia(mass, (0.5, 0, 0), mass * np.diag([0.0, 1 / 12, 1 / 12]))
    motion, plain = pendulum(inertia=inertia).simulate(until=1.0), pendulum().simulate(until=1.0)
    assert motion.outcome.is_done
    assert np.abs(motion["rod.angle"].values - plain["rod.angle"].values).max() < 1e-9


def test_a_mistake_in_a_file_is_told_with_its_line(tmp_path):
    text = """\
version: 1
plane: true
gravity: [0, -9.81]
bodies:
  rod:
    length: 1
    inertia: {mass: 1, centre: [0.5, 0], tensor: [1, 1, 5]}
joints:
  hinge: {type: revolute, I: ground, J: rod.start}
"""
    path = tmp_path / "pendulum.yaml"
    path.write_text(text)
    with pytest.raises(KempeError, match=r"pendulum\.yaml:7:.*1, 1, 5 kg m"):
        kempe.Mechanism.load(path)


def test_a_model_without_bodies_is_refused_and_no_joint_is_blamed():
    with pytest.raises(ModelError, match="no body that could move: add one"):
        kempe.Builder("nothing", plane=True).build().simulate(until=1.0)


@pytest.mark.parametrize("given", ["crank.angle", ("a", "b"), None, 3.0])
def test_a_force_on_what_is_no_measure_or_marker_is_refused_where_it_is_made(given):
    with pytest.raises(BadConnection, match=r"`gauge` of force .*: give it one measure, such as"):
        JointFriction(given, 0.3)
    with pytest.raises(BadConnection, match=r"`J` of force .*: give it one marker, such as"):
        LineSpring(kempe.Marker("a"), given, 3.0)
