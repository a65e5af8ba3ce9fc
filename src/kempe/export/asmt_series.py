"""A motion as an ASMT file: the mechanism, and the time series of its bodies."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kempe.errors import ModelError
from kempe.foreign.asmt.results import BodySeries, Results, bryant_angles
from kempe.foreign.asmt.writing import asmt_text
from kempe.geometry import Rotation

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

FloatArray = NDArray[np.float64]


def asmt_bytes(trajectory: "Trajectory") -> bytes:
    """The file's content; ModelError where a quantity is not finite, as at a dead point.

    What the format has no place for is left out of the mechanism; `kempe convert` lists it.
    """
    model = trajectory.layout.model
    bodies = {body.name: _series(trajectory, body.name) for body in model.moving}
    results = Results(np.asarray(trajectory.t), bodies)
    text, _ = asmt_text(model, trajectory.state(0).poses, {}, results=results)
    return text.encode()


def _series(trajectory: "Trajectory", body: str) -> BodySeries:
    """Origin and turn of a body in world axes, with their rates."""
    point = trajectory[body]
    given = [np.asarray(rows) for rows in (point.position, point.velocity, point.acceleration)]
    if trajectory.subject.plane:
        angle = trajectory[f"{body}.angle"]
        position, velocity, acceleration = (_lifted(rows, (0, 1)) for rows in given)
        bryant, spin, spinning = (
            _lifted(np.asarray(rows)[:, None], (2,))
            for rows in (angle.values, angle.rate, angle.acceleration)
        )
    else:
        position, velocity, acceleration = given
        quaternions = np.asarray(trajectory[f"{body}.orientation"].values)
        turns = [Rotation.from_quaternion(q.tolist()).matrix() for q in quaternions]
        bryant = bryant_angles(np.array(turns, dtype=np.float64))
        spin = np.asarray(trajectory[f"{body}.angular_velocity"].values)
        spinning = np.asarray(trajectory[f"{body}.angular_acceleration"].values)
    series = BodySeries(position, bryant, velocity, spin, acceleration, spinning)
    if not all(np.isfinite(rows).all() for rows in (*given, spin, spinning)):
        raise ModelError(f"{body!r} has a rate that is not finite, which an .asmt file cannot hold")
    return series


def _lifted(rows: FloatArray, columns: tuple[int, ...]) -> FloatArray:
    """Values of the plane in the columns of a vector of space."""
    found = np.zeros((len(rows), 3))
    found[:, columns] = rows
    return found
