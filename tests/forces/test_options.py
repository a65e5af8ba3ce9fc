"""Options of springs and loads: tables, preloads, nonlinear dampers, winding, axes, reactions."""

import itertools
import math

import numpy as np
import pytest

from kempe import Builder, Inertia, Marker
from kempe.drives import Polynomial, Ramp, Table, TextFormula
from kempe.errors import BadConnection, BadNumber, ExpressionError, KempeError
from kempe.events import Latch
from kempe.forces import (
    Acting,
    AppliedLoad,
    Axes,
    Callback,
    Control,
    FormulaLoad,
    LineSpring,
    MassFlow,
    NonlinearSpring,
    SpringDamper,
    TorsionSpring,
)
from kempe.joints import Revolute
from kempe.measures import Distance, Gauge

#: Ten times the tolerance of the runs, relative to sizes of 1.
CLOSE = 1e-7
ROUND = np.eye(3)


def wheel():
    m = Builder("wheel")
    part = m.body("wheel", at=(0, 0, 0), inertia=Inertia(1.0, (0, 0, 0), np.diag([1, 1, 2.0])))
    hinge = m.add(Revolute(m.ground.at(0, 0, 0), part.at(0, 0, 0)), "arbor")
    return m, hinge


def test_a_preloaded_line_spring_pulls_at_its_free_length(slider):
    """At L = free the pull is the preload: a = -preload / m."""
    m, block = slider(2.0, at=0.5)
    m.force(LineSpring(m.ground.at(0, 0), block.at(0, 0), 40.0, free=0.5, preload=3.0), "coil")
    motion = m.build().simulate(until=0.5, steps=5)
    assert motion["block.x"].acceleration[0] == pytest.approx(-1.5)
    assert motion["coil.force"].values[0] == pytest.approx([-3.0, 0.0])


def test_a_spring_by_a_table_along_a_line_is_the_line_the_table_is_on(slider):
    """Points of a straight line make a spline that is that line: a linear spring."""
    runs = []
    for by_table in (True, False):
        m, block = slider(2.0, at=0.6)
        gap = Gauge("gap", Distance(), m.ground.at(0, 0), block.at(0, 0))
        table = Table(tuple((x, 50.0 * x) for x in (-1.0, -0.4, 0.1, 0.5, 1.0)))
        linear = SpringDamper(gap, 50.0, free=0.4)
        m.force(NonlinearSpring(gap, table, free=0.4) if by_table else linear)
        runs.append(m.build().simulate(until=1.0, steps=10)["block.x"].values)
    assert np.abs(runs[0] - runs[1]).max() < CLOSE


@pytest.mark.parametrize("acting", [Acting.TENSION, Acting.COMPRESSION])
def test_a_nonlinear_spring_acts_one_way_only(slider, acting):
    """Where it hangs loose the mass keeps its speed."""
    way = 1.0 if acting is Acting.COMPRESSION else -1.0
    m, block = slider(1.0, at=0.5 + 0.1 * way)
    m.force(NonlinearSpring(block.x, Polynomial((0.0, 20.0, 0.0, 5.0)), free=0.5, acting=acting))
    m.rate(block.x, 0.3 * way)
    loose = m.build().simulate(until=1.0, steps=4)["block.x"]
    assert loose.rate == pytest.approx(0.3 * way, abs=1e-12)


def test_a_quadratic_damper_slows_as_the_closed_form_says(slider):
    """m v' = -c v^2: v = v0 / (1 + c v0 t / m)."""
    m, block = slider(2.0)
    nothing = Polynomial((0.0,))
    m.force(NonlinearSpring(block.x, nothing, damper=TextFormula("0.8 * t * abs(t)")))
    m.rate(block.x, 5.0)
    motion = m.build().simulate(until=2.0, steps=10)
    assert motion["block.x"].rate == pytest.approx(5.0 / (1.0 + 2.0 * motion.t), abs=CLOSE)


@pytest.mark.parametrize("turns", [0, 3])
def test_a_wound_spring_unwinds_by_what_it_was_wound(turns):
    """I a = -k (m + theta_init): m = theta_init (cos wt - 1), w^2 = k / I."""
    m, hinge = wheel()
    wound = math.tau * turns + 0.4
    m.force(TorsionSpring(hinge.angle, 8.0, theta_init=wound), "mainspring")
    motion = m.build().simulate(until=3.0, steps=30)
    expected = wound * (np.cos(2.0 * motion.t) - 1.0)
    assert np.abs(motion["arbor.angle"].values - expected).max() < 1e-6
    assert motion["mainspring.effort"].values[0] == pytest.approx(-8.0 * wound)
    assert motion.energy.potential[0] == pytest.approx(4.0 * wound**2)
    assert np.ptp(motion.energy.mechanical) < 1e-6 * motion.energy.potential[0]


def test_winding_up_is_moving_the_rest_the_other_way():
    runs = []
    for options in ({"theta_0": 1.0, "theta_init": 3.0}, {"theta_0": -2.0}):
        m, hinge = wheel()
        m.force(TorsionSpring(hinge.angle, 8.0, 0.5, **options))
        runs.append(m.build().simulate(until=2.0, steps=10)["arbor.angle"].values)
    assert np.abs(runs[0] - runs[1]).max() < 1e-9


def test_a_torsion_spring_belongs_on_a_turn(slider):
    _, block = slider()
    with pytest.raises(BadConnection, match="a length"):
        TorsionSpring(block.x, 1.0)


def free_pair(load):
    """Two free bodies, one of them spinning; `load` gets the builder and both."""
    m = Builder("pair")
    inertia = Inertia(2.0, (0.1, 0, 0), np.diag([1, 2, 2.5]))
    one = m.body("one", at=(0, 0, 0), inertia=inertia, spin=(0.3, -0.2, 1.0))
    two = m.body("two", at=(1, 0.5, 0), inertia=inertia)
    m.force(load(one, two), "load")
    return m.build().simulate(until=1.0, steps=5, tolerance=1e-10)


@pytest.mark.parametrize(("axes", "mutual"), list(itertools.product(Axes, (True, False))))
def test_a_load_by_formulas_is_the_load_by_laws(axes, mutual):
    """Force and torque, in world or marker axes, with a reaction and without."""
    force = ("3 * sin(2 * t)", "1", "0.5 * t")
    torque = ("0", "0.4", "t^2")

    def by_laws(one, two):
        laws = [tuple(TextFormula(x) for x in texts) for texts in (force, torque)]
        return AppliedLoad(
            one.at(0, 0.2, 0), *laws, against=two.at(0, 0, 0.1) if mutual else None, axes=axes
        )

    def by_formulas(one, two):
        return FormulaLoad(
            one.at(0, 0.2, 0),
            force,
            torque,
            against=two.at(0, 0, 0.1) if mutual else None,
            axes=axes,
        )

    a, b = free_pair(by_laws), free_pair(by_formulas)
    assert np.abs(a.motion.q - b.motion.q).max() < 1e-12
    moved = np.abs(a["two"].velocity - a["two"].velocity[0]).max()
    assert bool(moved > 0.01) is mutual


def test_a_load_may_follow_what_is_measured(slider):
    """A pull along x that is a spring and a damper on x."""
    runs = []
    for by_formula in (True, False):
        m, block = slider()
        m.force(
            FormulaLoad(
                Marker("block"),
                ("-k * (x - 0.1) - 1.0 * x_rate", "0", "0"),
                seen=(block.x,),
                names=("x",),
                constants=("k",),
                values=(50.0,),
            )
            if by_formula
            else Control(block.x, "-50 * (x - 0.1) - x_rate")
        )
        runs.append(m.build().simulate(until=2.0, steps=20)["block.x"].values)
    assert np.abs(runs[0] - runs[1]).max() < CLOSE


WRONG = {
    "two components": (lambda b: FormulaLoad(Marker("block"), ("1", "2")), BadNumber),
    "nothing": (lambda b: FormulaLoad(Marker("block")), BadNumber),
    "an unknown name": (lambda b: FormulaLoad(Marker("block"), ("y", "0", "0")), ExpressionError),
    "no name": (lambda b: FormulaLoad(Marker("block"), ("t", "0", "0"), seen=(b.x,)), BadNumber),
    "no formula": (lambda b: FormulaLoad(Marker("block"), ("3 +", "0", "0")), ExpressionError),
    "a constant that is none": (
        lambda b: FormulaLoad(
            Marker("block"), ("k", "0", "0"), constants=("k",), values=(math.nan,)
        ),
        BadNumber,
    ),
    "a wound spring without a number": (
        lambda b: TorsionSpring(b.angle, 1.0, theta_init=math.inf),
        BadNumber,
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_mistake_is_refused_where_it_is_made(slider, wrong):
    _, block = slider()
    make, kind = WRONG[wrong]
    with pytest.raises(kind) as caught:
        make(block)
    assert isinstance(caught.value, KempeError)
    assert len(str(caught.value)) > 20


def test_a_drive_pays_for_what_a_spring_stores():
    """Wound up by a drive at constant speed: the work put in is the energy stored."""
    m, hinge = wheel()
    m.drive(hinge.angle, Ramp(0.0, 2.0))
    m.force(TorsionSpring(hinge.angle, 8.0))
    motion = m.build().simulate(until=2.0, steps=10)
    stored = 4.0 * (2.0 * motion.t) ** 2
    assert motion.energy.driven == pytest.approx(stored, abs=1e-6)


LISTS = {
    "control": lambda m, angle, many: Control(
        angle, "-k * a", many([angle]), many(["a"]), many(["k"]), many([3.0])
    ),
    "load": lambda m, angle, many: FormulaLoad(
        Marker("rod", (1, 0, 0)), many(["-3 * a", "0", "0"]), seen=many([angle]), names=many(["a"])
    ),
    "function": lambda m, angle, many: Callback(
        lambda now: -3.0 * now.gauges[0].value, along=many([angle]), seen=many([angle])
    ),
    "flow": lambda m, angle, many: MassFlow(
        Marker("rod", (1, 0, 0)), "0.1 * a", many([0, -1, 0]), seen=many([angle]), names=many(["a"])
    ),
    "latch": lambda m, angle, many: Latch("rod.angle + 0.2", held=many([angle])),
}


@pytest.mark.parametrize("word", LISTS)
def test_a_list_says_what_a_tuple_says(word):
    def last(many):
        m = Builder("pendulum", plane=True, gravity=(0, -9.81))
        rod = m.bar("rod", 1.0, angle=0.0, inertia=Inertia(2.0, (0.5, 0, 0), 0.1 * ROUND))
        m.revolute(m.ground.at(0, 0), rod.start)
        made = LISTS[word](m, rod.angle, many)
        (m.event if word == "latch" else m.force)(made, "given")
        return m.build().simulate(until=0.5, steps=2)["rod.angle"].values[-1]

    assert last(list) == last(tuple)
