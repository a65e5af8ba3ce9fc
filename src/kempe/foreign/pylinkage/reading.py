"""A mechanism that pylinkage saved as JSON, as a planar model: links are bodies, joints are hinges.

- `joints` have an id, a type and a position. At a `revolute` joint all links that name it turn
  about each other, at a `ground` joint about the ground too. A `tracker` is a point at a distance
  and an angle from two joints of one link.
- `links` name their joints, which keep their distances. A link of type `ground` is the ground.
- A `driver` turns about its `motor_joint` by `angular_velocity` radians a step from where it
  lies: a step is taken as a second. An `arc_driver` goes to the end of its arc, and not back.
- The format has no unit: numbers are taken as metres.
- `prismatic` joints are left out: whether their axis turns with a link is not documented.

Source: [pylinkage] its module mechanism.serialization, the names and their meaning.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, final

from kempe.drives import Drive, Ramp
from kempe.errors import nearest_name
from kempe.files.documents.run import Run
from kempe.files.syntax.json_reader import JsonSource
from kempe.files.syntax.source import MOST_BODIES, Path, shown
from kempe.foreign.imported import Imported, Ledger
from kempe.foreign.legal_names import LegalNames
from kempe.geometry import GROUND, Marker, Pose, Rotation, Vector
from kempe.joints import AbstractJoint, Revolute
from kempe.measures import Gauge, Turn
from kempe.model import Body, Model

XY = tuple[float, float]
HELD, FRAME, PIN, POINT = "ground", "ground", "revolute", "tracker"
LINKS = ("link", "driver", "arc_driver")
STEPS = 360  # of a turn, so that a run is as fine as one of the gallery
LARGEST = 1e12  # m; coordinates beyond are mistakes


def read_pylinkage(content: bytes, path: str) -> Imported:
    """The model in the bytes of such a file; a FileError says what is wrong."""
    return _Saved(JsonSource(path, content), path).imported()


@final
class _Saved:
    """Turns one file into a model."""

    def __init__(self, source: JsonSource, path: str) -> None:
        self.source, self.ledger = source, Ledger(path)
        self.names = LegalNames(self.ledger)
        self.data: Mapping[str, Any] = self._mapping(source.data, ())
        self.places: dict[str, XY] = {}  # of joints, m, by their ids
        self.types: dict[str, str] = {}
        self.titles: dict[str, str] = {}
        self.bodies: dict[str, list[str]] = {}  # ids of the joints of a body, by its name
        self.trackers: list[tuple[str, Mapping[str, Any], Path]] = []
        self.angles: dict[str, float] = {}  # rad, of bodies as they lie

    def imported(self) -> Imported:
        """The model, what the file asks for, and the report."""
        self.ledger.note(0, "units", "the format has none; numbers are taken as m and rad")
        self._joints()
        drivers = self._links()
        points = self._points()
        joints = self._hinges()
        drives = [d for entry, name, at in drivers for d in self._drive(entry, name, at, joints)]
        run = Run()
        if drives:
            run = Run(until=drives[0][1], steps=STEPS)
            self.ledger.note(0, "steps", "a step of a driver is taken as a second")
        name = self.data.get("name")
        with self.ledger.at(0):
            model = Model(
                name=name if isinstance(name, str) and name.strip() else "linkage",
                plane=True,
                bodies=tuple(self._body(name, held) for name, held in points.items()),
                joints=tuple(joints.values()),
                drives=tuple(law for law, _ in drives),
            )
        return Imported(model, self.ledger.report, run)

    # -- what the file holds -------------------------------------------------------------------

    def _joints(self) -> None:
        for entry, at in self._entries("joints"):
            own, kind = self._word(entry, "id", at), str(entry.get("type", PIN))
            if own in self.places or own in self.types:
                self.source.refuse((*at, "id"), f"two joints have the id {shown(own)}.")
            self.types[own] = kind
            title = entry.get("name", own)
            self.titles[own] = title if isinstance(title, str) and title.strip() else own
            if kind == POINT:
                self.trackers.append((own, entry, at))
            elif kind in (HELD, PIN):
                self.places[own] = self._place(entry, at)
            else:
                why = "whether its axis turns with a link is not documented"
                if kind != "prismatic":
                    why = f"no such joint is known.{nearest_name(kind, (HELD, PIN, POINT))}"
                self.ledger.leave_out(self._line(at), f"{kind} joint {shown(own)}", why)

    def _links(self) -> list[tuple[Mapping[str, Any], str, Path]]:
        """Fill the bodies; the drivers among them, with their names."""
        drivers = []
        for entry, at in self._entries("links"):
            kind, own = str(entry.get("type", "link")), self._word(entry, "id", at)
            if kind == FRAME:
                continue
            if kind not in LINKS:
                self.source.refuse(
                    (*at, "type"), f"no link is a {shown(kind)}.{nearest_name(kind, LINKS)}"
                )
            ids = [own for own in self._ids(entry, at) if own in self.places]
            title = entry.get("name", own)
            name = self.names.part(title if isinstance(title, str) else own, "body", self._line(at))
            if len(ids) < 2 or all(self.places[i] == self.places[ids[0]] for i in ids):
                why = "it has fewer than two joints in different places"
                self.ledger.leave_out(self._line(at), f"link {shown(own)}", why)
                continue
            self.bodies[name] = ids
            if kind != "link":
                drivers.append((entry, name, at))
        if len(self.bodies) > MOST_BODIES:
            self.source.refuse(("links",), f"a mechanism has at most {MOST_BODIES} bodies.")
        return drivers

    def _points(self) -> dict[str, dict[str, XY]]:
        """By body: its points with their places in the world, joints first."""
        points = {GROUND: {i: p for i, p in self.places.items() if self.types[i] == HELD}}
        points |= {name: {i: self.places[i] for i in ids} for name, ids in self.bodies.items()}
        for own, entry, at in self.trackers:
            first, second = (str(entry.get(f"ref_joint{k}_id", "")) for k in (1, 2))
            holders = [n for n, held in points.items() if first in held and second in held]
            if not holders or self.places[first] == self.places[second]:
                why = f"no link has both {shown(first)} and {shown(second)}"
                self.ledger.leave_out(self._line(at), f"tracker {shown(own)}", why)
                continue
            (x, y), (u, v) = self.places[first], self.places[second]
            length, off = (self._number(entry, word, at) for word in ("distance", "angle"))
            turn = math.atan2(v - y, u - x) + off
            points[holders[0]][own] = (x + length * math.cos(turn), y + length * math.sin(turn))
        return points

    # -- what is made of it --------------------------------------------------------------------

    def _X_WB(self, name: str) -> Pose:
        """A body as it lies: the origin at its first joint, x towards the next one elsewhere."""
        if name == GROUND:
            return Pose.identity()
        places = [self.places[i] for i in self.bodies[name]]
        a = places[0]
        b = next(p for p in places if p != a)
        self.angles[name] = math.atan2(b[1] - a[1], b[0] - a[0])
        return Pose(Vector(*a, 0.0), Rotation.planar(self.angles[name]))

    def _own(self, name: str, place: XY) -> tuple[float, float, float]:
        """A place of the world in the frame of a body."""
        p = self._X_WB(name).inverse().point(Vector(*place, 0.0))
        return (float(p.x), float(p.y), 0.0)

    def _body(self, name: str, held: Mapping[str, XY]) -> Body:
        legal = self.names.points([self.titles[i] for i in held])
        own = {word: self._own(name, p) for word, p in zip(legal, held.values(), strict=True)}
        if name == GROUND:
            return Body(GROUND, own)
        corners = tuple(legal[: len(self.bodies[name])])
        outline = corners if len(corners) > 2 else ()
        return Body(name, own, guess=self._X_WB(name), outline=outline)

    def _hinges(self) -> dict[tuple[str, str], AbstractJoint]:
        """By joint and body: the hinge that holds the body to the first one there."""
        hinges: dict[tuple[str, str], AbstractJoint] = {}
        for own, place in self.places.items():
            held = [name for name, ids in self.bodies.items() if own in ids]
            hub, *others = [GROUND, *held] if self.types[own] == HELD else [*held, ""]
            for other in others:
                if not other:
                    continue
                name = self.names.part(self.titles[own], "joint", 0)
                I, J = (Marker(body, self._own(body, place)) for body in (hub, other))
                hinges[own, other] = Revolute(I, J, name)
        return hinges

    def _drive(
        self,
        entry: Mapping[str, Any],
        name: str,
        at: Path,
        hinges: Mapping[tuple[str, str], AbstractJoint],
    ) -> list[tuple[Drive, float]]:
        """The drive of a link, and how long (s) it says to run; none where nothing holds it."""
        own = str(entry.get("motor_joint", ""))
        hinge, speed = hinges.get((own, name)), self._number(entry, "angular_velocity", at, 0.1)
        what = f"motor of {shown(name)}"
        if hinge is None or self.types.get(own) != HELD or speed == 0.0:
            why = "it turns about no ground joint of its own" if speed else "it does not turn"
            self.ledger.leave_out(self._line(at), what, why)
            return []
        until = math.tau / abs(speed)
        if entry.get("type") == "arc_driver":
            angle = self._number(entry, "initial_angle", at, self._number(entry, "arc_start", at))
            end = self._number(entry, "arc_end" if speed > 0 else "arc_start", at, math.pi)
            until = (end - angle) / speed
            why = "it goes to the end of its arc and not back"
            self.ledger.leave_out(self._line(at), what, why)
            if not until > 0.0:
                return []
        gauge = Gauge(f"{hinge.name}.angle", Turn(), hinge.I, hinge.J)
        return [(Drive(gauge, Ramp(self.angles[name], speed)), until)]

    # -- reading -------------------------------------------------------------------------------

    def _entries(self, word: str) -> list[tuple[Mapping[str, Any], Path]]:
        found = self.data.get(word)
        if not isinstance(found, list):
            self.source.refuse((word,), f"{shown(word)} must be a list.")
        return [(self._mapping(e, (word, k)), (word, k)) for k, e in enumerate(found)]

    def _mapping(self, value: object, at: Path) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            self.source.refuse(at, f"this must be an object with names, not {shown(value)}.")
        return value

    def _word(self, entry: Mapping[str, Any], word: str, at: Path) -> str:
        value = entry.get(word)
        if not isinstance(value, str) or not value.strip():
            self.source.refuse((*at, word) if word in entry else at, f"{word!r} must be a name.")
        return value

    def _ids(self, entry: Mapping[str, Any], at: Path) -> Sequence[str]:
        ids = entry.get("joints")
        if not isinstance(ids, list):
            self.source.refuse(at, "a link needs its 'joints', a list of ids.")
        for k, own in enumerate(ids):
            if own not in self.types:
                near = nearest_name(str(own), self.types)
                self.source.refuse((*at, "joints", k), f"there is no joint {shown(own)}.{near}")
        return list(dict.fromkeys(ids))

    def _place(self, entry: Mapping[str, Any], at: Path) -> XY:
        place = entry.get("position")
        if not isinstance(place, list) or len(place) != 2 or not all(map(_is_number, place)):
            self.source.refuse(at, "'position' must be two numbers, x and y.")
        return (float(place[0]), float(place[1]))

    def _number(
        self, entry: Mapping[str, Any], word: str, at: Path, otherwise: float = 0.0
    ) -> float:
        value = entry.get(word)
        if value is None:
            return otherwise
        if not _is_number(value):
            self.source.refuse((*at, word), f"{word!r} must be a number, not {shown(value)}.")
        return float(value)

    def _line(self, at: Path) -> int:
        return self.source.position(at)[0]


def _is_number(value: object) -> bool:
    """Whether a value is a finite number that means something."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST
