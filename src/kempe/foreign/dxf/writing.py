"""A model as a DXF drawing that its own reader understands, at the start.

Every body is drawn on a layer `body X`, through the places where joints hold it and its points.
Hinges are circles with their names, on the layer `ground` or `motor` where the ground holds them
or a drive turns them; sliders and slots are lines on a layer `guide`. A mechanism in space is
drawn as lines in space, without joints.
"""

import io
import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, final

import numpy as np

from kempe.drives import Ramp
from kempe.extras import extra
from kempe.foreign.dxf.drawing import NAMES, UNITS
from kempe.foreign.imported import Ledger, Report
from kempe.foreign.legal_names import OwnNames
from kempe.geometry import GROUND, Marker, Pose, Vector
from kempe.joints import AbstractJoint, Kind
from kempe.model import Body, Model

FORBIDDEN = '<>/\\":;?*|=`,'  # in names of layers
PIN = 0.012  # of the machine's size: radius of a circle
GUIDE = 0.3  # of it: half a guide
SAME = 1e-9  # of it: places that are one
COLOURS = {"ground": 8, "guide": 9, "motor": 1, "names": 7}
PLAIN = "a drawing has no such thing"
Place = tuple[float, float, float]


def dxf_text(
    model: Model,
    placed: Mapping[str, Pose],
    readings: Mapping[str, float],
    path: str = "",
    paths: Mapping[str, Any] = MappingProxyType({}),
) -> tuple[str, Report]:
    """The file, and what it does not hold; `placed` are X_WB, `readings` (m, rad) at the start.

    `paths` are what points run through, by their names: places (n, 3), in the plane (n, 2), in m.
    """
    writer = _Writer(model, placed, readings, path)
    for name, places in paths.items():
        writer.draw_path(name, places)
    return writer.written()


@final
class _Writer:
    """Draws one model."""

    def __init__(
        self, model: Model, placed: Mapping[str, Pose], readings: Mapping[str, float], path: str
    ) -> None:
        ezdxf = extra("ezdxf", "cad", "writing a DXF drawing")
        self.model, self.readings, self.ledger = model, readings, Ledger(path)
        self.placed = {**placed, GROUND: Pose.identity()}
        code = next((k for k, unit in NAMES.items() if unit == model.length_unit), 4)
        self.scale = 1.0 / UNITS[code]
        self.document = ezdxf.new("R2010", setup=False)
        self.document.header["$INSUNITS"] = code
        self.space = self.document.modelspace()
        self.places = {b.name: self._of(b) for b in model.bodies}
        self.places.setdefault(GROUND, [])
        for joint in model.joints:
            for marker in joint.markers:
                self.places[marker.body].append(self._place(marker))
        everywhere = [p for places in self.places.values() for p in places] or [(0.0, 0.0, 0.0)]
        spans = np.ptp(np.array(everywhere), axis=0)
        self.size = float(spans.max()) or 1.0
        self.layers = self._names_of_layers()

    def written(self) -> tuple[str, Report]:
        """The text and the report."""
        for body in self.model.moving:
            self._draw(body)
        if self.model.plane:
            self._joints()
        elif self.model.joints:
            self.ledger.leave_out(
                0, f"{len(self.model.joints)} joints", "in space only bodies are drawn"
            )
        self._rest()
        text = io.StringIO()
        self.document.write(text)
        return text.getvalue(), self.ledger.report

    def draw_path(self, name: str, places: Any) -> None:
        """A line through places (m), on a layer `path X`; where a place is missing it is cut."""
        layer = {"layer": f"path {''.join('_' if c in FORBIDDEN else c for c in name)[:200]}"}
        self.document.layers.add(layer["layer"], color=30)
        rows = np.asarray(places, dtype=np.float64)
        ends = np.flatnonzero(~np.isfinite(rows).all(axis=1))
        for run in np.split(rows, ends):
            run = run[np.isfinite(run).all(axis=1)]
            if len(run) < 2:
                continue
            corners = [self._xyz((*place, 0.0)[:3]) for place in run.tolist()]
            if self.model.plane:
                self.space.add_lwpolyline([c[:2] for c in corners], dxfattribs=layer)
            else:
                self.space.add_polyline3d(corners, dxfattribs=layer)

    # -- bodies ------------------------------------------------------------------------------

    def _names_of_layers(self) -> dict[str, str]:
        names = OwnNames()
        layers = {}
        for k, body in enumerate(self.model.moving):
            legal = "".join("_" if c in FORBIDDEN else c for c in body.name)[:200]
            name = names.new(legal.lower())
            layers[body.name] = f"body {legal}{name[len(legal) :]}"
            if layers[body.name] != f"body {body.name}":
                self.ledger.note(0, f"body {body.name!r}", f"is on layer {layers[body.name]!r}")
            self.document.layers.add(layers[body.name], color=1 + k % 6)
        for name, colour in COLOURS.items():
            self.document.layers.add(name, color=colour)
        return layers

    def _of(self, body: Body) -> list[Place]:
        return [self._place(Marker(body.name, place)) for place in body.points.values()]

    def _draw(self, body: Body) -> None:
        """Lines through all places of a body: round them, and to those within."""
        places = _apart(self.places[body.name], SAME * self.size)
        held = _apart(self._joint_places(body.name), SAME * self.size)
        layer = {"layer": self.layers[body.name]}
        sliding = self._slides(body.name)
        if len(places) == 1 and sliding:
            places = held = [*places, _along(places[0], sliding[0], PIN * 4.0 * self.size)]
        if len(places) < 2:
            self.ledger.leave_out(
                0, f"body {body.name!r}", "it has no two places to draw a line through"
            )
            return
        lines = places
        hull = _hull(lines) if self.model.plane else lines
        if self.model.plane:
            line = _border(hull, lines, SAME * self.size)
            corners = [self._xyz(p)[:2] for p in line]
            self.space.add_lwpolyline(corners, close=len(hull) > 2, dxfattribs=layer)
            for p in lines:
                if p not in line:
                    near = min(hull, key=lambda q: math.dist(p, q))
                    self.space.add_line(self._xyz(near), self._xyz(p), dxfattribs=layer)
        else:
            self.space.add_polyline3d([self._xyz(p) for p in hull], dxfattribs=layer)
        for name, point in body.points.items():
            at = self._place(Marker(body.name, point))
            if all(math.dist(at, p) > SAME * self.size for p in held):
                self.space.add_point(self._xyz(at), dxfattribs=layer)
                self._name(name, at)

    def _joint_places(self, body: str) -> list[Place]:
        markers = [m for joint in self.model.joints for m in joint.markers if m.body == body]
        return [self._place(m) for m in markers]

    # -- joints ------------------------------------------------------------------------------

    def _joints(self) -> None:
        hinges = []
        for joint in self.model.joints:
            ways = joint.ways(plane=True)
            if ways.kind is Kind.HINGE and ways.axes is not None:
                hinges.append(joint)
            elif ways.kind in (Kind.SLIDER, Kind.SLOT) and ways.slide is not None:
                self._guide(joint)
            else:
                self.ledger.leave_out(0, f"joint {joint.name!r}", PLAIN)
        while hinges:
            at = self._place(hinges[0].I)
            here = [j for j in hinges if math.dist(self._place(j.I), at) <= SAME * self.size]
            hinges = [j for j in hinges if j not in here]
            self._pin(at, here)

    def _pin(self, at: Place, joints: Sequence[AbstractJoint]) -> None:
        """One circle for all hinges in one place."""
        bodies = _joined(joints)
        self._name(joints[0].name, at)
        if len(joints) > 1:
            names = ", ".join(repr(joint.name) for joint in joints)
            self.ledger.note(0, f"joints {names}", "are one circle")
        for name, places in self.places.items():
            if name not in bodies | {GROUND} and any(
                math.dist(at, p) <= SAME * self.size for p in places
            ):
                why = (
                    f"it lies there too, and a reader of the drawing pins it to {joints[0].name!r}"
                )
                self.ledger.leave_out(0, f"freedom of {name!r}", why)
        is_held = any(GROUND in (j.I.body, j.J.body) for j in joints)
        layer = "ground" if is_held else "0"
        for drive in self.model.drives:
            if not any(_turns(drive.gauge, joint) for joint in joints):
                continue
            if is_held and layer != "motor":  # a circle for each, held and driven
                self._circle(at, 0.5, "ground")
            layer, law = "motor", drive.law
            if not (
                isinstance(law, Ramp)
                and math.isclose(law.speed, math.tau, rel_tol=1e-9)
                and not law.acceleration
            ):
                what = f"law of {drive.gauge.name!r}"
                self.ledger.leave_out(0, what, "a motor of a drawing turns once a second")
        self._circle(at, 1.0, layer)

    def _circle(self, at: Place, share: float, layer: str) -> None:
        radius = share * PIN * self.size * self.scale
        self.space.add_circle(self._xyz(at), radius, dxfattribs={"layer": layer})

    def _guide(self, joint: AbstractJoint) -> None:
        """A line along what slides, on the layer of its holder, clear of all that does not."""
        ways = joint.ways(plane=True)
        if ways.slide is None:
            return
        first, second = (joint.I, joint.J)
        at = self._place(second)
        X_WI = self.placed[first.body] @ first.pose
        direction = X_WI.axis(ways.slide[0])
        way = (float(direction.x), float(direction.y), 0.0)
        others = [
            p
            for body, places in self.places.items()
            if body != second.body
            for p in _apart(places, SAME * self.size)
            if math.dist(p, at) > SAME * self.size and _off_line(p, at, way) < 1e-4 * self.size
        ]
        half = min([GUIDE * self.size, *(0.45 * math.dist(p, at) for p in others)])
        if ways.kind is Kind.SLIDER:
            half = max(half, PIN * 4.5 * self.size)
        layer = "guide" if first.body == GROUND else f"guide {self.layers[first.body][5:]}"
        ends = (_along(at, way, -half), _along(at, way, half))
        self.space.add_line(*(self._xyz(p) for p in ends), dxfattribs={"layer": layer})

    def _slides(self, body: str) -> list[Place]:
        """The directions in the world along which sliders hold a body."""
        found = []
        for joint in self.model.joints:
            ways = joint.ways(plane=self.model.plane)
            if body in (joint.I.body, joint.J.body) and ways.kind is Kind.SLIDER and ways.slide:
                way = (self.placed[joint.I.body] @ joint.I.pose).axis(ways.slide[0])
                found.append((float(way.x), float(way.y), float(way.z)))
        return found

    def _rest(self) -> None:
        model = self.model
        for drive in model.drives:
            if not any(_turns(drive.gauge, j) for j in model.joints):
                self.ledger.leave_out(0, f"drive on {drive.gauge.name!r}", PLAIN)
        for what, members in (
            ("coupler", model.couplers),
            ("force", model.forces),
            ("event", model.events),
        ):
            for member in members:
                self.ledger.leave_out(0, f"{what} {member.name!r}", PLAIN)
        for body in model.bodies:
            if body.inertia is not None:
                self.ledger.leave_out(0, f"mass of {body.name!r}", PLAIN)
            if body.shapes:
                self.ledger.leave_out(0, f"shapes of {body.name!r}", "they are not written")
        if any(model.gravity):
            self.ledger.leave_out(0, "gravity", PLAIN)

    # -- places ------------------------------------------------------------------------------

    def _place(self, marker: Marker) -> Place:
        p = self.placed[marker.body].point(Vector(*marker.position))
        return (float(p.x), float(p.y), float(p.z))

    def _xyz(self, place: Sequence[float]) -> Place:
        x, y, z = (self.scale * c + 0.0 for c in place)
        return (x, y, z if not self.model.plane else 0.0)

    def _name(self, name: str, at: Place) -> None:
        height = 1.2 * PIN * self.size * self.scale
        made = self.space.add_text(name, height=height, dxfattribs={"layer": "names"})
        made.dxf.insert = self._xyz(at)


def _turns(gauge: Any, joint: AbstractJoint) -> bool:
    """Whether a measure is the turn of the two bodies that a hinge joins."""
    bodies = {gauge.I.body, gauge.J.body}
    is_hinge = joint.ways(plane=True).kind is Kind.HINGE
    return is_hinge and bodies == {joint.I.body, joint.J.body} and gauge.unit == "rad"


def _joined(joints: Sequence[AbstractJoint]) -> set[str]:
    """The bodies that hang together by these joints, the first one's among them."""
    found, before = {joints[0].I.body}, 0
    while len(found) > before:
        before = len(found)
        for joint in joints:
            ends = {joint.I.body, joint.J.body}
            found |= ends if ends & found else set()
    return found


def _apart(places: Iterable[Place], gap: float) -> list[Place]:
    """The places, those that are one once."""
    found: list[Place] = []
    for place in places:
        if all(math.dist(place, other) > gap for other in found):
            found.append(place)
    return found


def _hull(places: Sequence[Place]) -> list[Place]:
    """The convex hull in the plane, two places of those on one line."""
    ordered = sorted(places)

    def half(some: Iterable[Place]) -> list[Place]:
        line: list[Place] = []
        for p in some:
            while (
                len(line) > 1
                and _cross(line[-2], line[-1], p) <= 1e-9 * math.dist(line[-2], p) ** 2
            ):
                line.pop()
            line.append(p)
        return line

    lower, upper = half(ordered), half(reversed(ordered))
    return [*lower[:-1], *upper[:-1]]


def _cross(a: Place, b: Place, c: Place) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _border(hull: Sequence[Place], places: Sequence[Place], gap: float) -> list[Place]:
    """The corners of a hull and all places on its sides, in the order in which one meets them."""
    if len(hull) < 2:
        return list(hull)
    found: list[Place] = []
    sides = list(zip(hull, [*hull[1:], hull[0]], strict=True))
    for a, b in sides if len(hull) > 2 else sides[:1]:
        length = math.dist(a, b)
        on = [p for p in places if math.dist(a, p) + math.dist(p, b) - length <= gap]
        found += [p for p in sorted(on, key=lambda p: math.dist(a, p)) if p not in found]
    return found


def _along(at: Place, way: Place, by: float) -> Place:
    return (at[0] + by * way[0], at[1] + by * way[1], at[2] + by * way[2])


def _off_line(p: Place, at: Place, way: Place) -> float:
    """How far a place is from the line through another along a direction, in the plane."""
    return abs((p[0] - at[0]) * way[1] - (p[1] - at[1]) * way[0])
