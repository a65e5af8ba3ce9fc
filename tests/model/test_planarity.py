"""What could do nothing in the plane is refused, in words; what can is let be."""

import numpy as np
import pytest

from kempe import Builder, Inertia, Marker
from kempe.drives import TextFormula
from kempe.errors import BadConnection, BadNumber
from kempe.events import Latch, Stop
from kempe.forces import (
    AppliedLoad,
    Axes,
    BoxOnPlane,
    CapsuleOnPlane,
    CylinderOnPlane,
    DryFriction,
    FormulaLoad,
    SphereOnPlane,
    SphereOnSphere,
    SpringDamper,
)
from kempe.geometry import X, Y, Z
from kempe.measures import (
    Bearing,
    Coordinate,
    Displacement,
    Distance,
    Gauge,
    Heading,
    Inclination,
    Turn,
)

ACROSS = [
    Displacement(Z),
    Coordinate(Z),
    Turn(X),
    Heading(X, Y),
    Inclination(Z, Z),
    Inclination(Z, X),
    Bearing(X),
]
ALONG = [
    Displacement(X),
    Coordinate(Y),
    Turn(Z),
    Heading(Z, X),
    Inclination(X, Y),
    Bearing(Z),
    Distance(),
]
PRESS = {"stiffness": 1e3}


def disc():
    """A builder of the plane, with a body of 1 kg that falls towards y = 0."""
    m = Builder("disc", plane=True)
    inertia = Inertia(1.0, (0, 0, 0), np.eye(3))
    return m, m.body("disc", at=(0.3, 0.5), angle=0.4, inertia=inertia, velocity=(1, -1))


def gauge(measure):
    return Gauge("g", measure, Marker("ground"), Marker("disc", (0.1, 0.2, 0.0)))


@pytest.mark.parametrize("measure", ACROSS, ids=repr)
def test_what_acts_along_a_measure_that_nothing_changes_is_refused(measure):
    m, _ = disc()
    m.force(SpringDamper(gauge(measure), stiffness=10.0, free=1.0), "spring")
    with pytest.raises(BadConnection, match=r"'spring' can do nothing in the plane.*'g'"):
        m.build()
    m, _ = disc()
    m.force(DryFriction(gauge(measure), 1.0, 0.1), "rub")
    with pytest.raises(BadConnection, match="'rub' can do nothing in the plane"):
        m.build()
    for event in (Stop(gauge(measure), low=-9.0), Latch("t - 0.5", (gauge(measure),))):
        m, _ = disc()
        m.event(event, "limit")
        with pytest.raises(BadConnection, match="'limit' can do nothing in the plane"):
            m.build()


@pytest.mark.parametrize("measure", ALONG, ids=repr)
def test_what_acts_along_a_measure_of_the_plane_changes_the_motion(measure):
    m, _ = disc()
    free = m.build().simulate(until=0.5, steps=1)
    m.force(SpringDamper(gauge(measure), stiffness=10.0, free=1.0, preload=1.0), "spring")
    held = m.build().simulate(until=0.5, steps=1)
    assert held.outcome.is_done
    assert np.abs(held.motion.q[-1] - free.motion.q[-1]).max() > 1e-3


CONTACTS = {
    "ball": lambda I, J, n: SphereOnPlane(I, J, n, 0.1, **PRESS),
    "capsule": lambda I, J, n: CapsuleOnPlane(I, J, n, Z, 0.1, 0.1, **PRESS),
    "cylinder": lambda I, J, n: CylinderOnPlane(I, J, n, Z, 0.1, 0.1, **PRESS),
    "box": lambda I, J, n: BoxOnPlane(I, J, n, 0.1, 0.1, 0.1, **PRESS),
}


@pytest.mark.parametrize("shape", CONTACTS)
def test_a_floor_whose_normal_lies_across_the_plane_is_refused(shape):
    m, body = disc()
    m.force(CONTACTS[shape](m.ground.at(0, 0), body.at(0, 0), Z), "floor")
    with pytest.raises(BadConnection, match=r"'floor' can do nothing in the plane.*normal"):
        m.build()


@pytest.mark.parametrize("shape", CONTACTS)
def test_a_floor_of_the_plane_turns_what_falls_on_it_back(shape):
    m, body = disc()
    m.force(CONTACTS[shape](m.ground.at(0, 0), body.at(0, 0), Y), "floor")
    run = m.build().simulate(until=1.0, steps=20)
    assert run["disc.y"].values.min() > 0.0
    # a marker whose z axis was turned into the plane has its normal along z
    m, body = disc()
    m.force(CONTACTS[shape](m.ground.at(0, 0).facing((0, 1, 0)), body.at(0, 0), Z), "floor")
    assert m.build().simulate(until=1.0, steps=20)["disc.y"].values.min() > 0.0


def test_two_discs_touch_in_the_plane():
    m, body = disc()
    m.force(SphereOnSphere(m.ground.at(0, 0), body.at(0, 0), 0.1, 0.1, **PRESS), "discs")
    assert m.build().simulate(until=1.0, steps=2).outcome.is_done


def constant(*numbers):
    return tuple(TextFormula(str(x)) for x in numbers)


@pytest.mark.parametrize(
    "load",
    [
        lambda at: AppliedLoad(at, force=constant(0, 0, 5)),
        lambda at: AppliedLoad(at, torque=constant(5, -1, 0)),
        lambda at: FormulaLoad(at, force=("0", "0", "sin(t) + 2")),
        lambda at: AppliedLoad(at.facing((0, 1, 0)), force=constant(5, 0, 0), axes=Axes.MARKER),
    ],
)
def test_a_load_across_the_plane_is_refused(load):
    m, body = disc()
    m.force(load(body.at(0, 0)), "push")
    with pytest.raises(BadConnection, match="'push' can do nothing in the plane"):
        m.build()


@pytest.mark.parametrize(
    "load",
    [
        lambda at: AppliedLoad(at, force=constant(0, 1, 5)),
        lambda at: AppliedLoad(at, torque=constant(0, 0, 5)),
        lambda at: AppliedLoad(at, force=constant(0, 0, 0)),  # a load to be set later
        lambda at: FormulaLoad(at, force=("max(t - 1, 0)", "0", "0")),
    ],
)
def test_a_load_that_has_a_part_in_the_plane_or_none_at_all_is_let_be(load):
    m, body = disc()
    m.force(load(body.at(0, 0)), "push")
    assert m.build().simulate(until=0.1, steps=1).outcome.is_done


def test_a_component_that_is_a_number_is_told_to_be_a_law():
    _, body = disc()
    with pytest.raises(BadNumber, match=r"component 0, which is no law"):
        AppliedLoad(body.at(0, 0), force=(0, 5, 0))
