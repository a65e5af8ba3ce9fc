"""A measure that the plane keeps still is not offered there."""

import pytest

import kempe
from kempe.compile.trace.part_names import changes_in_the_plane
from kempe.geometry import Marker, X, Y, Z
from kempe.joints import Rod, Spherical
from kempe.measures import (
    AbstractMeasure,
    Back,
    Bearing,
    Coordinate,
    Displacement,
    Distance,
    Heading,
    Inclination,
    Turn,
)

UPRIGHT = (Marker("a", (0.2, 0.1, 0.0)), Marker("b", (0.3, 0.0, 0.0)).turned(0.4))
LYING = tuple(m.facing((1.0, 2.0)) for m in UPRIGHT)  # z in the plane, x out of it


@pytest.mark.parametrize(
    "measure",
    [Turn(Z), Displacement(X), Bearing(), Distance(), Inclination(X, Y), Coordinate(Y)],
    ids=repr,
)
def test_what_moves_in_the_plane_is_offered(measure):
    assert changes_in_the_plane(measure, *UPRIGHT)


@pytest.mark.parametrize(
    "measure",
    [Turn(X), Turn(Y), Displacement(Z), Heading(), Back(Heading()), Inclination(), Coordinate(Z)],
    ids=repr,
)
def test_what_the_plane_keeps_still_is_not(measure):
    assert not changes_in_the_plane(measure, *UPRIGHT)


def test_it_depends_on_the_markers():
    assert changes_in_the_plane(Displacement(Z), *LYING)
    assert changes_in_the_plane(Turn(X), *LYING)
    assert not changes_in_the_plane(Turn(Z), *LYING)
    assert not changes_in_the_plane(Displacement(X), *LYING)


def test_between_two_places_on_the_ground_nothing_changes():
    assert not changes_in_the_plane(Distance(), Marker("ground"), Marker("ground", (1.0, 0.0, 0.0)))


def test_a_measure_that_has_no_hash_is_offered():
    class Odd(AbstractMeasure):
        word, unit = "odd", "m"
        __hash__ = None

        def value(self, X_WI, X_WJ):
            return X_WJ.position.z

    assert changes_in_the_plane(Odd(), *UPRIGHT)


def test_a_ball_in_the_plane_is_read_like_a_hinge():
    def names(plane):
        m = kempe.Builder("arm", plane=plane)
        arm = m.bar("arm", 1.0)
        m.add(Spherical(m.ground.at(0, 0), arm.start), name="ball")
        m.add(Rod(m.ground.at(1, 1), arm.end, length=1.0), name="rod")
        gauges = kempe.compile.trace.part_names.gauges_by_name(m.build().model)
        return {n for n in gauges if n.startswith(("ball", "rod"))}

    assert names(plane=True) == {"ball.angle", "rod.angle", "rod.bearing"}
    assert names(plane=False) > names(plane=True)
