"""Whether a balance lasts: the stiffness along the freedoms that the rows leave.

K_r = N^T K N,   K = -d(f - J^T lam)/dq

All eigenvalues positive: stable. One negative: unstable, along its eigenvector. One that is zero to
rounding: marginal, the second order does not tell. Where forces follow the motion K_r is not
symmetric, and its eigenvalues, with the masses where there are any, must be real too: else flutter.

Source: [Ziegler] chapter 2 for follower forces; Lagrange and Dirichlet for those with a potential.
"""

from dataclasses import dataclass
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray

from kempe.statics.system import Balance, StaticSystem

FloatArray = NDArray[np.float64]
Verdict = Literal["stable", "unstable", "marginal"]

# Of the largest eigenvalue, or of the largest push: below it a stiffness counts as zero.
MARGINAL = 1e-9
SYMMETRIC = 1e-8  # of the largest entry: more is no rounding


@final
@dataclass(frozen=True, slots=True, eq=False)
class Stability:
    """The verdict on a balance, its stiffnesses, lowest first, and the directions they belong to.

    Stiffnesses are in J, for a displacement of one machine's size or one radian.
    """

    verdict: Verdict
    stiffness: FloatArray  # (m,)
    directions: FloatArray  # (n_v, m), in sizes of the machine and rad
    is_conservative: bool  # to first order: K_r is symmetric
    flutters: bool = False

    @property
    def zero(self) -> NDArray[np.bool_]:
        """Which of the stiffnesses count as zero."""
        return np.asarray(np.abs(self.stiffness) <= self.floor)

    floor: float = 0.0  # J

    @property
    def leads_away(self) -> bool:
        """Whether there is a direction to roll down: an oscillation that grows has none."""
        goes = self.verdict == "unstable" and not self.flutters
        return goes and float(self.stiffness[0]) < -self.floor


def stability(system: StaticSystem, here: Balance) -> Stability:
    """The verdict on a balance."""
    N = here.N
    if not N.shape[1]:
        return Stability("stable", np.zeros(0), np.zeros((len(N), 0)), True)
    K = N.T @ system.stiffness(here) @ N
    size = float(np.abs(K).max(initial=0.0))
    scale = max(size, here.scale)
    is_conservative = bool(np.abs(K - K.T).max(initial=0.0) <= SYMMETRIC * scale)
    values, vectors = np.linalg.eigh(0.5 * (K + K.T))
    floor = MARGINAL * max(float(np.abs(values).max(initial=0.0)), here.scale)
    flutters = False
    lowest = float(values[0])
    if not is_conservative:
        lowest, flutters = _of_followers(system, N, K)
    verdict: Verdict = "stable" if lowest > floor else "marginal"
    if lowest < -floor or flutters:
        verdict = "unstable"
    return Stability(verdict, values, N @ vectors, is_conservative, flutters, floor)


def _of_followers(system: StaticSystem, N: FloatArray, K: FloatArray) -> tuple[float, bool]:
    """The lowest real eigenvalue of a stiffness that is not symmetric, and whether some are not
    real: by masses where they are all there.
    """
    M = N.T @ scaled_mass(system) @ N
    try:
        root = np.linalg.cholesky(M)
        weighed = np.linalg.solve(root, np.linalg.solve(root, K.T).T)
    except np.linalg.LinAlgError:
        weighed = K
    values = np.linalg.eigvals(weighed)
    size = float(np.abs(values).max(initial=0.0))
    flutters = bool(np.abs(values.imag).max(initial=0.0) > 1e-6 * size)
    shape = float(np.abs(K).max(initial=0.0)) / max(size, 1e-300)
    return float(values.real.min()) * shape, flutters


def scaled_mass(system: StaticSystem, states: FloatArray | None = None) -> FloatArray:
    """c M c (n_v, n_v), M of the centres of mass, with the `states` of forces or the first."""
    return np.asarray(system.units[:, None] * system.equations.mass_matrix(states) * system.units)
