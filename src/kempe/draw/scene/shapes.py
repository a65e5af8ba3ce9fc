"""What a body looks like: outlines in the body's own frame, m, and points as they come in."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.geometry.solids.facets import Facets

FloatArray = NDArray[np.float64]
Vector = Sequence[float] | FloatArray  # (2,) in the plane, or (3,)
Triple = tuple[float, float, float]
SIGNIFICANT_DIGITS = 7  # a tenth of a micrometre on a metre: finer than any screen
Document = dict[str, object]
RIM_SAMPLES = 16  # corners that stand for a circle when a picture is fitted
PRESSURE_ANGLE = math.radians(20.0)
SHARP = 0.8  # cosine of the angle between faces whose edge is always drawn
ADDENDUM, DEDENDUM = 1.0, 1.25  # tooth height above and below the pitch circle, in modules


def triple(value: Vector, what: str) -> Triple:
    """A point (x, y) or (x, y, z) as three finite floats; z is 0 where it is not given."""
    numbers = np.asarray(value, dtype=float)
    if numbers.shape not in ((2,), (3,)):
        raise ValueError(f"{what} must be (x, y) or (x, y, z), not an array of {numbers.shape}.")
    if not np.isfinite(numbers).all():
        raise ValueError(f"{what} is {tuple(numbers.tolist())}: every coordinate must be finite.")
    x, y, *z = numbers.tolist()
    return (x, y, z[0] if z else 0.0)


def triples(values: Iterable[Vector], what: str, at_least: int) -> tuple[Triple, ...]:
    """A row of points, of which there must be enough to draw."""
    points = tuple(triple(value, f"{what}, point {k},") for k, value in enumerate(values))
    if len(points) < at_least:
        raise ValueError(f"{what} needs at least {at_least} points; there are {len(points)}.")
    return points


def samples(values: object, what: str) -> FloatArray:
    """Numbers over time as a read-only float array, refused where one is not finite."""
    numbers = np.array(values, dtype=float)
    finite = np.isfinite(numbers)
    if not finite.all():
        where = int(np.argwhere(~finite)[0][0]) if numbers.ndim else 0
        count = int((~finite).sum())
        raise ValueError(
            f"{what}: {count} of {numbers.size} numbers are not finite, "
            f"the first at sample {where}. Cut the motion there, or leave this part out."
        )
    numbers.setflags(write=False)
    return numbers


def rounded(value: float, digits: int = SIGNIFICANT_DIGITS) -> float | int:
    """A number with so many significant digits, spelled as briefly as JSON allows."""
    if value == 0.0:
        return 0
    short = round(float(value), digits - 1 - math.floor(math.log10(abs(value))))
    return int(short) if short.is_integer() and abs(short) < 1e15 else short


def rounded_all(values: Iterable[float], zero: float = 0.0) -> list[float | int]:
    """Numbers with seven significant digits; those smaller than ``zero`` become 0."""
    return [0 if abs(value) < zero else rounded(value) for value in values]


def _plain(points: Sequence[Triple]) -> list[list[float | int]]:
    return [rounded_all(point) for point in points]


class AbstractShape(ABC):
    """An outline in the frame of its body."""

    __slots__ = ()

    @property
    @abstractmethod
    def corners(self) -> FloatArray:
        """Points (m, 3) that a picture must have room for."""

    @abstractmethod
    def document(self) -> Document:
        """The plain data a player reads."""


@final
@dataclass(frozen=True, slots=True)
class Bar(AbstractShape):
    """A link from one point to another, with rounded ends."""

    start: Vector
    end: Vector

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", triple(self.start, "the start of a bar"))
        object.__setattr__(self, "end", triple(self.end, "the end of a bar"))

    @property
    def corners(self) -> FloatArray:
        return np.array([self.start, self.end], dtype=float)

    def document(self) -> Document:
        return {"form": "bar", "points": _plain(self.corners.tolist())}


@final
@dataclass(frozen=True, slots=True)
class Polyline(AbstractShape):
    """A line through points: an edge, a slot, a cam's outline."""

    points: Sequence[Vector]
    closed: bool = False
    colour: int | None = None  # index into the palette; None is the body's

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", triples(self.points, "a polyline", at_least=2))

    @property
    def corners(self) -> FloatArray:
        return np.array(self.points, dtype=float)

    def document(self) -> Document:
        plain = {"form": "line", "points": _plain(self.corners.tolist()), "closed": self.closed}
        return plain if self.colour is None else {**plain, "colour": self.colour}


@final
@dataclass(frozen=True, slots=True)
class Polygon(AbstractShape):
    """A filled plate. With ``rim`` it is grown by half a link's width, so that pins at its
    corners sit inside it; without, the corners are the exact outline.
    """

    points: Sequence[Vector]
    rim: bool = True
    holes: Sequence[Sequence[Vector]] = ()  # rings that are cut out

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", triples(self.points, "a polygon", at_least=3))
        rings = tuple(triples(ring, "a hole", at_least=3) for ring in self.holes)
        object.__setattr__(self, "holes", rings)

    @property
    def corners(self) -> FloatArray:
        return np.array(self.points, dtype=float)

    def document(self) -> Document:
        plain = {"form": "plate", "points": _plain(self.corners.tolist()), "rim": self.rim}
        return {**plain, "holes": [_plain(ring) for ring in self.holes]} if self.holes else plain  # type: ignore[arg-type]


@final
@dataclass(frozen=True, slots=True)
class Disc(AbstractShape):
    """A wheel about an axis, or a spur gear if it has teeth.

    A gear's ``radius`` is that of its pitch circle; ``phase`` (rad) turns the middle of a tooth
    away from the body's x axis.
    """

    centre: Vector
    radius: float
    axis: Vector = (0.0, 0.0, 1.0)
    teeth: int = 0
    phase: float = 0.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.radius) and self.radius > 0.0):
            raise ValueError(f"the radius of a disc must be a positive length, not {self.radius}.")
        if self.teeth < 0 or 0 < self.teeth < 4:
            raise ValueError(f"a disc has no teeth or at least 4, not {self.teeth}.")
        axis = np.array(triple(self.axis, "the axis of a disc"))
        length = float(np.linalg.norm(axis))
        if length == 0.0:
            raise ValueError("the axis of a disc must have a direction; it is (0, 0, 0).")
        object.__setattr__(self, "centre", triple(self.centre, "the centre of a disc"))
        object.__setattr__(self, "axis", tuple((axis / length).tolist()))

    def rim(self, radii: FloatArray, angles: FloatArray) -> FloatArray:
        """Points (m, 3) of the disc's plane, in polar coordinates about its centre."""
        x, y = perpendiculars(np.array(self.axis))
        flat = np.outer(radii * np.cos(angles), x) + np.outer(radii * np.sin(angles), y)
        return np.array(self.centre) + flat

    @property
    def outer(self) -> float:
        """The radius (m) that a picture must have room for: a gear's teeth reach furthest."""
        return self.radius * (1.0 + 2.0 * ADDENDUM / self.teeth) if self.teeth else self.radius

    @property
    def corners(self) -> FloatArray:
        angles = np.linspace(0.0, 2.0 * math.pi, RIM_SAMPLES, endpoint=False)
        return self.rim(np.full(RIM_SAMPLES, self.outer), angles)

    @property
    def outline(self) -> FloatArray:
        """The toothed outline (4 teeth, 3) with straight flanks at 20 degrees; empty if smooth.

        Own: flanks are tangents of the involute at the pitch circle, enough for a picture.
        """
        if not self.teeth:
            return np.empty((0, 3))
        module = 2.0 * self.radius / self.teeth
        tip, root = self.radius + ADDENDUM * module, self.radius - DEDENDUM * module
        half = math.pi / (2.0 * self.teeth)
        lean = module * math.tan(PRESSURE_ANGLE) / self.radius
        flank = half * np.array([-1.0, -1.0, 1.0, 1.0])
        flank += lean * np.array([-DEDENDUM, ADDENDUM, -ADDENDUM, DEDENDUM])
        middles = self.phase + np.arange(self.teeth) * (4.0 * half)
        return self.rim(
            np.tile([root, tip, tip, root], self.teeth), (middles[:, None] + flank).ravel()
        )

    def document(self) -> Document:
        mark = self.rim(np.array([self.radius]), np.array([self.phase]))
        return {
            "form": "disc",
            "centre": rounded_all(triple(self.centre, "centre")),
            "radius": rounded_all([self.radius])[0],
            "outer": rounded_all([self.outer])[0],
            "axis": rounded_all(triple(self.axis, "axis")),
            "mark": rounded_all(mark[0].tolist()),
            "points": _plain(self.outline.tolist()),
        }


@final
@dataclass(frozen=True, slots=True)
class Solid(AbstractShape):
    """A solid of flat convex faces, each a row of corners that goes round it counter-clockwise."""

    points: Sequence[Vector]
    faces: Sequence[Sequence[int]]

    def __post_init__(self) -> None:
        points = triples(self.points, "a solid", at_least=4)
        faces = tuple(tuple(int(k) for k in face) for face in self.faces)
        for face in faces:
            if len(face) < 3 or not all(0 <= k < len(points) for k in face):
                raise ValueError(f"a face of a solid has 3 of its corners or more, not {face}.")
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "faces", faces)

    @property
    def corners(self) -> FloatArray:
        return np.array(self.points, dtype=float)

    @property
    def facets(self) -> Facets:
        """Its surface."""
        return Facets(self.corners, tuple(tuple(face) for face in self.faces))

    @property
    def looks(self) -> "SolidLooks":
        """What a picture needs besides the corners."""
        return _looks(tuple(self.points), tuple(self.faces))

    def document(self) -> Document:
        looks = self.looks
        return {
            "form": "solid",
            "points": _plain(self.corners.tolist()),
            "faces": [list(face) for face in self.faces],
            "normals": [rounded_all(n, 1e-9) for n in looks.normals.tolist()],
            "edges": [
                [*edge, bool(sharp)] for edge, sharp in zip(looks.edges, looks.sharp, strict=True)
            ],
        }


@final
@dataclass(frozen=True, slots=True, eq=False)
class SolidLooks:
    """Unit vectors out of the faces of a solid, its edges with their two faces, which are sharp."""

    normals: FloatArray  # (f, 3)
    edges: tuple[tuple[int, int, int, int], ...]
    sharp: tuple[bool, ...]


@lru_cache(maxsize=256)
def _looks(points: tuple[Triple, ...], faces: tuple[tuple[int, ...], ...]) -> SolidLooks:
    surface = Facets(np.array(points, dtype=float), faces)
    normals, edges = surface.normals, surface.edges
    sharp = tuple(g < 0 or float(normals[f] @ normals[g]) < SHARP for _, _, f, g in edges)
    return SolidLooks(normals, edges, sharp)


Shape = Bar | Polyline | Polygon | Disc | Solid


def perpendiculars(axis: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Two unit vectors x, y that make a right-handed frame with the unit vector ``axis``.

    For the z axis they are the world's own x and y, so that the plane needs no special case.
    """
    a, b, c = (float(part) for part in axis)
    # y = axis x (1, 0, 0), or axis x (0, 0, 1)
    y = np.array([0.0, c, -b] if abs(c) > 0.9 else [b, -a, 0.0]) + 0.0
    u, v, w = (y := y / math.sqrt(float(y @ y))).tolist()
    return np.array([v * c - w * b, w * a - u * c, u * b - v * a]) + 0.0, y


def link(points: Sequence[Vector]) -> tuple[Shape, ...]:
    """The usual outline of a body that is only known by its points.

    Two points give a bar, points in one plane their convex plate, others a spider of bars.
    """
    corners = np.array(triples(points, "a link", at_least=2))
    corners = corners[np.sort(np.unique(corners.round(12), axis=0, return_index=True)[1])]
    if len(corners) < 3:
        return (Bar(corners[0], corners[-1]),)
    middle = corners.mean(axis=0)
    _, sizes, axes = np.linalg.svd(corners - middle)
    if sizes[1] < 1e-6 * sizes[0]:  # all on one line
        along = (corners - middle) @ axes[0]
        return (Bar(corners[along.argmin()], corners[along.argmax()]),)
    if len(corners) > 3 and sizes[2] > 1e-6 * sizes[0]:
        return tuple(Bar(middle, corner) for corner in corners)
    hull = _convex_hull((corners - middle) @ axes[:2].T)
    return (Polygon(corners[hull].tolist()),)


def _convex_hull(points: FloatArray) -> list[int]:
    """Indices of the corners of the convex hull of (m, 2) points, counter-clockwise.

    Source: [Andrew1979] the monotone chain.
    """
    order = np.lexsort((points[:, 1], points[:, 0])).tolist()

    def chain(indices: list[int]) -> list[int]:
        kept: list[int] = []
        for k in indices:
            while len(kept) > 1 and _turn(points[kept[-2]], points[kept[-1]], points[k]) <= 0.0:
                kept.pop()
            kept.append(k)
        return kept[:-1]

    return chain(order) + chain(order[::-1])


def _turn(a: FloatArray, b: FloatArray, c: FloatArray) -> float:
    """Twice the area of the triangle a, b, c: positive where it turns left."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
