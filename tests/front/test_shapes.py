"""Bodies that are made with a shape: their mass, their place, and what is refused."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber, ModelError
from kempe.geometry import Inertia
from kempe.geometry.solids import Cuboid, Cylinder, Plate, SlenderBar, Sphere

pytestmark = pytest.mark.row("A4")

STEEL = 7850.0


def test_a_bar_with_a_shape_falls_as_the_closed_form_says():
    """A physical pendulum: omega^2 = 2 m g c (cos a_0 - cos a) / I_end, from a_0 to upright."""
    m = kempe.Builder("pendulum", plane=True, gravity=(0.0, -9.81))
    arm = m.bar("arm", 0.5, angle="0 deg", shape=Cuboid((0.5, 0.02, 0.01)), density=STEEL)
    m.revolute(m.ground.at(0, 0), arm.start)
    model = m.build()
    inertia = model.model.body("arm").inertia
    assert inertia.mass == pytest.approx(STEEL * 0.5 * 0.02 * 0.01, rel=1e-14)
    end = inertia.mass * ((0.5**2 + 0.02**2) / 12 + 0.25**2)
    fall = model.simulate(until=0.3, steps=30, tolerance=1e-11)
    angle = fall["arm.angle"]
    energy = 0.5 * end * np.asarray(angle.rate) ** 2
    drop = inertia.mass * 9.81 * 0.25 * np.sin(-np.asarray(angle.values))
    assert energy == pytest.approx(drop, abs=1e-8)


def test_several_shapes_weigh_what_they_weigh_together():
    m = kempe.Builder("dumbbell")
    bar = m.bar("bar", 0.4, shape=Cylinder(0.01, 0.4), density=STEEL)
    for x in (0.0, 0.4):
        m.shape(bar, Sphere(0.05), at=(x, 0.0, 0.0), density="2.7 g/cm^3")
    m.shape(bar, Sphere(1.0))  # seen, and weightless
    inertia = m.known_body("bar").inertia
    rod, ball = STEEL * math.pi * 1e-4 * 0.4, 2700 * 4 / 3 * math.pi * 0.05**3
    assert inertia.mass == pytest.approx(rod + 2 * ball, rel=1e-13)
    assert inertia.centre == pytest.approx([0.2, 0.0, 0.0], abs=1e-14)
    across = rod * (0.01**2 / 4 + 0.4**2 / 12) + 2 * ball * (0.4 * 0.05**2 + 0.2**2)
    along = rod * 0.01**2 / 2 + 2 * ball * 0.4 * 0.05**2
    assert np.diag(inertia.tensor) == pytest.approx([along, across, across], rel=1e-12)


def test_a_plate_lies_in_the_axes_of_its_body():
    m = kempe.Builder("plate", plane=True, units="mm")
    m.body("plate", shape=Plate(((0, 0), (0.1, 0), (0, 0.1)), 0.01), density=1000)
    assert m.known_body("plate").inertia.centre == pytest.approx([0.1 / 3, 0.1 / 3, 0])


@pytest.mark.parametrize("make", ["body", "bar"])
def test_what_cannot_be_weighed_is_refused_and_leaves_no_body(make):
    m = kempe.Builder("no")
    length = (1.0,) if make == "bar" else ()
    point = Inertia(1.0, np.zeros(3), np.eye(3))
    for given, complaint in (
        ({"density": 1.0}, "has a density and no shape"),
        ({"shape": SlenderBar(1.0), "density": 1.0}, "no volume"),
        ({"shape": Sphere(1.0), "density": -1.0}, "density"),
        ({"shape": "a ball"}, "give a solid"),
    ):
        with pytest.raises((BadNumber, ModelError), match=complaint):
            getattr(m, make)("b", *length, **given)
        assert m.known_body("b") is None
    with pytest.raises(ModelError, match="has an inertia already"):
        getattr(m, make)("b", *length, shape=Sphere(1.0), density=1.0, inertia=point)
    assert m.known_body("b") is None
