"""Forces do what their formulas say, in the plane and in space."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np
import pytest

import kempe
from kempe import Builder, Inertia, Marker, Z
from kempe.drives import Formula, Ramp
from kempe.errors import BadConnection, BadNumber, DuplicateName, FormulaError, UnknownName
from kempe.forces import AbstractForce, Action, Actuator, SpringDamper, Weight
from kempe.joints import Revolute
from kempe.measures import Distance, Gauge, Turn

#: Ten times the tolerance of the runs, relative to sizes of 1.
CLOSE = 1e-7
#: Energies at default settings, beside the largest.
BALANCED = 1e-6


@pytest.mark.row("C3")
@pytest.mark.parametrize("plane", [True, False])
def test_a_spring_and_a_damper_swing_out_as_the_formula_says(slider, plane):
    """m x'' + c x' + k x = 0 from x = 0.3 at rest: e^(-at) (cos wt + a/w sin wt)."""
    m, block = slider(2.0, plane=plane)
    m.force(SpringDamper(block.x, stiffness=50.0, damping=1.6))
    motion = m.build().simulate(until=4.0, steps=80)
    a, t = 1.6 / 4.0, motion.t
    w = math.sqrt(50.0 / 2.0 - a * a)
    x = 0.3 * np.exp(-a * t) * (np.cos(w * t) + a / w * np.sin(w * t))
    assert np.abs(motion["block.x"].values - x).max() < CLOSE
    energy = motion.energy
    assert energy.dissipated[-1] > 0.5 * energy.potential[0]
    assert np.ptp(energy.total) < BALANCED * energy.potential[0]


def test_a_preload_shifts_the_rest(slider):
    m, block = slider()
    m.force(SpringDamper(block.x, stiffness=10.0, free=0.1, preload=2.0, damping=30.0))
    end = m.build().simulate(until=60.0, steps=2, tolerance=1e-6)["block.x"].values[-1]
    assert end == pytest.approx(0.1 + 2.0 / 10.0, abs=1e-5)


def test_an_actuator_follows_its_law(slider):
    m, block = slider(2.0)
    m.force(Actuator(block.x, Formula(lambda t: 3.0 * np.sin(2.0 * t))))
    motion = m.build().simulate(until=3.0, steps=30)
    t = motion.t
    x = 0.3 + 3.0 / 2.0 * (t / 2.0 - np.sin(2.0 * t) / 4.0)
    assert np.abs(motion["block.x"].values - x).max() < CLOSE
    assert np.ptp(motion.energy.total) < BALANCED * motion.energy.kinetic.max()


def test_a_torsion_spring_counts_whole_turns():
    """Wound up by three turns in space, it unwinds through all of them and winds up again."""
    m = Builder("balance wheel")
    wheel = m.body("wheel", at=(0, 0, 0), inertia=Inertia(1.0, (0, 0, 0), np.diag([1, 1, 2.0])))
    m.add(Revolute(m.ground.at(0, 0, 0), wheel.at(0, 0, 0)), "arbor")
    turn = Gauge("arbor.angle", Turn(Z), Marker("ground"), Marker("wheel"))
    m.force(SpringDamper(turn, stiffness=8.0, free=6 * math.pi), "hairspring")
    motion = m.build().simulate(until=3.0, steps=300)
    expected = 6 * math.pi * (1.0 - np.cos(2.0 * motion.t))
    assert np.abs(motion["arbor.angle"].values - expected).max() < 1e-6


def test_a_weight_pulls_where_it_is_hung():
    """On the end of a massless-looking arm it turns the arm as a torque would."""
    m = Builder("arm", plane=True)
    rod = m.bar("rod", 1.0, angle=0.0, inertia=Inertia(1.0, (0.0, 0, 0), np.diag([1, 1, 0.5])))
    m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
    m.force(Weight(rod.end, (0.0, -4.0, 0.0)), "load")
    motion = m.build().simulate(until=0.5, steps=5)
    assert motion["rod.angle"].acceleration[0] == pytest.approx(-4.0 / 0.5)
    assert motion["hinge.force"].values[0] == pytest.approx([0.0, 4.0])
    assert np.ptp(motion.energy.mechanical) < BALANCED * motion.energy.kinetic.max()


@pytest.mark.row("C3")
def test_action_and_reaction_leave_momentum_alone():
    """Two free bodies and a spring between points off their centres: momentum stays zero."""
    m = Builder("two in space")
    inertia = Inertia(1.5, (0.1, 0.0, 0.05), np.diag([0.1, 0.2, 0.25]))
    a = m.body("a", at=(0, 0, 0), inertia=inertia)
    b = m.body("b", at=(1, 0.4, 0.2), inertia=inertia)
    gauge = Gauge("gap", Distance(), a.at(0.2, 0.1, 0), b.at(-0.1, 0, 0.2))
    m.force(SpringDamper(gauge, stiffness=40.0, free=0.5))
    motion = m.build().simulate(until=2.0, steps=20)
    assert motion.outcome.is_done
    from kempe.compile.layout.dynamic_layout import velocities_at_centres

    raw = motion.motion
    v = velocities_at_centres(m.build().model, raw.q, raw.v)
    assert np.abs(v[:, :3] + v[:, 6:9]).max() < 1e-12  # equal masses
    assert np.ptp(motion.energy.mechanical) < BALANCED * motion.energy.kinetic.max()


@final
@dataclass(frozen=True)
class Drag(AbstractForce):
    """Air that resists with the square of the speed of a marker: f = -c |v| v."""

    at: Marker
    c: float

    def action(self, now):
        v = now.V[0].v
        force = v * (-self.c * kempe.sqrt(v @ v + 1e-30))
        from kempe.geometry import Vector, Wrench

        return Action.on(Wrench(force, Vector(0.0, 0.0, 0.0)))


def test_a_class_of_the_users_own_runs_compiled(slider):
    m, block = slider(2.0)
    m.force(Drag(Marker("block"), 0.8))
    m.rate(block.x, 5.0)
    motion = m.build().simulate(until=2.0, steps=20)
    k = 0.8 / 2.0
    assert motion.motion.recipe.executor in ("llvm", "vm")
    expected = 0.3 + np.log(1.0 + 5.0 * k * motion.t) / k
    assert np.abs(motion["block.x"].values - expected).max() < CLOSE
    lost = 0.5 * 2.0 * (25.0 - motion["block.x"].rate[-1] ** 2)
    assert motion.energy.dissipated[-1] == pytest.approx(lost, abs=1e-6)


@final
@dataclass(frozen=True)
class Wrong(AbstractForce):
    """A spring whose energy forgets the half."""

    gauge: Gauge
    k: float

    def action(self, now):
        return Action.along(-self.k * now.gauges[0].value)

    def energy(self, now):
        return self.k * now.gauges[0].value * now.gauges[0].value


def test_an_energy_that_is_not_the_forces_own_is_refused(slider):
    m, block = slider()
    m.force(Wrong(block.x, 3.0), "wrong")
    with pytest.raises(FormulaError, match="energy of force 'wrong'"):
        m.build().simulate(until=1.0)


@final
@dataclass(frozen=True)
class Silent(AbstractForce):
    """Says nothing."""

    gauge: Gauge

    def action(self, now):
        return None


@final
@dataclass(frozen=True)
class Loud(AbstractForce):
    """Says too much."""

    gauge: Gauge

    def action(self, now):
        return Action.along(1.0, 2.0)


@pytest.mark.parametrize(
    ("force", "words"), [(Silent, "instead of an Action"), (Loud, "returned 2 efforts")]
)
def test_a_formula_that_returns_something_else_is_named(slider, force, words):
    m, block = slider()
    m.force(force(block.x), "odd")
    with pytest.raises(FormulaError, match=words):
        m.build().simulate(until=1.0)


def test_a_force_on_an_unknown_body_is_refused(slider):
    m, _ = slider()
    m.force(Weight(Marker("blok"), (0.0, 0.0, 0.0)))
    with pytest.raises(UnknownName, match="'block'"):
        m.build()


def test_names_and_numbers_are_checked(slider):
    m, block = slider()
    m.force(SpringDamper(block.x, 1.0), "spring")
    with pytest.raises(DuplicateName):
        m.force(SpringDamper(block.x, 1.0), "spring")
    with pytest.raises(BadNumber, match="stiffness"):
        SpringDamper(block.x, float("nan"))
    with pytest.raises(BadConnection, match="a force is a thing"):
        m.force(3.0)


def test_forces_are_renamed_removed_and_merged_with_their_bodies(slider):
    m, block = slider()
    m.force(SpringDamper(block.x, 5.0), "spring")
    built = m.build()
    edit = built.edit()
    edit.rename({"block": "cart", "spring": "coil"})
    model = edit.build().model
    assert model.forces[0].name == "coil"
    assert model.forces[0].gauge.J.body == "cart"
    edit.remove("coil")
    assert edit.build().model.forces == ()
    other, _ = slider()
    joined = kempe.merge(built, other.build(), rename={"block": "second", "rail": "second rail"})
    assert [f.name for f in joined.model.forces] == ["spring"]


def test_a_stiffer_spring_needs_no_new_program(slider):
    from kempe.compile.layout.dynamic_layout import DynamicLayout

    keys = set()
    for k in (5.0, 7.0):
        m, block = slider()
        m.force(SpringDamper(block.x, stiffness=k))
        m.force(Actuator(block.x, Ramp(k)))
        keys.add(DynamicLayout(m.build().model).key)
    assert len(keys) == 1


def test_what_a_force_does_is_read_by_its_name():
    m = Builder("hung", plane=True, gravity=(0, -9.81))
    rod = m.bar("rod", 1.0, angle=0.0, inertia=Inertia(1.0, (0.5, 0, 0), np.diag([0, 0.1, 0.1])))
    m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
    m.force(SpringDamper(rod.angle, stiffness=3.0, damping=0.5), "spring")
    m.force(Weight(rod.end, (1.0, -2.0, 0.0)), "load")
    motion = m.build().simulate(until=1.0, steps=10)
    angle = motion["rod.angle"]
    assert np.allclose(motion["spring.effort"].values, -3.0 * angle.values - 0.5 * angle.rate)
    assert motion["spring.effort"].unit == "N m"
    assert np.allclose(motion["load.force"].values, [1.0, -2.0])
    assert np.allclose(motion["load.torque"].values, 0.0)
    assert {"spring.effort", "load.force", "load.torque"} <= set(motion.names)


def test_a_driven_mechanism_feels_its_springs_too():
    """A crank turned at constant speed against a torsion spring: the drive gives the torque."""
    m = Builder("wound up", plane=True)
    crank = m.bar("crank", 0.1, inertia=Inertia(1.0, (0.0, 0, 0), np.diag([0, 0.1, 0.1])))
    m.revolute(m.ground.at(0, 0), crank.start)
    m.drive(crank.angle, speed=2.0)
    m.force(SpringDamper(crank.angle, stiffness=5.0, damping=0.25), "spring")
    built = m.build()
    expected = 5.0 * 2.0 * np.linspace(0, 1, 11) + 0.25 * 2.0
    swept = built.kinematics(until=1.0, steps=10)
    assert np.allclose(swept["crank.angle.effort"].values, expected)
    moved = built.simulate(until=1.0, steps=10)
    assert np.allclose(moved["crank.angle.effort"].values, expected, atol=1e-9)
    assert moved["crank.angle"].values[-1] == pytest.approx(2.0, abs=1e-12)
    work = 2.0 * (5.0 * 2.0 * 0.5 + 0.25 * 2.0)
    assert moved.energy.driven[-1] == pytest.approx(work, abs=1e-8)
    assert np.ptp(moved.energy.total) < 1e-8
