"""Bodies that are held by points on one line: they can spin about it, and nothing else notices.

A rod between two balls is the common one. No drive of a mechanism needs to say how it spins, and
none could: its spin is no coordinate of any joint.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout import Layout
from kempe.compile.program import Program
from kempe.kinematics.closing import Assembled, step_weights

FloatArray = NDArray[np.float64]

DISTINCT = 1e-9  # of the size: points nearer to each other are one
ON_LINE = 1e-9  # of the size
UNCHANGED = 1e-9  # of a row, beside the size: what turning a body about a point leaves
# Turns that no joint but a ball would let pass, as vectors of rotation (rad).
TURNS = ((0.9, -0.4, 0.7), (-1.3, 0.6, 2.1))


def passive_spins(layout: Layout, program: Program, at: Assembled, t: float) -> tuple[str, ...]:
    """Bodies in space that are held by two or more points on one line, and by nothing else."""
    if layout.model.plane:
        return ()
    found = []
    for k, body in enumerate(layout.model.moving):
        points = _held_points(layout, body.name)
        if _are_on_a_line(points, layout.size) and all(
            _holds_points_only(layout, program, at, t, k, point) for point in points
        ):
            found.append(body.name)
    return tuple(found)


def spin_directions(layout: Layout, q: FloatArray, bodies: Sequence[str]) -> FloatArray:
    """The idle spins of these bodies (k, n_v), in rad and sizes of the machine, each of length 1.

    Body k turns about its line, along u through its point p:  w = u  and  v = -R (u x p),  v in
    world axes and w in those of the body.
    """
    n = layout.chart.n_v
    found = np.zeros((len(bodies), layout.n_v))
    for row, body in zip(found, bodies, strict=True):
        k = layout.body_index[body]
        p, other = _held_points(layout, body)[:2]
        u = (other - p) / np.linalg.norm(other - p)
        pose = q[k * layout.chart.n_q : (k + 1) * layout.chart.n_q]
        row[k * n : k * n + 3] = -_rotated(float(pose[3]), pose[4:], np.cross(u, p))
        row[k * n + 3 : k * n + 6] = u
    found *= step_weights(layout)
    return np.asarray(found / np.linalg.norm(found, axis=1)[:, None])


def without_spins(free: FloatArray, spins: FloatArray) -> FloatArray:
    """Free motions (k, n_v) that, with these spins of bodies among them, span the same space.

    They are square to the spins and to each other; the spins belong to one body each, and so are
    square to each other.
    """
    if not len(spins) or not len(free):
        return free
    basis = np.linalg.qr(free.T)[0].T
    left = basis - (basis @ spins.T) @ spins
    return np.asarray(np.linalg.svd(left)[2][: len(free) - len(spins)])


def _held_points(layout: Layout, body: str) -> list[FloatArray]:
    """Distinct places of markers on a body, in its own axes (m)."""
    found: list[FloatArray] = []
    for element in layout.elements:
        for marker in element.markers:
            p = np.array([float(c) for c in marker.position])
            if marker.body == body and all(
                np.linalg.norm(p - other) > DISTINCT * layout.size for other in found
            ):
                found.append(p)
    return found


def _are_on_a_line(points: list[FloatArray], size: float) -> bool:
    """Whether there are two or more points, all on one line."""
    if len(points) < 2:
        return False
    along = (points[1] - points[0]) / np.linalg.norm(points[1] - points[0])
    return all(
        float(np.linalg.norm(np.cross(p - points[0], along))) <= ON_LINE * size for p in points
    )


def _holds_points_only(
    layout: Layout, program: Program, at: Assembled, t: float, k: int, point: FloatArray
) -> bool:
    """Whether elements that hold a body at a point do not notice when it is turned about that."""
    body = layout.model.moving[k].name
    mine = [
        n
        for n, element in enumerate(layout.elements)
        if any(
            marker.body == body
            and np.linalg.norm(np.array([float(c) for c in marker.position]) - point)
            <= DISTINCT * layout.size
            for marker in element.markers
        )
    ]
    rows = np.array([row.element in mine for row in program.shape.rows])
    before = program.evaluate(layout.parameters, at.q, t, at.last)[0][rows]
    for turn in TURNS:
        q = _turned_about(layout, at.q, k, point, np.array(turn))
        after = program.evaluate(layout.parameters, q, t, at.last)[0][rows]
        if float(np.abs(after - before).max(initial=0.0)) > UNCHANGED * max(layout.size, 1.0):
            return False
    return True


def _turned_about(
    layout: Layout, q: FloatArray, k: int, point: FloatArray, turn: FloatArray
) -> FloatArray:
    """q with body k turned about a point of its own, in body axes."""
    angle = float(np.linalg.norm(turn))
    w, v = np.cos(angle / 2.0), np.sin(angle / 2.0) * turn / angle
    n = layout.chart.n_q
    turned = q.copy()
    r, a, b = q[k * n : k * n + 3], q[k * n + 3], q[k * n + 4 : (k + 1) * n]
    held = r + _rotated(a, b, point)
    c, d = a * w - b @ v, a * v + w * b + np.cross(b, v)
    turned[k * n : k * n + 3] = held - _rotated(c, d, point)
    turned[k * n + 3], turned[k * n + 4 : (k + 1) * n] = c, d
    return turned


def _rotated(w: float, v: FloatArray, x: FloatArray) -> FloatArray:
    """x turned by the unit quaternion (w, v)."""
    crossed = np.cross(v, x)
    return np.asarray(x + 2.0 * w * crossed + 2.0 * np.cross(v, crossed))
