"""Polygons of velocities and accelerations: all of them at one moment, from one pole."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, final

import numpy as np
from numpy.typing import NDArray

from kempe.draw.view.theme import LIGHT
from kempe.errors import ModelError, printable
from kempe.export.plots import RULES, empty_figure, pretty
from kempe.extras import extra
from kempe.readings.unit_choice import unit_choice

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from kempe.front.position import Position

FloatArray = NDArray[np.float64]
Kind = Literal["velocity", "acceleration"]
UNITS: dict[Kind, tuple[str, str]] = {  # of points, and of turning
    "velocity": ("m/s", "rad/s"),
    "acceleration": ("m/s**2", "rad/s**2"),
}
PLURALS = {"velocity": "velocities", "acceleration": "accelerations"}
SIZE = (6.4, 5.6)  # inches
SAME = 1e-9  # of the largest: ends of arrows that near are one
POLE = "O"


@final
@dataclass(frozen=True, slots=True, eq=False)
class BodyImage:
    """What one body looks like among velocities or accelerations: its image, turned and scaled.

    An image of velocities is the body turned by 90 degrees and grown by its angular velocity w; one
    of accelerations is it turned by pi - atan(alpha / w^2) and grown by sqrt(w^4 + alpha^2).

    Source: [Bottema] ch. VIII.
    """

    body: str
    names: tuple[str, ...]  # of its points
    ends: FloatArray  # (k, 2) m/s or m/s^2
    normal: FloatArray  # (k, 2): the part of ends - ends[0] along the body's own lines
    turning: float  # rad/s or rad/s^2


def images(position: "Position", kind: Kind) -> tuple[BodyImage, ...]:
    """The image of every moving body at one moment.

    v_P = v + w x r,  a_P = a + alpha x r - w^2 r

    Source: [Bottema] ch. VIII.
    """
    trajectory = position.trajectory
    subject = trajectory.subject
    if not subject.plane:
        raise ModelError(
            f"a polygon of {PLURALS[kind]} belongs to the plane, and {subject.name!r} moves in"
            " space: plot what its points have over time instead."
        )
    found = []
    for body in subject.bodies:
        points = _points(position, body.name)
        if not points:
            continue
        origin, angle = trajectory[body.name], trajectory[f"{body.name}.angle"]
        turn, w = float(angle.values[0]), float(angle.rate[0])
        c, s = np.cos(turn), np.sin(turn)
        r = np.array(list(points.values()))[:, :2] @ np.array([[c, s], [-s, c]])
        across = np.column_stack([-r[:, 1], r[:, 0]])
        if kind == "velocity":
            ends, normal, turning = origin.velocity[0] + w * across, 0.0 * r, w
        else:
            turning = float(angle.acceleration[0])
            ends = origin.acceleration[0] + turning * across - w * w * r
            normal = -w * w * (r - r[0])
        found.append(BodyImage(body.name, tuple(points), ends, normal, turning))
    return tuple(found)


def _points(position: "Position", body: str) -> dict[str, tuple[float, ...]]:
    """What a polygon shows of a body: where joints hold it, and its free points."""
    subject = position.trajectory.subject
    free = [name for name in subject.free_points if name.rpartition(".")[0] == body]
    named = {name.rpartition(".")[2]: subject.points[name][1] for name in free}
    held: dict[str, tuple[float, ...]] = {}
    for joint in subject.joints:
        for frame in (joint.I, joint.J):
            if frame.body == body:
                held[joint.name] = frame.position
    return held | named


def polygon(position: "Position", kind: Kind, units: Sequence[str] = ()) -> "Figure":
    """The polygon of velocities or accelerations at one moment as a figure of matplotlib.

    Arrows lead from the pole to what points have; the image of every body is drawn in its colour,
    with the parts of accelerations along and across its lines dashed.
    """
    matplotlib = extra("matplotlib", "plot", "a polygon")
    subject = position.trajectory.subject
    unit, turning = UNITS[kind]
    choice = unit_choice(units, (subject.length_unit,))
    factor, shown = choice.factor(unit), pretty(choice.shown(unit))
    made = images(position, kind)
    with matplotlib.rc_context(RULES):
        figure = empty_figure(SIZE)
        title = f"{printable(subject.name)}: {kind} polygon at t = {position.t:.4g} s"
        figure.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold")
        axes = figure.subplots()
        order = {body.name: k for k, body in enumerate(subject.bodies)}
        for image in made:
            tone = LIGHT.tones[order[image.body] % len(LIGHT.tones)]
            says = f"{image.body}: {image.turning:.4g} {pretty(turning)}"
            _image(axes, image, factor, tone, printable(says))
        _arrows(axes, made, factor)
        axes.set_xlabel(f"along x [{shown}]")
        axes.set_ylabel(f"along y [{shown}]")
        axes.set_aspect("equal", adjustable="datalim")
        axes.margins(0.14)
        axes.tick_params(length=0)
        axes.legend(
            loc="lower left",
            bbox_to_anchor=(0.0, 1.0),
            borderaxespad=0.2,
            ncols=3,
            handlelength=1.6,
        )
    return figure


def _image(axes: "Axes", image: BodyImage, factor: float, tone: str, says: str) -> None:
    ends = factor * image.ends
    closed = np.concatenate([ends, ends[:1]]) if len(ends) > 2 else ends
    axes.plot(*closed.T, color=tone, label=says, zorder=3)
    if len(ends) > 2:
        axes.fill(*ends.T, color=tone, alpha=0.14, linewidth=0.0)
    for end, normal in zip(ends[1:], factor * image.normal[1:], strict=True):
        if normal.any():
            corner = ends[0] + normal
            way = np.array([ends[0], corner, end])
            axes.plot(*way.T, color=tone, linestyle=(0, (4, 2)), linewidth=1.0, zorder=2)


def _arrows(axes: "Axes", made: Sequence[BodyImage], factor: float) -> None:
    """One arrow from the pole to every end, with the names of all points that have it."""
    ends: list[FloatArray] = []
    names: list[list[str]] = []
    largest = max((float(np.abs(image.ends).max(initial=0.0)) for image in made), default=0.0)
    for image in made:
        for name, end in zip(image.names, image.ends, strict=True):
            near = [k for k, at in enumerate(ends) if np.abs(at - end).max() <= SAME * largest]
            if near:
                names[near[0]] += [name] if name not in names[near[0]] else []
            else:
                ends.append(end)
                names.append([name])
    still = [POLE]
    for end, words in zip(ends, names, strict=True):
        if not np.abs(end).max() > SAME * largest:
            still += words
            continue
        tip = factor * end
        arrow = {"arrowstyle": "-|>", "color": LIGHT.ink, "linewidth": 1.1, "shrinkA": 0.0}
        axes.annotate(
            "", (tip[0], tip[1]), (0.0, 0.0), arrowprops=arrow | {"shrinkB": 0.0}, zorder=4
        )
        _name(axes, words, tip, tip / np.linalg.norm(tip))
    axes.plot(0.0, 0.0, "o", color=LIGHT.ink, markersize=4.5, zorder=5)
    away = -np.sum(ends, axis=0) if ends else np.array([-1.0, -1.0])
    size = float(np.linalg.norm(away))
    _name(axes, still, np.zeros(2), away / size if size > 0.0 else np.array([-0.7, -0.7]))


def _name(axes: "Axes", words: Sequence[str], tip: FloatArray, way: FloatArray) -> None:
    effects = extra("matplotlib.patheffects", "plot", "a polygon")
    halo = effects.withStroke(linewidth=3.0, foreground="#ffffff")
    axes.annotate(
        printable(", ".join(words)),
        (tip[0], tip[1]),
        (9.0 * way[0], 9.0 * way[1]),
        textcoords="offset points",
        ha="left" if way[0] > 0.3 else "right" if way[0] < -0.3 else "center",
        va="bottom" if way[1] > 0.3 else "top" if way[1] < -0.3 else "center",
        fontstyle="italic",
        path_effects=[halo],
        zorder=6,
    )
