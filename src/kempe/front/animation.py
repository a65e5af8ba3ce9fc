"""A trajectory as a moving picture: the scene that the player and the stills draw."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kempe.draw import (
    Body,
    Frame,
    Ground,
    JointSymbol,
    Mark,
    Motion,
    Scene,
    Series,
    Shape,
    Trace,
    link,
    scene_svg,
    write_player,
)
from kempe.errors import ModelError, UnknownName, nearest_name
from kempe.front.trajectory import Trajectory
from kempe.geometry import GROUND, Marker
from kempe.model import Model
from kempe.model.names import points_by_name
from kempe.units import factor

MOST_FRAMES = 1200  # pictures in a page; more samples are thinned, evenly
FEWEST_FRAMES = 2
MOST_PLOTS = 6
STILL = 1e-9  # of the machine's size: what moves less is not plotted


def scene_of(trajectory: Trajectory, *, trace: tuple[str, ...] = ()) -> Scene:
    """The scene of a trajectory, with the paths of the named points."""
    model = trajectory.layout.model
    if len(trajectory) < FEWEST_FRAMES:
        raise ModelError(
            f"{model.name!r} has {len(trajectory)} sample to show, a moving picture needs two:"
            f" the sweep ended with {trajectory.outcome}"
        )
    pick = _picked(len(trajectory))
    return Scene(
        title=model.name,
        plane=model.plane,
        times=trajectory.t[pick],
        bodies=[_body(trajectory, name, k, pick) for k, name in enumerate(_moving(model))],
        joints=[
            JointSymbol(j.name, j.symbol, _frame(j.markers[0]), _frame(j.markers[-1]))
            for j in model.joints
        ],
        ground=Ground(),
        traces=[_trace(trajectory, name) for name in trace],
        series=_series(trajectory, pick),
        marks=_marks(trajectory),
        unit=model.length_unit,
        unit_scale=factor("m", model.length_unit),
    )


def write_animation(
    trajectory: Trajectory, path: str | Path, *, trace: tuple[str, ...] = ()
) -> Path:
    """Write the page that plays the trajectory; returns its path."""
    target = Path(path)
    if not target.parent.is_dir():
        raise ModelError(f"there is no folder {str(target.parent)!r} to write {target.name!r} to.")
    write_player(scene_of(trajectory, trace=trace), target)
    return target


def picture(trajectory: Trajectory, *, index: int = 0, trace: tuple[str, ...] = ()) -> str:
    """One sample as SVG, with a few faint ones around it."""
    scene = scene_of(trajectory, trace=trace)
    n = len(scene.times)
    return scene_svg(scene, index=min(index, n - 1), ghosts=tuple(range(0, n, max(1, n // 8))))


def _picked(n: int) -> NDArray[np.intp]:
    if n <= MOST_FRAMES:
        return np.arange(n)
    return np.unique(np.linspace(0, n - 1, MOST_FRAMES).round().astype(np.intp))


def _moving(model: Model) -> list[str]:
    return [body.name for body in model.moving]


def _body(trajectory: Trajectory, name: str, k: int, pick: NDArray[np.intp]) -> Body:
    layout, motion = trajectory.layout, trajectory.motion
    size = layout.chart.n_q
    own = motion.q[pick, k * size : (k + 1) * size]
    n = 2 if layout.model.plane else 3
    placed = Motion(own[:, :n], own[:, 2] if layout.model.plane else own[:, n:])
    body = layout.model.body(name)
    shown = {p: body.points[p] for p in body.points if p not in ("start", "end")}
    return Body(name, placed, _shapes(layout.model, name), shown, colour=k)


def _shapes(model: Model, name: str) -> tuple[Shape, ...]:
    """The body's outline, or the link through the points its joints hold on to."""
    body = model.body(name)
    held = [m.position for j in model.joints for m in j.markers if m.body == name]
    points = [body.points[p] for p in body.outline] or held
    corners = list(dict.fromkeys([*points, *held]))
    return link(corners) if len(corners) > 1 else ()


def _frame(marker: Marker) -> Frame:
    body = None if marker.body == GROUND else marker.body
    return Frame(body, marker.position, marker.rotation.matrix())


def _trace(trajectory: Trajectory, name: str) -> Trace:
    points = points_by_name(trajectory.layout.model)
    if name not in points or points[name].body == GROUND:
        known = [n for n, m in points.items() if m.body != GROUND]
        raise UnknownName(f"there is no moving point {name!r} to trace.{nearest_name(name, known)}")
    return Trace(points[name].body, points[name].position, name)


def _series(trajectory: Trajectory, pick: NDArray[np.intp]) -> list[Series]:
    """What is plotted beside the picture: driven measures, bodies' angles, sliders' ways."""
    model = trajectory.layout.model
    names = [drive.gauge.name for drive in model.drives]
    if model.plane:
        names += [f"{body.name}.angle" for body in model.moving]
    names += [f"{j.name}.{m.word}" for j in model.joints for m in j.freedom if m.unit == "m"]
    series: list[Series] = []
    for name in dict.fromkeys(names):
        channel = trajectory[name]
        if len(series) < MOST_PLOTS and np.ptp(channel.values) > STILL * trajectory.layout.size:
            unit = "deg" if channel.unit == "rad" else model.length_unit
            series.append(Series(name, unit, channel.to(unit)[pick]))
    return series


def _marks(trajectory: Trajectory) -> list[Mark]:
    if trajectory.outcome.is_done:
        return []
    return [Mark(float(trajectory.t[-1]), trajectory.outcome.name)]
