"""Every surface: its derivatives, executors, enclosures, normals, curvatures and nearest point."""

import math

import numpy as np
import pytest

from kempe.algebra import Expression, Graph, record_formula, tangent
from kempe.algebra.native import native_tape
from kempe.errors import BadNumber, OutsideDomain
from kempe.geometry import Vector
from kempe.geometry.curves import Arc, BSpline, Circle, Line, Segment
from kempe.geometry.curves.abstract import Domain
from kempe.geometry.surfaces import (
    AbstractSurface,
    BSplineSurface,
    ConeSurface,
    CylinderSurface,
    ExtrusionSurface,
    PlaneSurface,
    RevolutionSurface,
    RuledSurface,
    SphereSurface,
    TorusSurface,
)
from kempe.geometry.surfaces.abstract import drawn_between
from kempe.geometry.surfaces.nearest import Parameters

AGREE = 1e-13
TILTED = (1.0, 2.0, 2.0)
WAVY = tuple(
    tuple((float(i), float(j), 0.3 * ((i * j) % 3) - 0.2 * i) for j in range(5)) for i in range(6)
)
HALF = math.sqrt(0.5)
QUARTER = ((1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
ROUND = tuple(
    tuple((x, y, z) for z in (0.0, 1.0, 3.0)) for x, y in QUARTER
)  # a quarter of a cylinder

SURFACES = {
    "plane": PlaneSurface((1.0, 2.0, 3.0), TILTED),
    "sphere": SphereSurface((0.5, -0.2, 0.1), 1.4),
    "cylinder": CylinderSurface((0.5, -0.2, 0.1), 1.4, TILTED),
    "short cylinder": CylinderSurface((0.5, -0.2, 0.1), 1.4, limits=(-1.0, 2.0)),
    "cone": ConeSurface((0.0, 0.1, 0.2), 0.6, TILTED),
    "short cone": ConeSurface((0.0, 0.1, 0.2), 0.6, limits=(0.5, 2.0)),
    "torus": TorusSurface((0.3, 0.1, 0.0), 2.0, 0.6, TILTED),
    "bell": RevolutionSurface(BSpline(((1.0, 0, 0), (1.4, 0, 1), (0.4, 0, 2), (0.8, 0, 3)))),
    "tilted ring": RevolutionSurface(Circle((2.0, 0.0, 0.0), 0.5, (0, 1, 0)), (0, 0.1, 0), TILTED),
    "extruded arc": ExtrusionSurface(Arc((0.3, 0.2), 1.5, -1.0, 2.2), (0.2, 0.1, 2.0)),
    "endless strip": ExtrusionSurface(Line((0.2, 0.1, 0.0), (0.5, 1.0, -0.3)), (0.9, 0.1, 0.6)),
    "hyperboloid": RevolutionSurface(Line((1.0, 0.2, 0.0), (0.1, 0.6, 0.8)), (0, 0.1, 0), TILTED),
    "ruled": RuledSurface(Segment((0, 0, 0), (2, 0, 0)), Segment((0, 2, 1), (2, 2, -1))),
    "ruled tube": RuledSurface(Circle((0, 0, 0), 1.0), Circle((0, 0.5, 2), 0.6)),
    "B-spline": BSplineSurface(WAVY),
    "uneven B-spline": BSplineSurface(WAVY, (2, 3), knots_u=(0, 0, 0, 0.4, 1.1, 1.5, 2, 2, 2)),
    "closed B-spline": BSplineSurface(
        tuple(
            tuple((math.cos(a) * r, math.sin(a) * r, z) for z, r in ((0, 1), (1, 1.5), (2, 1)))
            for a in np.linspace(0, 2 * math.pi, 7)[:-1].tolist()
        ),
        (3, 2),
        closed=(True, False),
    ),
    "NURBS": BSplineSurface(ROUND, (2, 2), weights=((1, 1, 1), (HALF,) * 3, (1, 1, 1))),
    "uneven NURBS": BSplineSurface(
        WAVY,
        weights=tuple(tuple(1.0 + 0.3 * ((i + 2 * j) % 4) for j in range(5)) for i in range(6)),
    ),
}


class Endless(AbstractSurface):
    """A plane of somebody's own that does not say where a nearest point may be."""

    domains = Parameters(Domain(-math.inf, math.inf), Domain(-math.inf, math.inf))

    def derivative(self, u, v, order=(0, 0)):
        return PlaneSurface().derivative(u, v, order)


ORDERS = ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2))


@pytest.fixture(params=SURFACES)
def surface(request):
    return SURFACES[request.param]


def pairs(surface, count=40, seed=4):
    """Spread over the surface, away from its edges and poles."""
    rng = np.random.default_rng(seed)
    share = rng.uniform(0.03, 0.97, (count, 2))
    ends = [drawn_between(d, 2.0) for d in surface.domains]
    return [a + (b - a) * share[:, k] for k, (a, b) in enumerate(ends)]


def away(surface, u, v, h):
    """Those pairs farther than h from any knot."""
    near = [
        np.abs(x[:, None] - np.array(b)[None]).min(axis=1, initial=np.inf) > 2 * h
        for x, b in zip((u, v), surface.breaks, strict=True)
    ]
    return near[0] & near[1]


def test_each_derivative_is_that_of_the_one_before(surface):
    h = 1e-5
    u, v = pairs(surface)
    keep = away(surface, u, v, h)
    u, v = u[keep], v[keep]
    for k, m in ((0, 0), (1, 0), (0, 1)):
        by_u = (surface(u + h, v, (k, m)) - surface(u - h, v, (k, m))) / (2 * h)
        by_v = (surface(u, v + h, (k, m)) - surface(u, v - h, (k, m))) / (2 * h)
        np.testing.assert_allclose(surface(u, v, (k + 1, m)), by_u, atol=2e-8)
        np.testing.assert_allclose(surface(u, v, (k, m + 1)), by_v, atol=2e-8)


def test_the_traced_derivative_is_the_derivative_of_the_traced_surface(surface):
    graph = Graph()
    u, v = (Expression(graph, graph.input(n)) for n in "uv")
    zero = 0.0 * u + 0.0 * v
    point = [zero + c for c in surface.point(u, v)]
    rates = [tangent(point, {x.node: zero + 1.0, y.node: zero}) for x, y in ((u, v), (v, u))]
    given = [[zero + c for c in surface.derivative(u, v, k)] for k in ((1, 0), (0, 1))]
    tape = record_formula([u, v], [c for part in (*rates, *given) for c in part])
    values = native_tape(tape).evaluate(np.stack(pairs(surface), axis=1), tape.outputs)
    np.testing.assert_allclose(values[:, :6], values[:, 6:], atol=1e-12)


@pytest.mark.parametrize("width", [1.0, 1e-3])
def test_an_enclosure_holds_every_value(surface, width):
    u, v = pairs(surface, 30)
    low = np.stack([u, v], axis=1)
    span = np.array([width * (b - a) for a, b in (drawn_between(d, 2.0) for d in surface.domains)])
    top = [d.high if not d.period else np.inf for d in surface.domains]
    high = np.minimum(low + span, top)
    for order in ORDERS:
        lower, upper = surface.enclosure(low, high, order)
        for a in np.linspace(0, 1, 7):
            for b in np.linspace(0, 1, 7):
                at = np.minimum(low + np.array([a, b]) * (high - low), high)
                inside = surface(at[:, 0], at[:, 1], order)
                assert (lower <= inside).all()
                assert (inside <= upper).all()
        if width < 1.0:  # and it is not much wider than what it holds
            wide = (0.15, 0.15, 0.4)[sum(order)]
            assert (upper - lower).max() < wide * (1.0 + np.abs(lower).max())


def test_a_normal_is_square_to_the_surface_and_as_differences_say(surface):
    u, v = pairs(surface, 8)
    h = 1e-6
    for a, b in zip(u.tolist(), v.tolist(), strict=True):
        n = surface.unit_normal(a, b)
        assert np.linalg.norm(n) == pytest.approx(1.0)
        moved = [surface(a + h, b) - surface(a - h, b), surface(a, b + h) - surface(a, b - h)]
        assert abs(n @ moved[0]) + abs(n @ moved[1]) < 1e-9
        traced = np.array(surface.across(a, b), float)
        np.testing.assert_allclose(traced / np.linalg.norm(traced), n, atol=1e-12)


def test_curvatures_are_those_of_cuts_along_the_normal(surface):
    """Euler: a normal cut at any angle bends by between the two, and some cut by each."""
    for a, b in zip(*(x.tolist() for x in pairs(surface, 5)), strict=True):
        n, bent = surface.unit_normal(a, b), surface.curvature(a, b)
        su, sv, suu, suv, svv = (surface(a, b, k) for k in ORDERS[1:])
        angle = np.linspace(0, math.pi, 721)[:, None]
        c, s = np.cos(angle), np.sin(angle)
        rate = c * su + s * sv
        turn = c * c * suu + 2 * c * s * suv + s * s * svv
        found = (turn @ n) / (rate**2).sum(axis=1)
        size = 1.0 + max(abs(bent.least), abs(bent.most))
        assert found.min() == pytest.approx(bent.least, abs=1e-3 * size)
        assert found.max() == pytest.approx(bent.most, abs=1e-3 * size)
        assert bent.gaussian == pytest.approx(bent.least * bent.most)


def test_no_point_is_nearer_than_the_nearest(surface):
    rng = np.random.default_rng(6)
    ends = [drawn_between(d, 12.0) for d in surface.domains]
    u, v = (x.ravel() for x in np.meshgrid(*(np.linspace(a, b, 121) for a, b in ends)))
    grid = surface(u, v)
    for place in rng.uniform(-2.0, 4.0, (2, 3)):
        found = surface.nearest(place)
        sampled = np.linalg.norm(grid - place, axis=1).min()
        assert found.bound <= found.distance <= sampled + 1e-12
        assert found.distance - found.bound <= 1e-6 * (found.distance + surface.size)
        np.testing.assert_allclose(np.linalg.norm(np.array(found.point) - place), found.distance)
        np.testing.assert_allclose(surface(*found.parameters), found.point, atol=1e-12)
        quick = np.linalg.norm(surface(*surface.foot(place)) - place)
        assert found.distance - 1e-12 <= quick <= 1.5 * found.distance + 1e-9


@pytest.mark.parametrize("degree", [2, 5])
def test_a_nearest_point_is_proved_however_uneven_the_weights(degree):
    rng = np.random.default_rng(degree)
    points = rng.uniform(-0.5, 0.5, (7, 7, 3)) + np.stack(
        [*np.meshgrid(range(7), range(7), indexing="ij"), np.zeros((7, 7))], axis=-1
    )
    weights = 10.0 ** rng.uniform(-3.0, 3.0, (7, 7))
    rows = tuple(tuple(map(tuple, row)) for row in points.tolist())
    surface = BSplineSurface(rows, (degree, degree), weights=tuple(map(tuple, weights.tolist())))
    u, v = (np.linspace(d.low, d.high, 201) for d in surface.domains)
    place = np.array([3.0, 3.0, 1.0])
    sampled = np.linalg.norm(surface(*np.meshgrid(u, v)) - place, axis=-1).min()
    found = surface.nearest(place)
    assert found.distance - 1e-7 <= found.bound <= found.distance <= sampled


def test_all_points_of_an_octant_are_as_near_to_its_centre():
    """No point is nearer than another: the bound is as good as the first guess."""
    rows = tuple(tuple((r * x, r * y, z) for x, y in QUARTER) for r, z in ((1, 0), (1, 1), (0, 1)))
    weights = tuple(tuple(a * b for b in (1.0, HALF, 1.0)) for a in (1.0, HALF, 1.0))
    octant = BSplineSurface(rows, (2, 2), weights=weights)
    found = octant.nearest((0.0, 0.0, 0.0))
    assert found.distance == pytest.approx(1.0, abs=AGREE)
    assert found.bound == pytest.approx(1.0, abs=1e-11)


def test_distance_and_level_are_those_of_the_nearest_point(surface):
    rng = np.random.default_rng(8)
    for place in rng.uniform(-2.0, 4.0, (3, 3)):
        p = Vector(*place.tolist())
        d = surface.signed_distance(p)
        if d is None:
            assert surface.level(p) is None
            continue
        assert abs(d) == pytest.approx(surface.nearest(place).distance, rel=1e-9)
    for a, b in zip(*(x.tolist() for x in pairs(surface, 6)), strict=True):
        here = surface(a, b)
        if surface.level(Vector(*here.tolist())) is None:
            continue
        n, h = surface.unit_normal(a, b), 1e-6
        ahead, behind = (surface.level(Vector(*(here + k * h * n).tolist())) for k in (1, -1))
        assert surface.level(Vector(*here.tolist())) == pytest.approx(0.0, abs=1e-14)
        assert abs(ahead - behind) / (2 * h) == pytest.approx(1.0, rel=1e-8)
        aside = here + 0.3 * n
        assert np.sign(surface.level(Vector(*aside.tolist()))) == np.sign(
            surface.signed_distance(Vector(*aside.tolist()))
        )


def test_a_pair_outside_is_refused_unless_the_surface_closes(surface):
    inside = [drawn_between(d, 1.0)[0] for d in surface.domains]
    for k, domain in enumerate(surface.domains):
        if not math.isfinite(domain.high):
            continue
        beyond = list(inside)
        beyond[k] = domain.high + 1.0
        if domain.period:
            again = list(beyond)
            again[k] -= domain.period
            np.testing.assert_allclose(surface(*beyond), surface(*again), atol=1e-12)
        else:
            with pytest.raises(OutsideDomain, match=f"{'uv'[k]} = .* is not on the"):
                surface(*beyond)


def test_b_spline_surfaces_are_scipys():
    from scipy.interpolate import NdBSpline

    knots = (
        np.array((0, 0, 0, 0.4, 1.1, 1.5, 2, 2, 2), float),
        np.array((0, 0, 0, 0, 1, 2, 2, 2, 2), float),
    )
    theirs = NdBSpline(knots, np.array(WAVY), (2, 3))
    ours = SURFACES["uneven B-spline"]
    u, v = pairs(ours, 60)
    for order in ORDERS:
        expected = theirs(np.stack([u, v], axis=1), nu=order)
        np.testing.assert_allclose(ours(u, v, order), expected, atol=1e-11)


def test_a_quarter_of_weighted_points_is_a_cylinder_to_the_last_places():
    u, v = pairs(SURFACES["NURBS"], 200)
    places = SURFACES["NURBS"](u, v)
    np.testing.assert_allclose(np.hypot(places[:, 0], places[:, 1]), 1.0, atol=1e-15)
    bent = SURFACES["NURBS"].curvature(0.4, 0.7)
    assert sorted((abs(bent.least), abs(bent.most))) == pytest.approx([0.0, 1.0], abs=1e-12)


def test_known_curvatures():
    ball = SURFACES["sphere"].curvature(1.0, 0.4)
    assert (ball.least, ball.most) == pytest.approx((-1 / 1.4, -1 / 1.4))
    ring = SURFACES["torus"].curvature(0.3, 1.1)  # -1/r and -cos v / (R + r cos v)
    outer = -math.cos(1.1) / (2.0 + 0.6 * math.cos(1.1))
    assert (ring.least, ring.most) == pytest.approx((-1 / 0.6, outer))
    saddle = SURFACES["ruled"].curvature(0.5, 0.5)
    assert saddle.gaussian < 0.0


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: SphereSurface((0, 0, 0), 0.0), "the radius of a sphere"),
        (lambda: TorusSurface((0, 0, 0), 1.0, 1.0), "would run through itself"),
        (lambda: ConeSurface((0, 0, 0), 2.0), "between 0 and pi/2"),
        (lambda: ConeSurface((0, 0, 0), 0.5, limits=(-1.0, 1.0)), "measured from its tip"),
        (
            lambda: CylinderSurface((0, 0, 0), 1.0, limits=(1.0, 1.0)),
            "from the lower to the higher",
        ),
        (lambda: ExtrusionSurface(Circle((0, 0), 1.0), (0, 0, 0)), "length 0"),
        (
            lambda: RuledSurface(Circle((0, 0), 1.0), Line((0, 0), (1, 0))),
            "second curve .* no ends",
        ),
        (lambda: PlaneSurface((0, 0, 0), (0, 0, 0)), "no direction"),
        (lambda: BSplineSurface((((0, 0, 0),), ((0, 0, 0), (1, 1, 1)))), "rows have 1, 2 points"),
        (lambda: BSplineSurface(WAVY, weights=((1.0,) * 5,)), "as many of weights, not 1"),
        (lambda: BSplineSurface(WAVY, (7, 3)), "needs 8 points or more"),
        (lambda: SphereSurface((0, 0, 0), 1.0).unit_normal(0.3, math.pi / 2), "no normal at"),
        (lambda: Endless().nearest((1, 1, 1)), "has no edge"),
    ],
)
def test_what_is_no_surface_is_refused_in_words(make, says):
    with pytest.raises(BadNumber, match=says):
        make()


@pytest.mark.parametrize("x", [0.1, -0.3, 0.0])
def test_the_nearest_point_may_lie_on_a_crease(x):
    """A roof of two planes: above its ridge the nearest point is on the ridge."""
    roof = tuple(tuple((a, b, 1.0 - abs(a)) for b in (-1.0, 0.4, 2.0)) for a in (-1.0, 0.0, 1.0))
    surface = BSplineSurface(roof, (1, 1))
    found = surface.nearest((x, 0.7, 2.0))
    assert found.point == pytest.approx((0.0, 0.7, 1.0), abs=1e-15)
    assert found.distance == pytest.approx(math.hypot(x, 1.0), rel=1e-15)
    assert found.bound <= found.distance


@pytest.mark.parametrize("latitude", [0.2, 0.5, 0.8, 1.0, 1.3, 1.56])
def test_a_foot_is_found_to_the_last_digits(latitude):
    """Half a circle about its diameter is a ball: the foot lies on the line to its middle."""
    ball = RevolutionSurface(Arc((0, 0, 0), 1.0, -math.pi, 0.0, normal=(0, -1, 0)))
    longitude = 0.3
    out = math.cos(latitude)
    n = np.array([out * math.cos(longitude), out * math.sin(longitude), math.sin(latitude)])
    foot = ball(*ball.foot(1.2 * n))
    assert foot == pytest.approx(n, abs=2e-15)


def test_a_foot_beside_a_drum_is_found_to_the_last_digits(rng):
    """A line turned about its parallel: u is the angle about the axis, v the share along it."""
    worst = 0.0
    for _ in range(30):
        c, z = rng.uniform(-1, 1, 3), rng.normal(size=3)
        z /= np.linalg.norm(z)
        x = np.cross(z, rng.normal(size=3))
        x /= np.linalg.norm(x)
        r, wide, out = rng.uniform(0.2, 2.0), rng.uniform(0.5, 3.0), rng.uniform(0.01, 0.5)
        drum = RevolutionSurface(Segment(c + r * x, c + r * x + wide * z), c, z)
        u, v = rng.uniform(0.2, 6.0), rng.uniform(0.1, 0.9)
        n = np.cos(u) * x + np.sin(u) * np.cross(z, x)
        foot = drum.foot(c + v * wide * z + (r + out) * n)
        worst = max(worst, abs(foot[0] - u), abs(foot[1] - v))
    assert worst < 1e-13


@pytest.mark.parametrize("name", ["B-spline", "uneven B-spline"])
def test_a_coordinate_that_one_parameter_tells_is_enclosed_by_its_range(name):
    """Over a grid with straight lines x is a function of u alone, and y one of v: both rise."""
    surface = SURFACES[name]
    rng = np.random.default_rng(7)
    low = np.stack([rng.uniform(d.low, d.high - 0.1, 50) for d in surface.domains], axis=1)
    lower, upper = surface.enclosure(low, low + 0.1, (0, 0))
    ends = [surface(*(low + 0.1 * k).T, (0, 0)) for k in (0, 1)]
    range_ = (ends[1] - ends[0])[:, :2]
    assert (range_ > 0.0).all()
    np.testing.assert_allclose((upper - lower)[:, :2], range_, rtol=1e-9)
