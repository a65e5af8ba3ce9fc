"""Three mechanisms in closed form, as scenes: a four-bar, a slider-crank, a spatial RSSR."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from kempe import draw
from kempe.geometry.solids import facets

FloatArray = NDArray[np.float64]
SAMPLES = 121


def fourbar_scene() -> draw.Scene:
    """Crank 30, coupler 90 with P (45, 40), rocker 70, ground 100 mm; one turn in 1 s.

    Freudenstein: the rocker's pin is where two circles meet, on the left of the line that joins
    their centres.
    """
    a, b, c, d = 0.030, 0.090, 0.070, 0.100
    t = np.linspace(0.0, 1.0, SAMPLES)
    crank = 2.0 * math.pi * t
    A = a * np.column_stack([np.cos(crank), np.sin(crank)])
    D = np.array([d, 0.0])
    gap = D - A
    reach = np.hypot(*gap.T)
    inner = np.arccos((b**2 + reach**2 - c**2) / (2.0 * b * reach))
    coupler = np.arctan2(gap[:, 1], gap[:, 0]) + inner
    B = A + b * np.column_stack([np.cos(coupler), np.sin(coupler)])
    rocker = np.unwrap(np.arctan2(*(B - D).T[::-1]))
    bodies = [
        draw.DrawnBody(
            "crank",
            draw.PoseSeries(np.zeros((SAMPLES, 2)), crank),
            draw.link([(0, 0), (a, 0)]),
            colour=0,
        ),
        draw.DrawnBody(
            "coupler",
            draw.PoseSeries(A, coupler),
            draw.link([(0, 0), (b, 0), (0.045, 0.040)]),
            points={"P": (0.045, 0.040)},
            colour=1,
        ),
        draw.DrawnBody(
            "rocker",
            draw.PoseSeries(np.tile(D, (SAMPLES, 1)), rocker),
            draw.link([(0, 0), (c, 0)]),
            colour=2,
        ),
    ]
    joints = [
        draw.JointSymbol("A0", "pin", draw.Frame(None, (0, 0)), draw.Frame("crank", (0, 0))),
        draw.JointSymbol("A", "pin", draw.Frame("crank", (a, 0)), draw.Frame("coupler", (0, 0))),
        draw.JointSymbol("B", "pin", draw.Frame("coupler", (b, 0)), draw.Frame("rocker", (c, 0))),
        draw.JointSymbol("B0", "pin", draw.Frame(None, D), draw.Frame("rocker", (0, 0))),
        draw.JointSymbol("drive", "motor", draw.Frame(None, (0, 0)), draw.Frame("crank", (0, 0))),
    ]
    transmission = np.degrees(np.arccos((b**2 + c**2 - reach**2) / (2.0 * b * c)))
    P = bodies[1].motion.carried(np.array([[0.045, 0.040, 0.0]]))[:, 0]
    speed = np.linalg.norm(np.gradient(P, t, axis=0, edge_order=2), axis=1)
    return draw.Scene(
        "Crank-rocker four-bar",
        plane=True,
        times=t,
        bodies=bodies,
        joints=joints,
        traces=[draw.Trace("coupler", (0.045, 0.040), "P")],
        series=[
            draw.Series("rocker.angle", "deg", np.degrees(rocker)),
            draw.Series("transmission angle", "deg", transmission),
            draw.Series("speed of P", "mm/s", 1000.0 * speed),
        ],
        marks=[draw.Mark(float(t[rocker.argmin()]), "rocker turns back")],
        unit="mm",
        unit_scale=1000.0,
    )


def slider_crank_scene() -> draw.Scene:
    """Crank 40, rod 120 mm, the slider on the x axis; one turn in 2 s."""
    r, l = 0.040, 0.120
    t = np.linspace(0.0, 2.0, SAMPLES)
    crank = math.pi * t + 0.6
    pin = r * np.column_stack([np.cos(crank), np.sin(crank)])
    rod = -np.arcsin(r * np.sin(crank) / l)
    x = pin[:, 0] + l * np.cos(rod)
    still = np.zeros(SAMPLES)
    bodies = [
        draw.DrawnBody("slider", draw.PoseSeries(np.column_stack([x, still]), still), colour=2),
        draw.DrawnBody(
            "crank",
            draw.PoseSeries(np.zeros((SAMPLES, 2)), crank),
            draw.link([(0, 0), (r, 0)]),
            colour=0,
        ),
        draw.DrawnBody(
            "rod",
            draw.PoseSeries(pin, rod),
            draw.link([(0, 0), (l, 0)]),
            {"C": (0.06, 0.0)},
            colour=1,
        ),
    ]
    along_x = (1.0, 0.0, 0.0)
    joints = [
        draw.JointSymbol("O", "pin", draw.Frame(None, (0, 0)), draw.Frame("crank", (0, 0))),
        draw.JointSymbol("A", "pin", draw.Frame("crank", (r, 0)), draw.Frame("rod", (0, 0))),
        draw.JointSymbol("B", "pin", draw.Frame("rod", (l, 0)), draw.Frame("slider", (0, 0))),
        draw.JointSymbol(
            "guide",
            "slider",
            draw.Frame.along(None, (0, 0), along_x),
            draw.Frame.along("slider", (0, 0), along_x),
        ),
    ]
    return draw.Scene(
        "Slider-crank",
        plane=True,
        times=t,
        bodies=bodies,
        joints=joints,
        traces=[draw.Trace("rod", (0.06, 0.0), "C")],
        series=[draw.Series("slider.x", "mm", 1000.0 * x)],
        unit="mm",
        unit_scale=1000.0,
    )


def rssr_scene() -> draw.Scene:
    """A crank about z drives a rocker about y through a rod with balls at both ends.

    |B(psi) - A(phi)| = l gives p cos(psi) + q sin(psi) = k for the rocker's angle.
    """
    a, c, l = 0.25, 0.60, 1.05
    t = np.linspace(0.0, 2.0, SAMPLES)
    phi = math.pi * t
    A = np.column_stack([a * np.cos(phi), a * np.sin(phi), np.full(SAMPLES, 0.0)])
    base = np.array([0.75, 0.55, 0.10])
    # B = base + c (sin(psi), 0, cos(psi)); |B - A|^2 = l^2
    w = base - A
    p, q = 2.0 * c * w[:, 2], 2.0 * c * w[:, 0]
    k = l**2 - c**2 - np.sum(w * w, axis=1)
    psi = np.arctan2(q, p) - np.arccos(k / np.hypot(p, q))
    B = base + c * np.column_stack([np.sin(psi), np.zeros(SAMPLES), np.cos(psi)])
    about_z = np.column_stack([np.cos(phi / 2), 0 * phi, 0 * phi, np.sin(phi / 2)])
    about_y = np.column_stack([np.cos(psi / 2), 0 * psi, np.sin(psi / 2), 0 * psi])
    bodies = [
        draw.DrawnBody(
            "crank",
            draw.PoseSeries(np.zeros((SAMPLES, 3)), about_z),
            [draw.Bar((0, 0), (a, 0))],
            colour=0,
        ),
        draw.DrawnBody(
            "rod",
            draw.PoseSeries(A, shortest_turn(B - A)),
            [draw.Bar((0, 0), (l, 0))],
            points={"M": (l / 2, 0, 0)},
            colour=1,
        ),
        draw.DrawnBody(
            "rocker",
            draw.PoseSeries(np.tile(base, (SAMPLES, 1)), about_y),
            [draw.Bar((0, 0, 0), (0, 0, c))],
            colour=2,
        ),
    ]
    y_axis = (0.0, 1.0, 0.0)
    joints = [
        draw.JointSymbol("A0", "pin", draw.Frame(None, (0, 0)), draw.Frame("crank", (0, 0))),
        draw.JointSymbol("A", "ball", draw.Frame("crank", (a, 0)), draw.Frame("rod", (0, 0))),
        draw.JointSymbol("B", "ball", draw.Frame("rocker", (0, 0, c)), draw.Frame("rod", (l, 0))),
        draw.JointSymbol(
            "B0",
            "pin",
            draw.Frame.along(None, base, y_axis),
            draw.Frame.along("rocker", (0, 0), y_axis),
        ),
    ]
    return draw.Scene(
        "Spatial RSSR linkage",
        plane=False,
        times=t,
        bodies=bodies,
        joints=joints,
        ground=draw.Ground(),
        traces=[draw.Trace("rod", (l / 2, 0, 0), "M")],
        series=[draw.Series("rocker.angle", "deg", np.degrees(np.unwrap(psi)))],
        unit="mm",
        unit_scale=1000.0,
    )


def belts_scene(*, plane: bool) -> draw.Scene:
    """A wheel on the ground, one on a swinging arm, and an open and a crossed belt round them."""
    t = np.linspace(0.0, 1.0, SAMPLES)
    swing = 0.4 * np.sin(2.0 * math.pi * t)
    axle = 0.3 * np.column_stack([np.cos(swing), np.sin(swing)])
    bodies = [
        draw.DrawnBody(
            "arm",
            draw.PoseSeries(np.zeros((SAMPLES, 2)), swing),
            draw.link([(0, 0), (0.3, 0)]),
            colour=0,
        ),
        draw.DrawnBody(
            "wheel", draw.PoseSeries(axle, 3.0 * swing), [draw.Disc((0, 0), 0.1)], colour=1
        ),
    ]
    ends = draw.Frame(None, (0, 0)), draw.Frame("wheel", (0, 0))
    joints = [
        draw.JointSymbol("A", "pin", draw.Frame(None, (0, 0)), draw.Frame("arm", (0, 0))),
        draw.JointSymbol("open", "belt", *ends, (0.05, 0.1)),
        draw.JointSymbol("crossed", "crossed_belt", *ends[::-1], (0.1, 0.05)),
        draw.JointSymbol("impossible", "belt", *ends, (0.05, 0.5)),
        draw.JointSymbol("coupled", "coupled", *ends),
    ]
    return draw.Scene("Belts", plane, t, bodies, joints)


def shortest_turn(directions: FloatArray) -> FloatArray:
    """Quaternions (n, 4) of the shortest turn that takes x to each direction."""
    d = directions / np.linalg.norm(directions, axis=1)[:, None]
    q = np.column_stack([1.0 + d[:, 0], np.zeros(len(d)), -d[:, 2], d[:, 1]])
    return q / np.linalg.norm(q, axis=1)[:, None]


@pytest.fixture
def fourbar() -> draw.Scene:
    return fourbar_scene()


@pytest.fixture
def slider_crank() -> draw.Scene:
    return slider_crank_scene()


@pytest.fixture
def rssr() -> draw.Scene:
    return rssr_scene()


@pytest.fixture
def belts() -> draw.Scene:
    return belts_scene(plane=True)


@pytest.fixture
def belts_in_space() -> draw.Scene:
    return belts_scene(plane=False)


def turning(body_shapes: list[draw.Shape], plane: bool) -> draw.Scene:
    """A body that turns about an axis askew, or in the plane, once in 1 s."""
    t = np.linspace(0.0, 1.0, SAMPLES)
    turn = 2.0 * math.pi * t
    axis = np.array([1.0, 2.0, 2.0]) / 3.0
    spin = np.column_stack([np.cos(turn / 2), np.sin(turn / 2)[:, None] * axis])
    places = np.column_stack([t, t**2]) if plane else np.column_stack([t, t**2, 0.3 + t])
    motion = draw.PoseSeries(places, turn if plane else spin)
    return draw.Scene("it", plane, t, [draw.DrawnBody("body", motion, body_shapes, colour=1)])


@pytest.fixture
def solids_in_space() -> draw.Scene:
    made = [
        facets.box((0.2, 0.3, 0.4)),
        facets.ball(0.2).moved(np.eye(3), np.array([0.8, 0.0, 0.1])),
        facets.lathe(np.array([[0.1, 0.0], [0.3, 0.0], [0.2, 0.5]])).moved(
            np.eye(3), np.array([0.0, 0.9, 0.0])
        ),
    ]
    return turning([draw.Solid(one.points.tolist(), one.faces) for one in made], plane=False)


@pytest.fixture
def plate_with_holes() -> draw.Scene:
    square = [(-0.5, -0.4), (0.5, -0.4), (0.5, 0.4), (-0.5, 0.4)]
    holes = [[(0.1, 0.1), (0.1, 0.2), (0.2, 0.1)], [(-0.3, -0.2), (-0.3, 0.2), (-0.1, 0.0)]]
    return turning([draw.Polygon(square, rim=False, holes=holes)], plane=True)
