"""Whether the equations of a search in space are what its joints say, both ways.

With f = 0 the equations of the search in unknowns x, Y(x) the poses that it reads there, and
g(y) = 0 what joints say of poses y, written once more:

1. g(Y(x)) vanishes where f(x) does, and Y(x) are rotations: what is listed fits the joints;
2. for X(y), the unknowns at poses y, f(X(y)) vanishes where g(y) does, and Y(X(y)) = y: every
   position of the joints is one of the search, and is read as what it is;
3. its sides are positive there, and X(y) lies in its domain.

Each is a sum of multiples of rows, `sums_of_rows`, but for what is left over, which is bounded:
directions of markers are rounded, so f and g differ in last digits. X is guessed (as the part of a
pose that gives an unknown back), and whatever it is, what follows is proved.
"""

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

import numpy as np

from kempe.algebra import Expression, Graph
from kempe.algebra.expression import lifted
from kempe.compile.layout.elements import JointElement
from kempe.compile.layout.layout import Layout
from kempe.constraints import Coincident, Distance
from kempe.geometry import GROUND, Marker, Pose, Rotation, Vector, Z
from kempe.measures import Displacement, Gauge, Turn
from kempe.measures import Distance as DistanceBetween
from kempe.motion.equations.bodies import AXES
from kempe.motion.equations.question import Holding, Limited, machine_size
from kempe.motion.equations.reach import FAR
from kempe.motion.equations.system import FullSystem, SystemUnknown
from kempe.motion.verify.written.joints_in_space import (
    RodBody,
    Said,
    is_about_hinge,
    is_on_line,
    rod_bodies,
    rotation_rows,
    said_by_joints,
    slide_name,
    turning,
)
from kempe.motion.verify.written.planar_rows import Asked
from kempe.motion.verify.written.polynomial import Polynomial, Ring, of_graph
from kempe.motion.verify.written.sums_of_rows import SumsOfRows

OWN = "pose of "  # of the unknowns of poses, which no joint is called
PARTS = ("x", "y", "z", *AXES)
NOTHING = 1e-12  # of a coefficient that was told by least squares
MOST_SECONDS = 60.0  # in which sums are looked for
FIT = 1e-11  # of an unknown that a sum of readings gives back


@final
@dataclass(slots=True)
class Agreement:
    """How far the two ways differ at most, and what could not be shown."""

    off: float = 0.0
    unproved: list[str] = field(default_factory=list)


def agreement(full: FullSystem, layout: Layout, asked: Asked) -> Agreement:
    """Compare the equations of a search with what joints say once more."""
    return _Comparison(full, layout, asked).result()


@final
class _Comparison:
    def __init__(self, full: FullSystem, layout: Layout, asked: Asked) -> None:
        self.full, self.layout, self.asked = full, layout, asked
        held = [Holding(gauge, value) for gauge, value in asked.held]
        stops = [Limited(gauge, low, high) for gauge, low, high in asked.limits]
        self.scale = 2.0 ** round(math.log2(machine_size(layout, held, stops)))
        self.ring = Ring([u.name for u in full.unknowns])
        self.number = self.ring.numbers
        self.rods = rod_bodies(layout, asked, full.loose)
        self.bodies = [b.name for b in layout.model.moving if b.name not in self.rods]
        self.found, self.deadline = Agreement(), time.monotonic() + MOST_SECONDS
        self.bounds: dict[int, float] = {}

    def result(self) -> Agreement:
        """What was found."""
        self._read_search()
        self._write_own()
        self._invert()
        if not self.found.unproved:
            for step in (self._fits_joints, self._fits_search, self._domain):
                if not self.found.unproved:
                    step()
        return self.found

    # -- the search's rows, and poses that it reads -----------------------------------------

    def _read_search(self) -> None:
        full, ring = self.full, self.ring
        rows = [(r.value, r.source) for r in full.equations]
        rows += [(d.unknown - d.value, d.source) for d in full.definitions]
        sides = [(s.value, s.source) for s in full.sides]
        poses: dict[str, Pose] = {GROUND: _still(full.graph)}
        for body in self.bodies:
            p, *axes = (
                Vector(*(full.readings[f"{body}.{w}"] for w in PARTS[3 * k : 3 * k + 3]))
                for k in range(4)
            )
            poses[body] = Pose(p, Rotation(*axes))
        said = Said(full.graph, self.scale)

        inputs = dict(zip((u.name for u in full.unknowns), full.inputs, strict=True))

        def own(name: str, value: Expression) -> Expression | None:
            return value if name.startswith(slide_name("")) else inputs.get(name)

        said_by_joints(self.layout, self.asked, poses, self.rods, own, said)
        for body in self.bodies:
            X = poses[body]
            rotation_rows([X.rotation.x, X.rotation.y, X.rotation.z], said, body)
        nodes = [*rows, *sides, *said.rows, *said.sides]
        values = iter(of_graph(ring, full.graph, [e.node for e, _ in nodes]))

        def taken(told: Sequence[tuple[Expression, str]]) -> list[tuple[Polynomial, str]]:
            return [(next(values), source) for _, source in told]

        self.rows, self.sides = taken(rows), taken(sides)
        self.joints_there, self.joint_sides_there = taken(said.rows), taken(said.sides)
        read = [full.readings[f"{b}.{w}"] for b in self.bodies for w in PARTS]
        polynomials = of_graph(ring, full.graph, [e.node for e in read])
        for k, value in enumerate(polynomials):  # places in units of the machine's size
            if k % 12 < 3:
                polynomials[k] = value.scaled(Fraction(1) / Fraction(self.scale))
        self.read = {b: polynomials[12 * i : 12 * i + 12] for i, b in enumerate(self.bodies)}

    # -- poses as they are written once more ---------------------------------------------------

    def _write_own(self) -> None:
        self.graph = Graph()
        self.poses: dict[str, Pose] = {GROUND: _still(self.graph)}
        self.quaternion = self._dual()
        said = Said(self.graph, self.scale)
        self.own_axes: dict[str, list[Vector]] = {}
        while set(self.bodies) - self.poses.keys():
            step = self._next()
            if step is None:
                body = min(set(self.bodies) - self.poses.keys())
                self._free(body)
            else:
                self._carry(*step)
        for body, axes in self.own_axes.items():
            rotation_rows(axes, said, body)
        if self.quaternion:
            h = self._quaternion(self.quaternion)
            said.vanish(sum((e * e for e in h), 0.0) - 1.0, self.quaternion)

        names = {u.name for u in self.full.unknowns}

        def own(name: str, _: Expression) -> Expression | None:
            is_known = name in names or name.startswith(slide_name(""))
            return self._input(name) if is_known else None

        said_by_joints(self.layout, self.asked, self.poses, self.rods, own, said)
        ring = self.ring
        rows = [*said.rows, *said.implied]
        told = [*rows, *said.sides]
        values = of_graph(ring, self.graph, [e.node for e, _ in told])
        n = len(rows)
        self.own_rows = [(v, s) for v, (_, s) in zip(values[:n], rows, strict=True) if v.terms]
        self.own_sides = [(v, s) for v, (_, s) in zip(values[n:], said.sides, strict=True)]
        entries: list[Expression] = []
        for body in self.bodies:
            X = self.poses[body]
            there = [*(e / self.scale for e in X.position)]
            there += [e for a in (X.rotation.x, X.rotation.y, X.rotation.z) for e in a]
            entries += [_on(self.graph, e) for e in there]
        polynomials = of_graph(ring, self.graph, [e.node for e in entries])
        self.entries = {b: polynomials[12 * i : 12 * i + 12] for i, b in enumerate(self.bodies)}

    def _input(self, name: str) -> Expression:
        return Expression(self.graph, self.graph.input(OWN + name))

    def _vector(self, name: str) -> Vector:
        return Vector(*(self._input(f"{name}.{w}") for w in "xyz"))

    def _dual(self) -> str:
        """The body that a dual quaternion places; none."""
        names = [u.name for u in self.full.unknowns]
        return next((b for b in self.bodies if f"{b}.q0" in names and f"{b}.g0" in names), "")

    def _quaternion(self, body: str) -> list[Expression]:
        return [self._input(f"{body}.h{k}") for k in range(4)]

    def _free(self, body: str) -> None:
        place = self._vector(f"{body}.p") * self.scale
        if body == self.quaternion:
            a, b, c, d = self._quaternion(body)
            axes = [
                Vector(a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c)),
                Vector(2 * (b * c - a * d), a * a - b * b + c * c - d * d, 2 * (c * d + a * b)),
                Vector(2 * (b * d + a * c), 2 * (c * d - a * b), a * a - b * b - c * c + d * d),
            ]
        else:
            axes = [self._vector(f"{body}.{w}") for w in "uvw"]
            self.own_axes[body] = axes
        self.poses[body] = Pose(place, Rotation(*axes))

    def _pairs(self) -> Iterator[tuple[JointElement, Marker, Marker]]:
        for e in self.layout.elements[: self.layout.first_drive]:
            if isinstance(e, JointElement) and len(e.markers) == 2:
                I, J = e.markers
                yield e, I, J
                yield e, J, I

    def _next(self) -> tuple[JointElement, Marker, Marker] | None:
        """A joint from a body that is written to one that is not: those that say most first."""
        best, most = None, 0
        for e, there, here in self._pairs():
            if there.body not in self.poses or here.body in self.poses or here.body in self.rods:
                continue
            says = {"": 0, "hinge": 2, "locked": 4}[turning(e.joint)]
            says = 4 if self._held_turn(e) is not None else says
            says += any(isinstance(c, Coincident) for c in e.joint.constraints)
            if says > most and here.body != self.quaternion:
                best, most = (e, there, here), says
        return best

    def _held_turn(self, element: JointElement) -> tuple[Gauge, float] | None:
        """At what angle a hinge is held, where it is."""
        bodies = {m.body for m in element.markers}
        if turning(element.joint) != "hinge" or element.held:
            return None
        told = [
            (gauge, value)
            for gauge, value in self.asked.held
            if gauge.measure == Turn(Z) and {gauge.I.body, gauge.J.body} == bodies
        ]
        is_told = len(told) == 1 and is_about_hinge(self.layout, told[0][0])
        return told[0] if is_told else None

    def _carry(self, element: JointElement, there: Marker, here: Marker) -> None:
        """The pose of a body, as far as one joint tells it by rows that are solved for it."""
        body, kind = here.body, turning(element.joint)
        A = self.poses[there.body] @ there.pose
        held, own = self._held_turn(element), here.pose.rotation
        if kind == "locked":
            frame = [A.rotation.x, A.rotation.y, A.rotation.z]
        elif held is not None:
            gauge, turn = held
            first = gauge.I.body == there.body
            from_, to = (gauge.I, gauge.J) if first else (gauge.J, gauge.I)
            c, s = math.cos(turn), math.sin(turn) * (1.0 if first else -1.0)
            B = self.poses[there.body].rotation @ from_.pose.rotation
            frame, own = [B.x * c + B.y * s, B.y * c - B.x * s, B.z], to.pose.rotation
        elif kind == "hinge":
            frame = [self._vector(f"{body}.u"), self._vector(f"{body}.v"), A.rotation.z]
            self.own_axes[body] = frame
        else:
            frame = [self._vector(f"{body}.{w}") for w in "uvw"]
            self.own_axes[body] = frame
        if kind:
            rows = [[float(a[k]) for a in (own.x, own.y, own.z)] for k in range(3)]
            axes = [frame[0] * row[0] + frame[1] * row[1] + frame[2] * row[2] for row in rows]
        else:
            axes = frame
        R = Rotation(*axes)
        if any(isinstance(c, Coincident) for c in element.joint.constraints):
            away = here.position
            offset = axes[0] * away[0] + axes[1] * away[1] + axes[2] * away[2]
            place = A.position - offset
        else:
            place = self._vector(f"{body}.p") * self.scale
        self.poses[body] = Pose(place, R)

    # -- unknowns of the search at poses --------------------------------------------------------

    def _invert(self) -> None:
        """X(y): an unknown as a sum of what is read, or as a row tells it of others."""
        self.at: dict[int, Polynomial] = {}
        waiting = []
        for u in self.full.unknowns:
            g = self.number[u.name]
            value = self._own_unknown(u) or self._dual_unknown(u) or self._slide(u)
            value = self._part_of_pose(g) if value is None else value
            if value is None:
                waiting.append(u)
            else:
                self.at[g] = value
        going = True
        while waiting and going:
            going = False
            for u in list(waiting):
                value = self._by_row(self.number[u.name])
                if value is not None:
                    self.at[self.number[u.name]] = value
                    waiting.remove(u)
                    going = True
        for u in waiting:
            self.found.unproved.append(f"what its unknown {u.name!r} is at a position")

    def _own_unknown(self, u: SystemUnknown) -> Polynomial | None:
        if OWN + u.name in self.number and u.name.startswith("limit of "):
            return self.ring.of(self.number[OWN + u.name])
        return None

    def _dual_unknown(self, u: SystemUnknown) -> Polynomial | None:
        body = self.quaternion
        if not body or not u.name.startswith((f"{body}.q", f"{body}.g")):
            return None
        if not hasattr(self, "duals"):
            self.duals = self._duals(body)
        return self.duals.get(u.name)

    def _duals(self, body: str) -> dict[str, Polynomial]:
        """q = a h with a turn a of the ground, and G = t q, as the search has them."""
        ring, h = self.ring, [self.ring.of(self.number[f"{OWN}{body}.h{k}"]) for k in range(4)]
        q = [self.number[f"{body}.q{k}"] for k in range(4)]
        values = {g: ring.number(int(k == 0)) for k, g in enumerate(q)}
        first, last = self._turned_axes(body, q)
        left, right = (_quaternion_of(R.T) for R in (first, last))
        turned = _times([ring.number(float(x)) for x in left], h)
        turned = _times(turned, [ring.number(float(x)) for x in right])
        made = {f"{body}.q{k}": turned[k] for k in range(4)}
        place = self.read[body][:3]
        # places are t = G conj(q), turned and shifted: read at q = 1 they are linear in G
        shift = [
            float(
                p.put(
                    values | {self.number[f"{body}.g{k}"]: ring.number(0) for k in range(4)}
                ).fraction
                or 0
            )
            for p in place
        ]
        M = np.zeros((3, 3))
        for k in range(3):
            g = {self.number[f"{body}.g{j}"]: ring.number(int(j == k + 1)) for j in range(4)}
            for i, p in enumerate(place):
                M[i, k] = float(p.put(values | g).fraction or 0) - shift[i]
        # p = shift(q) + M t: what shift is off q = 1 is told by the origin in the body
        own = [ring.of(self.number[f"{OWN}{body}.p.{w}"]) for w in "xyz"]
        t = self._translation(body, own, M, q)
        G = _times([ring.number(0), *t], turned)
        made |= {f"{body}.g{k}": G[k] for k in range(4)}
        return made

    def _turned_axes(self, body: str, q: list[int]) -> tuple[Any, Any]:
        """A and B of R = A R(q) B, from what is read at whole turns, and which fits beside them."""

        def read(at: Any) -> Any:
            values = {g: self.ring.number(float(x)) for g, x in zip(q, at, strict=True)}
            entries = [float(e.put(values).fraction or 0) for e in self.read[body][3:]]
            return np.array(entries).reshape(3, 3).T

        still = read((1.0, 0.0, 0.0, 0.0))
        axes = []
        for k in (1, 2):
            half = read([float(j == k) for j in range(4)]) @ still.T  # A diag(1, -1, -1) A^T
            column = (half + np.eye(3))[:, int(np.argmax(np.diag(half)))]
            axes.append(column / np.linalg.norm(column))
        best = None
        aside = np.array((180.0, 6.0, 10.0, 15.0)) / 181.0
        for i, j in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            A = np.column_stack([i * axes[0], j * axes[1], i * j * np.cross(*axes)])
            B = A.T @ still
            off = np.abs(A @ _turn(aside) @ B - read(aside)).max()
            if best is None or off < best[0]:
                best = off, A, B
        assert best is not None
        return best[1], best[2]

    def _translation(
        self, body: str, own: list[Polynomial], M: Any, q: list[int]
    ) -> list[Polynomial]:
        """t of p = A + R b + M t, from the places that are read at three turns."""
        ring = self.ring
        zero = {self.number[f"{body}.g{k}"]: ring.number(0) for k in range(4)}
        rows, values = [], []
        for k in range(4):
            turn = {g: ring.number(int(j == k)) for j, g in enumerate(q)}
            R = (
                np.array([float(e.put(turn).fraction or 0) for e in self.read[body][3:]])
                .reshape(3, 3)
                .T
            )
            p = [float(e.put(turn | zero).fraction or 0) for e in self.read[body][:3]]
            rows.append(np.hstack([np.eye(3), R]))
            values.append(p)
        solved = np.linalg.lstsq(np.vstack(rows), np.concatenate(values), rcond=None)[0]
        A, b = solved[:3], solved[3:]
        R_own = self.entries[body][3:]
        rest = []
        for i in range(3):
            value = own[i] - ring.number(float(A[i]))
            for j in range(3):
                value = value - R_own[3 * j + i].scaled(Fraction(float(b[j])))
            rest.append(value)
        back = np.linalg.inv(M)
        return [
            sum((rest[j].scaled(Fraction(float(back[i, j]))) for j in range(3)), ring.number(0))
            for i in range(3)
        ]

    def _slide(self, u: SystemUnknown) -> Polynomial | None:
        """How far a joint is slid: along z of its first marker, in sizes."""
        own = OWN + slide_name(u.name.removesuffix(".displacement"))
        return self.ring.of(self.number[own]) if own in self.number else None

    def _part_of_pose(self, g: int) -> Polynomial | None:
        """An unknown as a sum of twelve readings of one body, and a number."""
        for body in self.bodies:
            read = self.read[body]
            if not any(g in p.unknowns for p in read):
                continue
            terms = {m for p in read for m in p.terms} | {(), (g,)}
            places = {m: k for k, m in enumerate(sorted(terms))}
            M, b = np.zeros((len(places), 13)), np.zeros(len(places))
            for k, p in enumerate(read):
                for m, c in p.terms.items():
                    M[places[m], k] = float(c)
            M[places[()], 12] = 1.0
            b[places[g,]] = 1.0
            shares = np.linalg.lstsq(M, b, rcond=1e-10)[0]
            if np.abs(M @ shares - b).max() > FIT:
                continue
            value = self.ring.number(float(shares[12]) if abs(shares[12]) > NOTHING else 0)
            for k, c in enumerate(shares[:12]):
                if abs(c) > NOTHING:
                    near = round(float(c))
                    exact = Fraction(near if abs(c - near) < NOTHING else float(c))
                    value = value + self.entries[body][k].scaled(exact)
            return value
        return None

    def _by_row(self, g: int) -> Polynomial | None:
        """An unknown from a row in which it stands alone, beside others that are told."""
        for row, _ in self.rows:
            if g not in row.unknowns:
                continue
            factor = row.coefficient(g)
            if factor is None or factor.unknowns or not factor.fraction:
                continue
            rest = row.without(g)
            if rest.unknowns <= self.at.keys():
                return -(rest.scaled(1 / factor.fraction)).put(self.at)
        return None

    # -- the proof ------------------------------------------------------------------------------

    def _fits_joints(self) -> None:
        """What joints say vanishes where the search's rows do, at the poses that it reads."""
        bounds = {}
        for u in self.full.unknowns:
            size = max(abs(u.low), abs(u.high))
            bounds[self.number[u.name]] = size if math.isfinite(size) else math.inf
        if any(b == math.inf for b in bounds.values()):
            bounds = {g: 4.0 if b == math.inf else b for g, b in bounds.items()}
        sums = SumsOfRows(self.ring, [row for row, _ in self.rows], bounds, self.deadline)
        self._tell(sums, self.joints_there, "what the search lists")
        for value, source in self.joint_sides_there:
            self._side(sums, value, source, [s for s, _ in self.sides])

    def _fits_search(self) -> None:
        """The search's rows vanish where what joints say does, at the unknowns of poses."""
        rows = [row for row, _ in self.own_rows]
        bounds = self._reach()
        sums = SumsOfRows(self.ring, rows, bounds, self.deadline)
        there = [(row.put(self.at), source) for row, source in self.rows]
        self._tell(sums, there, "its rows")
        if self.found.unproved:
            return
        back = [
            (read.put(self.at) - entry, body)
            for body in self.bodies
            for read, entry in zip(self.read[body], self.entries[body], strict=True)
        ]
        self._tell(sums, back, "where its readings put bodies")
        for value, source in self.sides:
            self._side(sums, value.put(self.at), source, [s for s, _ in self.own_sides])

    def _tell(self, sums: SumsOfRows, told: Sequence[tuple[Polynomial, str]], what: str) -> None:
        left = sums.left_over([value for value, _ in told])
        for off, (_, source) in zip(left, told, strict=True):
            if math.isfinite(off):
                self.found.off = max(self.found.off, off)
            else:
                said = f"that {what} and what {source!r} says are the same"
                if said not in self.found.unproved:
                    self.found.unproved.append(said)

    def _side(
        self, sums: SumsOfRows, value: Polynomial, source: str, known: Sequence[Polynomial]
    ) -> None:
        """A side is positive: one that is known, or 1, but for what vanishes."""
        candidates = [self.ring.number(1), *known]
        left = sums.left_over([value - one for one in candidates])
        if not any(math.isfinite(off) for off in left):
            self.found.unproved.append(f"which way round {source!r} is meant")

    def _domain(self) -> None:
        """Every position lies in the domain that was searched."""
        norms = self._norms()
        for u in self.full.unknowns:
            g, size = self.number[u.name], min(-u.low, u.high)
            if not math.isfinite(max(abs(u.low), abs(u.high))) or u.name.startswith("limit of "):
                continue
            if u.name in self.full.halves and self._are_halves():
                size = u.high
            elif u.is_limit:
                if not self._is_asked(u):
                    self.found.unproved.append(f"that {u.name!r} ends where it was asked to")
                continue
            reach = norms.get(g, math.inf)
            if reach == math.inf:
                reach = self._product_reach(g, norms)
            slide = OWN + slide_name(u.name.removesuffix(".displacement"))
            if slide in self.number:
                reach = self._reach().get(self.number[slide], math.inf)
            reach = min(reach, self._size_of(self.at[g]))
            if not reach <= size:
                self.found.unproved.append(f"that no position has {u.name!r} beyond {size:.3g}")

    def _reach(self) -> dict[int, float]:
        """How large places and slides of poses are, in sizes, by the shortest way of lengths."""
        if self.bounds:
            return self.bounds
        ways = _Ways(self.layout, self.asked, self.rods)
        for u in self.full.unknowns:
            if (u.low, u.high) == (-FAR, FAR) and (joint := slid_by(u.name)) in ways.slides:
                ways.links.append((*ways.slides[joint], FAR * self.scale, joint))
        for body, entries in self.entries.items():
            if not any(e.unknowns for e in entries):
                low, high = zip(*(self.ring.bounds(e) for e in entries), strict=True)
                middle = np.array([float(a + b) / 2.0 for a, b in zip(low, high, strict=True)])
                ways.pin(body, middle[:3] * self.scale, middle[3:].reshape(3, 3).T)
        for name, g in self.number.items():
            body = name.removeprefix(OWN).rpartition(".p.")[0]
            if name.startswith(OWN) and body:
                self.bounds[g] = ways.between((GROUND, ZERO), (body, ZERO)) / self.scale
            elif name.startswith(OWN + slide_name("")):
                joint = name.removeprefix(OWN + slide_name(""))
                self.bounds[g] = ways.slid(joint) / self.scale
        return self.bounds

    def _size_of(self, value: Polynomial) -> float:
        """How large a polynomial of poses can be: of axes no part is beyond 1."""
        bounds = self._reach()
        sizes = (
            abs(float(c)) * math.prod(bounds.get(g, 1.0) for g in m) for m, c in value.terms.items()
        )
        return math.fsum(sizes) * (1.0 + 1e-9)

    def _norms(self) -> dict[int, float]:
        """How large unknowns are by rows that say the length of a vector of them."""
        found: dict[int, float] = {}
        for row, _ in self.rows:
            squares = {m[0]: c for m, c in row.terms.items() if len(m) == 2 and m[0] == m[1]}
            rest = row.terms.get((), Fraction(0))
            if len(squares) + bool(rest) != len(row.terms) or len(set(squares.values())) != 1:
                continue
            square = -rest / next(iter(squares.values()))
            for g in squares:
                found[g] = math.sqrt(max(0.0, float(square))) * (1.0 + 1e-9)
        return found

    def _product_reach(self, g: int, norms: Mapping[int, float]) -> float:
        """|r . u| <= |r| |u|, of an unknown that is such a product."""
        for row, _ in self.rows:
            factor = row.coefficient(g) if g in row.unknowns else None
            if factor is None or not factor.fraction:
                continue
            terms = row.without(g).terms
            if not all(len(m) == 2 and m[0] in norms and m[1] in norms for m in terms):
                continue
            first, second = ({m[k] for m in terms} for k in range(2))
            if len(first) == len(second) == len(terms):
                most = max(abs(float(c / factor.fraction)) for c in terms.values())
                return most * norms[min(first)] * norms[min(second)] * (1.0 + 1e-9)
        return math.inf

    def _are_halves(self) -> bool:
        """Whether rows and readings are the same at x and -x of a dual quaternion."""
        every = [row for row, _ in self.rows] + [p for read in self.read.values() for p in read]
        return all(len(m) % 2 == 0 for p in every for m in p.terms)

    def _is_asked(self, u: SystemUnknown) -> bool:
        """Whether a slide ends where limits of it say, or as far as any is followed."""
        joint = slid_by(u.name)
        if joint and (u.low, u.high) == (-FAR, FAR):
            return True  # as its message says
        ends = limits_of(self.layout, self.asked, joint)
        return ends is not None and (u.low, u.high) == (ends[0] / self.scale, ends[1] / self.scale)


Spot = tuple[str, tuple[float, float, float]]  # a body and a point of it
ZERO = (0.0, 0.0, 0.0)


def limits_of(layout: Layout, asked: Asked, joint: str) -> tuple[float, float] | None:
    """Between what a joint's slide is kept, by limits that are read between its own markers."""
    low, high = -math.inf, math.inf
    for e in layout.elements[: layout.first_drive]:
        if isinstance(e, JointElement) and e.name == joint and len(e.markers) == 2:
            for gauge, least, most in asked.limits:
                pair = gauge.I, gauge.J
                if gauge.measure == Displacement(Z) and pair == tuple(e.markers):
                    low, high = max(low, least), min(high, most)
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None


@final
class _Ways:
    """How far apart points of bodies can be: the shortest way along bodies, rods and slides."""

    def __init__(self, layout: Layout, asked: Asked, rods: Mapping[str, RodBody]) -> None:
        self.links: list[tuple[Spot, Spot, float, str]] = []
        self.slides: dict[str, tuple[Spot, Spot]] = {}
        for e in layout.elements[: layout.first_drive]:
            if not isinstance(e, JointElement) or len(e.markers) != 2:
                continue
            I, J = e.markers
            if I.body in rods or J.body in rods:
                continue
            ends = spot(I), spot(J)
            for c in e.joint.constraints:
                if isinstance(c, Coincident | Distance):
                    length = c.length if isinstance(c, Distance) else 0.0
                    self.links.append((*ends, float(length), e.name))
            if is_on_line(e.joint):
                self.slides[e.name] = ends
                stroke = limits_of(layout, asked, e.name)
                if stroke is not None:
                    self.links.append((*ends, max(map(abs, stroke)), e.name))
        for rod in rods.values():
            A, B = rod.ends
            self.links.append((spot(A), spot(B), rod.length, rod.name))
        for gauge, value in asked.held:
            if isinstance(gauge.measure, DistanceBetween):
                self.links.append((spot(gauge.I), spot(gauge.J), value, gauge.name))

    def pin(self, body: str, p: Any, R: Any) -> None:
        """A body stands still: its points are points of the ground."""
        spots = {s for a, b, *_ in self.links for s in (a, b)} | {
            s for pair in self.slides.values() for s in pair
        }
        for name, point in spots:
            if name == body:
                x, y, z = (float(e) for e in p + R @ np.array(point))
                self.links.append(((body, point), (GROUND, (x, y, z)), 0.0, ""))

    def between(self, start: Spot, end: Spot, without: str = "") -> float:
        """No further than this; inf where nothing says."""
        links = [link for link in self.links if link[3] != without]
        far = {start: 0.0}
        for _ in range(2 * len(links) + 2):
            before = dict(far)
            for A, B, length, _name in links:
                for here, there in ((A, B), (B, A)):
                    reach = _nearest(far, here) + length
                    far[there] = min(far.get(there, math.inf), reach)
            if far == before:
                break
        return _nearest(far, end) * (1.0 + 1e-9)

    def slid(self, joint: str) -> float:
        """How far a joint can be slid."""
        I, J = self.slides[joint]
        return min(self.between(I, J, joint), self.between(I, J))


def spot(marker: Marker) -> Spot:
    """Where a marker is."""
    x, y, z = (float(e) for e in marker.position)
    return marker.body, (x, y, z)


def _nearest(far: Mapping[Spot, float], at: Spot) -> float:
    ways = [d + math.dist(p, at[1]) for (body, p), d in far.items() if body == at[0]]
    return min(ways, default=math.inf)


def slid_by(name: str) -> str:
    """The joint whose slide an unknown of the search is; none."""
    return name.removesuffix(".displacement") if name.endswith(".displacement") else ""


def _still(graph: Graph) -> Pose:
    zero, one = (Expression(graph, graph.constant(x)) for x in (0.0, 1.0))
    axes = [Vector(*(one if i == j else zero for i in range(3))) for j in range(3)]
    return Pose(Vector(zero, zero, zero), Rotation(*axes))


def _on(graph: Graph, value: Any) -> Expression:
    return lifted(graph, value)


def _times(p: Sequence[Polynomial], q: Sequence[Polynomial]) -> list[Polynomial]:
    a, b, c, d = p
    w, x, y, z = q
    return [
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    ]


def _turn(q: Any) -> Any:
    """The rotation matrix of a unit quaternion."""
    w, v = float(q[0]), np.array(q[1:])
    K = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    return np.eye(3) + 2.0 * w * K + 2.0 * K @ K


def _quaternion_of(R: Any) -> Any:
    """(w, x, y, z) of a rotation matrix."""
    values, vectors = np.linalg.eigh(
        np.array(
            [
                [np.trace(R), R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
                [0.0, 2.0 * R[0, 0] - np.trace(R), R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
                [0.0, 0.0, 2.0 * R[1, 1] - np.trace(R), R[1, 2] + R[2, 1]],
                [0.0, 0.0, 0.0, 2.0 * R[2, 2] - np.trace(R)],
            ]
        ),
        UPLO="U",
    )
    return vectors[:, int(np.argmax(values))]
