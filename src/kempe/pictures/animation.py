"""A trajectory as a moving picture: the scene that the player and the stills draw."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kempe.disk import replace_file
from kempe.draw import (
    Body,
    Ground,
    JointSymbol,
    Mark,
    Motion,
    Scene,
    Series,
    Trace,
    player_html,
    scene_gif,
    scene_svg,
    upright,
)
from kempe.endings import refuse_unwritable
from kempe.errors import ModelError, UnknownName, nearest_name
from kempe.extras import extra
from kempe.geometry import GROUND
from kempe.pictures.drawn_forces import drawn_frame, force_arrows, force_symbols
from kempe.results import Subject
from kempe.units import factor

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

GIF = ".gif"
MOVING = (".html", GIF)  # endings of moving pictures
MOST_FRAMES = 1200  # pictures in a page; more samples are thinned, evenly
FEWEST_FRAMES = 2
MOST_PLOTS = 6
ENERGIES = ("kinetic", "potential", "dissipated", "driven")
CALM = 1e-3  # of the largest change: an energy that changes less is not plotted
STILL = 1e-9  # of the machine's size: what moves less is not plotted


def scene_of(trajectory: "Trajectory", *, trace: tuple[str, ...] = ()) -> Scene:
    """The scene of a trajectory, with the paths of the named points."""
    subject = trajectory.subject
    pick = _picked(len(trajectory))
    bodies = _bodies(trajectory, pick)
    return Scene(
        title=subject.name,
        plane=subject.plane,
        times=trajectory.t[pick],
        bodies=bodies,
        joints=[
            *(
                JointSymbol(j.name, j.symbol, drawn_frame(j.I), drawn_frame(j.J))
                for j in subject.joints
            ),
            *(
                JointSymbol(s.name, s.symbol, drawn_frame(s.I), drawn_frame(s.J), s.radii)
                for s in subject.spans
            ),
            *force_symbols(trajectory),
        ],
        ground=Ground(),
        traces=[_trace(trajectory, name) for name in trace],
        series=_series(trajectory, pick),
        marks=_marks(trajectory),
        loads=force_arrows(trajectory, bodies, pick),
        unit=subject.length_unit,
        unit_scale=factor("m", subject.length_unit),
    )


def write_animation(
    trajectory: "Trajectory", path: str | Path, *, trace: tuple[str, ...] = ()
) -> Path:
    """Write a page (.html) or a picture (.gif) that plays the trajectory; returns its path."""
    target = Path(path)
    refuse_unwritable(target, MOVING, "a moving picture")
    is_gif = target.suffix.lower() == GIF
    if is_gif:
        extra("PIL", "video", "a GIF")
    if len(trajectory) < FEWEST_FRAMES:
        raise ModelError(
            f"{trajectory.subject.name!r} has {len(trajectory)} sample to show, a moving"
            f" picture needs two: the sweep ended with {trajectory.outcome}"
        )
    scene = standing(trajectory, trace)
    return replace_file(target, scene_gif(scene) if is_gif else player_html(scene).encode())


def picture(trajectory: "Trajectory", *, index: int = 0, trace: tuple[str, ...] = ()) -> str:
    """One sample as SVG, with a few faint ones around it."""
    scene = standing(trajectory, trace)
    n = len(scene.times)
    return scene_svg(scene, index=min(index, n - 1), ghosts=tuple(range(0, n, max(1, n // 8))))


def standing(trajectory: "Trajectory", trace: tuple[str, ...]) -> Scene:
    """The scene with weights that point down."""
    pull = sum((np.array(w.pull) for w in trajectory.subject.weights), np.zeros(3))
    return upright(scene_of(trajectory, trace=trace), -pull)


def _picked(n: int) -> NDArray[np.intp]:
    if n <= MOST_FRAMES:
        return np.arange(n)
    return np.unique(np.linspace(0, n - 1, MOST_FRAMES).round().astype(np.intp))


def _bodies(trajectory: "Trajectory", pick: NDArray[np.intp]) -> list[Body]:
    plane, shapes = trajectory.subject.plane, trajectory.outlines
    q, at, bodies = trajectory.motion.q[pick], trajectory.subject.coordinates, []
    for k, body in enumerate(trajectory.subject.bodies):
        turn = q[:, at.turn_of(k)]
        placed = Motion(q[:, at.place_of(k)], turn[:, 0] if plane else turn)
        shown = {p: place for p, place in body.points.items() if p not in ("start", "end")}
        bodies.append(Body(body.name, placed, shapes[body.name], shown, colour=k))
    if GROUND in shapes:  # curves that something runs on
        still = Motion(np.zeros((len(pick), at.chart.n_linear)), np.zeros(len(pick)))
        bodies.append(Body(GROUND, still, shapes[GROUND]))
    return bodies


def refuse_untraceable(subject: Subject, trace: Iterable[str]) -> None:
    """UnknownName where a name is no moving point's, so that it has no path to draw."""
    points = subject.points
    for name in trace:
        if name not in points:
            known = nearest_name(name, points)
            raise UnknownName(f"there is no moving point {name!r} to trace.{known}")


def _trace(trajectory: "Trajectory", name: str) -> Trace:
    refuse_untraceable(trajectory.subject, (name,))
    return Trace(*trajectory.subject.points[name], name)


def _series(trajectory: "Trajectory", pick: NDArray[np.intp]) -> list[Series]:
    """What is plotted beside the picture: driven measures, bodies' angles, sliders' ways."""
    subject = trajectory.subject
    series: list[Series] = []
    for name in subject.shown:
        channel = trajectory[name]
        if len(series) < MOST_PLOTS and np.ptp(channel.values) > STILL * subject.size:
            unit = "deg" if channel.unit == "rad" else subject.length_unit
            series.append(Series(name, unit, channel.to(unit)[pick]))
    energies = _energies(trajectory, pick)
    return [*series[: MOST_PLOTS - len(energies)], *energies]


def _energies(trajectory: "Trajectory", pick: NDArray[np.intp]) -> list[Series]:
    """Where the energy of a simulation is, as far as it changes."""
    if not trajectory.motion.is_simulated:
        return []
    parts = {word: getattr(trajectory.energy, word)[pick] for word in ENERGIES}
    most = max(float(np.ptp(values)) for values in parts.values())
    return [
        Series(f"{word} energy", "J", values)
        for word, values in parts.items()
        if np.ptp(values) > CALM * most
    ]


def _marks(trajectory: "Trajectory") -> list[Mark]:
    marks = [Mark(p.t, f"{p.ending} passed") for p in trajectory.passes]
    if not trajectory.outcome.is_done:
        marks.append(Mark(float(trajectory.t[-1]), trajectory.outcome.name))
    return marks
