"""A joint's Jacobian written by hand is compared with the traced one, once per class.

The hand-written Jacobian is used for nothing else: a mistake in it is a mistake in the author's
understanding of his joint, and is reported before anything moves.
"""

import math
from collections.abc import Sequence
from typing import Any
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, Graph, record_formula, sparse_jacobian
from kempe.algebra.native import native_tape
from kempe.compile.layout.charts import SPATIAL
from kempe.errors import FormulaError
from kempe.geometry import Rotation
from kempe.joints import AbstractJoint

FloatArray = NDArray[np.float64]

COLUMNS = tuple(f"{word}_{marker}.{axis}" for marker in "IJ" for word in "vw" for axis in "xyz")
# Frames at which the two are compared, more than one because an entry may vanish by chance.
FRAMES = 3
# Both are sums of a few products of numbers near 1: rounding leaves 1e-15 of the row's largest
# entry, a wrong sign or a forgotten term leaves a good part of it.
JACOBIAN_TOLERANCE = 1e-9

_agreed: WeakSet[type[AbstractJoint]] = WeakSet()


def check_jacobian(joint: AbstractJoint) -> None:
    """Refuse a joint whose own `jacobian` is not the derivative of its `phi`.

    The columns are v_I, w_I, v_J, w_J in world axes: dp = v, da = w x a for every axis a.

    Own: central differences would do, but the traced derivative leaves no doubt about digits.
    """
    kind = type(joint)
    if kind.jacobian is AbstractJoint.jacobian or kind in _agreed:
        return
    random = np.random.default_rng(1876)
    for _ in range(FRAMES):
        frames = [_random_frame(random), _random_frame(random)]
        given = joint.jacobian(*(SPATIAL.pose(frame.tolist()) for frame in frames))
        if given is None:
            return
        traced = traced_jacobian(joint, np.concatenate(frames))
        _compare(joint, _as_matrix(joint, given, len(traced)), traced)
    _agreed.add(kind)


def traced_jacobian(joint: AbstractJoint, numbers: FloatArray) -> FloatArray:
    """d phi / d (v_I, w_I, v_J, w_J), (rows, 12), at two frames of 12 numbers: p, x, y, z each."""
    graph = Graph()
    inputs = [Expression(graph, graph.input(f"frame{k}")) for k in range(len(numbers))]
    zero = Expression(graph, graph.constant(0.0))
    rows = [zero + row for row in joint.phi(SPATIAL.pose(inputs[:12]), SPATIAL.pose(inputs[12:]))]
    seeds = _seeds(inputs[:12], 0) | _seeds(inputs[12:], 6)
    entries = [
        (r, column, entry)
        for r, row in enumerate(sparse_jacobian(rows, seeds))
        for column, entry in row.items()
    ]
    J = np.zeros((len(rows), 12))
    if entries:
        tape = record_formula(inputs, [entry for _, _, entry in entries])
        values = native_tape(tape).evaluate(numbers[None, :], tape.outputs)[0]
        for (r, column, _), value in zip(entries, values, strict=True):
            J[r, column] = value
    return J


def _random_frame(random: "np.random.Generator") -> FloatArray:
    q = random.normal(size=4)
    R = Rotation.from_quaternion((q / np.linalg.norm(q)).tolist())
    return np.array([*random.uniform(-1.0, 1.0, 3), *R.x, *R.y, *R.z])


def _seeds(frame: Sequence[Expression], first: int) -> dict[int, dict[int, Expression]]:
    one = Expression(frame[0].graph, frame[0].graph.constant(1.0))
    seeds = {frame[k].node: {first + k: one} for k in range(3)}
    wx, wy, wz = first + 3, first + 4, first + 5
    for k in (3, 6, 9):  # w x a
        x, y, z = frame[k : k + 3]
        seeds[x.node] = {wy: z, wz: -y}
        seeds[y.node] = {wz: x, wx: -z}
        seeds[z.node] = {wx: y, wy: -x}
    return seeds


def _as_matrix(joint: AbstractJoint, given: Sequence[Sequence[Any]], rows: int) -> FloatArray:
    lengths = sorted({len(row) for row in given})
    if len(given) != rows or lengths not in ([12], []):
        raise FormulaError(
            f"{type(joint).__name__}.jacobian (joint {joint.name!r}) returned {len(given)} rows of"
            f" {' or '.join(map(str, lengths)) or 'no'} entries, but phi has {rows} rows and every"
            " row 12 entries: v_I, w_I, v_J, w_J in world axes.",
            joint=joint.name,
        )
    return np.array([[float(x) for x in row] for row in given]).reshape(rows, 12)


def _compare(joint: AbstractJoint, given: FloatArray, traced: FloatArray) -> None:
    for r, (mine, right) in enumerate(zip(given, traced, strict=True)):
        if not np.isfinite(right).all():
            continue  # the formula has no derivative at this frame
        error = np.where(np.isfinite(mine), np.abs(mine - right), math.inf)
        column = int(np.argmax(error))
        if error[column] > JACOBIAN_TOLERANCE * max(1.0, float(np.abs(right).max())):
            raise FormulaError(
                f"{type(joint).__name__}.jacobian (joint {joint.name!r}) is not the derivative of"
                f" phi: row {r + 1}, column {column + 1} ({COLUMNS[column]}) is"
                f" {mine[column]:.9g} where the derivative is {right[column]:.9g}, off by"
                f" {error[column]:.3g}. Correct that entry, or leave `jacobian` out: it is derived"
                " from phi.",
                joint=joint.name,
                row=r,
                column=column,
                error=float(error[column]),
            )
