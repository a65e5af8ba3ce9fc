"""Motions: what an edge of the frame graph can be, from a fixed pose to a function of time."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from kempe.algebra import Expression, Graph, record_formula, tangent
from kempe.algebra.native import native_tape
from kempe.errors import BadNumber, EdgeFailed, KempeError
from kempe.frames.states.arrays import FloatArray, Parts, cross, orthonormalised, six
from kempe.frames.states.state import KinematicState, matrices, vectors
from kempe.geometry import Pose, Rotation
from kempe.geometry.rotations import exp_so3

STILL = np.zeros(3)
STILL.flags.writeable = False
UNTURNED = np.eye(3)
UNTURNED.flags.writeable = False


class AbstractMotion(ABC):
    """The state of a child frame seen from its parent, as a function of time."""

    @abstractmethod
    def parts(self, t: FloatArray) -> Parts:
        """The parts of the state at the times t: () gives (3,), (n,) gives (n, 3) or (3,)."""


@final
@dataclass(frozen=True, slots=True, eq=False, init=False)
class Rigid(AbstractMotion):
    """A pose that never changes."""

    position: FloatArray
    rotation: FloatArray

    def __init__(
        self, position: ArrayLike = (0.0, 0.0, 0.0), rotation: ArrayLike | Rotation | None = None
    ) -> None:
        p, R = vectors("position", position), UNTURNED
        if rotation is not None:
            R, _ = orthonormalised(matrices(rotation))
            R.flags.writeable = False
        if p.ndim != 1 or R.ndim != 2:
            raise BadNumber("a rigid edge has one pose: give samples as a Sampled motion.")
        p.flags.writeable = False
        object.__setattr__(self, "position", p)
        object.__setattr__(self, "rotation", R)

    def parts(self, t: FloatArray) -> Parts:
        return self.position, self.rotation, STILL, STILL, STILL, STILL


def placed(position: FloatArray) -> Rigid:
    """A pose without a turn, of an array of its own that is known to be sound."""
    position.flags.writeable = False
    rigid = object.__new__(Rigid)
    object.__setattr__(rigid, "position", position)
    object.__setattr__(rigid, "rotation", UNTURNED)
    return rigid


@final
@dataclass(frozen=True, slots=True, eq=False)
class Given(AbstractMotion):
    """A state given for one instant, velocities included: the same whatever the time."""

    state: KinematicState

    def parts(self, t: FloatArray) -> Parts:
        return self.state.resolved().parts


@final
@dataclass(frozen=True, slots=True, eq=False, init=False)
class Uniform(AbstractMotion):
    """A frame that drifts and turns evenly from where it is at t = 0.

    p = p0 + v t,  R = exp(skew(w t)) R0
    """

    start: Rigid
    velocity: FloatArray
    angular_velocity: FloatArray

    def __init__(
        self,
        start: Rigid,
        *,
        velocity: ArrayLike = (0.0, 0.0, 0.0),
        angular_velocity: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        state = KinematicState("", "", velocity=velocity, angular_velocity=angular_velocity)
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "velocity", state.velocity)
        object.__setattr__(self, "angular_velocity", state.angular_velocity)

    def parts(self, t: FloatArray) -> Parts:
        time = np.asarray(t)[..., None]
        with np.errstate(all="ignore"):  # what has gone too far is refused by its edge
            p = self.start.position + self.velocity * time
            R = exp_so3(self.angular_velocity * time) @ self.start.rotation
        if p.ndim == 1:
            return p, R, self.velocity, self.angular_velocity, STILL, STILL
        v, w = (np.broadcast_to(x, p.shape) for x in (self.velocity, self.angular_velocity))
        still = np.zeros(p.shape)
        return p, R, v, w, still, still


@final
@dataclass(frozen=True, slots=True, eq=False)
class ByFunction(AbstractMotion):
    """Any function of time that gives a state; its frame names do not matter.

    It is called with a float, or where `vectorised` with an array of times.
    """

    function: Callable[[Any], KinematicState]
    vectorised: bool = False

    def parts(self, t: FloatArray) -> Parts:
        if np.ndim(t) == 0:
            return self._call(float(t)).parts
        if self.vectorised:
            return self._call(t).parts
        rows = [self._call(float(x)).parts for x in t]
        return six(np.stack(part) for part in zip(*rows, strict=True))

    def _call(self, t: float | FloatArray) -> KinematicState:
        try:
            state = self.function(t)
        except KempeError:
            raise
        except Exception as mistake:
            when = f"{t:g}" if isinstance(t, float) else f"{t.min():g} ... {t.max():g}"
            raise EdgeFailed(
                f"the function raised {type(mistake).__name__} at t = {when} s: {mistake}", t=when
            ) from mistake
        if not isinstance(state, KinematicState):
            raise EdgeFailed(
                f"the function must give a KinematicState, it gave {type(state).__name__}. For a"
                " Pose written as a formula of t, use ByFormula."
            )
        return state.resolved()


def motion_of(
    given: "AbstractMotion | KinematicState | Pose | Callable[[Any], KinematicState] | None",
) -> AbstractMotion:
    """What people give for an edge, as a motion: nothing is no displacement at all."""
    if given is None:
        return Rigid()
    if isinstance(given, AbstractMotion):
        return given
    if isinstance(given, Pose):
        return Rigid(np.array(given.position, dtype=np.float64), given.rotation)
    if isinstance(given, KinematicState):
        if given.position.ndim != 1:
            raise BadNumber("an edge of many instants needs their times: give a Sampled motion.")
        s = given.resolved()
        is_still = not any(x.any() for x in s.parts[2:])
        return Rigid(s.position, s.rotation) if is_still else Given(s)
    if callable(given):
        return ByFunction(given)
    raise BadNumber(
        f"an edge is a Pose, a KinematicState, a motion or a function of t, not a"
        f" {type(given).__name__}."
    )


def rates_from_matrices(
    R: FloatArray, dR: FloatArray, ddR: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Angular velocity and acceleration in the parent's axes, from R and its derivatives.

    With the columns e_k of R:  w = sum e_k x e_k' / 2,  alpha = sum e_k x e_k'' / 2
    """
    columns = [R[..., k] for k in range(3)]
    w = sum((cross(e, dR[..., k]) for k, e in enumerate(columns)), np.zeros(3))
    alpha = sum((cross(e, ddR[..., k]) for k, e in enumerate(columns)), np.zeros(3))
    return 0.5 * np.asarray(w), 0.5 * np.asarray(alpha)


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
