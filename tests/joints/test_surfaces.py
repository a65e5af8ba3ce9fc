"""Joints of surfaces: what they hold, what they refuse, how they are swept and drawn."""

import math

import numpy as np
import pytest

import kempe
from kempe import Builder
from kempe.errors import KempeError
from kempe.geometry import Marker, Pose, Rotation, Vector
from kempe.geometry.curves import Segment
from kempe.geometry.surfaces import (
    BSplineSurface,
    CylinderSurface,
    PlaneSurface,
    RuledSurface,
    SphereSurface,
    TorusSurface,
)
from kempe.joints import PointFromSurface, PointOnSurface, SurfaceOnSurface
from kempe.pictures.outlines import tracks
from tests.geometry.surfaces.test_surfaces import SURFACES

ROUNDING = 1e-12


@pytest.mark.parametrize("name", SURFACES)
@pytest.mark.parametrize("length", [None, 0.2, -0.15])
def test_rows_vanish_where_the_point_is_over_the_surface_and_nowhere_beside(name, length):
    """At S + length n, for places all over every surface; a step along n is that step beside."""
    surface = SURFACES[name]
    X_WI = Pose(Vector(0.3, -0.4, 0.8), Rotation.about((1, 2, 3), 1.1))
    I, J = Marker("a"), Marker("b")
    joint = (
        PointOnSurface(I, J, surface=surface)
        if length is None
        else PointFromSurface(I, J, surface=surface, length=length)
    )
    ends = [(max(d.low, -2.0), min(d.high, 2.0)) for d in surface.domains]
    for share in ((0.2, 0.3), (0.7, 0.6), (0.4, 0.8)):
        uv = [low + s * (high - low) for s, (low, high) in zip(share, ends, strict=True)]
        n = surface.unit_normal(*uv)
        for beside in (0.0, 1e-3):
            there = surface(*uv) + ((length or 0.0) + beside) * n
            X_WJ = Pose(X_WI.point(Vector(*there.tolist())), Rotation.about((0, 1, 1), 0.4))
            rows = joint.phi(X_WI, X_WJ, *(uv if joint.unknowns else ()))
            off = np.linalg.norm([float(r) for r in rows])
            assert off == pytest.approx(beside, abs=1e-15 + 2e-3 * beside + ROUNDING)


def test_a_surface_with_an_equation_needs_no_unknowns():
    I, J = Marker("a"), Marker("b")
    kinds = (
        PlaneSurface(),
        SphereSurface((0, 0, 0), 1.0),
        CylinderSurface((0, 0, 0), 1.0),
        TorusSurface((0, 0, 0), 1.0, 0.2),
    )
    assert [len(PointOnSurface(I, J, surface=s).unknowns) for s in kinds] == [0, 0, 0, 0]
    short = CylinderSurface((0, 0, 0), 1.0, limits=(0.0, 1.0))
    assert [u.name for u in PointFromSurface(I, J, surface=short, length=0.1).unknowns] == [
        "u",
        "v",
    ]


@pytest.mark.parametrize("length", [math.nan, math.inf, "long"])
def test_a_distance_that_is_no_number_is_refused(length):
    with pytest.raises(KempeError, match="a distance from a surface must be a finite number"):
        PointFromSurface(Marker("a"), Marker("b"), surface=PlaneSurface(), length=length)


@pytest.mark.parametrize("given", [0.6, "sphere", Segment((0, 0), (1, 0))])
def test_what_is_no_surface_is_refused_in_words(given):
    I, J = Marker("a"), Marker("b")
    with pytest.raises(KempeError, match="needs a surface such as SphereSurface"):
        PointOnSurface(I, J, surface=given)
    with pytest.raises(KempeError, match="needs a surface such as SphereSurface"):
        SurfaceOnSurface(I, J, surface=PlaneSurface(), other=given)


def driven_across(surface, **more):
    """A point pushed along x over a surface, kept at a height of y, free to rise along z."""
    m = Builder("over a surface")
    P = m.point("P", at=(0.0, 0.3, 1.0), on=surface, **more)
    m.drive(P.x, start=-0.5, speed=1.0)
    m.drive(P.y, start=0.3, speed=0.0)
    return m.build()


def test_a_point_swept_over_a_sphere_rises_as_its_equation_says():
    turn = driven_across(SphereSurface((0, 0, 0), 1.0)).kinematics(until=1.0, steps=20)
    x, z = turn["P"].position[:, 0], turn["P"].position[:, 2]
    assert z == pytest.approx(np.sqrt(1.0 - 0.09 - x * x), abs=1e-9)
    assert turn["P"].velocity[:, 2] == pytest.approx(-x / z, abs=1e-8)


def test_a_point_swept_over_a_saddle_rises_as_the_saddle_does():
    """z = x y over a square: straight lines between two straight lines, with unknowns."""
    saddle = RuledSurface(Segment((-1, -1, 1), (1, -1, -1)), Segment((-1, 1, -1), (1, 1, 1)))
    turn = driven_across(saddle).kinematics(until=1.0, steps=20)
    p = turn["P"].position
    assert p[:, 2] == pytest.approx(p[:, 0] * p[:, 1], abs=1e-9)
    assert turn.outcome.is_done
    off = driven_across(saddle).kinematics(until=2.0, steps=20)
    assert off.outcome.name == "LimitReached"
    assert "'P_path' runs off its surface" in off.outcome.message


def test_a_surface_of_a_body_moves_with_it():
    m = Builder("lift")
    table = m.body("table", at=(0, 0, 0))
    m.add(kempe.joints.Prismatic(m.ground.at(0, 0, 0), table.at(0, 0, 0)), "guide")
    P = m.point("P", at=(0.2, 0.1, 0.0), on=PlaneSurface(), of=table)
    m.drive(P.x, start=0.2, speed=0.0)
    m.drive(P.y, start=0.1, speed=0.0)
    m.drive(table.z, start=0.0, speed=0.7)
    turn = m.build().kinematics(until=1.0, steps=4)
    assert turn["P"].position[:, 2] == pytest.approx(0.7 * turn.t, abs=1e-12)


def test_in_the_plane_a_sphere_is_its_circle():
    m = Builder("flat", plane=True)
    P = m.point("P", at=(0.1, 1.0), on=SphereSurface((0, 0, 0.6), 1.0))
    m.drive(P.x, start=-0.5, speed=1.0)
    turn = m.build().kinematics(until=1.0, steps=10)
    x, y = turn["P"].position[:, 0], turn["P"].position[:, 1]
    assert y == pytest.approx(np.sqrt(1.0 - 0.36 - x * x), abs=1e-9)


@pytest.mark.parametrize("name", SURFACES)
def test_the_lines_of_a_drawn_surface_lie_on_it_and_reach_its_edges(name):
    surface = SURFACES[name]
    at = Marker("ground", (0.5, 0.2, -0.3), Rotation.about((0, 1, 0), 0.7))
    joint = PointOnSurface(at, Marker("P"), "floor", surface=surface)
    model = kempe.model.Model("one", False, (kempe.model.Body("P"),), (joint,))
    lines = tracks(model, 1.0)["ground"]
    assert 8 <= len(lines) <= 30
    back = at.pose.inverse()
    for line in lines[::5]:
        for point in line.points[::9]:
            seen = [float(c) for c in back.point(Vector(*point))]
            u, v = surface.foot(seen)
            assert np.linalg.norm(surface(u, v) - seen) < 1e-6
    if all(d.is_bounded and not d.period for d in surface.domains):
        corners = {tuple(np.round(p, 9)) for line in lines for p in line.points}
        for u in (surface.domains.u.low, surface.domains.u.high):
            for v in (surface.domains.v.low, surface.domains.v.high):
                corner = at.pose.point(Vector(*surface(u, v).tolist()))
                assert tuple(np.round([float(c) for c in corner], 9)) in corners


def test_a_sweep_over_a_spline_follows_the_spline():
    """Brute force: the height over a fine grid of parameters, at the nearest x and y."""
    points = tuple(
        tuple((i - 2.5, j - 2.0, 0.3 * math.sin(2.0 * i) * math.cos(j)) for j in range(5))
        for i in range(6)
    )
    patch = BSplineSurface(points)
    turn = driven_across(patch).kinematics(until=1.0, steps=5)
    grid = np.linspace(0.0, 1.0, 801)
    u, v = (x.ravel() for x in np.meshgrid(grid, grid))
    ends = patch.domains
    dense = patch(ends.u.low + ends.u.width * u, ends.v.low + ends.v.width * v)
    for place in turn["P"].position:
        nearest = dense[np.argmin(np.hypot(*(dense[:, :2] - place[:2]).T))]
        assert place[2] == pytest.approx(nearest[2], abs=5e-3)
