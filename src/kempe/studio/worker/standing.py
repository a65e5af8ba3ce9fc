"""Where bodies of space stand, for edits that move them, lay them, join them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import ModelError, UnknownName, nearest_name
from kempe.files.documents.document import Document, document_from
from kempe.files.documents.writer import Writer
from kempe.files.schema.schema import family
from kempe.geometry import GROUND, Marker, Pose, Rotation, Vector
from kempe.joints import AbstractJoint
from kempe.kinematics.closing.placement import body_pose
from kempe.model import Body
from kempe.studio.messages.edits import Join, Lay, Move

FloatArray = NDArray[np.float64]
Data = dict[str, Any]
HEAD = ("version", "name", "plane", "units", "parameters")
SAME = 1e-9  # of a direction: an axis of a body that stands for it
NAMED = 1e-7  # of a place: a point as near stands for it, as lengths are typed to nine digits
TYPED = 1e-5  # of a length: the page rounds what it draws
ROUND_OFF = 1e-12  # of a place, in its smaller coordinates
PLACED = ("at", "angle", "axis", "matrix")
DIGITS, DECIMALS = 14, 15
GRAIN = 1e-15  # of a rotation's numbers, and of a place as a part of what moves it: round-off


@final
class Standing:
    """The bodies of a document at a position, and of documents that are made from it."""

    def __init__(
        self, document: Document, layout: Layout, q: FloatArray, folder: Path, world: FloatArray
    ) -> None:
        self.document, self.layout, self.q = document, layout, q
        self.folder, self.world = folder, world
        self.writer = Writer(document.model)

    def bodies(self) -> Data:
        """The entries of all bodies, with first guesses where they stand."""
        bodies = dict(self.document.data.get("bodies") or {})
        for body in self.layout.model.moving:
            entry = bodies.get(body.name)
            if isinstance(entry, Mapping):
                bodies[body.name] = self._put(entry, body_pose(self.layout, self.q, body.name))
        return bodies

    def moved(self, data: Data, operation: Move | Lay) -> Data:
        """The data with a body elsewhere."""
        self._refuse_plane()
        if len(operation.path) != 2 or operation.path[0] != "bodies":
            raise ModelError("only bodies are moved: the path is ['bodies', its name].")
        name = str(operation.path[1])
        entry = data["bodies"][name] or {}
        written = [x for x in entry.get("at", ()) if isinstance(x, str)]
        if written:
            raise ModelError(
                f"{name!r} lies where {written[0]!r} says: change that number, or give the place"
                " in numbers."
            )
        before = self._pose(data, name)
        if isinstance(operation, Lay):
            at, to = self._place(data, operation.at), self._place(data, operation.to)
            after = Pose(Vector(*at.tolist()), _along(to - at))
            entry = self._stretched(entry, float(np.linalg.norm(to - at)))
        else:
            by, turn = self._seen(operation.by), self._seen(operation.turn)
            at = np.array([float(c) for c in before.position]) + by
            angle = float(np.linalg.norm(turn))
            rotation = before.rotation
            if angle > 0.0:
                rotation = Rotation.about(turn / angle, angle) @ rotation
            after = Pose(Vector(*at.tolist()), rotation)
        return {**data, "bodies": {**data["bodies"], name: self._put(entry, after)}}

    def _stretched(self, entry: Mapping[str, Any], length: float) -> Mapping[str, Any]:
        """A bar as long as the way it lies along, where it is so to the digits it was given."""
        given = entry.get("length")
        if not isinstance(given, (int, float)) or isinstance(given, bool):
            return entry
        exact = self._lengths([length])[0]
        return {**entry, "length": exact} if abs(given - exact) <= TYPED * exact else entry

    def joined(self, data: Data, operation: Join) -> Data:
        """What a joint is that would hold two bodies as they stand."""
        self._refuse_plane()
        known = family(AbstractJoint).words
        word = known.get(operation.type)
        if word is None:
            said = nearest_name(operation.type, known)
            raise UnknownName(f"there is no joint {operation.type!r}.{said}", name=operation.type)
        if operation.first == operation.second:
            raise ModelError("a joint is between two bodies, or a body and the ground.")
        axis = self._seen(operation.axis)
        if not float(np.linalg.norm(axis)) > 0.0:
            raise ModelError("an axis has a length: (0, 0, 1), say.")
        is_turnable = operation.type == "spherical"
        frame = Pose(
            Vector(*self._place(data, operation.at).tolist()),
            Rotation.identity() if is_turnable else self._turned(data, operation, axis),
        )
        home = getattr(word.made, "home", None)
        home = home if isinstance(home, Pose) else Pose.identity()
        sides = {"I": (operation.first, frame), "J": (operation.second, frame @ home)}
        markers = {
            side: self._marker(data, body, at, is_turnable=is_turnable)
            for side, (body, at) in sides.items()
        }
        return {"type": operation.type, **markers}

    def _place(self, data: Data, place: Sequence[float] | str) -> FloatArray:
        """A place of the scene, or of a named point, in the mechanism's own world."""
        if not isinstance(place, str):
            return self._seen(place)
        name, _, point = place.rpartition(".")
        pose, body = self._body(data, name or place)
        points = body.points if body is not None else {}
        if name and point not in points:
            said = nearest_name(point, points)
            raise UnknownName(f"{name!r} has no point {point!r}.{said}", name=point)
        local = points[point] if name else (0.0, 0.0, 0.0)
        return np.array([float(c) for c in pose.point(Vector(*map(float, local)))])

    def _turned(self, data: Data, operation: Join, axis: FloatArray) -> Rotation:
        """Axes with that z: those of one of the bodies, where it has it."""
        z = axis / float(np.linalg.norm(axis))
        for name in (operation.second, operation.first):
            rotation = self._pose(data, name).rotation
            if np.abs(np.array([float(c) for c in rotation.z]) - z).max() < SAME:
                return rotation
        return Rotation.with_z(z.tolist())

    def _marker(self, data: Data, name: str, at: Pose, *, is_turnable: bool) -> Any:
        """A frame of the world as one of a body, by the name of a point where it has one."""
        pose, body = self._body(data, name)
        local = pose.inverse() @ at
        place = np.array([float(c) for c in local.position])
        far = max(map(abs, (*_three(at), *_three(pose))))
        place[np.abs(place) <= ROUND_OFF * max(far, float(np.abs(place).max()))] = 0.0
        place = np.array([_tidy(x) for x in place.tolist()])
        rotation = Rotation.identity() if is_turnable else _cleaned(local.rotation)
        told = self.writer.marker(Marker(name, (place[0], place[1], place[2]), rotation))
        if not isinstance(told, dict):
            return told
        for point, where in body.points.items() if body is not None else ():
            known = np.array([float(c) for c in where])
            is_there = np.abs(known - place).max() <= NAMED * max(1e-9, np.abs(known).max())
            if is_there and not {*told} & {"axis", "angle", "matrix"}:
                return f"{name}.{point}"
        return {**told, "at": self._lengths(told["at"]), **_written(told)}

    def _pose(self, data: Data, name: str) -> Pose:
        """Where a body is: as it stands, or as data says that has changed since."""
        return self._body(data, name)[0]

    def _body(self, data: Data, name: str) -> tuple[Pose, Body | None]:
        if name == GROUND:
            return Pose.identity(), None
        bodies = data.get("bodies") or {}
        if name not in bodies:
            said = nearest_name(name, [GROUND, *bodies])
            raise UnknownName(f"there is no body {name!r}.{said}", name=name)
        is_known = name in self.layout.body_index and len(self.q)
        if is_known and bodies[name] == (self.document.data.get("bodies") or {}).get(name):
            body = next(b for b in self.document.model.bodies if b.name == name)
            return body_pose(self.layout, self.q, name), body
        only: Data = {key: data[key] for key in HEAD if key in data}
        only["bodies"] = {name: bodies[name]}
        alone = document_from(json.dumps(only).encode(), "model.json", folder=self.folder)
        body = next(b for b in alone.model.bodies if b.name == name)
        return body.guess or Pose.identity(), body

    def _put(self, entry: Mapping[str, Any], pose: Pose) -> Data:
        """An entry of a body with another first guess."""
        placed = self.writer.pose(Pose(pose.position, _cleaned(pose.rotation)))
        placed = {**placed, "at": self._lengths(placed["at"]), **_written(placed)}
        rest = {key: value for key, value in entry.items() if key not in PLACED}
        return {**placed, **rest}

    def _lengths(self, metres: Sequence[float]) -> list[float]:
        """Lengths as the document writes them."""
        scope = self.document.scope
        one = scope.units.in_si(1.0, scope.quantity("1 m").dimension)
        least = ROUND_OFF * max(abs(c) for c in metres)
        return [float(f"{c / one:.{DIGITS}g}") if abs(c) > least else 0.0 for c in metres]

    def _seen(self, vector: Sequence[float]) -> FloatArray:
        """A vector of the scene in the mechanism's own world."""
        found: FloatArray = self.world.T @ np.array(vector, dtype=float)
        return found

    def _refuse_plane(self) -> None:
        if self.document.model.plane:
            raise ModelError("that is for drawings in space: in the plane, set `at` and `angle`.")


def _written(told: Mapping[str, Any]) -> Data:
    """A turn as a person would write it: degrees, and no round-off behind the 15th place."""
    found: Data = {}
    if "angle" in told:
        found["angle"] = f"{np.degrees(told['angle']):.12g} deg"
    if "axis" in told:
        found["axis"] = [round(x, DECIMALS) + 0.0 for x in told["axis"]]
    if "matrix" in told:
        found["matrix"] = [[round(x, DECIMALS) + 0.0 for x in row] for row in told["matrix"]]
    return found


def _along(way: FloatArray) -> Rotation:
    """The smallest turn that brings x along a way."""
    length = float(np.linalg.norm(way))
    if not length > 0.0:
        raise ModelError("both ends are the same point.")
    x = way / length
    axis = np.cross([1.0, 0.0, 0.0], x)
    sine = float(np.linalg.norm(axis))
    if sine < GRAIN:
        return Rotation.identity() if x[0] > 0.0 else Rotation.about([0.0, 0.0, 1.0], np.pi)
    return Rotation.about(axis / sine, float(np.arctan2(sine, x[0])))


def _three(pose: Pose) -> list[float]:
    """Where its origin is."""
    return [float(c) for c in pose.position]


def _tidy(x: float) -> float:
    return float(f"{x:.{DIGITS}g}") + 0.0


def _cleaned(rotation: Rotation) -> Rotation:
    """A rotation without the round-off of its making, where that can be told."""
    if rotation.angle is not None:
        return rotation
    rows = np.array([[float(c) for c in row] for row in (rotation.x, rotation.y, rotation.z)]).T
    whole = np.round(rows)
    if float(np.abs(rows - whole).max()) < 4 * GRAIN:
        rows = whole + 0.0
        if np.array_equal(rows, np.eye(3)):
            return Rotation.identity()
        return Rotation.from_matrix(rows)
    return rotation
