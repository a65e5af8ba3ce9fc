"""Velocities that are stopped at second order: links pulled straight, told without moving them.

A motion that begins along v keeps the rows closed to second order, J a + D2(v, v) = 0 for some a. A
combination u of rows that says nothing at first order, u . J = 0 (a state of prestress), then asks

    v . Q v = 0,    Q = u . D2    on what the rows allow.

Where such a Q has no negative eigenvalue, v lies in its kernel: prestress stiffens all the rest.
Bodies of which that leaves no motion to one another are one body, and may be joined as such; what
stands on them is then stopped at an order more, and so on.

Source: [ConnellyWhiteley] for prestress and second order; kernels within kernels, bodies joined
step by step, Own.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.equations import Equations
from kempe.equations.equations import Sampled
from kempe.equations.rank import SINGULAR, null_space, of_length_one
from kempe.geometry import GROUND, Marker
from kempe.geometry.rotation import Rotation
from kempe.joints import Fixed
from kempe.model import Model
from kempe.results.state import State

FloatArray = NDArray[np.float64]
Columns = NDArray[np.intp]

NOTHING = 1e-5  # of the largest: forms and shares of prestress that say nothing
# Of forms of norm 1 and of their traces: what is less is rounding, as a kernel is known to the
# square root of NOT_NEGATIVE only.
TELLING = 1e-2
NOT_NEGATIVE = 1e-8  # eigenvalues, of a trace of 1
STIFF = 1e-3  # eigenvalues, of a trace of 1, along which nothing moves


def joined_where_stiff(equations: Equations, at: State) -> Model | None:
    """The model with welds between bodies that prestress holds together; None where there are none.

    Bodies that a single state of prestress runs through are looked at by themselves.
    """
    layout = equations.layout
    J = equations.scaled_jacobian(at)
    grounded = _grounded(equations)
    welds: dict[str, Fixed] = {}
    for share in _single(_normals(J)):
        stressed = np.abs(share) > NOTHING
        touched = np.flatnonzero(np.any(J[stressed] != 0.0, axis=0))
        bodies = _bodies_of(layout, touched)
        inside = np.isin(np.arange(J.shape[1]), _columns_of(layout, bodies, touched))
        rows = np.any(J != 0.0, axis=1) & ~np.any(J[:, ~inside] != 0.0, axis=1)
        base = GROUND if np.any(stressed & grounded) else bodies[0]
        if base != GROUND:  # seen from there, the ground moves
            rows &= ~grounded
            inside[layout.coordinates.v_of(layout.body_index[base])] = False
        if _is_stiff(equations, at, rows, inside):
            found = (_weld(layout, at, body, base) for body in bodies if body != base)
            welds |= {weld.name: weld for weld in found if weld.I.body not in _held(welds)}
    known = {joint.name for joint in layout.model.joints}
    new = tuple(weld for name, weld in welds.items() if name not in known)
    return replace(layout.model, joints=(*layout.model.joints, *new)) if new else None


def _held(welds: dict[str, Fixed]) -> set[str]:
    return {weld.I.body for weld in welds.values()}


def _weld(layout: Layout, at: State, body: str, base: str) -> Fixed:
    """`body` where it stands on `base`, in the place of both."""
    return Fixed(Marker(body), _seen_from(layout, at, body, base), f"{body} on {base} (stiff)")


def _seen_from(layout: Layout, at: State, body: str, base: str) -> Marker:
    X_WB = _marker(layout, at, body).pose
    if base == GROUND:
        return replace(_marker(layout, at, body), body=GROUND)
    X = _marker(layout, at, base).pose.inverse() @ X_WB
    return Marker(base, (X.position.x, X.position.y, X.position.z), X.rotation)


def _marker(layout: Layout, at: State, body: str) -> Marker:
    """A marker of the world where a body stands."""
    q = layout.coordinates.q_by_body(at.q)[layout.body_index[body]]
    if layout.model.plane:
        return Marker(GROUND, (float(q[0]), float(q[1]), 0.0), Rotation.planar(float(q[2])))
    return Marker(GROUND, (float(q[0]), float(q[1]), float(q[2])), Rotation.from_quaternion(q[3:]))


def _bodies_of(layout: Layout, columns: Columns) -> list[str]:
    """The bodies that velocities belong to, in the model's order."""
    own = layout.coordinates.own_v.start
    numbers = np.unique(layout.coordinates.body_of(columns[columns < own])[0])
    return [layout.model.moving[int(k)].name for k in numbers]


def _columns_of(layout: Layout, bodies: list[str], touched: Columns) -> Columns:
    """All velocities of bodies, and those of own unknowns among the touched."""
    numbers = [layout.body_index[body] for body in bodies]
    own = touched[touched >= layout.coordinates.own_v.start]
    return np.concatenate([layout.coordinates.all_v_of(numbers), own])


def _grounded(equations: Equations) -> NDArray[np.bool_]:
    """Which rows hold a body to the ground."""
    standing = [any(m.body == GROUND for m in e.markers) for e in equations.layout.elements]
    return np.array([standing[row.element] for row in equations.program.shape.rows], dtype=bool)


def _is_stiff(
    equations: Equations, at: State, rows: NDArray[np.bool_], inside: NDArray[np.bool_]
) -> bool:
    """Whether these rows stop all of these velocities, and only at second order."""
    J = equations.scaled_jacobian(at)[rows][:, inside]
    allowed = null_space(of_length_one(J), SINGULAR)
    if not len(allowed):
        return False
    ways = np.zeros((len(allowed), len(inside)))
    ways[:, inside] = allowed
    return not len(_left(_forms(equations, at, ways, rows, inside)))


def _single(normals: FloatArray) -> FloatArray:
    """States of prestress (s, m) with as few rows each as elimination leaves."""
    A = normals.T.copy()
    for k in range(len(A)):
        i, j = np.unravel_index(int(np.abs(A[k:]).argmax()), A[k:].shape)
        A[[k, k + int(i)]] = A[[k + int(i), k]]
        A[k] /= A[k, int(j)]
        others = np.arange(len(A)) != k
        A[others] -= A[others, int(j)][:, None] * A[k]
    return A


def _normals(J: FloatArray) -> FloatArray:
    """Combinations (m, s) of rows, each taken of length 1, that say nothing at first order."""
    U, values, _ = np.linalg.svd(of_length_one(J))
    return np.asarray(U[:, int((values > SINGULAR).sum()) :])


def unstopped(equations: Equations, at: State, allowed: FloatArray) -> FloatArray:
    """Those of the velocities `allowed` (k, n_v; orthonormal, scaled) that prestress leaves.

    Every motion from here begins along one of these (l, n_v); that they begin one is not said.
    """
    n = allowed.shape[1]
    every_row = np.ones(len(equations.row_weights), dtype=bool)
    forms = _forms(equations, at, allowed, every_row, np.ones(n, dtype=bool))
    return _left(forms) @ allowed


def _left(forms: FloatArray) -> FloatArray:
    """The mixes (l, k) of what is allowed that forms (s, k, k) leave."""
    left = np.eye(forms.shape[1])
    while len(left):
        kernel = _kernel_of_one(_independent(left @ forms @ left.T, TELLING))
        if kernel is None:
            break
        left = kernel @ left
    return left


def _forms(
    equations: Equations,
    at: State,
    allowed: FloatArray,
    rows: NDArray[np.bool_],
    columns: NDArray[np.bool_],
) -> FloatArray:
    """Q (s, k, k) of independent states of prestress in these rows and columns."""
    J = equations.scaled_jacobian(at)[rows][:, columns]
    normals = _normals(J)
    k = len(allowed)
    i, j = np.triu_indices(k)
    pairs = np.concatenate([allowed[i] + allowed[j], allowed[i] - allowed[j]])
    v = pairs / equations.step_weights
    samples = Sampled(equations, np.tile(at.q, (len(v), 1)), np.full(len(v), at.t))
    weights = equations.row_weights[rows] / np.maximum(np.linalg.norm(J, axis=1), 1e-300)
    bent = -(samples.right_hand(v)[1][:, rows] * weights) @ normals
    together, apart = bent[: len(i)], bent[len(i) :]
    Q = np.zeros((normals.shape[1], k, k))
    Q[:, i, j] = Q[:, j, i] = 0.25 * (together - apart).T
    return _independent(Q, NOTHING * max(1.0, float(np.abs(Q).max(initial=0.0))))


def _independent(Q: FloatArray, nothing: float) -> FloatArray:
    """Orthogonal combinations of norm 1 of forms, without those of less than that."""
    if not len(Q):
        return Q
    _, sizes, rows = np.linalg.svd(Q.reshape(len(Q), -1), full_matrices=False)
    told = sizes > nothing
    return np.asarray(rows[told].reshape(-1, *Q.shape[1:]))


def _kernel_of_one(Q: FloatArray) -> FloatArray | None:
    """The kernel (l, k) of a mix of forms (s, k, k) without negative eigenvalues; None: no such.

    The mix of trace 1 with least 1/2 sum min(eigenvalue, 0)^2, a convex function of it.
    """
    from scipy.optimize import minimize

    traces = np.trace(Q, axis1=1, axis2=2)
    size = float(np.linalg.norm(traces))
    if size <= TELLING:
        return None
    first = traces / size**2
    ways = np.linalg.svd(traces[None])[2][1:]  # of mixes whose trace stays 1

    def negative(y: FloatArray) -> tuple[float, FloatArray]:
        values, vectors = np.linalg.eigh(np.tensordot(first + y @ ways, Q, 1))
        below = np.minimum(values, 0.0)
        slope = np.einsum("ai,i,bi,sab->s", vectors, below, vectors, Q)
        return 0.5 * float(below @ below), ways @ slope

    y = np.zeros(len(ways))
    if len(ways):
        y = minimize(negative, y, jac=True, method="BFGS", options={"gtol": 1e-14}).x
    values, vectors = np.linalg.eigh(np.tensordot(first + y @ ways, Q, 1))
    if values[0] < -NOT_NEGATIVE:
        return None
    return np.asarray(vectors[:, values < STIFF].T)
