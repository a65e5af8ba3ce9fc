"""Forces on a picture: symbols between places, and arrows as long as what acts there."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kempe.draw import Body, Frame, JointSymbol, Load
from kempe.geometry import GROUND
from kempe.results.subject import SubjectFrame, Triple

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

FloatArray = NDArray[np.float64]
Picked = NDArray[np.intp]

LONGEST = 0.12  # of the picture's extent: the arrow of the largest load
LOOKS = 24  # samples at which the extent is measured
MOST_WEIGHTS = 12  # bodies whose weights are drawn: more arrows than that say little
ARROW = "arrow"
Acting = tuple[str, FloatArray, FloatArray]  # what acts, where, and how much


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


def force_arrows(trajectory: "Trajectory", bodies: Sequence[Body], pick: Picked) -> list[Load]:
    """Applied loads and weights as arrows, forces on one scale and torques on another.

    `bodies` are those of the picture.
    """
    subject, n = trajectory.subject, len(pick)
    motions = {body.name: body.motion for body in bodies}

    def places(body: str, point: Triple) -> FloatArray:
        if body == GROUND:
            return np.tile(point, (n, 1))
        return motions[body].carried(np.array([point]))[:, 0]

    acting: dict[str, list[Acting]] = {"force": [], "torque": []}
    for force in subject.forces:
        for word in acting if force.symbol == ARROW else ():
            name = f"{force.name}.{word}"
            if name in trajectory:
                given = _spatial(trajectory[name].values[pick], word)
                acting[word].append((force.name, places(force.J.body, force.J.position), given))
    has_weights = trajectory.motion.is_simulated and len(subject.weights) <= MOST_WEIGHTS
    for weight in subject.weights if has_weights else ():
        pull = np.tile(weight.pull, (n, 1))
        name = f"weight of {weight.body}"
        acting["force"].append((name, places(weight.body, weight.position), pull))
    longest = LONGEST * extent(bodies) if any(acting.values()) else 1.0
    return [arrow for word, given in acting.items() for arrow in _scaled(given, longest, word)]


def _scaled(acting: Sequence[Acting], longest: float, word: str) -> list[Load]:
    """Arrows of forces, or of torques, the largest of which ever is as long as that (m)."""
    sizes = [float(np.linalg.norm(given, axis=1).max(initial=0.0)) for _, _, given in acting]
    largest = max(sizes, default=0.0)
    if not largest > 0.0:
        return []
    newtons, is_torque = largest / longest, word == "torque"
    return [
        Load(name, at, given / newtons, newtons, is_torque)
        for (name, at, given), size in zip(acting, sizes, strict=True)
        if size > 0.0
    ]


def extent(bodies: Sequence[Body]) -> float:
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
