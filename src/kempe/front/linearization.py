"""A mechanism for small motions, with its modes as motions to draw and to animate."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.equations import equations_of
from kempe.errors import BadNumber, UnknownName, printable
from kempe.front.position import Position
from kempe.front.trajectory import Trajectory
from kempe.geometry.number import finite
from kempe.kinematics.closing.closing import close
from kempe.notebook import text_html
from kempe.outcome import DONE
from kempe.results import Motion
from kempe.results.reports.linearization import AbstractLinearModel, LinearModel, Mode

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FloatArray = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]

TURN = 2.0 * np.pi
LARGEST = 1.0  # sizes of the machine, or rad: a mode drawn larger is no small motion
STEPS, MOST_STEPS = 48, 100_000


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Linearization(AbstractLinearModel):
    """A mechanism for small motions z about one state: M z'' + C z' + K z = F u.

    `frequencies` (Hz), `damping` (ratios) and `modes` are what it does by itself; x' = A x + B u
    with x = (z, z') is the same for controllers; `response` is how it answers; `state` is what it
    was linearised about. Print it for the modes in words.
    """

    state: Position = field(kw_only=True)

    @classmethod
    def about(cls, state: Position, linear: LinearModel) -> "Linearization":
        """What was found of small motions, `linear`, and the `state` they are about."""
        found = {one.name: getattr(linear, one.name) for one in fields(linear)}
        return cls(**found, state=state)

    def mode(self, number: int) -> Mode:
        """The mode `number`, 1 for the slowest."""
        given: Any = number
        if isinstance(given, bool) or given not in range(1, len(self.modes) + 1):
            raise UnknownName(
                f"there is no mode {number!r}: there are {len(self.modes)}, counted from 1."
            )
        return self.modes[int(number) - 1]

    def motion(self, number: int = 1, *, amplitude: float = 0.2, steps: int = STEPS) -> Trajectory:
        """One swing of mode `number` as a trajectory of `steps` steps, joints closed.

        `amplitude` is in sizes of the machine, or rad. Damping is left out, so that it can be
        played over and over. A mode that does not swing goes there and back in one second.
        """
        mode, size = self.mode(number), finite(amplitude, "the amplitude")
        if not 0.0 < abs(size) <= LARGEST:
            raise BadNumber(
                f"the amplitude of a mode lies between 0 and {LARGEST:g}, it is {size:g}."
            )
        if isinstance(steps, bool) or steps not in range(2, MOST_STEPS + 1):
            raise BadNumber(f"`steps` of a mode is a whole number from 2 on, not {steps!r}.")
        swings = mode.eigenvalue.imag > 0.0
        rate = mode.eigenvalue.imag if swings else TURN
        phase = np.linspace(0.0, TURN, steps + 1)
        turning = size * np.exp(1j * phase)[:, None] * mode.shape
        q = self._places(turning.real)
        v, a = -rate * turning.imag, -(rate**2) * turning.real
        motion = Motion(phase / rate, q, v, a, DONE, angles=self.state.angles)
        return Trajectory(self.state.trajectory.layout, motion)

    def _places(self, d: FloatArray) -> FloatArray:
        """Coordinates after displacements d (n, n_v) of the state, its drives let go."""
        layout = self.state.trajectory.layout
        bare = Layout(replace(layout.model, drives=()))
        equations = equations_of(bare)
        start = self.state.q[: bare.n_q]
        moved = [equations.program.retract(start, row) for row in d]
        if not len(equations.program.shape.rows):
            return np.array(moved)
        closed = [close(equations, q, self.state.t) for q in moved]
        return np.array([c.q if c.is_closed else q for c, q in zip(closed, moved, strict=True)])

    def animate(self, path: str | Path, number: int = 1, *, amplitude: float = 0.2) -> Path:
        """Write what plays mode `number` to `path`: .html, .gif, .mp4, .webm or .glb.

        `amplitude` is in sizes of the machine, or rad.
        """
        return self.motion(number, amplitude=amplitude).animate(path)

    def svg(self, number: int = 1) -> str:
        """A picture of mode `number`: arrows at points, axes that are turned about."""
        from kempe.front.pictures import motion_picture

        return motion_picture(self.state.trajectory, self.mode(number).motion)

    def plot(self) -> "Figure":
        """A figure of all modes: eigenvalues in the complex plane, and frequencies with damping."""
        from kempe.export.linear_plots import modes_figure

        return modes_figure(self)

    def plot_response(
        self,
        output: str | None = None,
        input: str | None = None,
        *,
        frequencies: Sequence[float] | FloatArray | None = None,
    ) -> "Figure":
        """A figure of how `output` answers `input`, size and phase over frequency: Bode's plot.

        `frequencies` are in Hz; around all modes if omitted.
        """
        from kempe.export.linear_plots import response_figure

        return response_figure(self, output, input, frequencies)

    def columns(self) -> dict[str, FloatArray]:
        """A table of the modes: frequency and damped frequency in Hz, damping ratio, eigenvalue."""
        s = np.array([mode.eigenvalue for mode in self.modes], dtype=np.complex128)
        return {
            "mode": np.arange(1.0, len(s) + 1.0),
            "frequency": self.frequencies,
            "damped_frequency": np.array([mode.damped_frequency for mode in self.modes]),
            "damping": self.damping,
            "real": s.real.copy(),
            "imaginary": s.imag.copy(),
        }

    def __str__(self) -> str:
        return f"{printable(self.state.trajectory.subject.name)}: {self.report}"

    def _repr_html_(self) -> str:
        """What a notebook shows: its freedoms and modes in words."""
        return text_html(str(self))

    def __repr__(self) -> str:
        return (
            f"Linearization of {self.state.trajectory.subject.name!r}: {len(self.names)} freedoms,"
            f" {len(self.modes)} modes"
        )
