"""Pictures of a motion map: paths of points, one measure against another, placements."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout import Layout
from kempe.draw import Axes, Curve, sheet_svg
from kempe.errors import BadNumber, UnknownName
from kempe.files.disk import replace_file
from kempe.geometry import GROUND, Marker
from kempe.joints import NoRotation, Rod
from kempe.measures import Distance
from kempe.results.component import Component
from kempe.results.motion_map import MotionMap
from kempe.units import factor

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

FloatArray = NDArray[np.float64]

FINE = 0.02  # between samples, in unknowns: curves look smooth
TRACK = 121  # points of a curve that is a track
DENSE, SPARSE = 60, 4  # placements, as in the figures of [Barton]


@final
@dataclass(frozen=True, slots=True, eq=False)
class MapPictures:
    """What a motion map of a planar mechanism looks like, each picture as the text of an SVG.

    Every component has a colour of its own, the same in all pictures; dots mark where arcs run into
    a singular place.
    """

    layout: Layout
    found: MotionMap
    step: float = FINE

    def path(self, point: str) -> str:
        """The paths of a point, such as "coupler.P": a coupler curve for every component."""
        curves = self._tracks()
        unit, scale = self._unit
        for component in self.found.components:
            places = scale * self._position(component, point)
            curves.append(Curve(places, component.number, is_closed=component.closed))
            curves += _nodes(component, places)
        axes = Axes(f"x of {point} ({unit})", f"y ({unit})")
        title = f"{self.found.name}: paths of {point}, {self.found.outcome}"
        return sheet_svg(curves, axes, title=title, legend=self._legend)

    def plot(self, measure: str, against: str) -> str:
        """One measure against another, such as the output against the drive."""
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
        axes = Axes(f"{against} ({shown[0]})", f"{measure} ({shown[1]})", is_equal=False)
        title = f"{self.found.name}: {measure} against {against}, {self.found.outcome}"
        return sheet_svg(curves, axes, title=title, legend=self._legend)

    def placements(self, component: int = 0, count: int = DENSE) -> str:
        """The mechanism at positions along a component: many show the motion, few each of them.

        Source: [Barton] section 4, figures in two densities.
        """
        chosen = self._component(component)
        if count < 1:
            raise BadNumber(f"{count} placements cannot be drawn: ask for 1 or more.")
        q = chosen.sample(self.step).q
        last = len(q) if chosen.closed else len(q) - 1  # a loop comes back by itself
        places = np.linspace(0, last, min(count, len(q)), endpoint=not chosen.closed)
        q = q[np.unique(places.astype(int))]
        unit, scale = self._unit
        curves, kind = self._tracks(), "ghost" if count > SPARSE else "line"
        for bar, colour, is_flexible in self._bars():
            ends = scale * np.stack([self._marker(q, m) for m in bar], axis=1)
            flexible = "dashed" if is_flexible and kind == "line" else kind
            tones = range(len(q)) if kind == "line" else [colour] * len(q)  # few: one each
            curves += [Curve(e, tone, flexible) for e, tone in zip(ends, tones, strict=True)]
        for name in self._points():
            dots = scale * self._marker(q, Marker(name))
            if kind == "line":
                curves += [Curve(dots[k : k + 1], k, "dot") for k in range(len(dots))]
            else:
                curves.append(Curve(dots, component, "dot"))
        title = f"{self.found.name}: {len(q)} placements of component {component + 1}"
        return sheet_svg(curves, Axes(f"x ({unit})", f"y ({unit})"), title=title)

    def animate(self, path: str | Path, component: int = 0, *, trace: str | None = None) -> Path:
        """Write the page that plays the motion along a component."""
        return self._followed(self._component(component)).animate(path, trace=trace)

    def write(self, path: str | Path, picture: str) -> Path:
        """Write a picture to a file."""
        return replace_file(Path(path), picture.encode())

    # -- what is drawn -----------------------------------------------------------------------

    @property
    def _legend(self) -> Sequence[str]:
        words = ("arc", "loop")
        return [f"{c.number + 1}: {words[c.closed]}" for c in self.found.components]

    @property
    def _unit(self) -> tuple[str, float]:
        unit = self.layout.model.length_unit
        return unit, factor("m", unit)

    def _component(self, number: int) -> Component:
        if not 0 <= number < len(self.found.components):
            raise BadNumber(
                f"there is no component {number}: {self.found.name!r} has"
                f" {len(self.found.components)}, counted from 0."
            )
        return self.found.components[number]

    def _followed(self, component: Component) -> "Trajectory":
        from kempe.front.following import follow

        return follow(self.layout, component, self.step)

    def _position(self, component: Component, point: str) -> FloatArray:
        followed = self._followed(component)
        channel = followed[point]
        if not hasattr(channel, "position"):
            raise UnknownName(f"{point!r} is no point: a path needs one, such as 'coupler.P'.")
        position: FloatArray = np.asarray(channel.position)[:, :2]
        return position

    def _marker(self, q: FloatArray, marker: Marker) -> FloatArray:
        """World positions (k, 2) of a marker."""
        x, y, _ = marker.position
        if marker.body == GROUND:
            return np.broadcast_to(np.array([x, y]), (len(q), 2))
        k = self.layout.body_index[marker.body]
        at, turn = q[:, 3 * k : 3 * k + 2], q[:, 3 * k + 2]
        c, s = np.cos(turn), np.sin(turn)
        placed: FloatArray = at + np.column_stack([c * x - s * y, s * x + c * y])
        return placed

    def _bars(self) -> list[tuple[tuple[Marker, Marker], int | None, bool]]:
        """Ends, colour and whether it is flexible, of all that looks like a bar."""
        model, bars = self.layout.model, list[tuple[tuple[Marker, Marker], int | None, bool]]()
        for k, body in enumerate(model.moving):
            corners = [Marker(body.name, body.points[name]) for name in body.outline]
            closed = corners + corners[:1] if len(corners) > 2 else corners
            bars += [(pair, k, False) for pair in itertools.pairwise(closed)]
        rods = [j for j in model.joints if isinstance(j, Rod)]
        bars += [((j.I, j.J), k, False) for k, j in enumerate(rods)]
        soft = [g for g in model.gauges if isinstance(g.measure, Distance)]
        bars += [((g.I, g.J), None, True) for g in soft]
        return bars

    def _points(self) -> list[str]:
        return [j.J.body for j in self.layout.model.joints if isinstance(j, NoRotation)]

    def _tracks(self) -> list[Curve]:
        """The curves that are fixed in the ground."""
        _, scale = self._unit
        tracks = []
        for joint in self.layout.model.joints:
            for constraint in joint.constraints:
                curve = getattr(constraint, "curve", None)
                if curve is None or joint.I.body != GROUND or not curve.domain.is_bounded:
                    continue
                t = np.linspace(curve.domain.low, curve.domain.high, TRACK)
                X = joint.I.pose
                placed = [X.point(curve.point(float(at))) for at in t]
                points = np.array([[float(p.x), float(p.y)] for p in placed])
                tracks.append(Curve(scale * points, None, "rail"))
        return tracks


def _nodes(component: Component, places: FloatArray) -> list[Curve]:
    """Dots at the ends of an arc that lie in singular places."""
    ends = zip(component.ends, (0, -1), strict=False)
    at = [places[k] for end, k in ends if end.kind == "singular"]
    return [Curve(np.array(at), None, "dot")] if at else []
