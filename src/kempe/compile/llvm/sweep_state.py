"""The memory of a compiled sweep: inputs of the tape, limits, and the state between samples."""

from typing import Final, final

from kempe.compile.llvm.ir import EXPECTED
from kempe.compile.llvm.loop import ACTIVE, ALIVE, Loop
from kempe.compile.small.kinematic_tape import KinematicTape

STEP: Final = "h_old"
TIME: Final = "t"


@final
class SweepInputs:
    """The registers of a kinematic tape's inputs."""

    __slots__ = ("delta", "last", "p", "q", "t", "v")

    def __init__(self, kinematic: KinematicTape) -> None:
        n_q, n_v = kinematic.n_q, kinematic.n_v
        counts = (n_q, n_v, n_v, 1, kinematic.n_turns, kinematic.n_parameters)
        stops = [sum(counts[: k + 1]) for k in range(len(counts))]
        blocks = [range(stop - n, stop) for stop, n in zip(stops, counts, strict=True)]
        self.q, self.v, self.delta, self.t, self.last, self.p = blocks


@final
class SweepLimits:
    """Where each block of the limits starts."""

    __slots__ = ("correct_pivots", "rows", "spares", "steps", "velocity_pivots")

    def __init__(self, kinematic: KinematicTape) -> None:
        self.rows = 0
        self.spares = self.rows + kinematic.n_rows
        self.steps = self.spares + kinematic.n_spare
        self.correct_pivots = self.steps + kinematic.n_v
        self.velocity_pivots = self.correct_pivots + len(kinematic.correct_pivots)


@final
class SweepState:
    """The last accepted sample: q, v, a, a_old, last, t, h_old, then the signs of the blocks.

    The first four are not copied from sample to sample: variables point to the rows of the output
    where they stand already (at first, to the state).
    """

    __slots__ = ("_blocks", "_loop", "_others", "_rows", "_w", "last")

    def __init__(self, kinematic: KinematicTape, loop: Loop) -> None:
        n_v = kinematic.n_v
        self._loop, self._w = loop, loop.w
        self._rows = {"q": kinematic.n_q, "v": n_v, "a": n_v, "a_old": n_v}
        self.last = [f"last{k}" for k in range(kinematic.n_turns)]
        self._others = [*self.last, TIME, STEP]
        self._blocks = len(kinematic.blocks)

    def open(self) -> list[str]:
        """Declare the variables and load them; returns the bits of the blocks' signs."""
        w, loop = self._w, self._loop
        loop.declare(list(self._rows), "ptr")
        loop.declare(self._others)
        at = 0
        for name, size in self._rows.items():
            loop.set(name, w.at("%state", at), "ptr")
            at += size
        for k, name in enumerate(self._others):
            loop.set(name, w.load(w.at("%state", at + k)))
        first = at + len(self._others)
        return [w.bits(w.load(w.at("%state", first + k))) for k in range(self._blocks)]

    def row(self, name: str) -> list[str]:
        """q, v, a or a_old of the last accepted sample."""
        base = self._loop.get(name, "ptr")
        return [self._w.load(self._w.at(base, k)) for k in range(self._rows[name])]

    def advance(
        self, sample: str, rows: dict[str, list[str]], turns: list[str], t: str, h: str
    ) -> None:
        """Make this sample the last accepted one, and write its rows of the output."""
        loop = self._loop
        loop.set("a_old", loop.get("a", "ptr"), "ptr")
        for name, values in rows.items():
            self._write_row(name, sample, values)
        for name, value in zip(self._others, [*turns, t, h], strict=True):
            loop.set(name, value)

    def _write_row(self, name: str, sample: str, values: list[str]) -> None:
        w = self._w
        if not w.lanes.is_scalar:  # lanes that have ended repeat what they had
            active = self._loop.truth(ACTIVE)
            pairs = zip(values, self.row(name), strict=True)
            values = [w.choose(active, new, old) for new, old in pairs]
        row = w.at(f"%{name}_out", w.value(f"mul i64 {sample}, {len(values)}"))
        for k, value in enumerate(values):
            w.store(value, w.at(row, k))
        self._loop.set(name, row, "ptr")

    def part(self, sample: str) -> None:
        """Put away the lanes that have missed a requirement; end where none is left alive."""
        w, loop = self._w, self._loop
        if w.lanes.is_scalar:
            return
        active = loop.truth(ACTIVE)
        fell = w.but_not(loop.truth(ALIVE), active)
        nobody = w.value(f"xor i1 {w.any(fell)}, true")
        w.line(f"br i1 {nobody}, label %together, label %part, {EXPECTED}")
        w.label("part")
        self.close(fell, sample)
        loop.set_truth(ALIVE, active)
        w.line(f"br i1 {w.any(active)}, label %together, label %finish")
        w.label("together")

    def close(self, lanes: str, sample: str) -> None:
        """Write the state back in these lanes, and that this sample is the first they lack."""
        w, loop = self._w, self._loop
        state = [value for name in self._rows for value in self.row(name)]
        state += [loop.get(name) for name in self._others]
        for k, value in enumerate(state):
            place = w.at("%state", k)
            kept = value if w.lanes.is_scalar else w.choose(lanes, value, w.load(place))
            w.store(kept, place)
        if not w.lanes.is_scalar:
            kind = w.lanes.integer
            old = w.value(f"load {kind}, ptr %failed_at, align 8")
            new = w.choose(lanes, w.spread(sample, "i64"), old, kind)
            w.line(f"store {kind} {new}, ptr %failed_at, align 8")
