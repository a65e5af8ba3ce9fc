"""A trajectory as a moving picture: the scene that player and stills draw, with its forces."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kempe.disk import replace_file
from kempe.draw import (
    DrawnBody,
    Frame,
    Ground,
    JointSymbol,
    Load,
    Mark,
    PoseSeries,
    Scene,
    Trace,
    player_html,
    scene_gif,
    scene_glb,
    scene_svg,
    scene_video,
    upright,
    with_slides,
)
from kempe.draw.formats.video import CODECS
from kempe.endings import refuse_unwritable
from kempe.errors import KempeError, ModelError
from kempe.events import Stop
from kempe.extras import extra
from kempe.geometry import GROUND
from kempe.pictures.free_bodies import acting_loads, balanced, reaction_arrows
from kempe.pictures.plotted import is_internal, plotted
from kempe.results.subject import SubjectFrame, Triple
from kempe.units import factor

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

FloatArray = NDArray[np.float64]
Picked = NDArray[np.intp]
LONGEST = 0.12  # of the picture's extent: the arrow of the largest load
LOOKS = 24  # samples at which the extent is measured
MOST_WEIGHTS = 12  # bodies whose weights are drawn: more arrows than that say little
ARROW = "arrow"
Acting = tuple[str, str, FloatArray, FloatArray]  # what acts, on which body, where, and how much
MOST_FRAMES = 1200  # pictures in a page; more samples are thinned, evenly
FEWEST_FRAMES = 2
MOST_MARKED = 60  # events on the time axis: of more the first
MOST_PATHS = 3  # of points of interest that are traced where nobody names one


# ending -> what makes the bytes of a moving picture of a scene
MAKERS: dict[str, Callable[[Scene], bytes]] = {
    ".html": lambda scene: player_html(scene).encode(),
    ".gif": scene_gif,
    ".mp4": lambda scene: scene_video(scene, ".mp4"),
    ".webm": lambda scene: scene_video(scene, ".webm"),
    ".glb": scene_glb,
}
MOVING = tuple(MAKERS)  # endings of moving pictures
PAINTED = (".gif", ".mp4", ".webm")


def drawn_frame(frame: SubjectFrame) -> Frame:
    """A frame of the mechanism as a picture takes it."""
    body = None if frame.body == GROUND else frame.body
    return Frame(body, frame.position, np.array(frame.axes).T)


def force_symbols(trajectory: "Trajectory") -> list[JointSymbol]:
    """Springs, dampers, spirals, cylinders and the like."""
    return [
        JointSymbol(f.name, f.symbol, drawn_frame(f.I), drawn_frame(f.J))
        for f in trajectory.subject.forces
        if f.symbol != ARROW
    ]


def force_arrows(
    trajectory: "Trajectory",
    bodies: Sequence[DrawnBody],
    pick: Picked,
    *,
    most: int = MOST_WEIGHTS,
) -> list[Load]:
    """Applied loads and weights as arrows, forces on one scale and torques on another.

    `bodies` are those of the picture; of more than `most` bodies the weights are left out.
    """
    subject, n = trajectory.subject, len(pick)
    places = _places(bodies, n)
    acting: dict[str, list[Acting]] = {"force": [], "torque": []}
    for force in subject.forces:
        for word in acting if force.symbol == ARROW else ():
            name = f"{force.name}.{word}"
            if name in trajectory:
                given = _spatial(trajectory[name].values[pick], word)
                where = places(force.J.body, force.J.position)
                acting[word].append((force.name, force.J.body, where, given))
    has_weights = trajectory.motion.is_simulated and len(subject.weights) <= most
    for weight in subject.weights if has_weights else ():
        pull = np.tile(weight.pull, (n, 1))
        where = places(weight.body, weight.position)
        acting["force"].append((f"weight of {weight.body}", weight.body, where, pull))
    longest = LONGEST * extent(bodies) if any(acting.values()) else 1.0
    return [arrow for word, given in acting.items() for arrow in _scaled(given, longest, word)]


def _places(bodies: Sequence[DrawnBody], n: int) -> Callable[[str, Triple], FloatArray]:
    """Where a point of a body is at every one of `n` samples, (n, 3)."""
    motions = {body.name: body.motion for body in bodies}

    def places(body: str, point: Triple) -> FloatArray:
        if body == GROUND:
            return np.tile(point, (n, 1))
        return motions[body].carried(np.array([point]))[:, 0]

    return places


def _scaled(acting: Sequence[Acting], longest: float, word: str) -> list[Load]:
    """Arrows of forces, or of torques, the largest of which ever is as long as that (m)."""
    sizes = [float(np.linalg.norm(given, axis=1).max(initial=0.0)) for *_, given in acting]
    largest = max(sizes, default=0.0)
    if not largest > 0.0:
        return []
    newtons, is_torque = largest / longest, word == "torque"
    return [
        Load(name, at, given / newtons, newtons, is_torque, body if body != GROUND else None)
        for (name, body, at, given), size in zip(acting, sizes, strict=True)
        if size > 0.0
    ]


def extent(bodies: Sequence[DrawnBody]) -> float:
    """How far apart anything of the bodies ever is, m."""
    reached = []
    for body in bodies:
        corners = np.concatenate([body.corners, np.zeros((1, 3))])
        stride = max(1, len(body.motion) // LOOKS)
        reached.append(body.motion.carried(corners)[::stride].reshape(-1, 3))
    points = np.concatenate(reached)
    return float(np.linalg.norm(points.max(axis=0) - points.min(axis=0))) or 1.0


def _spatial(loads: FloatArray, word: str) -> FloatArray:
    """Forces of the plane with a third component, its torques with two more."""
    loads = loads.reshape(len(loads), -1)
    missing = np.zeros((len(loads), 3 - loads.shape[1]))
    return np.hstack([missing, loads] if word == "torque" else [loads, missing])


def scene_of(
    trajectory: "Trajectory", *, trace: Sequence[str] = (), plots: Sequence[str] = ()
) -> Scene:
    """The scene of a trajectory, with the paths of the named points, and plots of quantities.

    Without `plots` those that say most are chosen: see `plotted`.
    """
    subject = trajectory.subject
    pick = _picked(len(trajectory))
    bodies = _bodies(trajectory, pick)
    loads = force_arrows(trajectory, bodies, pick)
    places = _places(bodies, len(pick))
    reactions = reaction_arrows(trajectory, places, pick, LONGEST * extent(bodies))
    scene = Scene(
        title=subject.name,
        plane=subject.plane,
        times=trajectory.t[pick],
        bodies=bodies,
        joints=[
            *(
                JointSymbol(j.name, j.symbol, drawn_frame(j.I), drawn_frame(j.J))
                for j in subject.joints
                if not is_internal(j)
            ),
            *(
                JointSymbol(s.name, s.symbol, drawn_frame(s.I), drawn_frame(s.J), s.radii)
                for s in subject.spans
            ),
            *force_symbols(trajectory),
        ],
        ground=Ground(),
        traces=[_trace(trajectory, name) for name in trace],
        series=plotted(trajectory, pick, plots),
        marks=_marks(trajectory),
        loads=loads,
        reactions=reactions,
        free=balanced(trajectory, places, pick, [*loads, *reactions]) if reactions else (),
        unit=subject.length_unit,
        unit_scale=factor("m", subject.length_unit),
    )
    return with_slides(scene)


def free_body(trajectory: "Trajectory", body: str, sample: int) -> tuple[list[Load], bool]:
    """All that is known to act on a body at one sample, and whether nothing is missing.

    sum F = m a_C and sum (T + (p_WP - p_WC) x F) = T_C, where nothing is. A load acts on `body` as
    it is where that is its `body`, and opposite where it is its `back`.
    """
    pick = np.array([sample], dtype=np.intp)
    bodies = _bodies(trajectory, pick)
    places = _places(bodies, 1)
    subject, motion = trajectory.subject, trajectory.motion
    every = max(len(subject.joints), len(subject.weights))
    acting = trajectory.acting
    if not acting:  # unknown, or left out of pictures since they are many
        with suppress(KempeError):
            reactions = trajectory.reactions
            acting = tuple(acting_loads(trajectory.layout, motion, subject, reactions, most=every))
    loads = [
        *force_arrows(trajectory, bodies, pick, most=every),
        *reaction_arrows(trajectory, places, pick, LONGEST * extent(bodies), acting),
    ]
    mine = [load for load in loads if body in (load.body, load.back)]
    return mine, body in balanced(trajectory, places, pick, mine)


def write_animation(
    trajectory: "Trajectory",
    path: str | Path,
    *,
    trace: Sequence[str] = (),
    plots: Sequence[str] = (),
) -> Path:
    """Write what plays the trajectory, by the ending of `path`; returns it.

    `trace` names points whose paths are drawn, points of interest if omitted; `plots` are the
    quantities that a page plots beside the picture.
    .html is a page, .gif a picture, .mp4 and .webm are films, .glb is a scene of solids (glTF 2.0).
    """
    target = Path(path)
    refuse_unwritable(target, MOVING, "a moving picture")
    ending = target.suffix.lower()
    if ending in PAINTED:
        extra("PIL", "video", f"a {ending} file")
    if ending in CODECS:
        extra("imageio_ffmpeg", "video", f"a {ending} file")
    if len(trajectory) < FEWEST_FRAMES:
        raise ModelError(
            f"{trajectory.subject.name!r} has {len(trajectory)} sample to show, a moving"
            f" picture needs two: the sweep ended with {trajectory.outcome}"
        )
    scene = standing(trajectory, trace or points_of_interest(trajectory), plots)
    return replace_file(target, MAKERS[ending](scene))


def picture(trajectory: "Trajectory", *, index: int = 0, trace: tuple[str, ...] = ()) -> str:
    """One sample as SVG, with a few faint ones around it."""
    scene = standing(trajectory, trace)
    return scene_svg(scene, min(index, len(scene.times) - 1), _faint(scene))


def _faint(scene: Scene) -> tuple[int, ...]:
    """The samples that a still shows faintly: about eight."""
    n = len(scene.times)
    return tuple(range(0, n, max(1, n // 8)))


def points_of_interest(trajectory: "Trajectory") -> tuple[str, ...]:
    """A few points that no joint holds: those called P, else those that their bodies have one of.

    Own: where a body has several, they are corners of its outline rather than something to follow.
    """
    free = trajectory.subject.free_points
    called = [name for name in free if name.rpartition(".")[2] == "P"]
    if called:
        return tuple(called[:MOST_PATHS])
    bodies = [name.rpartition(".")[0] for name in free]
    lone = [name for name, body in zip(free, bodies, strict=True) if bodies.count(body) == 1]
    return tuple(lone[:MOST_PATHS])


def standing(trajectory: "Trajectory", trace: Sequence[str], plots: Sequence[str] = ()) -> Scene:
    """The scene with weights that point down."""
    pull = sum((np.array(w.pull) for w in trajectory.subject.weights), np.zeros(3))
    return upright(scene_of(trajectory, trace=trace, plots=plots), -pull)


def _picked(n: int) -> NDArray[np.intp]:
    if n <= MOST_FRAMES:
        return np.arange(n)
    return np.unique(np.linspace(0, n - 1, MOST_FRAMES).round().astype(np.intp))


def _bodies(trajectory: "Trajectory", pick: NDArray[np.intp]) -> list[DrawnBody]:
    plane, shapes = trajectory.subject.plane, trajectory.outlines
    q, at, bodies = trajectory.motion.q[pick], trajectory.subject.coordinates, []
    for k, body in enumerate(trajectory.subject.bodies):
        turn = q[:, at.turn_of(k)]
        placed = PoseSeries(q[:, at.place_of(k)], turn[:, 0] if plane else turn)
        shown = {p: place for p, place in body.points.items() if p not in ("start", "end")}
        bodies.append(DrawnBody(body.name, placed, shapes[body.name], shown, colour=k))
    if GROUND in shapes:  # curves that something runs on
        still = PoseSeries(np.zeros((len(pick), at.chart.n_linear)), np.zeros(len(pick)))
        bodies.append(DrawnBody(GROUND, still, shapes[GROUND]))
    return bodies


def _trace(trajectory: "Trajectory", name: str) -> Trace:
    trajectory.registry.point(name, "trace", unless=GROUND)  # refuses what has no path
    return Trace(*trajectory.subject.points[name], name)


def _limits_passed(trajectory: "Trajectory") -> list[Mark]:
    """Where a sweep leads a measure past a limit of a stop: a sweep is not held up by stops."""
    marks: list[Mark] = []
    with suppress(KempeError):  # a saved motion keeps no stops
        for stop in trajectory.layout.model.events:
            if isinstance(stop, Stop):
                values = np.asarray(trajectory[stop.gauge.name].values, dtype=float)
                for limit, word in ((stop.low, "low"), (stop.high, "high")):
                    times = [] if limit is None else _crossings(trajectory.t, values - limit)
                    marks += [Mark(t, f"{word} limit of {stop.name}") for t in times]
    return sorted(marks, key=lambda mark: mark.time)[:MOST_MARKED]


def _crossings(t: FloatArray, left: FloatArray) -> list[float]:
    """When something changes its sign, on a line between two samples."""
    k = np.flatnonzero(np.signbit(left[:-1]) != np.signbit(left[1:]))
    share = left[k] / (left[k] - left[k + 1])
    found: list[float] = (t[k] + share * (t[k + 1] - t[k])).tolist()
    return found


def _words(ending: str) -> str:
    """DeadPoint -> dead point."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", ending).lower()


def _marks(trajectory: "Trajectory") -> list[Mark]:
    first, last = float(trajectory.t[0]), float(trajectory.t[-1])  # one moment of a position
    marks = [
        Mark(p.t, f"{_words(p.ending)} passed") for p in trajectory.passes if first <= p.t <= last
    ]
    if not trajectory.motion.is_simulated:
        marks += _limits_passed(trajectory)
    told = [event for event in trajectory.events if first <= event.t <= last][:MOST_MARKED]
    marks += [Mark(event.t, f"{event.kind} {event.name}") for event in told]
    if not trajectory.outcome.is_done:
        marks.append(Mark(last, _words(trajectory.outcome.name)))
    return marks
