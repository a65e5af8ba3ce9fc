"""A DXF file as strokes, circles and words in metres: what a sketch of a linkage is made of.

A stroke is a polyline: a LINE has two corners, an LWPOLYLINE or POLYLINE any number. The lines of
an inserted block are strokes of one group. Everything else is left out and said, with its handle.
"""

import io
import logging
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, final

from kempe.errors import FileError
from kempe.extras import extra
from kempe.files.syntax.source import shown
from kempe.foreign.imported import Ledger

MOST = 20_000  # entities
LEVEL = 1e-9  # of the drawing's unit: how far off the plane counts as in it
# m in a unit of the drawing, by the number that $INSUNITS has for it; 0 says that there is none.
UNITS = {1: 0.0254, 2: 0.3048, 4: 0.001, 5: 0.01, 6: 1.0, 14: 0.1}
NAMES = {1: "in", 2: "ft", 4: "mm", 5: "cm", 6: "m"}
MILLIMETRES = 4

XY = tuple[float, float]


@final
@dataclass(frozen=True, slots=True)
class Stroke:
    """Straight lines from corner to corner (m); of a closed one the last is the first again."""

    corners: tuple[XY, ...]
    layer: str
    group: str = ""  # the block that it belongs to, or nothing
    handle: str = ""


@final
@dataclass(frozen=True, slots=True)
class Ring:
    """A circle: its centre and radius (m)."""

    centre: XY
    radius: float
    layer: str
    handle: str = ""


@final
@dataclass(frozen=True, slots=True)
class Dot:
    """A point, or where words begin (m), with the words."""

    at: XY
    layer: str
    words: str = ""
    handle: str = ""


@final
@dataclass(slots=True)
class Drawing:
    """What was found in a file, in its order; lengths in m."""

    unit: str  # that lengths are shown in
    strokes: list[Stroke] = field(default_factory=list)
    rings: list[Ring] = field(default_factory=list)
    dots: list[Dot] = field(default_factory=list)
    words: list[Dot] = field(default_factory=list)

    @property
    def size(self) -> float:
        """The longer side (m) of the rectangle around all strokes and centres; 0 of none."""
        places = [p for stroke in self.strokes for p in stroke.corners]
        places += [ring.centre for ring in self.rings]
        if not places:
            return 0.0
        return max(max(p[k] for p in places) - min(p[k] for p in places) for k in (0, 1))


def drawing_of(content: bytes, path: str, ledger: Ledger) -> Drawing:
    """The drawing in the bytes of a file; a FileError where they are no DXF."""
    document = _document(content, path, ledger)
    code = document.header.get("$INSUNITS", 0)
    scale = UNITS.get(code)
    if scale is None:
        scale = UNITS[MILLIMETRES]
        why = "has no unit of length" if code == 0 else f"has the unit number {code}"
        ledger.note(0, "units", f"the drawing {why}; its numbers are taken as mm")
    found = Drawing(NAMES.get(code, "mm"))
    reader = _Reader(found, scale, ledger, path)
    for entity in document.modelspace():
        reader.read(entity)
    return found


def _document(content: bytes, path: str, ledger: Ledger) -> Any:
    """What ezdxf makes of the bytes, mending what it can."""
    recover = extra("ezdxf.recover", "cad", "reading a DXF drawing")
    # What the library mends it also prints, unless somebody listens.
    logging.getLogger("ezdxf").addHandler(logging.NullHandler())
    if b"SECTION" not in content:
        raise FileError("this is no DXF drawing: it has no section.", path=path)
    try:
        document, audit = recover.read(io.BytesIO(content))
    except Exception as trouble:  # of any kind: the library checks little of what it is given
        reason = shown(str(trouble) or type(trouble).__name__)
        raise FileError(f"this is no DXF drawing that can be read: {reason}.", path=path) from None
    if audit.errors:
        first = shown(str(audit.errors[0].message))
        ledger.note(0, "file", f"has {len(audit.errors)} mistakes, which are passed over: {first}")
    return document


@final
class _Reader:
    """Takes one entity after another."""

    def __init__(self, drawing: Drawing, scale: float, ledger: Ledger, path: str) -> None:
        self.drawing, self.scale, self.ledger, self.path = drawing, scale, ledger, path
        self.count = 0

    def read(self, entity: Any, group: str = "") -> None:
        """One entity of the model space, or of the block called `group`."""
        self.count += 1
        if self.count > MOST:
            raise FileError(f"a drawing has at most {MOST} entities here.", path=self.path)
        kind = str(entity.dxftype())
        what = f"{kind} #{entity.dxf.handle or '?'}"
        try:
            self._take(entity, kind, what, group)
        except FileError:
            raise
        except Exception as trouble:  # ezdxf looks at attributes only when they are asked for
            self.ledger.leave_out(0, what, f"cannot be read ({shown(str(trouble))})")

    def _take(self, entity: Any, kind: str, what: str, group: str) -> None:
        layer, handle = str(entity.dxf.layer), str(entity.dxf.handle or "")
        if kind == "LINE":
            ends = (entity.dxf.start, entity.dxf.end)
            self._stroke([self._xy(p, what) for p in ends], layer, group, handle, what)
        elif kind in ("LWPOLYLINE", "POLYLINE"):
            self._polyline(entity, kind, layer, group, handle, what)
        elif kind == "CIRCLE":
            centre = entity.ocs().to_wcs(entity.dxf.center)
            radius = self.scale * abs(float(entity.dxf.radius))
            self.drawing.rings.append(Ring(self._xy(centre, what), radius, layer, handle))
        elif kind == "POINT":
            self.drawing.dots.append(Dot(self._xy(entity.dxf.location, what), layer, handle=handle))
        elif kind in ("TEXT", "MTEXT"):
            said = entity.plain_text() if kind == "TEXT" else entity.plain_text().split("\n")[0]
            at = self._xy(entity.ocs().to_wcs(entity.dxf.insert), what)
            self.drawing.words.append(Dot(at, layer, str(said).strip(), handle))
        elif kind == "INSERT" and not group:
            for inner in _inside(entity):
                self.read(inner, f"{entity.dxf.name} #{handle}")
        else:
            self.ledger.leave_out(
                0, what, "only lines, polylines, circles, points, texts and blocks are read"
            )

    def _polyline(
        self, entity: Any, kind: str, layer: str, group: str, handle: str, what: str
    ) -> None:
        if kind == "LWPOLYLINE":
            rows = list(entity.get_points("xyb"))
            places = [entity.ocs().to_wcs((x, y, entity.dxf.elevation)) for x, y, _ in rows]
            bulges, closed = [b for _, _, b in rows], bool(entity.closed)
        elif entity.is_2d_polyline or entity.is_3d_polyline:
            places = [vertex.dxf.location for vertex in entity.vertices]
            if entity.is_2d_polyline:
                places = [entity.ocs().to_wcs(place) for place in places]
            bulges = [vertex.dxf.get("bulge", 0.0) for vertex in entity.vertices]
            closed = bool(entity.is_closed)
        else:
            self.ledger.leave_out(0, what, "a mesh is no line")
            return
        corners = [self._xy(place, what) for place in places]
        if any(bulges):
            self.ledger.note(0, what, "its arcs are taken as straight: only its corners count")
        if closed and corners:
            corners.append(corners[0])
        self._stroke(corners, layer, group, handle, what)

    def _stroke(self, corners: list[XY], layer: str, group: str, handle: str, what: str) -> None:
        if len(corners) < 2 or all(p == corners[0] for p in corners):
            self.ledger.leave_out(0, what, "it has no length")
            return
        self.drawing.strokes.append(Stroke(tuple(corners), layer, group, handle))

    def _xy(self, place: Any, what: str) -> XY:
        x, y, z = (float(c) for c in place)
        if not all(math.isfinite(c) and abs(c) < 1e15 for c in (x, y, z)):
            raise ValueError("a coordinate is no finite number")
        if abs(z) > LEVEL * max(1.0, abs(x), abs(y)):
            raise ValueError(f"it lies {z:g} off the plane")
        return self.scale * x, self.scale * y


def _inside(insert: Any) -> Iterator[Any]:
    """The entities of a block where it is inserted, one insert alone."""
    for k, inner in enumerate(insert.virtual_entities()):
        if k > MOST:
            return
        yield inner
