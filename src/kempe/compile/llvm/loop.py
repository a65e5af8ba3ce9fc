"""Compiled loops: variables that live across blocks, counting, and requirements.

A scalar that misses a requirement branches to the block `finish`. A lane that misses one is struck
from the variable `active`, and what it had is held while the other lanes go on.
"""

from collections.abc import Callable, Sequence
from typing import Final, final

from kempe.compile.llvm.ir import EXPECTED, UNCHANGING, Writer

ACTIVE: Final = "active"  # the lanes that have met every requirement of this sample
ALIVE: Final = "alive"  # the lanes that have met those of every sample before


@final
class Loop:
    """Variables (stack slots, which the optimiser turns into registers) and requirements."""

    __slots__ = ("w",)

    def __init__(self, writer: Writer) -> None:
        self.w = writer

    def declare(self, names: Sequence[str], kind: str | None = None) -> None:
        """Make room for variables, of numbers unless said otherwise."""
        for name in names:
            self.w.line(f"%slot.{name} = alloca {self._kind(kind)}")

    def get(self, name: str, kind: str | None = None) -> str:
        """What a variable holds now."""
        return self.w.value(f"load {self._kind(kind)}, ptr %slot.{name}")

    def set(self, name: str, value: str, kind: str | None = None) -> None:
        """Change a variable."""
        self.w.line(f"store {self._kind(kind)} {value}, ptr %slot.{name}")

    def truth(self, name: str) -> str:
        """What a variable of truths holds now."""
        return self.get(name, self.w.lanes.truth)

    def set_truth(self, name: str, value: str) -> None:
        """Change a variable of truths."""
        self.set(name, value, self.w.lanes.truth)

    def each(self, name: str, stop: str, step: int, body: Callable[[str], None]) -> None:
        """Write the body for 0, step, ... below stop; the variable counts."""
        w = self.w
        test, begin, end = (w.fresh(f"{name}.{word}") for word in ("test", "begin", "end"))
        self.set(name, "0", "i64")
        w.line(f"br label %{test}")
        w.label(test)
        now = self.get(name, "i64")
        more = w.value(f"icmp slt i64 {now}, {stop}")
        w.line(f"br i1 {more}, label %{begin}, label %{end}")
        w.label(begin)
        body(now)
        self.set(name, w.value(f"add i64 {now}, {step}"), "i64")
        w.line(f"br label %{test}")
        w.label(end)

    def require(self, condition: str, among: str | None = None) -> None:
        """Go on only where the condition holds; `among` says which lanes it concerns."""
        w = self.w
        if w.lanes.is_scalar:
            going_on = w.fresh("fine")
            w.line(f"br i1 {condition}, label %{going_on}, label %finish, {EXPECTED}")
            w.label(going_on)
            return
        active = self.truth(ACTIVE)
        if among is None:
            self.set_truth(ACTIVE, w.both(active, condition))
        else:
            self.set_truth(ACTIVE, w.but_not(active, w.but_not(among, condition)))

    def require_at_most(self, value: str, bound: str, among: str | None = None) -> None:
        """value <= bound."""
        self.require(self.w.compare("ole", value, bound), among)

    def require_above(self, values: Sequence[str], first: int, among: str | None = None) -> None:
        """|value_i| > limit_i, for the limits from `first` on."""
        w = self.w
        conditions = [
            w.compare("ogt", w.magnitude(value), self.limit(first + k))
            for k, value in enumerate(values)
        ]
        if conditions:
            self.require(self._folded(conditions, w.both), among)

    def require_finite(self, values: Sequence[str]) -> None:
        """No infinity and no NaN: either would make the sum one of them."""
        infinity = self.w.lanes.constant(float("inf"))
        total = self._folded(values, self.w.add)
        self.require(self.w.compare("olt", self.w.magnitude(total), infinity))

    def peak(self, values: Sequence[str], first: int) -> str:
        """max |value_i limit_i|, for the limits from `first` on; a NaN wins over everything.

        Doubles without sign are ordered as their bits are, and a NaN's bits are above infinity's.
        """
        w = self.w
        items = [
            w.bits(w.magnitude(w.multiply(value, self.limit(first + k))))
            for k, value in enumerate(values)
        ]
        return w.number(self._folded(items, w.greater)) if items else w.lanes.constant(0.0)

    def limit(self, index: int) -> str:
        """One of the limits, which the lanes share."""
        address = self.w.at("%limits", index, "double")
        return self.w.spread(self.w.value(f"load double, ptr {address}, align 8, {UNCHANGING}"))

    def how_many(self, condition: str) -> str:
        """In how many lanes the condition holds, as an i64."""
        w, count = self.w, self.w.lanes.count
        if w.lanes.is_scalar:
            return w.value(f"zext i1 {condition} to i64")
        w.module.declare(f"i{count}", f"llvm.ctpop.i{count}", [f"i{count}"])
        mask = w.value(f"bitcast {w.lanes.truth} {condition} to i{count}")
        ones = w.value(f"call i{count} @llvm.ctpop.i{count}(i{count} {mask})")
        return w.value(f"zext i{count} {ones} to i64")

    @staticmethod
    def _folded(items: Sequence[str], join: Callable[[str, str], str]) -> str:
        """All items joined pair by pair, which keeps chains of dependent operations short."""
        while len(items) > 1:
            pairs = zip(items[::2], items[1::2], strict=False)
            items = [*(join(a, b) for a, b in pairs), *items[len(items) & ~1 :]]
        return items[0]

    def _kind(self, kind: str | None) -> str:
        return self.w.lanes.real if kind is None else kind
