"""Forces on a picture: symbols between places, and arrows as long as what acts there."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from kempe.draw import Frame, JointSymbol, Load, Motion
from kempe.front.trajectory import Trajectory
from kempe.geometry import GROUND
from kempe.results.subject import SubjectFrame, Triple

FloatArray = NDArray[np.float64]
Picked = NDArray[np.intp]

LONGEST = 0.3  # of the machine's size: the arrow of the largest load
MOST_WEIGHTS = 12  # bodies whose weights are drawn: more arrows than that say little
ARROW = "arrow"


def drawn_frame(frame: SubjectFrame) -> Frame:
    """A frame of the mechanism as a picture takes it."""
    body = None if frame.body == GROUND else frame.body
    return Frame(body, frame.position, np.array(frame.axes).T)


def force_symbols(trajectory: Trajectory) -> list[JointSymbol]:
    """Springs, dampers, spirals, cylinders and the like."""
    return [
        JointSymbol(f.name, f.symbol, drawn_frame(f.I), drawn_frame(f.J))
        for f in trajectory.subject.forces
        if f.symbol != ARROW
    ]


def force_arrows(trajectory: Trajectory, motions: Mapping[str, Motion], pick: Picked) -> list[Load]:
    """Applied loads and weights as arrows, all on one scale; `motions` are the bodies'."""
    subject, n = trajectory.subject, len(pick)

    def places(body: str, point: Triple) -> FloatArray:
        if body == GROUND:
            return np.tile(point, (n, 1))
        return motions[body].carried(np.array([point]))[:, 0]

    acting: list[tuple[str, FloatArray, FloatArray]] = []
    for force in subject.forces:
        name = f"{force.name}.force"
        if force.symbol == ARROW and name in trajectory:
            given = _spatial(trajectory[name].values[pick])
            acting.append((force.name, places(force.J.body, force.J.position), given))
    has_weights = trajectory.motion.is_simulated and len(subject.weights) <= MOST_WEIGHTS
    for weight in subject.weights if has_weights else ():
        pull = np.tile(weight.pull, (n, 1))
        acting.append((f"weight of {weight.body}", places(weight.body, weight.position), pull))
    sizes = [float(np.linalg.norm(force, axis=1).max(initial=0.0)) for _, _, force in acting]
    largest = max(sizes, default=0.0)
    if not largest > 0.0:
        return []
    newtons = largest / (LONGEST * subject.size)
    return [Load(name, at, force / newtons, newtons) for name, at, force in acting]


def _spatial(forces: FloatArray) -> FloatArray:
    """Forces of the plane with a third component."""
    if forces.shape[1] == 3:
        return forces
    return np.column_stack([forces, np.zeros(len(forces))])
