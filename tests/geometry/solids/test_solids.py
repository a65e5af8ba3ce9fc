"""Every solid: volume, centroid and tensor are those of points strewn evenly in it."""

import dataclasses
import inspect
import math

import numpy as np
import pytest

import kempe
import kempe.geometry.solids as room
from kempe.errors import BadNumber, UnitError
from kempe.files.documents.document import document_from
from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.solids import Cuboid, Cylinder, Mesh, Plate, SlenderBar, Sphere, Tube

#: Halton points strewn so densely leave an error of about one over their number's root.
STREWN = 40_000
CLOSE = 4e-3
EXACT = 1e-14

OUTLINE = ((0.1, 0.0), (0.7, 0.1), (0.5, 0.3), (0.6, 0.8), (0.0, 0.4))  # not convex
#: an octahedron |x| + |y| + |z| < 1.15 whose top is pressed down to z = -0.1: not convex
TIPS = ((1.15, 0.0, 0.0), (0.0, 1.15, 0.0), (-1.15, 0.0, 0.0), (0.0, -1.15, 0.0))
DENTED = Mesh(
    (*TIPS, (0.0, 0.0, -1.15), (0.0, 0.0, -0.1)),
    (
        *((k, 4, (k + 1) % 4) for k in range(4)),
        *((k, (k + 1) % 4, 5) for k in range(4)),
    ),
)
SOLIDS = {
    "Mesh": (
        DENTED,
        lambda p: (
            (p[:, 2] > np.abs(p[:, :2]).sum(axis=1) - 1.15)
            & (p[:, 2] < (np.abs(p[:, :2]).sum(axis=1) - 1.15) / 11.5)
        ),
    ),
    "Cuboid": (Cuboid((0.3, 0.5, 0.9)), lambda p: np.all(np.abs(p) < [0.15, 0.25, 0.45], axis=1)),
    "Cylinder": (
        Cylinder(0.4, 1.1),
        lambda p: (np.hypot(p[:, 0], p[:, 1]) < 0.4) & (np.abs(p[:, 2]) < 0.55),
    ),
    "Tube": (
        Tube(0.4, 0.3, 1.1),
        lambda p: (np.abs(np.hypot(p[:, 0], p[:, 1]) - 0.35) < 0.05) & (np.abs(p[:, 2]) < 0.55),
    ),
    "Sphere": (Sphere(0.45), lambda p: np.linalg.norm(p, axis=1) < 0.45),
    "Plate": (Plate(OUTLINE, 0.2), lambda p: (np.abs(p[:, 2]) < 0.1) & inside(p[:, 0], p[:, 1])),
}


def inside(x, y):
    """Whether points lie in the outline: an odd number of edges lies to their right."""
    odd = np.zeros(len(x), dtype=bool)
    for (a, b), (c, d) in zip(OUTLINE, (*OUTLINE[1:], OUTLINE[0]), strict=True):
        odd ^= ((b > y) != (d > y)) & (x < a + (y - b) * (c - a) / (d - b))
    return odd


def halton(count, base):
    values = np.zeros(count)
    for k in range(count):
        n, share = k + 1, 1.0 / base
        while n:
            n, digit = divmod(n, base)
            values[k] += digit * share
            share /= base
    return values


@pytest.fixture(scope="module")
def strewn():
    return 2.4 * np.column_stack([halton(STREWN, base) for base in (2, 3, 5)]) - 1.2


def test_every_exported_solid_is_tried():
    exported = {n for n in room.__all__ if inspect.isclass(getattr(room, n))} - {
        "AbstractSolid",
        "ConvexPart",
    }
    assert exported == {*SOLIDS, "SlenderBar"}


@pytest.mark.parametrize("name", SOLIDS)
def test_volume_centroid_and_tensor_are_those_of_points_strewn_in_it(name, strewn):
    solid, is_inside = SOLIDS[name]
    points = strewn[is_inside(strewn)]
    assert solid.volume == pytest.approx(2.4**3 * len(points) / STREWN, rel=0.03)
    np.testing.assert_allclose(solid.centroid, points.mean(axis=0), atol=2 * CLOSE)
    spread = np.cov(points.T, bias=True)
    np.testing.assert_allclose(
        solid.gyration, np.trace(spread) * np.eye(3) - spread, atol=2 * CLOSE
    )


def test_a_slender_bar_lies_as_the_builder_s_bars_do():
    bar = SlenderBar(0.6).inertia(mass=2.0)
    np.testing.assert_allclose(bar.centre, [0.3, 0, 0], atol=EXACT)
    np.testing.assert_allclose(bar.about_origin()[2, 2], 2.0 * 0.6**2 / 3, atol=EXACT)


def test_a_plate_is_the_same_whichever_way_its_corners_go_round():
    there, back = Plate(OUTLINE, 0.2), Plate(OUTLINE[::-1], 0.2)
    assert there.volume == pytest.approx(back.volume, rel=EXACT)
    np.testing.assert_allclose(there.gyration, back.gyration, atol=EXACT)
    square = Plate(((0, 0), (2, 0), (2, 1), (0, 1)), 0.1)
    np.testing.assert_allclose(square.gyration, Cuboid((2, 1, 0.1)).gyration, atol=EXACT)


def test_a_density_gives_the_mass():
    wheel = Cylinder("20 mm", "5 mm").inertia(density="7850 kg/m^3")
    assert wheel.mass == pytest.approx(7850 * math.pi * 0.02**2 * 0.005, rel=EXACT)


def test_a_solid_stands_where_it_is_put():
    """A tube on its side: its axis z lies along the body's x."""
    side = Pose(Vector(0.1, 0.2, 0.3), Rotation.with_z((1.0, 0.0, 0.0)))
    lying = Tube(0.4, 0.3, 1.1).inertia(mass=3.0, at=side)
    np.testing.assert_allclose(lying.centre, [0.1, 0.2, 0.3], atol=EXACT)
    along, across = 3.0 * 0.125, 3.0 * (0.0625 + 1.1**2 / 12)
    np.testing.assert_allclose(lying.tensor, np.diag([along, across, across]), atol=1e-13)


@pytest.mark.parametrize("name", SOLIDS)
def test_a_file_gives_a_solid_in_its_own_units(name):
    solid, _ = SOLIDS[name]
    word = name.lower()

    def millimetres(value):
        if isinstance(value, tuple):
            return [millimetres(x) for x in value]
        return value if isinstance(value, int) else 1000.0 * value  # a corner's number

    fields = {f.name: millimetres(getattr(solid, f.name)) for f in dataclasses.fields(solid)}
    text = (
        f"version: 1\nunits: {{length: mm, mass: g}}\n"
        f"bodies: {{b: {{inertia: {{solid: {{type: {word}, {flow(fields)}}}, mass: 3000}}}}}}"
    )
    found = document_from(text.encode(), "solid.yaml").model.body("b").inertia
    wanted = solid.inertia(mass=3.0)
    assert found.mass == pytest.approx(3.0, rel=EXACT)
    np.testing.assert_allclose(found.tensor, wanted.tensor, atol=1e-12)


def flow(fields):
    return ", ".join(f"{name}: {value}" for name, value in fields.items())


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Sphere(0.0), "radius of a sphere"),
        (lambda: Tube(0.1, 0.2, 1.0), "make the bore smaller"),
        (lambda: Plate(((0, 0), (1, 1), (2, 2)), 0.1), "on one line"),
        (lambda: Plate(((0, 0), (1, 1)), 0.1), "3 corners"),
        (lambda: Sphere(1.0).inertia(), "give one"),
        (lambda: Sphere(1.0).inertia(mass=1.0, density=1.0), "give one"),
        (lambda: SlenderBar(1.0).inertia(density=1.0), "no volume"),
        (lambda: Sphere(1.0).inertia(mass=-1.0), "not negative"),
    ],
)
def test_what_is_no_solid_is_refused(make, says):
    with pytest.raises(BadNumber, match=says):
        make()


def test_a_mass_in_metres_is_refused():
    with pytest.raises(UnitError, match="the mass"):
        Sphere(1.0).inertia(mass="3 m")


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("{solid: {type: sphere, radius: 1}}", "give one"),
        ("{solid: {type: sphere, radius: 1}, mass: 1, tensor: [1, 1, 1]}", "follows from"),
        ("{mass: 1, density: 2}", "goes with a `solid`"),
        ("{mass: 1, angle: 2}", "goes with a `solid`"),
        ("{solid: {type: spere, radius: 1}, mass: 1}", "Did you mean 'sphere'"),
        ("{solid: {type: sphere, radius: -1}, mass: 1}", "must be positive"),
    ],
)
def test_a_file_says_what_is_wrong_with_an_inertia(entry, says):
    text = f"version: 1\nbodies: {{b: {{inertia: {entry}}}}}"
    with pytest.raises(kempe.KempeError, match=says) as refusal:
        _ = document_from(text.encode(), "solid.yaml").model
    assert refusal.value.line == 2
