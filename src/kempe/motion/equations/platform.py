"""One body on rods to the ground: the platform of a hexapod, in unknowns of its own.

Lengths are in units of the machine's size; the shortest rod's foot and head are the origins, so
that it says abs(r) = l0 alone.

Heads in one plane: r and two directions u, v of the platform, with P = r . u and Q = r . v. Every
other rod is linear then:

    l0^2 + b^2 + a^2 + 2 (b_u P + b_v Q) - 2 a . (r + b_u u + b_v v) = l^2,   b = b_u u + b_v v

Heads in space: a dual quaternion (q, G), G = t q for the translation t, each rod four squares:

    q . q = 1,   q . G = 0,   G . G = l0^2,   abs(G + q b - a q)^2 = l^2

q and -q are one position: the search takes the half with q0 >= 0. Both bodies have axes of their
own for it: x leads to the end of the rod that is nearest to the first, x and y hold that of the
next. So most rows have few terms and fewer boxes are cut up, a fifth as many for the platform of
40 positions of [Dietmaier]. From there the ground is turned by an angle that no mechanism has by
design.

Source: [Study]; the choice of origin, axes and squares: Own.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.geometry import GROUND, Vector
from kempe.motion.equations.orientations import Basis, plain, snapped
from kempe.motion.equations.rewriting import ROOM

FloatArray = NDArray[np.float64]
Quaternion = tuple[Any, Any, Any, Any]

FLAT = 1e-12  # of the platform's size: heads in one plane
NEAR = 1e-3  # of the size of a body: points that tell no direction, or no plane
# A small turn by whole numbers, (180, 6, 10, 15) / 181, that no mechanism has by design.
ASIDE = (180.0 / 181.0, 6.0 / 181.0, 10.0 / 181.0, 15.0 / 181.0)


@final
@dataclass(slots=True, eq=False)
class Strut:
    """A distance (m) between points of two parts, given in the axes of their orientations."""

    first: str
    p: FloatArray
    second: str
    q: FloatArray
    length: float
    name: str
    is_written: bool = False

    @property
    def ends(self) -> tuple[tuple[str, FloatArray], tuple[str, FloatArray]]:
        """Part and point of either end."""
        return (self.first, self.p), (self.second, self.q)


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Rods:
    """Feet (k, 3) on the ground and heads (k, 3) on the platform, the shortest rod first."""

    part: str
    feet: FloatArray
    heads: FloatArray
    lengths: FloatArray
    names: list[str]


def platform_basis(writing: Any, names: Iterable[str], *, only_flat: bool = False) -> bool:
    """Write a platform on rods, where that is what the mechanism is; False where it is not.

    With `only_flat` no dual quaternion is taken: each position then has one set of unknowns.
    """
    rods = _rods(writing, set(names))
    if rods is None:
        return False
    spread = np.linalg.svd(rods.heads - rods.heads[0], compute_uv=False)
    is_flat = spread[-1] <= FLAT * max(float(spread[0]), 1e-300)
    if only_flat and not is_flat:
        return False
    if is_flat:
        _write_flat(writing, rods)
    else:
        _write_dual(writing, rods)
    for strut in writing.struts:
        strut.is_written = True
    return True


def _rods(writing: Any, names: set[str]) -> _Rods | None:
    """The rods of the one body that moves, where it has nothing else."""
    if len(names) != 1 or not writing.struts or len(writing.struts) < len(writing.held):
        return None
    (name,) = names
    ends = {part for strut in writing.struts for part, _ in strut.ends}
    has_others = any(j.place != "free" or j.turn != "free" or j.sides for j in writing.joints)
    count = sum(len(j.rest) for j in writing.joints) + len(writing.others)
    count += len(writing.held) + len(writing.legs)
    parts = {writing.rigid.part(b.name)[0] for b in writing.layout.model.moving}
    parts -= {GROUND, *(leg.part for leg in writing.legs)}
    if has_others or count != len(writing.struts) or len(parts) != 1 or ends != {GROUND, *parts}:
        return None
    (part,) = parts
    if (
        any(s.first == s.second for s in writing.struts)
        or writing.rigid.orientation(part)[0] != name
    ):
        return None
    rods = sorted(writing.struts, key=lambda s: s.length)
    sides = [s.ends if s.first == GROUND else s.ends[::-1] for s in rods]
    return _Rods(
        part,
        np.array([a for (_, a), _ in sides]),
        np.array([b for _, (_, b) in sides]),
        np.array([s.length for s in rods]),
        [s.name for s in rods],
    )


def _write_flat(writing: Any, rods: _Rods) -> None:
    """r, u, v, P and Q; the ground's axes as they are."""
    e, scale, name = writing.equations, writing.scale, rods.part
    writing.turns.forms.add("place and two directions of a platform")
    feet, heads = (rods.feet - rods.feet[0]) / scale, (rods.heads - rods.heads[0]) / scale
    lengths = rods.lengths / scale
    axes = np.linalg.svd(np.vstack([heads, np.zeros((3, 3))]))[2]
    axes[2] = np.cross(axes[0], axes[1])
    reach = ROOM * float(lengths[0])
    r = Vector(*(e.unknown(f"{name}.{i}", -reach, reach) for i in "xyz"))
    u, v = (Vector(*(e.unknown(f"{name}.{w}{i}", -ROOM, ROOM) for i in "xyz")) for w in "uv")
    P, Q = (e.unknown(f"{name}.r{w}", -reach, reach) for w in "uv")
    e.equate(r.square - float(lengths[0]) * e.number(float(lengths[0])), rods.names[0])
    for row in (u.square - 1.0, v.square - 1.0, u @ v, r @ u - P, r @ v - Q):
        e.equate(row, name)
    parts = snapped(heads @ axes.T)
    for a, b, length, source in list(zip(feet, parts, lengths, rods.names, strict=True))[1:]:
        known = float(lengths[0] ** 2 + b @ b + a @ a - length**2)
        side = plain(snapped(a))
        linear = 2.0 * float(b[0]) * P + 2.0 * float(b[1]) * Q
        away = r + u * float(b[0]) + v * float(b[1])
        e.equate(linear - 2.0 * (side @ away) + known, source)
    turns = writing.turns
    turns.bases[GROUND] = Basis(
        np.eye(3), (plain(np.eye(3)[0]), plain(np.eye(3)[1]), plain(np.eye(3)[2]))
    )
    turns.bases[writing.rigid.orientation(name)[0]] = Basis(axes.T, (u, v, u.cross(v)))
    writing.frame = np.eye(3)
    writing.places[GROUND] = Vector(0.0, 0.0, 0.0), np.zeros(3)
    writing.places[name] = r * scale + plain(rods.feet[0]), rods.heads[0]


def _write_dual(writing: Any, rods: _Rods) -> None:
    """The dual quaternion (q, G)."""
    e, scale, name = writing.equations, writing.scale, rods.part
    writing.turns.forms.add("dual quaternion of a platform")
    feet, heads = rods.feet - rods.feet[0], rods.heads - rods.heads[0]
    order = np.argsort(np.linalg.norm(feet, axis=1) + np.linalg.norm(heads, axis=1), kind="stable")
    ground = snapped(np.array(_matrix(ASIDE), dtype=np.float64) @ _axes(feet[order]))
    own = snapped(_axes(heads[order]))
    feet, heads = snapped(feet @ ground.T / scale), snapped(heads @ own.T / scale)
    lengths = rods.lengths / scale
    q: Any = tuple(
        e.unknown(f"{name}.q{k}", -ROOM if k else 0.0, ROOM, is_limit=not k) for k in range(4)
    )
    writing.halves = (f"{name}.q0",)
    reach = ROOM * float(lengths[0])
    G: Any = tuple(e.unknown(f"{name}.g{k}", -reach, reach) for k in range(4))
    e.equate(_dot(q, q) - 1.0, name)
    e.equate(_dot(q, G), name)
    e.equate(_dot(G, G) - float(lengths[0]) * e.number(float(lengths[0])), rods.names[0])
    for k in range(1, len(lengths)):
        turned = _product(q, (0.0, *(float(c) for c in heads[k])))
        foot = _product((0.0, *(float(c) for c in feet[k])), q)
        d = tuple(g + b - a for g, b, a in zip(G, turned, foot, strict=True))
        length = e.number(float(lengths[k]))
        e.equate(_dot(d, d) - length * length, rods.names[k])
    columns = np.array(_matrix(q), dtype=object).T
    turns = writing.turns
    x, y, z = (plain(c) for c in ground.T)
    turns.bases[GROUND] = Basis(np.eye(3), (x, y, z))
    u, v, w = (Vector(*column) for column in columns)
    turns.bases[writing.rigid.orientation(name)[0]] = Basis(own.T, (u, v, w))
    _, tx, ty, tz = _product(G, (q[0], -q[1], -q[2], -q[3]))
    writing.frame = ground
    writing.places[GROUND] = Vector(0.0, 0.0, 0.0), np.zeros(3)
    writing.places[name] = Vector(tx, ty, tz) * scale + plain(ground @ rods.feet[0]), rods.heads[0]


def _axes(points: FloatArray) -> FloatArray:
    """Axes (3, 3), by rows, of which x leads to the first point and x and y hold the next one."""
    size = NEAR * float(np.abs(points).max())
    found: list[FloatArray] = []
    for p in (*points, *np.eye(3)):
        for axis in 2 * found:  # twice: the first time roundings are left
            p = p - (p @ axis) * axis
        length = float(np.linalg.norm(p))
        if length > size and len(found) < 2:
            found.append(p / length)
    return np.array([*found, np.cross(found[0], found[1])])


def _dot(p: Any, q: Any) -> Any:
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]


def _product(p: Any, q: Any) -> Quaternion:
    a, b, c, d = p
    w, x, y, z = q
    return (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    )


def _matrix(q: Any) -> list[list[Any]]:
    """The rotation of a unit quaternion, of second degree in it."""
    a, b, c, d = q
    return [
        [a * a + b * b - c * c - d * d, 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)],
        [2.0 * (b * c + a * d), a * a - b * b + c * c - d * d, 2.0 * (c * d - a * b)],
        [2.0 * (b * d - a * c), 2.0 * (c * d + a * b), a * a - b * b - c * c + d * d],
    ]
