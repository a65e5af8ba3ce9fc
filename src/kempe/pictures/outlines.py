"""What bodies look like in pictures: outlines, tracks that joints run on, wheels of couplers."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.draw import Bar, Disc, Polygon, Polyline, Shape, Solid, link
from kempe.geometry import GROUND, Marker, Pose, Vector
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.solids import AbstractSolid, ConvexPart, Plate
from kempe.geometry.solids.facets import Facets
from kempe.geometry.solids.polygons import hull
from kempe.geometry.surfaces import AbstractSurface
from kempe.geometry.surfaces.abstract import drawn_between
from kempe.model import Body, Model
from kempe.model.shape import BodyShape
from kempe.pictures.bobs import bobs
from kempe.pictures.thick_wheels import thick
from kempe.pictures.turned_parts import turned_parts
from kempe.pictures.wheels import wheels

POINTS = 161  # of a curve that is drawn
FACETS = 24  # along either side of a surface that is shaded
LINES, ALONG = 12, 37  # on the longer side of a surface that is drawn; points of each
FEWEST = 2  # lines on its shorter side; on a closed way three times as many
STRAIGHT = 1e-9  # of its length: no line bends less
MOST_PARTS = 200  # of a body, in a picture
FACING = 1.0 - 1e-9  # cosine of the angle between an outline and the plane of the picture
FAR = 2.0  # sizes of the machine: how far a curve without an end is drawn
Outlines = dict[str, tuple[Shape, ...]]  # by body
Track = AbstractCurve | AbstractSurface
FORMS: dict[str, type[Shape]] = {
    kind.__name__: kind for kind in (Bar, Polyline, Polygon, Disc, Solid)
}


def tracks(model: Model, size: float) -> dict[str, tuple[Polyline, ...]]:
    """The curves and surfaces of joints and contacts by the body they are fixed in, each once.

    A surface is drawn by lines of equal u and of equal v; `size` (m) is the machine's.
    """
    found: dict[str, list[Polyline]] = {}
    for (at, _), lines in track_lines(model, size).items():
        found.setdefault(at.body, []).extend(lines)
    return {body: tuple(lines) for body, lines in found.items()}


def track_lines(model: Model, size: float) -> dict[tuple[Marker, Track], list[Polyline]]:
    """The lines that draw curves and surfaces of joints and contacts, by where they are fixed.

    `size` (m) is the `model`'s: what has no end is drawn so far.
    """
    found: dict[tuple[Marker, Track], list[Polyline]] = {}
    held = [
        (at, getattr(joint, word, None))
        for joint in model.joints
        for at, word in ((joint.I, "curve"), (joint.I, "surface"), (joint.J, "other"))
    ]
    touched = [pair for force in model.forces for pair in getattr(force, "touching", ())]
    for at, track in (*held, *touched):
        if isinstance(track, (AbstractCurve, AbstractSurface)):
            found.setdefault((at, track), _drawn(at, track, size))
    return found


def _drawn(at: Marker, track: AbstractCurve | AbstractSurface, size: float) -> list[Polyline]:
    return [_line(at, track, size)] if isinstance(track, AbstractCurve) else _net(at, track, size)


def _net(at: Marker, surface: AbstractSurface, size: float) -> list[Polyline]:
    """Lines of equal u and of equal v, evenly spread over a surface; poles make none."""
    speeds = [max(speed, 1e-300) for speed in surface.speeds]
    pairs = list(zip(surface.domains, speeds, strict=True))
    ends = [drawn_between(d, FAR * size / speed) for d, speed in pairs]
    sides = [speed * (high - low) for speed, (low, high) in zip(speeds, ends, strict=True)]
    lines = []
    for k, domain in enumerate(surface.domains):
        fewest = 3 * FEWEST if domain.period else FEWEST
        count = max(fewest, round(LINES * sides[k] / max(sides)))
        other = surface.domains[1 - k]
        along = np.linspace(*ends[1 - k], ALONG)[: -1 if other.period else None]
        for value in np.linspace(*ends[k], count, endpoint=not domain.period):
            u, v = (np.full_like(along, value), along)[:: 1 if k == 0 else -1]
            places = _carried(at.pose, surface(u, v))
            if np.ptp(places, axis=0).max() > 0.0:
                lines.append(Polyline(_bends(places).tolist(), closed=bool(other.period)))
    return lines


def facets(at: Marker, surface: AbstractSurface, size: float) -> NDArray[np.float64]:
    """Corners (k, 4, 3) of the facets of a fine net over a surface; `size` (m) is the machine's."""
    speeds = [max(speed, 1e-300) for speed in surface.speeds]
    ends = [
        drawn_between(d, FAR * size / speed)
        for d, speed in zip(surface.domains, speeds, strict=True)
    ]
    u, v = np.meshgrid(*(np.linspace(*each, FACETS + 1) for each in ends), indexing="ij")
    places = _carried(at.pose, surface(u.ravel(), v.ravel())).reshape(*u.shape, 3)
    around = [places[:-1, :-1], places[1:, :-1], places[1:, 1:], places[:-1, 1:]]
    return np.stack(around, axis=2).reshape(-1, 4, 3)


def _bends(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (n, 3) of a line, or where it is straight its ends alone."""
    way = places[-1] - places[0]
    off = np.linalg.norm(np.cross(places - places[0], way), axis=1).max()
    is_straight = off <= STRAIGHT * float(way @ way) and way.any()
    return places[[0, -1]] if is_straight else places


def _line(at: Marker, curve: AbstractCurve, size: float) -> Polyline:
    low, high = curve.domain.low, curve.domain.high
    if not curve.domain.is_bounded:
        reach = FAR * size / max(curve.speed, 1e-300)
        low, high = max(low, -reach), min(high, reach)
    places = np.linspace(low, high, POINTS)[: -1 if curve.is_closed else None]
    points = [list(at.pose.point(Vector(*curve(float(t)).tolist()))) for t in places]
    return Polyline([tuple(float(c) for c in p) for p in points], closed=curve.is_closed)


def outlines(layout: Layout, q: NDArray[np.float64]) -> Outlines:
    """The shapes of all bodies, wheels first; q says how gears mesh.

    The ground is among them where something runs on a curve of it.
    """
    turning, model = wheels(layout, q), layout.model
    if not model.plane:
        turning = {body: tuple(map(thick, shapes)) for body, shapes in turning.items()}
    curves, heavy = tracks(model, layout.size), bobs(layout, q)
    found = {
        b.name: (*turning.get(b.name, ()), *curves.get(b.name, ()), *_shapes(model, b))
        for b in model.moving
    }
    for body, bob in heavy.items():  # at the end of an arm, or instead of what stood for it
        found[body] = (*(shape for shape in found[body] if isinstance(shape, Bar)), bob)
    ground = next((b for b in model.bodies if b.name == GROUND), Body(GROUND))
    fixed = (*curves.get(GROUND, ()), *_solid_shapes(model, ground))
    return found | ({GROUND: fixed} if fixed else {})


def _shapes(model: Model, body: Body) -> tuple[Shape, ...]:
    """Its solids; without, a shaft or a disc, its outline, or the link through what joints hold."""
    if body.shapes:
        return _solid_shapes(model, body)
    turned = () if model.plane else turned_parts(model, body)
    if turned:
        return turned
    held = [m.position for j in model.joints for m in j.markers if m.body == body.name]
    points = [body.points[p] for p in body.outline] or held
    corners = list(dict.fromkeys([*points, *held]))
    return link(corners) if len(corners) > 1 else ()


def _solid_shapes(model: Model, body: Body) -> tuple[Shape, ...]:
    """The solids that a body occupies: filled in the plane, with shaded faces in space."""
    if not model.plane:
        made = [(s.solid.facets, s.at) for s in body.shapes]
        return tuple(_solid(f.seen_from(at)) for f, at in made if f is not None)
    whole = [_is_flat(s.solid) and _shows(s) for s in body.shapes]
    parts = [
        [] if is_whole else [part.seen_from(one.at) for part in one.solid.convex_parts]
        for one, is_whole in zip(body.shapes, whole, strict=True)
    ]
    # of a mesh with thousands of triangles some show what it is
    every = max(1, -(-sum(len(mine) for mine in parts) // MOST_PARTS))
    seen: list[Shape] = []
    for one, is_whole, mine in zip(body.shapes, whole, parts, strict=True):
        if is_whole:
            seen.append(_extruded(one))
        for part in mine[::every]:
            seen += _flat(part)
    return tuple(seen)


def _is_flat(solid: AbstractSolid) -> bool:
    return isinstance(solid, Plate) or solid.profile is not None


def _shows(shape: BodyShape) -> bool:
    """Whether what is seen of an extruded outline is the outline: in the plane it may stand up."""
    return abs(float(shape.at.rotation.matrix()[2][2])) > FACING


def _extruded(shape: BodyShape) -> Polygon:
    """An outline as it is, corners that go in too, and holes."""
    solid = shape.solid
    if isinstance(solid, Plate):
        outline, rings = np.array(solid.corners), solid.rings
    else:
        assert solid.profile is not None
        outline, rings = solid.profile[0], []
    placed, *holes = (
        _carried(shape.at, np.pad(ring, ((0, 0), (0, 1)))) for ring in (outline, *rings)
    )
    return Polygon(placed.tolist(), rim=False, holes=[hole[::-1].tolist() for hole in holes])


def _solid(made: Facets) -> Solid:
    return Solid(made.points.tolist(), made.faces)


def _carried(at: Pose, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (n, 3) of a frame in the one in which it lies at `at`."""
    return ConvexPart(points).seen_from(at).points


def _flat(part: ConvexPart) -> Iterator[Shape]:
    print_ = part.footprint()
    corners = hull(print_.points[:, :2])
    if len(corners) == 1:
        yield Disc(corners[0], print_.radius)
    elif len(corners) == 2:
        yield Bar(corners[0], corners[1])
    else:
        yield Polygon(corners.tolist(), rim=False)


def outlines_document(shapes: Outlines) -> dict[str, list[dict[str, Any]]]:
    """Outlines as plain data, exact."""
    return {
        body: [{"form": type(s).__name__, **asdict(s)} for s in mine]
        for body, mine in shapes.items()
    }


def outlines_restored(document: dict[str, list[dict[str, Any]]]) -> Outlines:
    """Outlines from plain data."""
    return {body: tuple(_shape(dict(s)) for s in mine) for body, mine in document.items()}


def _shape(numbers: dict[str, Any]) -> Shape:
    return FORMS[numbers.pop("form")](**numbers)
