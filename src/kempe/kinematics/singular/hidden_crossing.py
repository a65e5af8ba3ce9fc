"""Crossings of branches that the signs of determinants do not show.

Where joints repeat each other, some of their rows are solved and the others only watched. Where the
branches of such a loop cross, the choice of rows may become worthless at the same moment: the
determinant then touches zero without changing its sign. So the singular values of all rows are
followed through the places where the determinant is smallest.
"""

from dataclasses import replace

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from kempe.algebra.native import native_tape
from kempe.compile.small.kinematic_tape import KinematicTape
from kempe.equations import Equations
from kempe.kinematics.singular.singular_point import Neighbourhood
from kempe.kinematics.stepping.ending import Refusal, SweepEnd
from kempe.kinematics.stepping.stretch import Samples, swept
from kempe.kinematics.stepping.sweep_start import Prepared
from kempe.results.state import State

FloatArray = NDArray[np.float64]

SPACING = 0.05  # rad, and share of the machine's size, between looks at the determinant
# A determinant that touches zero falls below this share of what it is a few looks away.
FALLS = 0.1
WINDOW = 8  # looks
ENOUGH = 400  # samples that are looked through, where those are close enough
BEFORE = 3  # looks before the lowest from which on singular values are followed
FINE = 0.01  # the way between two places whose singular values are compared
HALVINGS = 20  # by which a crossing is closed in on
ZERO = 1e-7  # a singular value this small beside the largest has arrived there
# Singular values that a step may bring to zero: those up to so many times the change of J.
WITHIN = 2.0


def hidden_crossing(
    prepared: Prepared,
    start: State,
    laws: FloatArray,
    samples: Samples,
    end: SweepEnd,
) -> SweepEnd | None:
    """The end as it would be had the stretch ended at its first hidden crossing, if any.

    `start` is where the stretch began.
    """
    n = end.samples
    if n < 2 or not isinstance(prepared.equations.program.shape, KinematicTape):
        return None
    q, laws = samples[0][:n], laws[:n]
    if end.at.t != laws[-1]:  # where it stands beyond its last sample
        q, laws = np.vstack([q, end.at.q]), np.append(laws, end.at.t)
    looks = _looks(prepared, q)
    around = Neighbourhood(prepared, float(laws[0]))
    lowest = _lowest(_determinants(prepared.equations, q[looks], laws[looks]))
    for k in _unlike(prepared, q[looks], lowest):
        first, stop = looks[max(k - BEFORE, 0)], looks[min(k + 1, len(looks) - 1)]
        _, there = swept(prepared, replace(start, q=q[0]), laws[: first + 1])  # for its turns
        at = replace(there.at, t=float(laws[first]))
        found = _between(prepared, around, at, float(laws[stop]))
        if found is not None:
            before = (laws[:n] - found.t) * np.sign(laws[-1] - laws[0]) <= 0.0
            done = int(np.count_nonzero(before))
            told = Refusal.sign_changed
            return replace(end, samples=done, at=found, refusal=told, pivot_ratio=0.0)
    return None


def _looks(prepared: Prepared, q: FloatArray) -> NDArray[np.intp]:
    """Samples about so far apart, first and last among them."""
    stride = max(1, len(q) // ENOUGH)
    way = _way(prepared, q[::stride])
    if stride > 1 and way.max(initial=0.0) > SPACING:
        stride, way = 1, _way(prepared, q)
    marks = np.floor(np.concatenate([[0.0], np.cumsum(way)]) / SPACING)
    own = np.flatnonzero(np.diff(marks, prepend=-1.0) > 0.0)
    return np.unique(np.append(stride * own, len(q) - 1))


def _way(prepared: Prepared, q: FloatArray) -> FloatArray:
    """How far the body that moves most goes from each position to the next."""
    layout = prepared.equations.layout
    at, turn = layout.coordinates, 1.0 if layout.model.plane else 0.5  # of a quaternion's numbers
    unit = np.where(at.is_turn, turn, layout.size)
    way: FloatArray = np.abs(np.diff(q[:, at.bodies_q], axis=0)) / unit
    return way.max(axis=1)  # type: ignore[no-any-return]


def _determinants(equations: Equations, q: FloatArray, t: FloatArray) -> FloatArray:
    """log |det J| of the solved rows, up to a constant."""
    shape = equations.program.tape
    inputs = equations.program.tape_inputs(q, t, equations.parameters)
    pivots = native_tape(shape.tape).evaluate_lanes(inputs, shape.velocity_pivots)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs: FloatArray = np.log(np.abs(pivots)).sum(axis=1)
    return np.nan_to_num(logs, nan=-np.inf, posinf=np.inf, neginf=-np.inf)


def _lowest(logs: FloatArray) -> list[int]:
    """Looks at which the determinant is least, and much less than around them."""
    beside = sliding_window_view(np.pad(logs, 1, constant_values=np.inf), 3).min(axis=1)
    wide = np.pad(logs, WINDOW, constant_values=-np.inf)
    around = sliding_window_view(wide, 2 * WINDOW + 1).max(axis=1)
    falls = len(logs) <= WINDOW or logs < around + np.log(FALLS)
    return [int(k) for k in np.flatnonzero((logs <= beside) & falls)]


def _unlike(prepared: Prepared, q: FloatArray, lowest: list[int]) -> list[int]:
    """The looks among them that no other is near to: of many turns of one drive, those of one.

    What lies around a look is followed for more than SPACING.
    """
    layout = prepared.equations.layout
    if len(layout.model.drives) != 1 or len(lowest) < 2:
        return lowest
    at = layout.coordinates
    places = q[lowest][:, at.bodies_q] / np.where(at.is_turn, 1.0, layout.size)
    angles = places[:, at.is_turn]
    if layout.model.plane:
        turned = np.hstack([np.cos(angles), np.sin(angles)])
    else:  # quaternions of either sign
        four = angles.reshape(len(lowest), -1, 4)
        turned = 2.0 * (four[..., :, None] * four[..., None, :]).reshape(len(lowest), -1)
    places = np.hstack([places[:, ~at.is_turn], turned])
    kept: list[int] = []
    for k in range(len(lowest)):
        off = np.abs(places[kept] - places[k]).max(axis=1, initial=0.0)
        if off.min(initial=1.0) > 0.5 * SPACING:
            kept.append(k)
    return [lowest[k] for k in kept]


def _between(
    prepared: Prepared,
    around: Neighbourhood,
    at: State,
    stop: float,
) -> State | None:
    """A place just before the first hidden crossing on the way to a time."""
    steps = int(np.ceil((BEFORE + 1) * SPACING / FINE))
    for target in np.linspace(at.t, stop, steps + 1)[1:]:
        after = _gone(prepared, at, float(target))
        if after is None:
            return at  # only a longer step leads over it
        if _crosses(around, at, after):
            return _closed_in(prepared, around, at, after)
        at = after
    return None


def _closed_in(prepared: Prepared, around: Neighbourhood, at: State, after: State) -> State | None:
    """By halving: the last place before the crossing; None where it was a false alarm."""
    for _ in range(HALVINGS):
        middle = _gone(prepared, at, 0.5 * (at.t + after.t))
        if middle is None:
            return at
        if _crosses(around, at, middle):
            after = middle
        elif _crosses(around, middle, after):
            at = middle
        else:
            return None
    return at


def _gone(prepared: Prepared, at: State, t: float) -> State | None:
    _, end = swept(prepared, at, np.array([at.t, t]))
    return replace(end.at, t=t) if end.samples == 2 else None


def _crosses(around: Neighbourhood, one: State, two: State) -> bool:
    """Whether singular values pass through zero from one place to the other.

    In the singular vectors of the first, J of the second is diag(s) + E; those s that E can bring
    to zero have, if it did, an eigenvalue that is negative now.
    """
    places = [around.at(x) for x in (one, two)]
    U, s, Vt = np.linalg.svd(places[0].J, full_matrices=False)
    change = float(np.linalg.norm(places[1].J - places[0].J, 2))
    if np.linalg.svd(places[1].J, compute_uv=False)[around.n - 1] <= ZERO * s[0]:
        return True
    small = s <= WITHIN * change
    if not small.any():
        return False
    M = U[:, small].T @ places[1].J @ Vt[small].T
    return bool((np.linalg.eigvals(M).real < 0.0).any())
