"""A DXF sketch as a planar model: lines are bars, circles are pins.

- Every stroke is a body; strokes on one layer called `body X`, or of one block, are one body
  together, called X. Strokes on the layer `ground` are the ground.
- A circle is a pin: it joins all bodies with a corner at its centre and, where that is one alone,
  those whose stroke runs through it. On the layer `ground`, or with another circle around the same
  centre, it joins them to the ground, on the layer `motor` it is driven too, one turn a second.
  Ends that meet without a circle are pinned as well.
- A stroke on the layer `guide` is a slot in the ground, on `guide X` one in body X: a single
  corner on it slides there, a whole stroke along it is a slider.
- Strokes on layers `path X` are left out: kempe draws there where a point ran.
- Where nothing is on the layer `ground`, pins that hold only one body hold it to the ground.
- A word that begins inside a circle is the name of that pin; a point on a layer `body X` is a
  point of X.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import final

import numpy as np

from kempe.drives import Drive, Ramp
from kempe.errors import FileError
from kempe.files.documents.run import Run
from kempe.files.syntax.source import MOST_BODIES
from kempe.foreign.dxf.drawing import XY, Dot, Drawing, Ring, Stroke, drawing_of
from kempe.foreign.imported import Imported, Ledger
from kempe.foreign.legal_names import LegalNames
from kempe.geometry import GROUND, Marker, Pose, Rotation, Vector
from kempe.joints import AbstractJoint, PinInSlot, Prismatic, Revolute
from kempe.measures import Gauge, Turn
from kempe.model import Body, Model

GAP = 1e-5  # of the drawing's size: places that are nearer are one
WORTH_SAYING = 1e-9  # of it: what is nearer is rounding
HELD, DRIVEN, GUIDE, OWN, PATH = "ground", "motor", "guide", "body ", "path "
TURN = math.tau  # rad/s of a motor
Triple = tuple[float, float, float]


def read_dxf(content: bytes, path: str) -> Imported:
    """The model in the bytes of a DXF drawing; a FileError says what is wrong."""
    ledger = Ledger(path)
    drawing = drawing_of(content, path, ledger)
    if not drawing.strokes or not drawing.size > 0.0:
        raise FileError("there is no line in this drawing, and lines are bars.", path=path)
    model = _Sketch(drawing, ledger).model()
    run = Run(until=1.0) if model.drives else Run()
    return Imported(model, ledger.report, run)


@final
@dataclass(slots=True)
class _Part:
    """A body as it is drawn: its strokes, and its own frame (the first stroke begins there)."""

    name: str
    strokes: list[Stroke] = field(default_factory=list)
    points: dict[str, XY] = field(default_factory=dict)  # in the drawing, m

    @property
    def angle(self) -> float:
        """The direction (rad) in which its first stroke begins; 0 of the ground."""
        if self.name == GROUND:
            return 0.0
        a = self.strokes[0].corners[0]
        b = next(p for p in self.strokes[0].corners if p != a)
        return math.atan2(b[1] - a[1], b[0] - a[0])

    @property
    def X(self) -> Pose:
        """X_WB: the origin where its first stroke begins, x along it; the world's of the ground."""
        if self.name == GROUND:
            return Pose.identity()
        place = Vector(*self.strokes[0].corners[0], 0.0)
        return Pose(place, Rotation.planar(self.angle))

    def at(self, place: XY) -> Triple:
        """A place of the drawing in the body's own frame."""
        p = self.X.inverse().point(Vector(*place, 0.0))
        return (float(p.x), float(p.y), 0.0)

    def reaches(self, place: XY, gap: float) -> bool:
        """Whether one of its strokes runs through a place, or ends there."""
        return any(_distance(place, s.corners) <= gap for s in self.strokes)


@final
class _Sketch:
    """Turns one drawing into a model."""

    def __init__(self, drawing: Drawing, ledger: Ledger) -> None:
        self.drawing, self.ledger, self.names = drawing, ledger, LegalNames(ledger)
        self.gap = GAP * drawing.size
        self.parts: dict[str, _Part] = {GROUND: _Part(GROUND)}
        self.joints: list[AbstractJoint] = []
        self.drives: list[Drive] = []
        self.pinned: list[tuple[XY, set[str]]] = []  # places, and the bodies that a pin joins there
        self.far = 0.0  # m: the widest gap that was closed

    def model(self) -> Model:
        """Everything as a model in the plane."""
        guides = self._strokes()
        if len(self.parts) > MOST_BODIES:
            raise FileError(f"a mechanism has at most {MOST_BODIES} bodies.", path=self.ledger.path)
        self._rings()
        self._meeting_ends()
        for stroke, owner in guides:
            self._guide(stroke, owner)
        self._dots()
        if self.far > WORTH_SAYING * self.drawing.size:
            why = f"of at most {self.far:.3g} m between ends that meet are closed"
            self.ledger.note(0, "gaps", why)
        with self.ledger.at(0):
            return Model(
                name="sketch",
                plane=True,
                bodies=tuple(self._body(part) for part in self.parts.values()),
                joints=tuple(self.joints),
                drives=tuple(self.drives),
                length_unit=self.drawing.unit,
            )

    # -- bodies ------------------------------------------------------------------------------

    def _strokes(self) -> list[tuple[Stroke, str]]:
        """Put strokes into bodies; those that are guides, with the word for whose they are."""
        guides, groups = [], dict[str, str]()
        for stroke in self.drawing.strokes:
            layer = stroke.layer.strip()
            word = layer.lower()
            if word == HELD:
                self.parts[GROUND].strokes.append(stroke)
                continue
            if word == GUIDE or word.startswith(f"{GUIDE} "):
                guides.append((stroke, word[len(GUIDE) :].strip()))
                continue
            if word.startswith(PATH):
                self.ledger.leave_out(0, f"path #{stroke.handle}", "where a point ran is no body")
                continue
            own = layer[len(OWN) :].strip() if word.startswith(OWN) else ""
            key = f"layer {word}" if own else f"block {stroke.group}" if stroke.group else ""
            if key and key in groups:
                self.parts[groups[key]].strokes.append(stroke)
                continue
            wanted = own or stroke.group.partition(" #")[0]
            name = self.names.part(wanted or f"bar_{len(self.parts)}", "body", 0)
            if key:
                groups[key] = name
            self.parts[name] = _Part(name, [stroke])
        return guides

    def _body(self, part: _Part) -> Body:
        points: dict[str, Triple] = {}
        for place in _corners(part.strokes):
            points[f"P{len(points) + 1}"] = part.at(place)
        lined = tuple(points)
        points |= {name: part.at(place) for name, place in part.points.items()}
        if part.name == GROUND:
            return Body(GROUND, points)
        return Body(part.name, points, guess=part.X, outline=lined if len(lined) > 2 else ())

    def _dots(self) -> None:
        """Points on the layer of one body are points of it."""
        layers: dict[str, set[str]] = {}
        for part in self.parts.values():
            for stroke in part.strokes:
                layers.setdefault(stroke.layer.strip().lower(), set()).add(part.name)
        taken: dict[str, list[tuple[Dot, str]]] = {}
        for dot in self.drawing.dots:
            owners = layers.get(dot.layer.strip().lower(), set())
            if len(owners) != 1:
                why = "it lies on the layer of no single body"
                self.ledger.leave_out(0, f"POINT #{dot.handle}", why)
                continue
            near = self._words_at(dot.at, self.gap)
            (owner,) = owners
            taken.setdefault(owner, []).append((dot, near))
        for owner, dots in taken.items():
            wanted = [near or f"Q{k}" for k, (_, near) in enumerate(dots, 1)]
            corners = [
                f"P{k}" for k in range(1, 1 + len(list(_corners(self.parts[owner].strokes))))
            ]
            legal = self.names.points([*corners, *wanted])[len(corners) :]
            self.parts[owner].points = {
                name: dot.at for name, (dot, _) in zip(legal, dots, strict=True)
            }

    def _words_at(self, place: XY, within: float) -> str:
        """The words that begin no farther from a place than that; each is used once."""
        for k, word in enumerate(self.drawing.words):
            if word.words and math.dist(word.at, place) <= within:
                return self.drawing.words.pop(k).words
        return ""

    # -- joints ------------------------------------------------------------------------------

    def _rings(self) -> None:
        """Circles as pins; those around one centre are one."""
        held_at_all = bool(self.parts[GROUND].strokes) or any(
            ring.layer.strip().lower() == HELD for ring in self.drawing.rings
        )
        for rings in _around_one_centre(self.drawing.rings, self.gap):
            layers = {ring.layer.strip().lower() for ring in rings}
            centre, radius = rings[0].centre, max(ring.radius for ring in rings)
            what = f"CIRCLE #{rings[0].handle}"
            bodies, is_held = self._bodies_at(centre, is_held=HELD in layers or len(rings) > 1)
            if not held_at_all and len(bodies) == 1 and not is_held:
                is_held = True
                self.ledger.note(0, what, f"holds {bodies[0]!r} to the ground: nothing else does")
            moving = [name for name in bodies if name != GROUND]
            joined = [GROUND, *moving] if is_held else moving
            if len(joined) < 2:
                self.ledger.leave_out(0, what, "fewer than two bodies meet there")
                continue
            name = self._words_at(centre, radius)
            self._pin(centre, joined, name, drives=DRIVEN in layers)
        for word in self.drawing.words:
            if word.words and not any(
                math.dist(word.at, d.at) <= self.gap for d in self.drawing.dots
            ):
                self.ledger.leave_out(0, f"TEXT #{word.handle}", "it begins in no circle")

    def _bodies_at(self, centre: XY, *, is_held: bool) -> tuple[list[str], bool]:
        """The bodies that a circle joins, and whether the ground is one.

        Those with a corner there; where that is one thing alone, also those that run through it.
        """
        cornered = [
            part.name
            for part in self.parts.values()
            if any(math.dist(p, centre) <= self.gap for p in _corners(part.strokes))
        ]
        is_held = is_held or GROUND in cornered
        if len(set(cornered) - {GROUND}) + is_held > 1:
            return cornered, is_held
        through = [p.name for p in self.parts.values() if p.reaches(centre, self.gap)]
        return through, is_held or GROUND in through

    def _pin(self, at: XY, joined: Sequence[str], name: str, *, drives: bool) -> None:
        """Hinges between the first body and each other one."""
        hub = self.parts[joined[0]]
        self.pinned.append((at, set(joined)))
        for other in joined[1:]:
            own = self.names.part(name or f"pin_{len(self.joints) + 1}", "joint", 0)
            I, J = (Marker(p.name, p.at(self._exact(p, at))) for p in (hub, self.parts[other]))
            self.joints.append(Revolute(I, J, own))
            if drives and (hub.name == GROUND or len(joined) == 2):
                angle = self.parts[other].angle - hub.angle
                gauge = Gauge(f"{own}.angle", Turn(), I, J)
                self.drives.append(Drive(gauge, Ramp(angle, TURN)))
                drives = False
        if drives:
            why = "several bodies meet there, none of them the ground: none is driven"
            self.ledger.leave_out(0, f"motor at {joined[0]!r}", why)

    def _exact(self, part: _Part, place: XY) -> XY:
        """The corner of a body that is meant by a place, or the place."""
        corners = list(_corners(part.strokes))
        near = min(corners, key=lambda p: math.dist(p, place), default=place)
        far = math.dist(near, place)
        if far > self.gap:
            return place
        self.far = max(self.far, far)
        return near

    def _meeting_ends(self) -> None:
        """Pins where corners of bodies meet and no circle is drawn."""
        corners = [(place, p.name) for p in self.parts.values() for place in _corners(p.strokes)]
        cells: dict[tuple[int, int], list[tuple[XY, str]]] = {}
        count = 0
        for place, name in corners:
            for cell in _cells(place, self.gap):
                cells.setdefault(cell, []).append((place, name))
        for place, _ in corners:
            near = [
                o for p, o in cells[_cells(place, self.gap)[0]] if math.dist(p, place) <= self.gap
            ]
            bodies = list(dict.fromkeys(near))
            if len(bodies) < 2 or any(math.dist(at, place) <= self.gap for at, _ in self.pinned):
                continue
            bodies.sort(key=lambda body: body != GROUND)
            self._pin(place, bodies, "", drives=False)
            count += 1
        if count:
            where = f"{count} place{'s' * (count > 1)} without a circle"
            self.ledger.note(0, where, "ends that meet are pinned there")

    def _guide(self, stroke: Stroke, owner: str) -> None:
        """Whatever has corners on a guide slides along it."""
        what = f"guide #{stroke.handle}"
        names = {name.lower(): name for name in self.parts}
        if owner and owner not in names:
            self.ledger.leave_out(0, what, f"there is no body {owner!r}")
            return
        holder = self.parts[names[owner] if owner else GROUND]
        if len(stroke.corners) != 2:
            self.ledger.leave_out(0, what, "a guide is one straight line")
            return
        a, b = stroke.corners
        angle, found = math.atan2(b[1] - a[1], b[0] - a[0]), False
        for part in self.parts.values():
            if part is holder:
                continue
            on = [p for p in _corners(part.strokes) if _distance(p, stroke.corners) <= self.gap]
            free = [p for p in on if not self._is_pinned(p, part.name, holder.name)]
            if not free or (len(free) > 1 and len(on) != len(free)):
                continue
            if len(free) == 1 and self._slides_already(free[0], stroke):
                continue
            found = True
            self._slide(holder, part, free, angle)
        if not found:
            self.ledger.leave_out(0, what, "no body has a corner on it")

    def _is_pinned(self, place: XY, part: str, holder: str) -> bool:
        """Whether a pin holds both bodies at that place."""
        return any(
            {part, holder} <= bodies and math.dist(at, place) <= self.gap
            for at, bodies in self.pinned
        )

    def _slides_already(self, place: XY, stroke: Stroke) -> bool:
        """Whether the place is a pin with a body that slides along the whole stroke."""
        for at, bodies in self.pinned:
            if math.dist(at, place) > self.gap:
                continue
            for name in bodies - {GROUND}:
                on = [_distance(p, stroke.corners) for p in _corners(self.parts[name].strokes)]
                if sum(d <= self.gap for d in on) > 1:
                    return True
        return False

    def _slide(self, holder: _Part, part: _Part, places: Sequence[XY], angle: float) -> None:
        """A slider where two places or more are on the guide, else a pin in a slot."""
        name = self.names.part(f"slide_{len(self.joints) + 1}", "joint", 0)
        way = np.array([math.cos(angle), math.sin(angle), 0.0])
        up = np.array([0.0, 0.0, 1.0])
        R_WI = Rotation.from_matrix(np.column_stack([up, np.cross(way, up), way]))
        I = Marker(holder.name, holder.at(places[0]), holder.X.rotation.inverse() @ R_WI)
        if len(places) > 1:
            J = Marker(part.name, part.at(places[0]), part.X.rotation.inverse() @ R_WI)
            self.joints.append(Prismatic(I, J, name))
        else:
            self.joints.append(PinInSlot(I, Marker(part.name, part.at(places[0])), name))


def _corners(strokes: Iterable[Stroke]) -> Iterable[XY]:
    """All corners, each once."""
    return dict.fromkeys(corner for stroke in strokes for corner in stroke.corners)


def _cells(place: XY, gap: float) -> list[tuple[int, int]]:
    """The cell of a place in a grid of that width, first, and the eight around it."""
    i, j = (math.floor(c / gap) for c in place)
    return [(i, j), *((i + a, j + b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b)]


def _around_one_centre(rings: Iterable[Ring], gap: float) -> list[list[Ring]]:
    groups: list[list[Ring]] = []
    cells: dict[tuple[int, int], list[Ring]] = {}
    for ring in rings:
        near = cells.get(_cells(ring.centre, gap)[0])
        if near is not None and math.dist(near[0].centre, ring.centre) <= gap:
            near.append(ring)
            continue
        groups.append([ring])
        for cell in _cells(ring.centre, gap):
            cells.setdefault(cell, groups[-1])
    return groups


def _distance(place: XY, corners: Sequence[XY]) -> float:
    """How far a place is from a stroke (m)."""
    best = math.inf
    for a, b in pairwise(corners):
        along = (b[0] - a[0], b[1] - a[1])
        square = along[0] ** 2 + along[1] ** 2
        share = 0.0
        if square:
            share = ((place[0] - a[0]) * along[0] + (place[1] - a[1]) * along[1]) / square
        share = min(1.0, max(0.0, share))
        best = min(best, math.dist(place, (a[0] + share * along[0], a[1] + share * along[1])))
    return best
