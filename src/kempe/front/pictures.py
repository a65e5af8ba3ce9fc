"""Pictures that a mechanism gives: of its motion map, its assemblies, its freedoms."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.draw import Arrow, AxisLine, Curve, Panel, SheetAxes, panels_svg, scene_svg, sheet_svg
from kempe.draw.scene.shapes import perpendiculars
from kempe.equations import equations_of
from kempe.errors import BadNumber, UnknownName
from kempe.export.svg_pages import write_picture
from kempe.front.trajectory import Trajectory
from kempe.geometry import Pose
from kempe.kinematics.check.assembly import still
from kempe.kinematics.closing.placement import body_pose
from kempe.kinematics.closing.winding import initial_turns
from kempe.kinematics.mobility.finite_motion import released_at
from kempe.kinematics.mobility.free_motions import free_motions
from kempe.pictures.animation import scene_of
from kempe.pictures.positions import (
    axis_words,
    length_unit,
    placed_curves,
    placed_svg,
    seen_points,
    tracks,
)
from kempe.results import BodyMotion, FreeMotion
from kempe.results.maps.assemblies import Assemblies
from kempe.results.maps.component import Component
from kempe.results.maps.motion_map import MotionMap
from kempe.results.maps.timeline import Timeline
from kempe.results.state import State

FloatArray = NDArray[np.float64]

FINE = 0.02  # between samples, in unknowns: curves look smooth
MOST_COLOURS = 24  # assemblies that are drawn plainly, each in one; more are ghosts
GHOSTS = 18  # positions of a component in a small picture
STANDING = ("rail", "mark", "facet")  # kinds of curves that are fixed in the ground
DENSE, SPARSE = 60, 4  # placements, as in the figures of [Barton]


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AssemblyPictures:
    """What the assemblies of a mechanism look like, in space as seen from aside and above."""

    layout: Layout
    found: Assemblies

    def placements(self) -> str:
        """All assemblies over each other, as the text of an SVG: few of them in colours."""
        q = np.array([state.q for state in self.found]).reshape(len(self.found), -1)
        are_few = len(q) <= MOST_COLOURS
        return placed_svg(self.layout, q, str(self.found), are_few=are_few)

    def each(self) -> str:
        """Every assembly in a picture of its own, side by side at one scale, as an SVG's text."""
        panels = [
            Panel(
                f"{k + 1}",
                [
                    _in_colour(curve, k)
                    for curve in placed_curves(self.layout, state.q[None], are_few=True)
                ],
            )
            for k, state in enumerate(self.found)
        ]
        return panels_svg(panels, title=str(self.found))

    def write(self, path: str | Path, picture: str) -> Path:
        """Write a `picture`, the text of an SVG, to `path`: .svg, .png or .pdf."""
        return write_picture(path, picture)

    def _repr_html_(self) -> str:
        return f"<div>{self.each()}</div>"

    def __repr__(self) -> str:
        return f"Pictures of {self.found!r}: .placements(), .each()"


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MapPictures:
    """What a motion map of a mechanism looks like, each picture as the text of an SVG.

    Mechanisms in space are seen from aside and above. Every component has a colour of its own, the
    same in all pictures; dots mark where arcs run into a singular place.
    """

    layout: Layout
    found: MotionMap
    step: float = FINE

    def path(self, point: str) -> str:
        """The paths of `point`, such as "coupler.P": a coupler curve for every component."""
        curves = tracks(self.layout)
        unit, scale = length_unit(self.layout)
        for component in self.found.components:
            places = scale * self._position(component, point)
            curves.append(Curve(places, component.number, is_closed=component.closed))
            curves += _nodes(component, places)
        across, up = axis_words(self.layout)
        axes = SheetAxes(f"{across} of {point} ({unit})", f"{up} ({unit})")
        title = f"{self.found.name}: paths of {point}, {self.found.outcome}"
        return sheet_svg(curves, axes, title=title, legend=self._legend)

    def plot(self, measure: str, against: str) -> str:
        """The values of `measure` `against` those of another one, such as output and drive."""
        curves, units = [], []
        for component in self.found.components:
            followed = self._followed(component)
            pair = []
            for name in (against, measure):
                channel = followed[name]
                unit = "deg" if channel.unit == "rad" else self.layout.model.length_unit
                units.append(unit)
                pair.append(channel.to(unit))
            places = np.column_stack(pair)
            curves.append(Curve(places, component.number))
            curves += _nodes(component, places)
        shown = units[:2] or ["", ""]
        axes = SheetAxes(f"{against} ({shown[0]})", f"{measure} ({shown[1]})", is_equal=False)
        title = f"{self.found.name}: {measure} against {against}, {self.found.outcome}"
        return sheet_svg(curves, axes, title=title, legend=self._legend)

    def placements(self, component: int = 0, count: int = DENSE) -> str:
        """The mechanism at `count` positions along `component` (from 0): many show the motion.

        Source: [Barton] section 4, figures in two densities.
        """
        chosen = self._component(component)
        if count < 1:
            raise BadNumber(f"{count} placements cannot be drawn: ask for 1 or more.")
        q = chosen.sample(self.step).q
        last = len(q) if chosen.closed else len(q) - 1  # a loop comes back by itself
        places = np.linspace(0, last, min(count, len(q)), endpoint=not chosen.closed)
        q = q[np.unique(places.astype(int))]
        title = f"{self.found.name}: {len(q)} placements of component {component + 1}"
        return placed_svg(self.layout, q, title, are_few=count <= SPARSE, tone=component)

    def each(self, point: str | None = None, count: int = GHOSTS) -> str:
        """Every component in a picture of its own: `count` positions, and the path of `point`.

        The first of them is drawn in full, the others faintly.
        """
        panels = []
        _, scale = length_unit(self.layout)
        for component in self.found.components:
            q = component.sample(self.step).q
            chosen = np.unique(np.linspace(0, len(q) - 1, min(count, len(q))).astype(int))
            curves = placed_curves(self.layout, q[chosen], are_few=False)
            first = placed_curves(self.layout, q[chosen[:1]], are_few=True)
            curves += [curve for curve in first if curve.kind not in STANDING]
            if point is not None:
                places = scale * self._position(component, point)
                curves.append(Curve(places, 0, is_closed=component.closed))
            kind = "loop" if component.closed else "arc"
            shown = [_in_colour(curve, component.number) for curve in curves]
            panels.append(Panel(f"{component.number + 1}: {kind}", shown))
        return panels_svg(panels, title=f"{self.found.name}: {self.found.outcome}")

    def animate(self, path: str | Path, component: int = 0, *, trace: str | None = None) -> Path:
        """Write to `path` what plays `component` (from 0), with the path of the point `trace`."""
        return self._followed(self._component(component)).animate(path, trace=trace)

    def write(self, path: str | Path, picture: str) -> Path:
        """Write a `picture`, the text of an SVG, to `path`: .svg, .png or .pdf."""
        return write_picture(path, picture)

    def _repr_html_(self) -> str:
        return f"<div>{self.each()}</div>"

    def __repr__(self) -> str:
        ways = ".path(point), .plot(measure, against), .placements(), .each(), .animate(path)"
        return f"Pictures of {self.found!r}: {ways}"

    # -- what is drawn -----------------------------------------------------------------------

    @property
    def _legend(self) -> Sequence[str]:
        words = ("arc", "loop")
        return [f"{c.number + 1}: {words[c.closed]}" for c in self.found.components]

    def _component(self, number: int) -> Component:
        if not 0 <= number < len(self.found.components):
            raise BadNumber(
                f"there is no component {number}: {self.found.name!r} has"
                f" {len(self.found.components)}, counted from 0."
            )
        return self.found.components[number]

    def _followed(self, component: Component) -> Trajectory:
        from kempe.front.requests.motions import follow

        return follow(self.layout, component, self.step)

    def _position(self, component: Component, point: str) -> FloatArray:
        followed = self._followed(component)
        channel = followed[point]
        if not hasattr(channel, "position"):
            raise UnknownName(f"{point!r} is no point: a path needs one, such as 'coupler.P'.")
        return seen_points(self.layout, np.asarray(channel.position))


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TimelinePictures:
    """What a timeline of a mechanism looks like: every branch in a colour, dots where two meet."""

    layout: Layout
    found: Timeline

    def plot(self, measure: str) -> str:
        """The values of `measure` over time in all branches, as the text of an SVG."""
        from kempe.front.requests.motions import along

        lines, unit = [], ""
        for branch in self.found.branches:
            inside = np.append(True, np.diff(branch.t) > 0.0)
            t, q = branch.t[inside], branch.q[inside]
            channel = along(self.layout, t, q)[measure]
            unit = "deg" if channel.unit == "rad" else self.layout.model.length_unit
            lines.append(np.column_stack([t, channel.to(unit)]))
        if unit == "deg":
            self._turn_to_meet([line[:, 1] for line in lines])
        curves = [Curve(line, k) for k, line in enumerate(lines)]
        ends = [lines[e.branches[0]][0 if e.is_birth else -1] for e in self.found.events]
        if ends:
            curves.append(Curve(np.array(ends), None, "dot"))
        axes = SheetAxes("t (s)", f"{measure} ({unit})", is_equal=False)
        legend = [str(branch).partition(":")[0] for branch in self.found.branches]
        title = f"{self.found.name}: {measure} over time, {self.found.outcome}"
        return sheet_svg(curves, axes, title=title, legend=legend)

    def _turn_to_meet(self, values: list[FloatArray]) -> None:
        """Turn angles (deg) of branches by whole turns, so that those that meet are drawn so."""
        seen: set[int] = set()
        for event in self.found.events:
            one, other = sorted(event.branches, key=lambda b: b not in seen)
            k = 0 if event.is_birth else -1
            if other not in seen:
                values[other] += 360.0 * np.round((values[one][k] - values[other][k]) / 360.0)
            seen |= {one, other}

    def write(self, path: str | Path, picture: str) -> Path:
        """Write a `picture`, the text of an SVG, to `path`: .svg, .png or .pdf."""
        return write_picture(path, picture)

    def __repr__(self) -> str:
        return f"Pictures of {self.found.name!r} over time: .plot(measure)"


def _in_colour(curve: Curve, number: int) -> Curve:
    """The curve in the colour of a component, if it moves."""
    return curve if curve.kind in STANDING else replace(curve, colour=number)


def _nodes(component: Component, places: FloatArray) -> list[Curve]:
    """Dots at the ends of an arc that lie in singular places."""
    ends = zip(component.ends, (0, -1), strict=False)
    at = [places[k] for end, k in ends if end.kind == "singular"]
    return [Curve(np.array(at), None, "dot")] if at else []


LONGEST = 0.18  # of the picture's extent: the arrow of the fastest point
SHORTEST = 0.02  # of the longest arrow: points that move less have none
RING, SWEEP = 0.06, 1.5 * math.pi  # radius over the extent, and angle, of the arrow round an axis
AXIS = 0.5  # length over the extent
CORNERS = 24  # of that arrow


def freedom_picture(layout: Layout, number: int, *, drives: bool) -> str:
    """Free motion `number` (from 1) where the mechanism stands, as SVG; its drives on or let go."""
    motion = still(layout)
    q, t = motion.q[0], float(motion.t[0])
    here = layout if drives else released_at(layout, q, t).equations.layout
    equations = equations_of(here)
    at = State(t, q, turns=initial_turns(equations, t, q))
    found = free_motions(equations, at)
    if not 1 <= number <= len(found):
        held = " with its drives on" if drives and layout.model.drives else ""
        raise UnknownName(
            f"there is no free motion {number}: {layout.model.name!r} has {len(found)}{held}.",
            free=len(found),
        )
    scene = scene_of(Trajectory(layout, motion))
    return scene_svg(scene, names=True, marks=_marks(layout, q, found[number - 1]))


def motion_picture(trajectory: Trajectory, motion: FreeMotion) -> str:
    """A motion of the bodies at the first sample as SVG: arrows, and axes that are turned about."""
    marks = _marks(trajectory.layout, trajectory.motion.q[0], motion)
    return scene_svg(scene_of(trajectory), names=True, marks=marks)


def _marks(layout: Layout, q: np.ndarray, motion: FreeMotion) -> list[Arrow | AxisLine]:
    poses = {m.body: body_pose(layout, q, m.body) for m in motion.motions}
    places = {body: _places(layout, body, X_WB) for body, X_WB in poses.items()}
    everywhere = np.concatenate([_all(layout, q), *places.values()])
    extent = float(np.linalg.norm(np.ptp(everywhere, axis=0))) or layout.size
    speeds = {m.body: _velocities(m, places[m.body]) for m in motion.motions}
    fastest = max(float(np.linalg.norm(v, axis=1).max()) for v in speeds.values())
    scale = LONGEST * extent / fastest if fastest > 0.0 else 0.0
    marks: list[Arrow | AxisLine] = []
    for m in motion.motions:
        colour = layout.body_index[m.body]
        for p, v in zip(places[m.body], scale * speeds[m.body], strict=True):
            if np.linalg.norm(v) > SHORTEST * LONGEST * extent:
                marks.append(Arrow([p.tolist(), (p + v).tolist()], colour))
        if m.turns:
            marks += _turn(m, colour, extent)
    return marks


def _all(layout: Layout, q: np.ndarray) -> np.ndarray:
    """Where all joints are."""
    ends = [m for joint in layout.model.joints for m in joint.markers]
    places = [list((body_pose(layout, q, m.body) @ m.pose).position) for m in ends]
    return np.array(places, float).reshape(-1, 3)


def _places(layout: Layout, body: str, X_WB: Pose) -> np.ndarray:
    """Points of a body where an arrow says something: its own, and its joints'."""
    own = list(layout.model.body(body).points.values())
    own += [m.position for j in layout.model.joints for m in j.markers if m.body == body]
    distinct = np.unique(np.array(own or [(0.0, 0.0, 0.0)], float).round(9), axis=0)
    R = X_WB.rotation.matrix()
    return np.array(list(X_WB.position), float) + distinct @ R.T


def _velocities(m: BodyMotion, places: np.ndarray) -> np.ndarray:
    arms = places - np.array(m.at)
    return np.array(m.velocity) + np.cross(np.array(m.spin), arms)


def _turn(m: BodyMotion, colour: int, extent: float) -> list[Arrow | AxisLine]:
    """The axis, and an arrow round it that way."""
    z = np.array(m.direction)
    x, y = perpendiculars(z)
    angles = np.linspace(0.0, SWEEP, CORNERS)
    ring = np.outer(np.cos(angles), x) + np.outer(np.sin(angles), y)
    points = np.array(m.centre) + RING * extent * ring
    return [AxisLine(m.centre, m.direction, AXIS * extent), Arrow(points.tolist(), colour)]
