"""A mechanism for small motions about one state: matrices, modes, frequency response."""

from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber, UnknownName, nearest_name
from kempe.results.reports.free_motion import FreeMotion

FloatArray = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]

TURN = 2.0 * np.pi
STEADY = 1e-9  # of the fastest eigenvalue: slower is rounding of zero


@final
@dataclass(frozen=True, slots=True, eq=False)
class Mode:
    """One way in which a mechanism swings, or creeps, by itself: d(t) = Re(shape e^(s t)).

    `shape` are displacements of the bodies' origins along their velocities, m in world and rad in
    body axes, complex where damping or gyroscopic forces put bodies out of step; the largest is one
    size of the machine, or one radian.
    """

    eigenvalue: complex  # s, 1/s; of a pair that with the positive imaginary part
    shape: ComplexArray  # (n_v,)
    coordinates: ComplexArray  # (m,), the same in the independent coordinates
    motion: FreeMotion  # where it is largest, body by body

    @property
    def frequency(self) -> float:
        """|s| / 2 pi, Hz: without damping the one it swings at."""
        return abs(self.eigenvalue) / TURN

    @property
    def damped_frequency(self) -> float:
        """Im s / 2 pi, Hz: the one it does swing at; 0 where it only creeps."""
        return self.eigenvalue.imag / TURN

    @property
    def damping(self) -> float:
        """The damping ratio -Re s / |s|: 0 undamped, 1 creeps, below 0 it grows."""
        size = abs(self.eigenvalue)
        return -self.eigenvalue.real / size if size > 0.0 else 0.0

    @property
    def is_rigid(self) -> bool:
        """Whether nothing brings it back and nothing drives it away."""
        return self.eigenvalue == 0.0

    @property
    def is_unstable(self) -> bool:
        """Whether it grows."""
        return self.eigenvalue.real > 0.0

    def __str__(self) -> str:
        who = ", ".join(self.motion.bodies[:4]) + ("..." if len(self.motion.bodies) > 4 else "")
        if self.is_rigid:
            return f"0 Hz: nothing brings it back ({who})"
        if self.eigenvalue.imag == 0.0:
            what = "grows" if self.is_unstable else "fades"
            return f"{what} by e in {1.0 / abs(self.eigenvalue.real):.4g} s ({who})"
        damped = f", damping ratio {self.damping:.4g}" if self.damping else ""
        grows = ", grows" if self.is_unstable else ""
        return f"{self.frequency:.6g} Hz{damped}{grows} ({who})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AbstractLinearModel(ABC):
    """A mechanism for small motions z of independent coordinates about one state.

    M z'' + C z' + K z = F u,   x = (z, z', s),   x' = A x + B u,   y = G x

    u are efforts along the measures `inputs` (N or N m), beyond those that act at the state; y are
    changes of the measures `outputs`. s are the `states` of forces, such as the integral of a
    controller; most mechanisms have none. The state may move: then A is that of the moment.

    Where joints hold velocities alone, as wheels do, there are fewer independent `speeds` u than
    coordinates: x = (z, u), M u' + C u + K z = F u, in a frame that moves along with a steady
    motion. `residual` then is what is not steady of its accelerations.
    """

    names: tuple[str, ...]  # (m,) of the independent coordinates
    M: FloatArray  # (m, m), the mass matrix
    C: FloatArray  # (m, m), the damping matrix, gyroscopic terms included
    K: FloatArray  # (m, m), the stiffness matrix
    A: FloatArray  # (2 m, 2 m), of x' = A x + B u
    B: FloatArray  # (2 m, inputs)
    G: FloatArray  # (outputs, 2 m), of y = G x
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    modes: tuple[Mode, ...]  # the slowest first
    residual: float  # of the largest acceleration-making load: 0 at an equilibrium
    notes: tuple[str, ...] = ()
    states: tuple[str, ...] = ()  # (k,) of forces, in A, B and G after z and z'
    speeds: tuple[str, ...] = ()  # of the independent speeds, where joints hold velocities alone

    @property
    def frequencies(self) -> FloatArray:
        """|s| / 2 pi of all modes, Hz, the slowest first."""
        return np.array([mode.frequency for mode in self.modes])

    @property
    def damping(self) -> FloatArray:
        """Damping ratios of all modes; below 0 a mode grows."""
        return np.array([mode.damping for mode in self.modes])

    @property
    def eigenvalues(self) -> ComplexArray:
        """All of A's, 1/s, (2 m,); with states of forces (2 m + k,), the slowest first."""
        if self.states:
            values = np.linalg.eigvals(self.A)
            return values[np.lexsort((values.imag, np.abs(values)))].astype(np.complex128)
        found: list[complex] = []
        for s in (mode.eigenvalue for mode in self.modes if not mode.is_rigid):
            found += [s, s.conjugate()] if s.imag != 0.0 else [s]
        return np.array([0.0j] * (len(self.A) - len(found)) + found)

    @property
    def is_stable(self) -> bool | None:
        """Whether all modes fade or swing on; None where one neither comes back nor goes."""
        values = self.eigenvalues
        if self.states:  # some of which may move nothing
            zero = np.abs(values) <= STEADY * np.abs(values).max(initial=0.0)
            if (values.real[~zero] > 0.0).any():
                return False
            return None if zero.any() else True
        if any(mode.is_unstable for mode in self.modes):
            return False
        return None if any(mode.is_rigid for mode in self.modes) else True

    def response(
        self,
        frequencies: Sequence[float] | FloatArray,
        output: str | None = None,
        input: str | None = None,
    ) -> ComplexArray:
        """How `output` answers `input` at `frequencies` (n,), Hz: G (i 2 pi f - A)^-1 B, complex.

        Its size is the amplitude of the output (m or rad) for an effort of amplitude 1 (N or N m),
        its angle the phase. With one input or one output its name may be left out. A BadNumber
        where a frequency is that of an undamped mode, at which the answer has no bound.
        """
        row = self._place(output, self.outputs, "output")
        column = self._place(input, self.inputs, "input")
        given = np.asarray(frequencies, dtype=np.float64).reshape(-1)
        if not np.isfinite(given).all():
            raise BadNumber("the frequencies of a response are finite numbers, in Hz.")
        answers = np.zeros(len(given), dtype=np.complex128)
        unit = np.eye(len(self.A))
        for k, f in enumerate(given):
            try:
                x = np.linalg.solve(TURN * 1j * f * unit - self.A, self.B[:, column])
            except np.linalg.LinAlgError:
                x = np.full(len(self.A), np.inf, dtype=np.complex128)
            answers[k] = self.G[row] @ x
        if not np.isfinite(answers).all():
            bad = given[~np.isfinite(answers)][0]
            raise BadNumber(
                f"at {bad:.6g} Hz an undamped mode answers without bound: ask for a frequency"
                " beside it, or add a damper."
            )
        return answers

    def _place(self, name: str | None, names: tuple[str, ...], what: str) -> int:
        if not names:
            raise UnknownName(
                f"this linearisation has no {what}s: name some, linearize(inputs=(...),"
                " outputs=(...))."
            )
        if name is None and len(names) == 1:
            return 0
        if name not in names:
            near = nearest_name(str(name), names) if name is not None else ""
            said = f"there is no {what} {name!r}" if name is not None else f"which {what}"
            raise UnknownName(f"{said}: there are {', '.join(names)}.{near}")
        return names.index(name)

    @property
    def report(self) -> str:
        """How many freedoms there are, and the modes, in words."""
        lines = [f"{len(self.names)} freedom{'s' * (len(self.names) != 1)}"]
        lines += [f"mode {k}: {mode}" for k, mode in enumerate(self.modes, start=1)]
        lines += [f"Note: {note}." for note in self.notes]
        return "\n".join(lines)


@final
@dataclass(frozen=True, slots=True, eq=False)
class LinearModel(AbstractLinearModel):
    """A mechanism for small motions about one state: the numbers alone."""
