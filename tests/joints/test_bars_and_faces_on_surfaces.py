"""Bars, faces and curves that touch surfaces: closed forms, brute force over all parameters."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from kempe import Builder
from kempe.errors import BadConnection, BadNumber
from kempe.geometry import Marker, Rotation
from kempe.geometry.curves import Circle, Line, Segment
from kempe.geometry.surfaces import (
    BSplineSurface,
    ConeSurface,
    CylinderSurface,
    ExtrusionSurface,
    PlaneSurface,
    SphereSurface,
    TorusSurface,
)
from kempe.joints import (
    BarOffSurface,
    BarOnSurface,
    BarPlaneAngle,
    CurveOnSurface,
    FaceOnSurface,
    Prismatic,
    SurfaceOnSurface,
)
from kempe.results.maps.certificate import Promise

CLOSE = 1e-9
TUBE = 1e-9
ZERO = (0.0, 0.0, 0.0)


def hill():
    """z = 1 - (x^2 + y^2) / 2 over a square, exactly: a bilinear pair of parabolas."""
    x = (-1.0, 0.0, 1.0)
    lift = (-0.5, 0.5, -0.5)  # Bernstein coefficients of -x^2 / 2 over [-1, 1]
    return BSplineSurface(
        tuple(
            tuple((a, b, 1.0 + p + q) for b, q in zip(x, lift, strict=True))
            for a, p in zip(x, lift, strict=True)
        ),
        (2, 2),
    )


def lifted_bar(surface, direction, *, distance=0.0, aside=0.2, segment=False):
    """How high (m) a level bar along `direction` is that goes up and down and touches."""
    m = Builder("bar")
    bar = m.body("bar", at=(0.0, aside, 1.5), rotation=Rotation.about((0, 0, 1), direction))
    foot = Marker("bar", ZERO, Rotation.about((0, 0, 1), -direction))
    m.add(Prismatic(m.ground.at(0.0, aside, 0.0), foot), "guide")
    ends = {"K": bar.at(1.0, 0.0, 0.0), "bar": 2.0, "segment": segment}
    start = bar.at(-1.0, 0.0, 0.0)
    joint = (
        BarOffSurface(m.ground.at(*ZERO), start, surface=surface, length=distance, **ends)
        if distance
        else BarOnSurface(m.ground.at(*ZERO), start, surface=surface, **ends)
    )
    m.add(joint, "touch")
    return float(m.build().assemble()["bar"][2])


@pytest.mark.parametrize("direction", [0.0, 0.4, 1.1])
@pytest.mark.parametrize("segment", [False, True])
def test_a_level_bar_lies_on_a_hill_at_its_highest_point_below_the_bar(direction, segment):
    """On z = 1 - r^2 / 2 the bar's line, at h from the axis, is highest at its foot."""
    h = 0.2 * math.cos(direction)
    found = lifted_bar(hill(), direction, segment=segment)
    assert found == pytest.approx(1.0 - 0.5 * h * h, abs=CLOSE)


@pytest.mark.parametrize("distance", [0.1, 0.3, -0.2])
def test_a_round_rod_on_a_hill_is_its_radius_along_the_normal_away(distance):
    """Across the bar the hill is the parabola z = 1 - y^2 / 2: the rod's middle is offset there."""

    def off(y):
        n = math.hypot(1.0, y)
        return y + distance * y / n - 0.2

    y = brentq(off, -1, 1, xtol=1e-15)
    z = 1.0 - 0.5 * y * y + distance / math.hypot(1.0, y)
    assert lifted_bar(hill(), 0.0, distance=distance) == pytest.approx(z, abs=CLOSE)


def test_a_bar_on_a_ball_and_on_a_drum_is_their_radius_from_middle_and_axis():
    ball = SphereSurface((0, 0, 0.3), 0.8)
    for distance in (0.0, 0.25):
        top = 0.3 + math.sqrt((0.8 + distance) ** 2 - 0.04)
        assert lifted_bar(ball, 0.0, distance=distance) == pytest.approx(top, abs=CLOSE)
        within = lifted_bar(ball, 0.0, distance=distance, segment=True)
        assert within == pytest.approx(top, abs=CLOSE)
    drum = CylinderSurface(ZERO, 0.7, (0, 1, 0))
    assert lifted_bar(drum, 0.3) == pytest.approx(0.7, abs=CLOSE)


def test_a_bar_keeps_its_angle_to_a_plane():
    m = Builder("ladder")
    P = m.point("P", at=(1.0, 0.1, 0.0), on=PlaneSurface())
    Q = m.point("Q", at=(0.0, 0.1, 2.0), on=Line((0, 0, 0), (0, 0, 1), limits=(0.1, 3)))
    bar = m.stick("ladder", P, Q, 2.0)
    bar.rise("60 deg", name="slope")
    m.hold(P, y=0.1)
    found = m.build().assemblies()
    assert found.outcome is Promise.COMPLETE
    x = math.sqrt(1.0 - 0.01)  # cos 60 deg of the length, in plan
    places = sorted((*s.q[:3], s.q[9]) for s in found)
    z = 2.0 * math.sin(math.pi / 3)
    np.testing.assert_allclose(places, [(-x, 0.1, 0, z), (x, 0.1, 0, z)], atol=TUBE)


def test_a_flexible_face_touches_a_ball_at_its_radius():
    """Corners (1, 0, 0) and (0, 1, 0), the third up the z axis: 1 / d = sqrt(2 + 1 / c^2)."""
    m = Builder("tent")
    top = m.point("top", at=(0, 0, 1.0), on=Line(ZERO, (0, 0, 1), limits=(0.2, 5)))
    face = m.face("cloth", [m.ground.at(1, 0, 0), m.ground.at(0, 1, 0), top])
    face.tangent_to(SphereSurface(ZERO, 0.5), name="touch")
    found = m.build().assemblies()
    assert found.outcome is Promise.COMPLETE
    # the plane x + y + z / c = 1 is 1 / sqrt(2 + 1 / c^2) from the origin
    assert [float(s.q[2]) for s in found] == pytest.approx([math.sqrt(0.5)], abs=TUBE)


def test_a_face_on_a_hill_touches_it_where_its_plane_is_tangent():
    """z = 1 - r^2 / 2 touched at (a, b): the plane z = 1 + r^2 / 2 - a x - b y."""
    m = Builder("tent")
    top = m.point("top", at=(0, 0, 1.1), on=Line(ZERO, (0, 0, 1), limits=(0.5, 1.6)))
    corners = [m.ground.at(2, 0, 0.4), m.ground.at(0, 2, 0.6), top]
    m.face("cloth", corners).tangent_to(hill(), name="touch")
    mechanism = m.build()
    found = mechanism.assemblies()
    assert found.outcome is Promise.COMPLETE
    listed = sorted(float(s.q[2]) for s in found)

    def others():
        """c = 1 + (a^2 + b^2) / 2 with c - 2 a = 0.4 and c - 2 b = 0.6: a quadratic in c."""
        # a = (c - 0.4) / 2, b = (c - 0.6) / 2
        roots = np.roots([2 / 8, -(0.8 + 1.2) / 8 - 1, (0.16 + 0.36) / 8 + 1])
        return [c for c in roots.real if max(abs(c - 0.4), abs(c - 0.6)) <= 2 and 0.5 <= c <= 1.6]

    np.testing.assert_allclose(listed, sorted(others()), atol=TUBE)
    assert listed
    at = mechanism.assemble()
    assert float(at["top"][2]) == pytest.approx(min(listed, key=lambda z: abs(z - 1.1)), abs=1e-9)


def test_the_rim_of_a_tilted_plate_stands_on_a_table_by_its_lowest_point():
    for tilt in (0.3, 0.9, 1.4):
        m = Builder("plate")
        body = m.body("plate", at=(0.1, 0.2, 1.0), rotation=Rotation.about((1, 0, 0), tilt))
        foot = Marker("plate", ZERO, Rotation.about((1, 0, 0), -tilt))
        m.add(Prismatic(m.ground.at(0.1, 0.2, 0.0), foot), "guide")
        m.add(CurveOnSurface(m.ground.at(*ZERO), body.at(*ZERO), surface=PlaneSurface(),
                             other=Circle(ZERO, 0.6)), "rim")  # fmt: skip
        z = float(m.build().assemble()["plate"][2])
        assert z == pytest.approx(0.6 * math.sin(tilt), abs=CLOSE)


def test_a_rim_on_a_ball_and_on_a_ring_is_found_by_brute_force():
    """The highest z at which no point of the circle is inside, over 4001 x 4001 places."""
    t = np.linspace(0, math.tau, 4001)
    tilt = 0.5
    rim = np.stack([0.6 * np.cos(t), 0.6 * np.sin(t) * math.cos(tilt),
                    0.6 * np.sin(t) * math.sin(tilt)])  # fmt: skip
    x, y = rim[0] + 0.3, rim[1] + 0.1
    ball = np.sqrt(1.44 - x**2 - y**2) - rim[2]
    out = np.hypot(x, y) - 1.0
    ring = np.where(np.abs(out) < 0.4, np.sqrt(np.maximum(0.16 - out**2, 0.0)) - rim[2], -9.0)
    for surface, heights in (
        (SphereSurface(ZERO, 1.2), ball),
        (TorusSurface(ZERO, 1.0, 0.4), ring),
    ):
        m = Builder("rim")
        top = float(heights.max())
        body = m.body("body", at=(0.3, 0.1, top), rotation=Rotation.about((1, 0, 0), tilt))
        foot = Marker("body", ZERO, Rotation.about((1, 0, 0), -tilt))
        m.add(Prismatic(m.ground.at(0.3, 0.1, 0.0), foot), "guide")
        joint = CurveOnSurface(m.ground.at(*ZERO), body.at(*ZERO), surface=surface,
                               other=Circle(ZERO, 0.6))  # fmt: skip
        m.add(joint, "rim")
        assert float(m.build().assemble()["body"][2]) == pytest.approx(top, abs=1e-6)


def test_a_stretching_bar_that_touches_a_ball_moves_as_the_tangents_do():
    """All tangents to a ball of radius r from d away make the angle asin(r / d) with its axis."""
    m = Builder("cone of tangents")
    P = m.point("P", at=(0.3, 0.0, 2.0), on=PlaneSurface((0, 0, 2.0)))
    bar = m.stick("bar", m.ground.at(0, 0, -1.0), P)
    bar.tangent_to(SphereSurface(ZERO, 0.5), name="touch")
    mechanism = m.build()
    found = mechanism.motions()
    assert found.outcome is Promise.COMPLETE
    assert [c.closed for c in found.components] == [True]
    p = found.components[0].sample(0.1).q[:, :3]
    radius = 3.0 * math.tan(math.asin(0.5))
    np.testing.assert_allclose(np.hypot(p[:, 0], p[:, 1]), radius, atol=TUBE)


def test_a_bar_that_touches_a_hill_moves_on_the_curve_that_brute_force_finds():
    """Tangents from (-2, y, 0.9) over the hill: where the line's height above it is least, 0."""
    m = Builder("sight")
    P = m.point("P", at=(2, 0, 0.9), on=Line((2, 0, 0), (0, 0, 1), limits=(-1, 3)))
    Q = m.point("Q", at=(-2, 0, 0.9), on=Line((-2, 0, 0.9), (0, 1, 0), limits=(-0.5, 0.5)))
    m.stick("sight", Q, P).tangent_to(hill(), name="touch")
    mechanism = m.build()
    found = mechanism.motions()
    assert found.outcome is Promise.COMPLETE
    assert len(found.components) == 1
    samples = found.components[0].sample(0.05)
    k = {name: 7 * mechanism.layout.body_index[name] for name in "PQ"}
    s = np.linspace(0, 1, 20001)[:, None]
    for q in samples.q:
        p, o = q[k["P"] : k["P"] + 3], q[k["Q"] : k["Q"] + 3]
        line = o + s * (p - o)
        above = line[:, 2] - 1.0 + 0.5 * (line[:, 0] ** 2 + line[:, 1] ** 2)
        assert abs(above.min()) < 1e-7


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (CylinderSurface(ZERO, 0.4), r"LineInPlane\(I, J, offset=0.4\)"),
        (ConeSurface(ZERO, 0.5), "PointInPlane"),
        (PlaneSurface(), "Planar"),
        (ExtrusionSurface(Segment(ZERO, (1, 0, 0)), (0, 1, 0)), "CurveOnSurface"),
    ],
)
def test_contacts_along_a_line_are_refused_and_what_holds_them_is_said(other, said):
    I, J = Marker("a"), Marker("b")
    for first, second in ((PlaneSurface(), other), (other, PlaneSurface())):
        with pytest.raises(BadConnection, match=said):
            SurfaceOnSurface(I, J, surface=first, other=second)


def test_bars_and_faces_on_planes_are_refused_with_what_to_use():
    I, J = Marker("a"), Marker("b")
    K, L = Marker("b", (1, 0, 0)), Marker("b", (0, 1, 0))
    for make in (
        lambda: BarOnSurface(I, J, K=K, surface=PlaneSurface()),
        lambda: BarOffSurface(I, J, K=K, surface=PlaneSurface(), length=0.1),
        lambda: FaceOnSurface(I, J, K=K, L=L, surface=PlaneSurface()),
    ):
        with pytest.raises(BadConnection, match="PointInPlane"):
            make()
    with pytest.raises(BadConnection, match="needs a surface"):
        BarOnSurface(I, J, K=K, surface=Circle(ZERO, 1.0))
    with pytest.raises(BadNumber, match="between -pi/2 and pi/2"):
        BarPlaneAngle(I, J, K=K, angle=math.pi / 2)
    with pytest.raises(BadNumber, match="centre of a sphere"):
        BarOffSurface(I, J, K=K, surface=SphereSurface(ZERO, 0.5), length=-0.6)
    with pytest.raises(BadNumber, match="three corners"):
        Builder("face").face("f", [I, J])
