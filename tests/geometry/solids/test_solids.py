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
from kempe.geometry.curves import Circle, Line
from kempe.geometry.solids import (
    Cone,
    Cuboid,
    Cylinder,
    Mesh,
    Plate,
    Revolution,
    SlenderBar,
    Sphere,
    Tube,
)

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
    "Cone": (
        Cone(0.5, 0.9, 0.2),
        lambda p: (np.abs(p[:, 2]) < 0.45) & (np.hypot(p[:, 0], p[:, 1]) < 0.35 - p[:, 2] / 3.0),
    ),
    "Revolution": (  # a cup: what is outside a cone that stands on its tip
        Revolution(((0.0, -0.4), (0.6, -0.4), (0.6, 0.5), (0.5, 0.5), (0.0, -0.3))),
        lambda p: (
            (np.hypot(p[:, 0], p[:, 1]) < 0.6)
            & (p[:, 2] > -0.4)
            & (p[:, 2] < np.minimum(1.6 * np.hypot(p[:, 0], p[:, 1]) - 0.3, 0.5))
        ),
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


HOLES = ((0.3, 0.2, 0.08), (0.5, 0.6, 0.05), (0.55, 0.12, 0.02))


def test_a_plate_with_holes_is_the_plate_less_the_discs_that_were_cut_out():
    """Huygens and Steiner, by the sum of inertias that is used for bodies."""
    density = 1000.0
    holed = Plate(OUTLINE, 0.2, HOLES).inertia(density=density)
    whole = holed
    for x, y, r in HOLES:
        disc = Cylinder(r, 0.2).inertia(
            density=density, at=Pose(Vector(x, y, 0.0), Rotation.identity())
        )
        whole = whole + disc
    plain = Plate(OUTLINE, 0.2).inertia(density=density)
    assert whole.mass == pytest.approx(plain.mass, rel=1e-13)
    np.testing.assert_allclose(whole.centre, plain.centre, atol=1e-13)
    np.testing.assert_allclose(whole.tensor, plain.tensor, atol=1e-11)


@pytest.mark.parametrize(
    ("holes", "complaint"),
    [
        (((0.3, 0.2, 0.5),), "reaches over its edge"),
        (((0.95, 0.9, 0.01),), "reaches over its edge"),
        (((0.3, 0.2, 0.08), (0.35, 0.22, 0.02)), "holes 1 and 2 of a plate run into each other"),
        (((0.3, 0.2),), "is \\(x, y, radius\\)"),
        (((0.3, 0.2, 0.0),), "radius of a hole"),
    ],
)
def test_holes_that_are_none_are_refused(holes, complaint):
    with pytest.raises(BadNumber, match=complaint):
        Plate(OUTLINE, 0.2, holes)


def test_a_sketch_that_is_a_circle_is_a_disc_in_the_limit():
    """The area of a regular polygon of n corners, n / 2 sin(2 pi / n) r^2."""
    disc = Plate.of_curve(Circle((0.0, 0.0, 0.0), 0.3), 0.1, corners=60)
    assert disc.volume == pytest.approx(0.1 * 30 * math.sin(math.tau / 60) * 0.09, rel=1e-13)
    with pytest.raises(BadNumber, match="does not close"):
        Plate.of_curve(Line((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), 0.1)


def test_a_turned_part_is_what_the_formulas_of_cylinders_tubes_and_cones_say():
    h, r, s = 0.55, 0.4, 0.3
    tube = Revolution(((s, -h), (r, -h), (r, h), (s, h)))
    drum = Revolution(((0.0, h), (r, h), (r, -h), (0.0, -h)))
    for turned, known in ((tube, Tube(r, s, 2 * h)), (drum, Cylinder(r, 2 * h))):
        assert turned.volume == pytest.approx(known.volume, rel=1e-13)
        np.testing.assert_allclose(turned.gyration, known.gyration, atol=1e-14)
    cone = Cone(r, 2 * h)
    assert cone.centroid[2] == pytest.approx(2 * h / 4 - h)
    # K_zz = 3 r^2 / 10, K_xx = 3 r^2 / 20 + 3 l^2 / 80 of a full cone
    across = 3 * r**2 / 20 + 3 * (2 * h) ** 2 / 80
    np.testing.assert_allclose(np.diag(cone.gyration), [across, across, 0.3 * r**2], atol=1e-14)


def test_corners_of_a_turned_part_have_no_negative_radius():
    with pytest.raises(BadNumber, match=r"radius -0\.1 m"):
        Revolution(((-0.1, 0.0), (1.0, 0.0), (1.0, 1.0)))
    with pytest.raises(BadNumber, match="no volume"):
        Revolution(((0.1, 0.0), (1.0, 1.0), (0.55, 0.5)))


#: of the volume: what a surface of flat faces leaves out of round ones
CHORDS = 0.04


@pytest.mark.parametrize("name", SOLIDS)
def test_the_faces_that_are_drawn_hold_the_volume(name):
    solid = SOLIDS[name][0]
    assert solid.facets.volume == pytest.approx(solid.volume, rel=CHORDS)


def test_a_plate_with_holes_is_drawn_and_measured_with_them():
    plate = Plate(OUTLINE, 0.2, HOLES)
    assert plate.facets.volume == pytest.approx(plate.volume, rel=2e-3)
    middle = np.array([0.3, 0.2, 0.0])
    for part in plate.convex_parts:
        flat = part.points[:, :2]
        assert np.linalg.norm(flat.mean(axis=0) - middle[:2]) > 0.05
