"""Motions written as a formula of time: the pose is given, its rates are derived exactly."""

from collections.abc import Callable
from typing import Any, final

import numpy as np

from kempe.algebra import Expression, Graph, record_formula, tangent
from kempe.algebra.native import native_tape
from kempe.errors import BadNumber, EdgeFailed, KempeError
from kempe.frames.motions.motion import AbstractMotion, rates_from_matrices
from kempe.frames.states.arrays import FloatArray
from kempe.frames.states.composition import Parts
from kempe.geometry import Pose


@final
class ByFormula(AbstractMotion):
    """A pose as a formula of t, traced once; velocities and accelerations are its derivatives.

    Use the functions of kempe (`kempe.sin`, `kempe.smooth_step`, ...) on t.

    Examples:
        >>> import kempe as kp
        >>> from kempe.frames import ByFormula, FrameGraph
        >>> swing = ByFormula(
        ...     lambda t: kp.Pose(kp.Vector(0, 0, 2), kp.Rotation.planar(0.5 * kp.sin(t)))
        ... )
        >>> crane = FrameGraph("ground")
        >>> crane.add("boom", "ground", swing)
        >>> crane.state("boom", "ground", t=0.0).angular_velocity.tolist()
        [0.0, 0.0, 0.5]
    """

    def __init__(self, formula: Callable[[Any], Pose]) -> None:
        graph = Graph()
        t = Expression(graph, graph.input("t"))
        try:
            pose = formula(t)
        except KempeError:
            raise
        except Exception as mistake:
            raise EdgeFailed(
                f"the formula raised {type(mistake).__name__}: {mistake}. Use the functions of"
                " kempe on t, such as kempe.sin."
            ) from mistake
        if not isinstance(pose, Pose):
            raise EdgeFailed(f"the formula must give a Pose, it gave {type(pose).__name__}.")
        zero = Expression(graph, graph.constant(0.0))
        R = pose.rotation
        values = [zero + e for e in (*pose.position, *R.x, *R.y, *R.z)]
        one = {t.node: Expression(graph, graph.constant(1.0))}
        rates = tangent(values, one)
        seconds = tangent(rates, one)
        tape = record_formula([t], [*values, *rates, *seconds])
        self._outputs = tape.outputs
        self._recorded = tape
        self._tape = native_tape(tape)

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: the recorded formula; the native tape is made anew."""
        return {name: value for name, value in self.__dict__.items() if name != "_tape"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._tape = native_tape(self._recorded)

    def parts(self, t: FloatArray) -> Parts:
        times = np.ascontiguousarray(np.reshape(t, (-1, 1)), dtype=np.float64)
        if not np.isfinite(times).all():
            raise BadNumber("times must be finite.")
        found = self._tape.evaluate_lanes(times, self._outputs).reshape(*np.shape(t), 3, 4, 3)
        if not np.isfinite(found).all():
            bad = times[~np.isfinite(found.reshape(len(times), -1)).all(axis=1), 0]
            raise EdgeFailed(f"the formula has no finite value at t = {bad[0]:g} s.", t=bad[0])
        p, v, a = (found[..., k, 0, :] for k in range(3))
        R, dR, ddR = (found[..., k, 1:, :].swapaxes(-1, -2) for k in range(3))
        with np.errstate(all="ignore"):  # what turns too fast is refused by its edge
            w, alpha = rates_from_matrices(R, dR, ddR)
        return p, R, v, w, a, alpha
