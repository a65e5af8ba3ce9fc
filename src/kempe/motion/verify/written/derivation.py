"""A small system derived from a full one, every step of it checked.

Unknowns that the small system does without are eliminated by rows in which they are linear with a
factor that is proved not to be zero, or by a *lock*: a row p cos d + q sin d = 0 between the turns
of two bodies, of whose two solutions the sides leave one. Each step keeps the set of solutions, so
full and small system have the same ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import final

from kempe.algebra import Op
from kempe.motion.verify.written.planar_rows import WrittenRow, WrittenSystem
from kempe.motion.verify.written.polynomial import Polynomial, Ring

ROUNDED = Fraction(1, 2**40)  # in rows of the size of 1


@final
@dataclass(frozen=True, slots=True, eq=False)
class Derived:
    """What is left: rows, sides and readings of the unknowns that were kept.

    `repeated` rows became 0 = 0, exactly; `contradiction` is the source of one that became b = 0
    with b not 0. `doubtful` rows are constants that may be zero; `stuck` unknowns no row tells.
    """

    written: WrittenSystem
    rows: list[WrittenRow]
    sides: list[WrittenRow]
    readings: dict[str, Polynomial]
    steps: list[tuple[str, str]]  # unknown, the row that tells it
    repeated: list[str]
    contradiction: str
    doubtful: list[str]
    stuck: list[str]
    implied: list[WrittenRow]
    roots: tuple[tuple[int, Polynomial], ...] = ()  # unknowns that stand for roots, their squares

    @property
    def ring(self) -> Ring:
        """Of all polynomials."""
        return self.written.ring


def derived(
    written: WrittenSystem, kept: Sequence[str], order: Sequence[tuple[str, str]] = ()
) -> Derived:
    """The system in the unknowns of these names.

    An `order` names unknowns that go, with the row of each that is tried first: of rows that nearly
    repeat each other not every one tells an unknown well.
    """
    return _Elimination(written, kept, order).result()


@final
class _Elimination:
    def __init__(
        self, written: WrittenSystem, kept: Sequence[str], order: Sequence[tuple[str, str]]
    ) -> None:
        self.order = [(written.ring.numbers[name], source) for name, source in order]
        self.written, self.ring = written, written.ring
        numbers = written.ring.numbers
        stays = {numbers[name] for name in kept if name in numbers}
        self.goes = [
            j
            for name, j in numbers.items()
            if j not in stays and not (written.bounds[name].is_limit or written.bounds[name].period)
        ]
        self.bound = [name for name, j in numbers.items() if j not in stays and j not in self.goes]
        self.rows, self.sides = list(written.rows), list(written.sides)
        self.implied = list(written.implied)
        self.values: dict[int, Polynomial] = {}
        self.steps: list[tuple[str, str]] = []
        self.contradiction = ""
        self.repeated: list[str] = []
        self.doubtful: list[str] = []
        while self._lock():
            pass
        self._settle()
        while self._solve():
            self._settle()

    def result(self) -> Derived:
        """What is left."""
        sides = []
        for side in self.sides:
            if side.value.unknowns:
                sides.append(side)
                continue
            low, high = self.ring.bounds(side.value)
            if high <= 0:
                self.contradiction = self.contradiction or side.source
            elif low <= 0:
                self.doubtful.append(side.source)
        readings = {k: v.put(self.values) for k, v in self.written.readings.items()}
        left = [self.ring.generators[j].name for j in self.goes if j not in self.values]
        stuck = left + self.bound
        return Derived(
            self.written,
            self.rows,
            sides,
            readings,
            self.steps,
            self.repeated,
            self.contradiction,
            self.doubtful,
            stuck,
            self.implied,
        )

    def _settle(self) -> None:
        """Take out the rows that have no unknown left in them."""
        left = []
        for row in self.rows:
            if row.value.unknowns:
                left.append(row)
            elif row.value.is_zero:
                self.repeated.append(row.source)
            elif self.ring.excludes_zero(row.value) and self._is_large(row.value):
                self.contradiction = self.contradiction or row.source
            else:
                self.doubtful.append(row.source)
        self.rows = left

    def _is_large(self, number: Polynomial) -> bool:
        """Whether a number is more than rounded lengths leave of a zero: 0.1 + 0.2 - 0.3."""
        low, high = self.ring.bounds(number)
        return max(-low, high) > ROUNDED

    def _put(self, values: dict[int, Polynomial]) -> None:
        self.values = {j: v.put(values) for j, v in self.values.items()} | values
        for rows in (self.rows, self.sides, self.implied):
            rows[:] = [replace(r, value=r.value.put(values)) for r in rows]

    # -- linear rows ---------------------------------------------------------------------------

    def _solve(self) -> bool:
        """Solve one row for an unknown that goes; whether there was one."""
        best = self._told()
        goes = {j for j in self.goes if j not in self.values}
        for k, row in enumerate(self.rows if best is None else ()):
            if not row.tells or (best is not None and len(row.value.terms) >= best[0]):
                continue
            for j in sorted(row.value.unknowns & goes):
                factor = row.value.coefficient(j)
                if factor is None or factor.unknowns or factor.is_zero:
                    continue
                if self.ring.excludes_zero(factor) and self._is_large(factor):
                    best = len(row.value.terms), k, j, factor
                    break
        if best is None:
            return False
        _, k, j, factor = best
        row = self.rows.pop(k)
        value = -(row.value.without(j) * self.ring.reciprocal(factor))
        self.steps.append((self.ring.generators[j].name, row.source))
        self._put({j: value})
        return True

    def _told(self) -> tuple[int, int, int, Polynomial] | None:
        """The next unknown of the order with its row, where that tells it for sure."""
        while self.order:
            j, source = self.order.pop(0)
            found: list[tuple[Fraction, int, Polynomial]] = []
            for k, row in enumerate(self.rows):
                factor = row.value.coefficient(j) if row.source == source else None
                if j not in self.goes or factor is None or factor.unknowns or factor.is_zero:
                    continue
                if self.ring.excludes_zero(factor) and self._is_large(factor):
                    low, high = self.ring.bounds(factor)
                    found.append((max(-low, high), k, factor))
            if found:
                _, k, factor = max(found, key=lambda one: one[0])
                return len(self.rows[k].value.terms), k, j, factor
        return None

    # -- locks ---------------------------------------------------------------------------------

    def _lock(self) -> bool:
        """Replace one row that locks two bodies; whether there was one."""
        pairs = self.written.circles
        free = [p for p in pairs if p[0] not in self.values]
        for k, row in enumerate(self.rows):
            seen = row.value.unknowns
            if len(seen) > 4:
                continue
            mine = [p for p in free if seen & set(p)]
            if not seen <= {g for p in mine for g in p} or not 1 <= len(mine) <= 2:
                continue
            for second in mine:
                first = next((p for p in mine if p != second), None)
                if set(second) <= set(self.goes) and self._locks(k, first, second):
                    return True
        return False

    def _locks(self, k: int, first: tuple[int, int] | None, second: tuple[int, int]) -> bool:
        """Put one body's turn in as that of another, where row k and the sides say so."""
        ring, row = self.ring, self.rows[k]
        p, q = self._turn(row.value, first, second)
        if p is None or q is None:
            return False
        square = p * p + q * q
        if not ring.excludes_zero(square):
            return False
        if p.is_zero or q.is_zero:  # no root is needed
            cosine, sine = ring.number(int(p.is_zero)), ring.number(int(q.is_zero))
        else:
            length = ring.reciprocal(ring.apply(Op.SQRT, [square]))
            cosine, sine = -q * length, p * length
        # the row leaves d and d + half a turn: a side must refuse one of them
        ways = [self._ways(cosine, sine, first, second), self._ways(-cosine, -sine, first, second)]
        refused = [self._is_refused(way, first) for way in ways]
        if refused[0] == refused[1]:
            return False
        way = ways[0] if refused[1] else ways[1]
        circle = self._circle(second)
        if not self._vanishes(row.value.put(way), first) or circle is None:
            return False
        if not self._vanishes(circle.value.put(way), first):
            return False
        self.rows = [r for r in self.rows if r is not row and r is not circle]
        names = (self.ring.generators[j].name for j in second)
        self.steps += [(name, row.source) for name in names]
        self._put(way)
        # rows that only say again how the two are turned
        for other in list(self.rows):
            if (
                first is not None
                and self._vanishes(other.value, first)
                and other is not self._circle(first)
            ):
                self.rows.remove(other)
                self.repeated.append(other.source)
        return True

    def _turn(
        self, row: Polynomial, first: tuple[int, int] | None, second: tuple[int, int]
    ) -> tuple[Polynomial | None, Polynomial | None]:
        """p and q where the row is p cos d + q sin d, d the second's turn against the first's."""
        cJ, sJ = (self.ring.of(j) for j in second)
        cI, sI = (
            (self.ring.number(1), self.ring.number(0))
            if first is None
            else (self.ring.of(first[0]), self.ring.of(first[1]))
        )
        p, q = (self._factor(row, first, j) for j in second)
        if p is None or q is None:
            return None, None
        rest = row - p * (cI * cJ + sI * sJ) - q * (cI * sJ - sI * cJ)
        return (p, q) if rest.is_zero else (None, None)

    def _factor(
        self, row: Polynomial, first: tuple[int, int] | None, second: int
    ) -> Polynomial | None:
        """The factor of cos_I times an unknown of J, free of unknowns."""
        found = row.coefficient(second)
        if found is not None and first is not None:
            found = found.coefficient(first[0])
        return None if found is None or found.unknowns else found

    def _ways(
        self, c: Polynomial, s: Polynomial, first: tuple[int, int] | None, second: tuple[int, int]
    ) -> dict[int, Polynomial]:
        """cos and sin of the second body, turned by (c, s) against the first."""
        if first is None:
            return {second[0]: c, second[1]: s}
        cI, sI = (self.ring.of(j) for j in first)
        return {second[0]: c * cI - s * sI, second[1]: s * cI + c * sI}

    def _is_refused(self, way: dict[int, Polynomial], first: tuple[int, int] | None) -> bool:
        """Whether some side is proved not to be positive this way round."""
        for side in self.sides:
            if not side.value.unknowns & way.keys():
                continue
            value = self._on_circle(side.value.put(way), first)
            if not value.unknowns and self.ring.bounds(value)[1] <= 0:
                return True
        return False

    def _circle(self, pair: tuple[int, int]) -> WrittenRow | None:
        c, s = (self.ring.of(j) for j in pair)
        wanted = (c * c + s * s - self.ring.number(1)).key
        return next((r for r in self.rows if r.value.key == wanted), None)

    def _vanishes(self, value: Polynomial, first: tuple[int, int] | None) -> bool:
        return self._on_circle(value, first).is_zero

    def _on_circle(self, value: Polynomial, first: tuple[int, int] | None) -> Polynomial:
        """With c^2 = 1 - s^2 of the first body, whose circle is one of the rows."""
        if first is None or self._circle(first) is None:
            return value
        c, s = first
        square = self.ring.number(1) - self.ring.of(s) * self.ring.of(s)
        while any(m.count(c) > 1 for m in value.terms):
            total = self.ring.number(0)
            for m, factor in value.terms.items():
                term = Polynomial(self.ring, {m: factor})
                if m.count(c) > 1:
                    left = list(m)
                    left.remove(c)
                    left.remove(c)
                    term = Polynomial(self.ring, {tuple(left): factor}) * square
                total = total + term
            value = total
        return value
