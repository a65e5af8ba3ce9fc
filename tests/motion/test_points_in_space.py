"""Points in space on curves and surfaces, joined by bars: against closed forms and Newton."""

import math
import re

import numpy as np
import pytest
from scipy.ndimage import label
from scipy.optimize import least_squares
from scipy.sparse.csgraph import connected_components

import kempe
from kempe.errors import UnsolvableKind
from kempe.gallery.barton_in_space import HEIGHTS, SIDE
from kempe.geometry.curves import Circle, Line
from kempe.geometry.surfaces import (
    ConeSurface,
    CylinderSurface,
    PlaneSurface,
    SphereSurface,
    TorusSurface,
)
from kempe.joints import CurveOnSurface, Rod, SkewBars
from kempe.pictures.outlines import track_lines
from kempe.results.maps.certificate import Promise

TUBE = 1e-9  # rows at samples: the solver promises a tube, which is far narrower
NEAR = 0.03  # of a place on a curve and the nearest of samples 0.02 apart

FIGURES = {
    "barton_offset_point": (1, 0),
    "barton_surface_five_bars": (1, 1),
    "barton_triangle_on_tracks": (1, 0),
    "barton_triangle_on_surface": (2, 0),
}


def place(samples, mechanism, name):
    k = mechanism.layout.body_index[name]
    return samples.q[:, 7 * k : 7 * k + 3]


@pytest.mark.row("B6")
@pytest.mark.parametrize("name", FIGURES)
def test_the_seed_s_figures_in_space_have_their_loops_and_arcs(name):
    mechanism = getattr(kempe.gallery, name)()
    found = mechanism.motions()
    assert found.outcome is Promise.COMPLETE
    loops = sum(c.closed for c in found.components)
    assert (loops, len(found.components) - loops) == FIGURES[name]
    rods = [j for j in mechanism.model.joints if isinstance(j, Rod)]
    for component in found.components:
        samples = component.sample(0.05)
        for rod in rods:
            ends = []
            for marker in (rod.I, rod.J):
                fixed = np.array(marker.position)
                is_ground = marker.body == "ground"
                ends.append(fixed if is_ground else place(samples, mechanism, marker.body))
            apart = np.linalg.norm(ends[0] - ends[1], axis=1)
            np.testing.assert_allclose(apart, rod.length, atol=TUBE)


def loops_on_a_torus(f):
    """How many closed curves f = 0 (n, n), periodic both ways, is made of, by cells."""
    below = f < 0
    corners = [np.roll(below, shift, axis=(0, 1)) for shift in ((0, 0), (-1, 0), (0, -1), (-1, -1))]
    crossed = ~(np.all(corners, axis=0) | ~np.any(corners, axis=0))
    numbers, count = label(crossed, np.ones((3, 3)))
    edges = [(numbers[0], numbers[-1]), (numbers[:, 0], numbers[:, -1])]
    pairs = {(a, b) for one, other in edges for shift in (-1, 0, 1)
             for a, b in zip(one, np.roll(other, shift), strict=True) if a and b}  # fmt: skip
    graph = np.zeros((count + 1, count + 1))
    for a, b in pairs:
        graph[a, b] = 1
    return connected_components(graph)[0] - 1


def test_a_face_touches_a_ring_in_as_many_loops_as_its_closed_form_has():
    """A plane with normal N is R sqrt(1 - N_z^2) +- r from the middle of a ring that it touches."""
    mechanism = kempe.gallery.barton_tangent_face()
    rods = {j.name: j.length for j in mechanism.model.joints if isinstance(j, Rod)}
    anchor = np.array(next(j for j in mechanism.model.joints if j.name == "face_1").I.position)
    p, q = (float(b.guess.position.z) for b in mechanism.model.moving)
    arm, side = (math.sqrt(rods["face_1"] ** 2 - (p - anchor[2]) ** 2),
                 math.sqrt(rods["face_2"] ** 2 - (q - p) ** 2))  # fmt: skip
    t = np.linspace(0, math.tau, 1500, endpoint=False)
    a, b = np.meshgrid(t, t, indexing="ij")
    P = np.stack([anchor[0] + arm * np.cos(a), anchor[1] + arm * np.sin(a), p + 0 * a], axis=-1)
    Q = P + np.stack([side * np.cos(b), side * np.sin(b), q - p + 0 * b], axis=-1)
    N = np.cross(P - anchor, Q - anchor)
    N /= np.linalg.norm(N, axis=-1, keepdims=True)
    off, out = N @ anchor, np.sqrt(1.0 - N[..., 2] ** 2)
    due = sum(loops_on_a_torus(off - s * (out + r)) for s in (-1, 1) for r in (-0.35, 0.35))
    found = mechanism.motions()
    assert found.outcome is Promise.COMPLETE
    assert [c.closed for c in found.components] == [True] * due
    for component in found.components:
        samples = component.sample(0.1)
        P, Q = place(samples, mechanism, "P"), place(samples, mechanism, "Q")
        N = np.cross(P - anchor, Q - anchor)
        N /= np.linalg.norm(N, axis=1, keepdims=True)
        gaps = np.abs(N @ anchor) - np.sqrt(1.0 - N[:, 2] ** 2)
        np.testing.assert_allclose(np.abs(gaps), 0.35, atol=TUBE)


def test_a_picture_in_space_shows_the_surfaces_of_the_ground_and_no_curves_of_bodies():
    mechanism = kempe.gallery.barton_offset_point()
    picture = mechanism.pictures(mechanism.motions()).placements(0, 4)
    assert picture.count('class="mark') > 10
    levels = {int(level) for level in re.findall(r'class="facet cn s(\d+)"', picture)}
    assert len(levels) > 1  # the sheet is bent, so it is not equally bright
    m = kempe.Builder("rim")
    body = m.body("body", at=(0, 0, 0.5))
    m.add(
        CurveOnSurface(m.ground.at(0, 0, 0), body.at(0, 0, 0), surface=PlaneSurface(),
                       other=Circle((0, 0, 0), 1.0)),
        "rim",
    )  # fmt: skip
    tracks = track_lines(m.build().model, 1.0)
    assert {(at.body, type(t).__name__) for at, t in tracks} == {
        ("ground", "PlaneSurface"),
        ("body", "Circle"),
    }


def bernstein(t):
    return np.array([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])


def on_sheet(u, v, hill):
    """The gallery's surface, by Bernstein polynomials."""
    return np.array([SIDE * u, SIDE * v, hill * bernstein(u) @ np.array(HEIGHTS) @ bernstein(v)])


def test_every_placement_that_newton_finds_on_the_surface_is_on_a_component():
    hill, mechanism = 0.6, kempe.gallery.barton_surface_five_bars()
    found = mechanism.motions()
    names = [f"{p}_path.{w}" for p in "PQR" for w in "uv"]
    listed = []
    for component in found.components:
        others = component.sample(0.02).others
        listed.append(np.column_stack([others[n] for n in names]))
    listed = np.vstack(listed)
    lengths = {j.name: j.length for j in mechanism.model.joints if isinstance(j, Rod)}
    left, right = np.array([1.0, 1.0, -0.8]), np.array([3.0, 1.0, -0.8])

    def rows(x):
        P, Q, R = (on_sheet(*x[k : k + 2], hill) for k in (0, 2, 4))
        pairs = {"PQ": P - Q, "QR": Q - R, "RP": R - P, "left": P - left, "right": R - right}
        return [d @ d - lengths[n] ** 2 for n, d in pairs.items()]

    rng, hits = np.random.default_rng(3), 0
    for start in rng.uniform(0, 1, (40, 6)):
        x = least_squares(rows, start, xtol=1e-15, ftol=1e-15, gtol=1e-15).x
        if np.abs(rows(x)).max() < 1e-10 and (x > 1e-6).all() and (x < 1 - 1e-6).all():
            hits += 1
            assert np.linalg.norm(listed - x, axis=1).min() < NEAR
    assert hits > 8


def test_three_spheres_meet_in_two_points_or_in_none():
    m = kempe.Builder("three spheres")
    P = m.point("P", at=(0.3, 0.4, 0.8), on=SphereSurface((0, 0, 0), 1.0))
    m.stick("a", m.ground.at(1, 0, 0), P, 0.9)
    m.stick("b", m.ground.at(0, 1, 0), P, 0.8)
    found = m.build().assemblies()
    # |p|^2 = 1 and |p - e|^2 = l^2: x = 1 - l^2 / 2
    x, y = 1 - 0.81 / 2, 1 - 0.64 / 2
    z = math.sqrt(1 - x * x - y * y)
    assert found.outcome is Promise.COMPLETE
    assert found.form == "places of points"
    places = sorted(tuple(s.q[:3]) for s in found)
    np.testing.assert_allclose(places, [(x, y, -z), (x, y, z)], atol=TUBE)
    m = kempe.Builder("too short")
    P = m.point("P", on=SphereSurface((0, 0, 0), 1.0))
    m.stick("a", m.ground.at(1, 0, 0), P, 0.5)
    m.stick("b", m.ground.at(0, 1, 0), P, 0.4)
    found = m.build().assemblies()
    assert (found.outcome, len(found)) == (Promise.COMPLETE, 0)


@pytest.mark.parametrize(("radius", "loops"), [(1.4, 0), (2.0, 2), (2.6, 0)])
def test_a_sphere_about_the_middle_cuts_a_ring_in_two_circles_or_not_at_all(radius, loops):
    """|p|^2 = R^2 + r^2 + 2 R r cos v on a ring: one cosine, two circles."""
    m = kempe.Builder("ring")
    P = m.point("P", on=TorusSurface((0, 0, 0), 2.0, 0.5))
    m.stick("bar", m.ground.at(0, 0, 0), P, radius)
    mechanism = m.build()
    found = mechanism.motions()
    assert found.outcome is Promise.COMPLETE
    assert [c.closed for c in found.components] == [True] * loops
    for component in found.components:
        p = place(component.sample(0.05), mechanism, "P")
        np.testing.assert_allclose(np.linalg.norm(p, axis=1), radius, atol=TUBE)
        out = np.hypot(p[:, 0], p[:, 1]) - 2.0
        np.testing.assert_allclose(np.hypot(out, p[:, 2]), 0.5, atol=TUBE)


@pytest.mark.parametrize("length", [0.1, 0.5, 1.5])
def test_a_point_on_a_short_cylinder_is_cut_off_at_its_edge(length):
    """z^2 = l^2 - 2 + 2 cos t: one oval about (1, 0, 0), cut off where z < -0.2."""
    m = kempe.Builder("cylinder")
    P = m.point("P", on=CylinderSurface((0, 0, 0), 1.0, limits=(-0.2, 3.0)))
    m.stick("bar", m.ground.at(1, 0, 0), P, length)
    found = m.build().motions()
    assert found.outcome is Promise.COMPLETE
    (oval,) = found.components
    assert oval.closed == (length < 0.2)
    assert [end.limit for end in oval.ends] == ["P_path.v at least"] * (0 if oval.closed else 2)


def grashof_loops(crank, coupler, rocker, ground):
    short, *_, long = lengths = sorted([crank, coupler, rocker, ground])
    if long > sum(lengths) - long:
        return 0
    return 2 if short + long < sum(lengths) - short - long else 1


@pytest.mark.parametrize("seed", range(8))
def test_a_four_bar_of_points_on_a_tilted_plane_has_grashof_s_loops(seed):
    rng = np.random.default_rng(seed)
    crank, coupler, rocker, ground = rng.uniform(0.5, 3.0, 4)
    n = rng.normal(size=3)
    n /= np.linalg.norm(n)
    x = np.cross(n, [0.3, 0.5, -0.8])
    x *= ground / np.linalg.norm(x)
    m, plane = kempe.Builder("four-bar"), PlaneSurface((0, 0, 0), tuple(n))
    P, Q = m.point("P", on=plane), m.point("Q", on=plane)
    m.stick("crank", m.ground.at(0, 0, 0), P, crank)
    m.stick("coupler", P, Q, coupler)
    m.stick("rocker", m.ground.at(*x), Q, rocker)
    found = m.build().motions()
    assert found.outcome is Promise.COMPLETE
    assert len(found.components) == grashof_loops(crank, coupler, rocker, ground)


def test_a_bar_parallel_to_another_in_space_points_its_way_or_the_other():
    m = kempe.Builder("parallel bars")
    P = m.point("P", at=(1, 0, 0.5), on=Circle((0, 0, 0.5), 1.0))
    Q = m.point("Q", at=(2, 1, 0.5))
    first = m.stick("first", m.ground.at(0, 0, 0), P)
    second = m.stick("second", m.ground.at(1, 1, 0), Q, 0.7)
    first.parallel_to(second, name="parallel")
    mechanism = m.build()
    found = mechanism.motions()
    assert found.outcome is Promise.COMPLETE
    assert [c.closed for c in found.components] == [True, True]
    for component in found.components:
        samples = component.sample(0.1)
        p, q = place(samples, mechanism, "P"), place(samples, mechanism, "Q") - [1, 1, 0]
        side = np.sign((p * q).sum(axis=1))[0]
        np.testing.assert_allclose(q, side * 0.7 * p / math.sqrt(1.25), atol=TUBE)


def test_a_stretching_bar_in_space_touches_a_circle_in_its_plane_only():
    """Lines that touch a circle lie in its plane: from (3, 0, 0) there are two, at x = 1/3."""
    m = kempe.Builder("tangent")
    P = m.point("P", at=(-1, 1.5, 0), on=PlaneSurface((-1, 0, 0), (1, 0, 0.2)))
    Q = m.point("Q", at=(3, 0, 0.1), on=Line((3, 0, 0.5), (0, 0, 1), limits=(-2, 2)))
    bar = m.stick("bar", Q, P)
    bar.tangent_to(Circle((0, 0, 0), 1.0), name="touch")
    found = m.build().assemblies(limits={"P.y": (-9, 9), "P.z": (-9, 9)})
    assert found.outcome is Promise.COMPLETE
    y = 4 * (1 / 3) / math.sqrt(1 - 1 / 9)
    places = sorted((*s.q[:3], s.q[9]) for s in found)
    np.testing.assert_allclose(places, [(-1, -y, 0, 0), (-1, y, 0, 0)], atol=TUBE)


def test_skew_bars_in_space_keep_the_distance_of_their_lines():
    """A bar from (0, 0, h) to P on the x axis of the floor, and the y axis: distance by hand."""
    m = kempe.Builder("skew")
    P = m.point("P", at=(1.0, 0, 0), on=Line((0, 0, 0), (1, 0, 0), limits=(0.1, 5)))
    m.add(
        SkewBars(m.ground.at(0, 0, 1), m.ground.at(0, 0, 0), K=P.at(0, 0, 0),
                 L=m.ground.at(0, 1, 0), length=0.6),
        "apart",
    )  # fmt: skip
    found = m.build().assemblies()
    # the line x / a + z = 1 in the plane y = 0 is a / sqrt(1 + a^2) from the y axis
    assert [round(float(s.q[0]), 9) for s in found] == [0.75]


def test_bodies_that_turn_are_not_points():
    mechanism = kempe.gallery.ball_on_ring()
    with pytest.raises(UnsolvableKind):
        mechanism.motions()


def test_points_with_too_much_freedom_are_told_what_can_be_held():
    m = kempe.Builder("beads")
    P = m.point("P", on=SphereSurface((0, 0, 0), 1.0))
    m.point("Q", on=SphereSurface((0, 0, 0), 1.0))
    with pytest.raises(UnsolvableKind, match=r"held=\{'P.x': '10 mm'\}"):
        m.build().motions()
    assert P.name == "P"


def test_a_bead_on_a_sphere_moves_on_it_and_on_a_circle_where_it_is_held():
    m = kempe.Builder("bead")
    m.point("P", on=SphereSurface((0, 0, 0), 1.0))
    mechanism = m.build()
    whole = mechanism.motions(effort=kempe.Effort(resolution=1e-2))
    assert [surface.euler for surface in whole.components] == [2]
    found = mechanism.motions({"P.x": "10 mm"})
    assert [c.closed for c in found.components] == [True]


def test_a_loop_about_the_tip_of_a_cone_is_said_to_be_one_position():
    """|p - f| = |f| holds at the tip p = 0, whatever u is there, and on p = 2 (f . d) d."""
    m = kempe.Builder("cone")
    foot = np.array([0.3, 0.0, 1.0])
    P = m.point("P", on=ConeSurface((0, 0, 0), 0.5))
    m.stick("bar", m.ground.at(*map(float, foot)), P, float(np.linalg.norm(foot)))
    mechanism = m.build()
    found = mechanism.motions()
    assert found.outcome is Promise.COMPLETE
    (tip,) = [
        c
        for c in found.components
        if np.ptp(place(c.sample(), mechanism, "P"), axis=0).max() < TUBE
    ]
    (loop,) = [c for c in found.components if c is not tip]
    assert np.abs(place(tip.sample(), mechanism, "P")).max() < TUBE
    p = place(loop.sample(), mechanism, "P")
    d = p / np.linalg.norm(p, axis=1)[:, None]
    np.testing.assert_allclose(p, 2.0 * (d @ foot)[:, None] * d, atol=TUBE)
    assert f"Along component {tip.number} no body moves: at a pole of P_path" in found.message


def test_components_that_move_are_not_said_to_stand_still():
    assert "no body moves" not in kempe.gallery.barton_surface_five_bars().motions().message
