"""Geoms of MJCF as solids with their mass: spheres, boxes, cylinders, capsules, ellipsoids, meshes.

A body without <inertial> has the mass of its geoms, each of `mass` or of `density` times its
volume.
"""

import math
from xml.etree.ElementTree import Element

import numpy as np

from kempe.errors import KempeError, printable
from kempe.files.syntax.source import shown
from kempe.foreign.mjcf.attributes import Attributes
from kempe.geometry import Inertia, Pose, Rotation, Vector
from kempe.geometry.solids import AbstractSolid, Cuboid, Cylinder, Sphere

DENSITY = 1000.0  # kg/m^3, where the file gives none
LONG = ("capsule", "cylinder", "box", "ellipsoid")  # may be given by their ends
Solid = tuple[AbstractSolid | None, Pose, Inertia | None]


def solid_of(geom: Element, attributes: Attributes) -> Solid | None:
    """Solid (None for those kempe has none of), frame and mass of a geom; None for what has none.

    A capsule or an ellipsoid has a mass and no solid.
    """
    xml, kind = attributes.xml, geom.get("type", "sphere")
    for word, plain in (("shellinertia", "false"), ("fluidshape", "none")):
        if geom.get(word, plain) != plain:
            attributes.ledger.leave_out(xml.line(geom), f"{word} of a geom", "not followed")
    if geom.get("mesh") is not None and geom.get("type") is None:
        kind = "mesh"
    if kind == "mesh":
        return _mesh(geom, attributes)
    if kind not in ("sphere", *LONG):
        why = "it has no mass and is no solid of kempe"
        attributes.ledger.leave_out(xml.line(geom), f"geom of type {shown(kind)}", why)
        return None
    sizes = list(xml.numbers(geom, "size", None))
    frame, half = _placed(geom, attributes)
    if half is not None:
        sizes = [sizes[0], half] if sizes and kind in LONG[:2] else [*sizes[:1] * 2, half]
    needed = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}[kind]
    if len(sizes) < needed or not all(x > 0.0 for x in sizes[:needed]):
        some = f"{needed} positive number{'s' * (needed != 1)}"
        xml.refuse(geom, f"a {kind} needs {some} as its size, it has {sizes[:needed]}.")
    with attributes.ledger.at(xml.line(geom), f"<{printable(geom.tag)}>"):
        volume, tensor = _mass_of(kind, sizes)
        density = xml.number(geom, "density", DENSITY)
        mass = xml.number(geom, "mass", density * volume)
        inertia = Inertia(mass, np.zeros(3), mass * tensor).seen_from(frame)
        return _solid(kind, sizes), frame, inertia


def _mesh(geom: Element, attributes: Attributes) -> Solid | None:
    """A mesh of the file's assets, and the mass that it has by its volume."""
    xml, ledger, own = attributes.xml, attributes.ledger, geom.get("mesh", "")
    what = f"geom of mesh {shown(own)}"
    try:
        found = attributes.mesh(own)
    except KempeError as trouble:
        ledger.leave_out(xml.line(geom), what, trouble.message)
        return None
    frame = attributes.pose(geom)
    given = {"density": xml.number(geom, "density", DENSITY)}
    if geom.get("mass") is not None:
        given = {"mass": xml.number(geom, "mass", 0.0)}
    if not any(given.values()):
        return found, frame, None
    try:
        return found, frame, found.inertia(**given, at=frame)
    except KempeError as trouble:
        ledger.leave_out(xml.line(geom), f"mass of the {what}", trouble.message)
        return found, frame, None


def _placed(geom: Element, attributes: Attributes) -> tuple[Pose, float | None]:
    """The frame of a geom, and half its length where it is given by its two ends."""
    if geom.get("fromto") is None:
        return attributes.pose(geom), None
    ends = np.array(attributes.xml.numbers(geom, "fromto", 6)).reshape(2, 3)
    way = ends[1] - ends[0]
    length = float(np.linalg.norm(way))
    if not 1e-12 < length < 1e12:
        attributes.xml.refuse(geom, "the two ends of fromto lie in one place, or too far apart.")
    middle = Vector(*ends.mean(axis=0).tolist())
    frame = Pose(middle, Rotation.with_z(way / length))
    return attributes.around(geom) @ frame, 0.5 * length


def _solid(kind: str, sizes: list[float]) -> AbstractSolid | None:
    if kind == "sphere":
        return Sphere(sizes[0])
    if kind == "box":
        return Cuboid((2.0 * sizes[0], 2.0 * sizes[1], 2.0 * sizes[2]))
    return Cylinder(sizes[0], 2.0 * sizes[1]) if kind == "cylinder" else None


def _mass_of(kind: str, sizes: list[float]) -> tuple[float, np.ndarray]:
    """Volume (m^3) and inertia about the middle per mass (m^2)."""
    a = sizes[0]
    if kind == "sphere":
        return 4.0 / 3.0 * math.pi * a**3, 0.4 * a * a * np.eye(3)
    if kind == "cylinder":
        h = 2.0 * sizes[1]
        across = a * a / 4.0 + h * h / 12.0
        return math.pi * a * a * h, np.diag([across, across, a * a / 2.0])
    if kind == "capsule":
        return _capsule(a, 2.0 * sizes[1])
    squares = np.square(sizes[:3])
    others = np.diag(squares.sum() - squares)
    if kind == "box":
        return 8.0 * math.prod(sizes[:3]), others / 3.0
    return 4.0 / 3.0 * math.pi * math.prod(sizes[:3]), others / 5.0


def _capsule(r: float, h: float) -> tuple[float, np.ndarray]:
    """A cylinder of length h between two half balls, whose centres are 3 r / 8 from its ends."""
    rod, ball = math.pi * r * r * h, 4.0 / 3.0 * math.pi * r**3
    along = rod * r * r / 2.0 + ball * 0.4 * r * r
    away = 0.4 * r * r + h * h / 4.0 + 3.0 * h * r / 8.0
    across = rod * (r * r / 4.0 + h * h / 12.0) + ball * away
    return rod + ball, np.diag([across, across, along]) / (rod + ball)
