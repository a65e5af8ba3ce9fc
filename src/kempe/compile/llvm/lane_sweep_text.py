"""The kinematic sweep of many variants in LLVM IR, eight of them side by side in SIMD lanes.

`fused_text` is its twin for one mechanism: the same prediction, correction and requirements. A lane
that misses a requirement is dead from there on: its numbers go on, mean nothing, and nobody reads
them, for `reached` tells how many samples every variant has passed. A step is corrected until no
living lane needs it; a lane that has converged stays where it is.

All arrays of variants have the variant as their last index: number k of variant j stands at
k stride + j. Scalar j of the readings, of order o (value, rate, acceleration) at a sample, is row
(o scalars + j) samples + sample of `out`.

In the plane, where samples are evenly spaced, the step from the fifth sample on is predicted by
the polynomial of seventh degree through the velocities and accelerations of the last four samples:

    delta = h (b0 v0 + ... + b3 v3) + h^2 (c0 a0 + ... + c3 a3),

summed up from the oldest on with fused multiply-add, off by h^9. At a degree a step that is nearly
always all that the tolerance asks for, and nothing is left to be corrected.

Own: the acceptance of a step; whole turns of readings by the trapezoidal rule; the predictor.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from typing import Final, final

from kempe.compile.llvm.emit import CHUNK, live_registers, write_section
from kempe.compile.llvm.fused_text import CONTRACTION, LEASH, MOST_CORRECTIONS
from kempe.compile.llvm.ir import Lanes, Loop, Module, Writer, hexadecimal
from kempe.compile.llvm.lane_sweep import BEFORE, NAME, WIDTH, LaneTask
from kempe.compile.llvm.sections import (
    SECTIONS,
    AbstractSections,
    CalledSections,
    InlineSections,
    consecutive,
    folded,
    section_numbers,
)
from kempe.compile.small.kinematic_tape import SWEPT
from kempe.compile.small.reading_tape import ORDERS

READ_ONLY: Final = (
    *("parameters", "read", "times", "sizes", "signs"),
    *("floors", "weights", "limits", "aims"),
)
# Integrals over the next step of the polynomial through v and its rate at 0, -1, -2 and -3 steps.
OF_VELOCITIES: Final = (-169325 / 18144, -4825 / 672, 9511 / 672, 60947 / 18144)
OF_ACCELERATIONS: Final = (126467 / 30240, 54541 / 3360, 35059 / 3360, 25853 / 30240)
WRITTEN: Final = ("q", "turns", "out", "reached", "work")
TURN: Final = 2.0 * math.pi
PAST: Final = BEFORE  # samples whose v and a are kept: that of sample s in place s mod 4
WIDE: Final = Lanes(WIDTH)


def lane_sweep_text(task: LaneTask) -> str:
    """The module with the sweep of a task."""
    return _LaneSweep(task).text()


@final
class _LaneSweep:
    """Writes the function, block after block."""

    def __init__(self, task: LaneTask) -> None:
        self.task, self.kinematic, self.reading = task, task.kinematic, task.reading
        k = task.kinematic
        self.module = Module()
        self.w = Writer(self.module, WIDE)
        self.loop = Loop(self.w)
        counts = {"q": k.n_q, "v": k.n_v, "delta": k.n_v, "t": 1, "last": k.n_turns}
        self.inputs = consecutive(counts | {"p": k.n_parameters})
        r = task.reading
        self.read_inputs = consecutive({"q": r.n_q, "v": r.n_v, "a": r.n_v, "p": r.n_parameters})
        self.angles = [j for j, is_angle in enumerate(r.wrapped) if is_angle]
        turned = len(self.angles)
        self.work = consecutive(
            {"q": k.n_q, "moved": k.n_q, "last": k.n_turns, "angles": turned, "rates": turned}
            | {"past": PAST * 2 * k.n_v}
        )

    def text(self) -> str:
        """The whole module."""
        w, loop = self.w, self.loop
        loop.declare(["group", "sample", "iteration"], "i64")
        loop.declare(["t", "h_old", "slack"], "double")
        loop.declare(["S", "D", "before"])
        loop.declare(["alive"], w.lanes.truth)
        loop.declare(["passed"], w.lanes.integer)
        loop.set("group", "0", "i64")
        self._room()
        w.line("br label %group")
        self._group()
        read = ", ".join(f"ptr noalias readonly %{name}" for name in READ_ONLY)
        written = ", ".join(f"ptr noalias %{name}" for name in WRITTEN)
        sizes = "i64 %count, i64 %stride, i64 %groups, i64 %known"
        self.module.pieces[NAME] = w.function(
            f"define void @{NAME}({read}, {written}, {sizes}) nounwind"
        )
        return self.module.text()

    def _room(self) -> None:
        """Registers of tapes whose sections are called stand behind the numbers of the loop."""
        if self.task.is_large:
            place = self.w.at("%work", self.task.work_numbers - self.task.registers)
            self.w.line(f"%registers = getelementptr i8, ptr {place}, i64 0")

    def _group(self) -> None:
        """Eight variants, from their start to the last sample that one of them passes."""
        w, loop = self.w, self.loop
        w.label("group")
        group = loop.get("group", "i64")
        more = w.value(f"icmp slt i64 {group}, %groups")
        w.line(f"br i1 {more}, label %begin, label %end")
        w.label("begin")
        self.first = w.value(f"mul i64 {group}, {WIDTH}")
        self.size = w.load(self._place("sizes", 0), w.lanes.size)
        self._begin()
        here = self._start()
        self._sample(here)
        w.label("done")
        for name, array in (("q", "q"), ("last", "turns")):
            for k, value in enumerate(self._kept(name)):
                w.store(value, self._place(array, k), w.lanes.size)
        passed = loop.get("passed", w.lanes.integer)
        place = w.at("%reached", self.first, "i64")
        w.line(f"store {w.lanes.integer} {passed}, ptr {place}, align 8")
        loop.set("group", w.value(f"add i64 {group}, 1"), "i64")
        w.line("br label %group")
        w.label("end")
        w.line("ret void")

    def _place(self, array: str, row: int) -> str:
        """Where number `row` of the eight variants stands in an array of variants."""
        w = self.w
        offset = w.value(f"mul i64 %stride, {row}")
        return w.at(f"%{array}", w.value(f"add i64 {offset}, {self.first}"), "double")

    def _begin(self) -> None:
        w, loop, zero = self.w, self.loop, WIDE.constant(0.0)
        for k in range(self.kinematic.n_q):
            self._keep("q", k, w.load(self._place("q", k), w.lanes.size))
        for k in range(self.kinematic.n_turns):
            self._keep("last", k, w.load(self._place("turns", k), w.lanes.size))
        for name in ("past", "rates"):
            for k in range(len(self.work[name])):
                self._keep(name, k, zero)
        for k in range(len(self.angles)):
            self._keep("angles", k, w.load(self._place("aims", k), w.lanes.size))
        loop.set("sample", "0", "i64")
        loop.set("t", w.value("load double, ptr %times, align 8"), "double")
        loop.set("h_old", "1.0", "double")
        loop.set("slack", w.value("load double, ptr %limits, align 8"), "double")
        loop.set("alive", "splat (i1 true)", w.lanes.truth)
        loop.set("passed", WIDE.whole(0), w.lanes.integer)

    # -- one sample ----------------------------------------------------------------------------

    def _sample(self, start: Callable[[], AbstractSections]) -> None:
        w, loop = self.w, self.loop
        w.line("br label %sample")
        w.label("sample")
        sample = loop.get("sample", "i64")
        more = w.value(f"icmp slt i64 {sample}, %count")
        living = w.any(loop.get("alive", w.lanes.truth))
        w.line(f"br i1 {w.value(f'and i1 {more}, {living}')}, label %predict, label %done")
        w.label("predict")
        t = w.value(f"load double, ptr {w.at('%times', sample, 'double')}, align 8")
        h = w.value(f"fsub double {t}, {loop.get('t', 'double')}")
        self._predict(start, h, sample)
        here, q = self._residual(start, t)
        self._refine(start, here.fork(), q)
        self._accept(here, q, sample, t, h)

    def _predict(self, start: Callable[[], AbstractSections], h: str, sample: str) -> None:
        """q* = q (+) delta; too far a step is missed."""
        w = self.w
        if self.task.is_flat:
            known = w.value(f"icmp sge i64 {sample}, %known")
            w.line(f"br i1 {known}, label %smooth, label %rough")
            w.label("smooth")
            self._move(start, self._smooth(h, sample))
            w.label("rough")
        self._move(start, self._rough(h, sample))

    def _rough(self, scalar_h: str, sample: str) -> list[str]:
        """The displacement as `fused_text` has it."""
        w, constant = self.w, WIDE.constant
        h, h_old = self._spread(scalar_h), self._spread(self.loop.get("h_old", "double"))
        half = w.multiply(w.multiply(constant(0.5), h), h)
        third = w.divide(h, w.multiply(constant(3.0), h_old))
        old = w.multiply(half, third)
        both = w.add(half, old)
        delta = []
        (vs, accelerations), (_, older) = self._past(sample, 1), self._past(sample, 2)
        for v, a, a_old in zip(vs, accelerations, older, strict=True):
            known = w.subtract(w.multiply(h, v), w.multiply(old, a_old))
            delta.append(w.add(known, w.multiply(both, a)))
        return delta

    def _smooth(self, scalar_h: str, sample: str) -> list[str]:
        """The displacement by the last four samples, the oldest first: the newest are late."""
        w = self.w
        h = self._spread(scalar_h)
        square = w.multiply(h, h)
        factors = [
            (w.multiply(h, WIDE.constant(b)), w.multiply(square, WIDE.constant(c)))
            for b, c in zip(OF_VELOCITIES, OF_ACCELERATIONS, strict=True)
        ]
        delta: list[str] = []
        for age in reversed(range(PAST)):
            b, c = factors[age]
            for k, (v, a) in enumerate(zip(*self._past(sample, age + 1), strict=True)):
                if age == PAST - 1:
                    delta.append(w.fused(c, a, w.multiply(b, v)))
                else:
                    delta[k] = w.fused(c, a, w.fused(b, v, delta[k]))
        return delta

    def _past(self, sample: str, age: int) -> tuple[list[str], list[str]]:
        """Velocities and accelerations of an earlier sample."""
        w, place = self.w, self._past_place(sample, -age)
        found = [w.load(w.at(place, k), w.lanes.size) for k in range(2 * self.kinematic.n_v)]
        return found[: self.kinematic.n_v], found[self.kinematic.n_v :]

    def _past_place(self, sample: str, away: int) -> str:
        """Where velocities and, behind them, accelerations of a sample near this one stand."""
        w = self.w
        slot = w.value(f"and i64 {w.value(f'add i64 {sample}, {away}')}, {PAST - 1}")
        offset = w.value(f"mul i64 {slot}, {2 * self.kinematic.n_v}")
        return w.at(w.at("%work", self.work["past"].start), offset)

    def _move(self, start: Callable[[], AbstractSections], delta: Sequence[str]) -> None:
        w, loop, constant = self.w, self.loop, WIDE.constant
        step = self._step(delta)
        self._require(w.compare("ole", step, constant(1.0)))
        for k, value in enumerate(self._retracted(start, self._kept("q"), delta)):
            self._keep("moved", k, value)
        loop.set("S", step)
        loop.set("D", constant(0.0))
        loop.set("before", constant(math.inf))
        loop.set("iteration", "0", "i64")
        w.line("br label %newton")

    def _residual(
        self, start: Callable[[], AbstractSections], t: str
    ) -> tuple[AbstractSections, list[str]]:
        """phi(q*, t); where a living lane has not converged, it is refined."""
        w, loop = self.w, self.loop
        w.label("newton")
        here, q = start(), self._kept("moved")
        here.put(self.inputs["q"], q)
        here.put(self.inputs["t"], [self._spread(t)])
        here.put(self.inputs["last"], self._kept("last"))
        here.run("residual")
        self.r = self._peak(here.values(self.kinematic.phi), self.task.row_units, 1)
        self.converged = w.compare("ole", self.r, WIDE.constant(1.0))
        alive = loop.get("alive", w.lanes.truth)
        self.waiting = w.both(alive, self._not(self.converged))
        w.line(f"br i1 {w.any(self.waiting)}, label %refine, label %converged")
        return here, q

    def _refine(
        self, start: Callable[[], AbstractSections], here: AbstractSections, q: list[str]
    ) -> None:
        """q* := q* (+) -dx where a lane waits, while that contracts and stays near."""
        w, loop = self.w, self.loop
        w.label("refine")
        iteration = loop.get("iteration", "i64")
        few = w.value(f"icmp slt i64 {iteration}, {MOST_CORRECTIONS}")
        bound = w.multiply(WIDE.constant(CONTRACTION), loop.get("before"))
        fine = w.both(w.compare("ole", self.r, bound), self._spread(few, "i1"))
        loop.set("before", self.r)
        loop.set("iteration", w.value(f"add i64 {iteration}, 1"), "i64")
        here.run("correct")
        dx = here.values(self.kinematic.dx)
        pivots = here.values(self.kinematic.correct_pivots)
        fine = w.both(fine, self._above(pivots, 0))
        moved = w.add(loop.get("D"), self._step(dx))
        leash = w.multiply(WIDE.constant(LEASH[0]), loop.get("S"))
        leash = w.add(leash, self._spread(loop.get("slack", "double")))
        fine = w.both(fine, w.compare("ole", moved, leash))
        loop.set("D", moved)
        self._require(self._either(fine, self.converged))
        new = self._retracted(start, q, [w.negative(x) for x in dx])
        for k, (value, old) in enumerate(zip(new, q, strict=True)):
            self._keep("moved", k, w.choose(self.waiting, value, old))
        w.line("br label %newton")

    def _accept(self, here: AbstractSections, q: list[str], sample: str, t: str, h: str) -> None:
        """Velocity and acceleration; the last requirements; readings; the new accepted sample."""
        w, loop, kinematic = self.w, self.loop, self.kinematic
        w.label("converged")
        turns, spare = here.values(kinematic.turns), here.values(kinematic.spare)
        if spare:
            peak = self._peak(spare, self.task.spare_units, 2)
            self._require(w.compare("ole", peak, WIDE.constant(1.0)))
        here.run("velocity")
        v, pivots = here.values(kinematic.qd), here.values(kinematic.velocity_pivots)
        self._require(self._above(pivots, len(kinematic.correct_pivots)))
        self._require_signs(pivots)
        here.put(self.inputs["v"], v)
        here.run("acceleration")
        a = here.values(kinematic.qdd)
        total = [*v, *a, *self._read(q, v, a, sample, h)]
        size = w.magnitude(folded(total, w.add))
        self._require(w.compare("olt", size, WIDE.constant(math.inf)))
        self._remember(q, v, a, turns, sample)
        loop.set("t", t, "double")
        loop.set(
            "h_old",
            w.value(f"select i1 {self._is_first(sample)}, double 1.0, double {h}"),
            "double",
        )
        loop.set("slack", hexadecimal(LEASH[1]), "double")
        loop.set("sample", w.value(f"add i64 {sample}, 1"), "i64")
        alive = loop.get("alive", w.lanes.truth)
        one = w.value(f"zext {w.lanes.truth} {alive} to {w.lanes.integer}")
        passed = loop.get("passed", w.lanes.integer)
        loop.set("passed", w.integer("add", passed, one), w.lanes.integer)
        w.line("br label %sample")

    def _remember(
        self, q: list[str], v: list[str], a: list[str], turns: list[str], sample: str
    ) -> None:
        """The accepted sample; at the first one the acceleration before it counts as the same."""
        w = self.w
        place = self._past_place(sample, 0)
        for k, value in enumerate((*v, *a)):
            w.store(value, w.at(place, k), w.lanes.size)
        w.line(f"br i1 {self._is_first(sample)}, label %first, label %later")
        w.label("first")
        before = self._past_place(sample, -1)
        for k, value in enumerate(a):
            w.store(value, w.at(before, self.kinematic.n_v + k), w.lanes.size)
        w.line("br label %later")
        w.label("later")
        for name, values in (("q", q), ("last", turns)):
            for k, value in enumerate(values):
                self._keep(name, k, value)

    def _is_first(self, sample: str) -> str:
        return self.w.value(f"icmp eq i64 {sample}, 0")

    # -- readings ------------------------------------------------------------------------------

    def _read(self, q: list[str], v: list[str], a: list[str], sample: str, h: str) -> list[str]:
        """Write what is read; all of it is returned, for it has to be finite."""
        w, reading = self.w, self.reading
        known = dict(zip(self.read_inputs["p"], self.read_numbers, strict=True))
        here = InlineSections(w, reading.tape, known)
        for name, values in (("q", q), ("v", v), ("a", a)):
            here.put(self.read_inputs[name], values)
        here.run("read")
        orders = [here.values(getattr(reading, name)) for name in ORDERS[: self.task.orders]]
        rates = here.values(reading.rates)
        for k, j in enumerate(self.angles):
            orders[0][j] = self._counted(k, orders[0][j], rates[j], h)
        scalars = len(reading.wrapped)
        for o, values in enumerate(orders):
            for j, value in enumerate(values):
                row = w.value(f"mul i64 %count, {o * scalars + j}")
                row = w.value(f"add i64 {row}, {sample}")
                offset = w.value(f"mul i64 {row}, %stride")
                place = w.at("%out", w.value(f"add i64 {offset}, {self.first}"), "double")
                w.store_past(value, place, w.lanes.size)
        return [x for values in orders for x in values]

    def _counted(self, k: int, angle: str, rate: str, h: str) -> str:
        """An angle with the whole turns that its rate has made since the sample before."""
        w, constant = self.w, WIDE.constant
        before, old = (self._kept(name)[k] for name in ("angles", "rates"))
        made = w.multiply(w.multiply(constant(0.5), self._spread(h)), w.add(old, rate))
        away = w.subtract(w.add(before, made), angle)
        whole = w.intrinsic("nearbyint", w.multiply(away, constant(1.0 / TURN)))
        value = w.add(angle, w.multiply(whole, constant(TURN)))
        self._keep("angles", k, value)
        self._keep("rates", k, rate)
        return value

    # -- requirements --------------------------------------------------------------------------

    def _require(self, condition: str) -> None:
        """Only lanes in which the condition holds live on."""
        alive = self.w.both(self.loop.get("alive", self.w.lanes.truth), condition)
        self.loop.set("alive", alive, self.w.lanes.truth)

    def _either(self, a: str, b: str) -> str:
        return self.w.value(f"or {self.w.lanes.truth} {a}, {b}")

    def _not(self, a: str) -> str:
        return self.w.value(f"xor {self.w.lanes.truth} {a}, splat (i1 true)")

    def _above(self, pivots: Sequence[str], first: int) -> str:
        """|pivot_i| > floor_i in every pivot."""
        w = self.w
        conditions = [
            w.compare("ogt", w.magnitude(pivot), self._number("floors", first + k))
            for k, pivot in enumerate(pivots)
        ]
        return folded(conditions, w.both) if conditions else "splat (i1 true)"

    def _require_signs(self, pivots: Sequence[str]) -> None:
        """No block's determinant has another sign than the mechanism that the variants are of."""
        w, blocks = self.w, self.kinematic.pivot_blocks.tolist()
        turned = [w.bits(self._number("signs", k)) for k in range(len(self.kinematic.blocks))]
        for pivot, block in zip(pivots, blocks, strict=True):
            turned[block] = w.integer("xor", turned[block], w.bits(pivot))
        if turned:
            any_turned = reduce(partial(w.integer, "or"), turned)
            self._require(w.integer("icmp sge", any_turned, WIDE.whole(0)))

    def _step(self, values: Sequence[str]) -> str:
        """The size of a displacement: lengths beside the machine's, angles as they are."""
        scaled = [
            self.w.multiply(value, self._number("weights", k)) if unit == "own" else value
            for k, (value, unit) in enumerate(zip(values, self.task.step_units, strict=True))
        ]
        units = ["1" if unit == "rad" else "m" for unit in self.task.step_units]
        return self._largest(scaled, units)

    def _peak(self, values: Sequence[str], units: Sequence[str], limit: int) -> str:
        """The largest row over what is still acceptable."""
        return self.w.multiply(self._largest(values, units), self._number("limits", limit))

    def _largest(self, values: Sequence[str], units: Sequence[str]) -> str:
        """max |value_i|, those in metres beside the machine's size; a NaN wins over everything."""
        w, sorts = self.w, list(zip(values, units, strict=True))
        found = []
        for is_length in (True, False):
            mine = [w.bits(w.magnitude(v)) for v, unit in sorts if (unit == "m") is is_length]
            if mine:
                peak = w.number(folded(mine, w.greater))
                found.append(w.bits(w.multiply(peak, self.size) if is_length else peak))
        return w.number(folded(found, w.greater)) if found else WIDE.constant(0.0)

    # -- numbers -------------------------------------------------------------------------------

    def _spread(self, scalar: str, kind: str = "double") -> str:
        """A scalar in every lane."""
        w, wide = self.w, f"<{WIDTH} x {kind}>"
        one = w.value(f"insertelement {wide} poison, {kind} {scalar}, i64 0")
        return w.value(
            f"shufflevector {wide} {one}, {wide} poison, <{WIDTH} x i32> zeroinitializer"
        )

    def _number(self, array: str, k: int) -> str:
        """Number k of an array that all variants share."""
        place = self.w.at(f"%{array}", k, "double")
        return self._spread(self.w.value(f"load double, ptr {place}, align 8"))

    def _kept(self, name: str) -> list[str]:
        w = self.w
        return [w.load(w.at("%work", place), w.lanes.size) for place in self.work[name]]

    def _keep(self, name: str, k: int, value: str) -> None:
        self.w.store(value, self.w.at("%work", self.work[name][k]), self.w.lanes.size)

    # -- registers -----------------------------------------------------------------------------

    def _start(self) -> Callable[[], AbstractSections]:
        """Sections with the numbers of the eight variants in place."""
        w, k = self.w, self.kinematic
        own = [w.load(self._place("parameters", j), w.lanes.size) for j in range(k.n_parameters)]
        self.read_numbers = [
            w.load(self._place("read", j), w.lanes.size) for j in range(self.reading.n_parameters)
        ]
        known = dict(zip(self.inputs["p"], own, strict=True))
        if not self.task.is_large:
            return lambda: InlineSections(w, k.tape, dict(known))
        kept = [int(r) for name in SWEPT for r in getattr(k, name)]
        live, numbers = live_registers(k.tape, kept), section_numbers(k.tape)
        functions = {
            section: write_section(self.module, WIDE, k.tape, numbers[section], live, CHUNK)
            for section in SECTIONS
        }
        sections = CalledSections(w, k.tape, functions)
        sections.put(self.inputs["p"], own)
        return lambda: sections

    def _retracted(
        self, start: Callable[[], AbstractSections], q: Iterable[str], delta: Sequence[str]
    ) -> list[str]:
        """q (+) delta."""
        here = start()
        here.put(self.inputs["q"], list(q))
        here.put(self.inputs["delta"], delta)
        here.run("retract")
        return here.values(self.kinematic.retracted)
