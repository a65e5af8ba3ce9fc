"""A formula that cannot be traced is differentiated numerically, and nothing else changes."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import kempe as kp
from kempe.constraints import Coincident
from kempe.errors import BadConnection, FormulaError

# Of slopes by fourth differences in steps of 2e-3 (h^4 / 30 and rounding / h, both below 1e-12),
# and of bends in steps of 1e-2 (h^4 / 90, 1e-10), on formulas whose derivatives are 1 to 10.
POSITIONS, RATES, ACCELERATIONS = 1e-11, 1e-10, 1e-7


@dataclass(frozen=True)
class Groove(kp.AbstractJoint):
    """The origin of J rides on y = sin(a x) of marker I."""

    a: float = 0.0
    rows: ClassVar[tuple[str, ...]] = ("m",)
    symbol: ClassVar[str] = "slot"

    def phi(self, X_WI, X_WJ):
        d = X_WJ.position - X_WI.position
        x, y = d @ X_WI.axis(kp.X), d @ X_WI.axis(kp.Y)
        return [y - kp.sin(self.a * x)]


@dataclass(frozen=True)
class ForeignGroove(Groove):
    """The same by a function that takes nothing but numbers."""

    traced: ClassVar[bool] = False

    def phi(self, X_WI, X_WJ):
        d = X_WJ.position - X_WI.position
        x, y = d @ X_WI.axis(kp.X), d @ X_WI.axis(kp.Y)
        return [y - math.sin(self.a * float(x))]


@dataclass(frozen=True)
class Length(kp.AbstractJoint):
    """The origins of I and J are one length apart."""

    length: float = 0.0
    rows: ClassVar[tuple[str, ...]] = ("m",)
    symbol: ClassVar[str] = "rod"

    def phi(self, X_WI, X_WJ):
        return [(X_WJ.position - X_WI.position).norm - self.length]


@dataclass(frozen=True)
class ForeignLength(Length):
    """The same by the standard library."""

    traced: ClassVar[bool] = False

    def phi(self, X_WI, X_WJ):
        return [math.dist(tuple(X_WI.position), tuple(X_WJ.position)) - self.length]


def press(joint, a=2.0):
    m = kp.Builder("pin in a groove", plane=True, gravity=9.81)
    carriage, pin = m.body("carriage", mass=1.0), m.body("pin", mass=0.5)
    m.prismatic(m.ground.at(0, 0), carriage.at(0, 0), name="rail")
    m.prismatic(carriage.at(0, 0), pin.at(0, 0), along=(0, 1), name="lift")
    m.add(joint(m.ground.at(0.1, 0.2).turned(0.3), pin.at(0.05, 0.1), a=a), "groove")
    m.drive(carriage.x, start=-0.5, speed=1.0)
    return m.build()


def shaken(joint):
    m = kp.Builder("rod in space", gravity=(0, 0, -9.81))
    crank = m.body("crank", inertia=kp.Inertia(1.0, (0.1, 0, 0), np.eye(3)))
    follower = m.body("follower", at=(1, 0, 0.5), inertia=kp.Inertia(2.0, (0, 0, 0.1), np.eye(3)))
    hinge = m.revolute(
        m.ground.at(0, 0, 0).facing((0.2, 0.1, 1)),
        crank.at(0, 0, 0).facing((0.2, 0.1, 1)),
        name="O",
    )
    m.revolute(
        m.ground.at(1, 0, 0).facing((0, 1, 0.3)),
        follower.at(0, 0, -0.5).facing((0, 1, 0.3)),
        name="P",
    )
    m.add(joint(crank.at(0.3, 0.1, 0.2), follower.at(0.1, 0.1, 0.2), length=0.9), "rod")
    m.drive(hinge.angle, start=0.2, speed=1.5)
    return m.build()


@pytest.mark.row("A7")
@pytest.mark.parametrize(
    ("make", "pair"),
    [(press, (Groove, ForeignGroove)), (shaken, (Length, ForeignLength))],
    ids=["plane", "space"],
)
def test_a_formula_of_plain_numbers_moves_as_the_traced_one_does(make, pair):
    traced, foreign = (make(joint).kinematics(until=1.0, steps=8) for joint in pair)
    assert len(foreign.t) == len(traced.t)
    for what, most in (("q", POSITIONS), ("v", RATES), ("a", ACCELERATIONS)):
        a, b = (getattr(run.motion, what) for run in (traced, foreign))
        assert np.abs(a - b).max() <= most * max(1.0, np.abs(a).max()), what


def test_reactions_and_words_are_those_of_the_traced_formula():
    traced, foreign = (
        press(joint).kinematics(until=1.0, steps=8) for joint in (Groove, ForeignGroove)
    )
    a, b = (run["groove.force"].values for run in (traced, foreign))
    assert np.abs(a - b).max() <= ACCELERATIONS * np.abs(a).max()
    assert not traced.notes
    assert "'groove' is differentiated numerically" in foreign.notes[0]
    report = press(ForeignGroove).check()
    assert report.freedom == 1
    assert "differentiated numerically" in str(report)


@pytest.mark.parametrize(
    ("ask", "wanted"),
    [
        (lambda m: m.simulate(until=0.1), "equations of motion"),
        (lambda m: m.motions(), "certified"),
        (lambda m: m.assemblies(), "certified"),
        (lambda m: m.kinematics(until=0.1, plan="large"), "tiles"),
    ],
    ids=["simulate", "motions", "assemblies", "large"],
)
def test_what_needs_formulas_refuses_it_by_name(ask, wanted):
    with pytest.raises(FormulaError, match=rf"joint 'groove' is differentiated .*{wanted}"):
        ask(press(ForeignGroove))


def test_what_the_formula_raises_ends_the_run_and_is_told():
    @dataclass(frozen=True)
    class Broken(ForeignGroove):
        def phi(self, X_WI, X_WJ):
            return [math.sqrt(0.3 - float(X_WJ.position.x))]

    with pytest.raises(FormulaError, match=r"Broken.phi \(joint 'groove'\) failed with ValueError"):
        press(Broken).kinematics(until=1.0)


def test_named_constraints_are_traced_in_any_case():
    @dataclass(frozen=True)
    class Odd(kp.AbstractJoint):
        constraints: ClassVar = (Coincident(),)
        traced: ClassVar[bool] = False

    with pytest.raises(BadConnection, match="names constraints"):
        Odd(kp.Marker("a"), kp.Marker("b"), "odd")
