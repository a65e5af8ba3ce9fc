"""A variant as a mechanism that starts where a batch had it start.

A model without first guesses may be put together in another way when it is asked alone: its bodies
are then given the poses of the batch to start with.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from kempe.errors import KempeError
from kempe.front.requests.sweep import Over
from kempe.front.trajectory import Trajectory
from kempe.geometry import Pose, Rotation, Vector

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism

Span = tuple[float | str | None, int, Over | None]  # until, steps, over

SAME: Final = 1e-6  # m, as shares of the machine's size, or rad: two starts as near are one


def on_branch(mechanism: "Mechanism", values: Mapping[str, float], span: Span) -> "Mechanism":
    """The variant with these parameters, on the branch on which batches of `mechanism` move it."""
    found = mechanism.with_parameters(values)
    model = found.model
    turn = "angle" if model.plane else "orientation"
    names = [name for body in model.moving for name in (body.name, f"{body.name}.{turn}")]
    until, _, over = span
    columns = {name: np.array([x]) for name, x in values.items()}
    led = mechanism.batch(columns, until, 1, over=over, outputs=names)
    first: dict[str, Any] = {name: led[name].values[0, 0] for name in names}
    if not all(np.isfinite(x).all() for x in first.values()):
        return found
    size = found.layout.size
    try:
        alone = found.kinematics(until, 1, over=over)
        if all(_is_there(alone, body.name, turn, first, size) for body in model.moving):
            return found
    except KempeError:
        pass
    poses = {b.name: _pose(first[b.name], first[f"{b.name}.{turn}"]) for b in model.moving}
    return found.starting_at(poses)


def _is_there(
    alone: Trajectory, body: str, turn: str, first: Mapping[str, Any], size: float
) -> bool:
    """Whether a body of a sweep starts where it should."""
    if np.abs(alone[body].position[0] - first[body]).max() > SAME * size:
        return False
    one, other = alone[f"{body}.{turn}"].values[0], first[f"{body}.{turn}"]
    if turn == "angle":
        return bool(abs(np.sin(0.5 * (one - other))) <= SAME)
    return bool(abs(abs(np.dot(one, other)) - 1.0) <= SAME)


def _pose(place: Any, turn: Any) -> Pose:
    if np.ndim(turn) == 0:
        at = Vector(float(place[0]), float(place[1]), 0.0)
        return Pose(at, Rotation.planar(float(turn)))
    from scipy.spatial.transform import Rotation as Quaternion

    matrix = Quaternion.from_quat(np.roll(turn, -1)).as_matrix()  # scalar last
    return Pose(Vector(*(float(x) for x in place)), Rotation.from_matrix(matrix))
