"""The kinematic sweep in LLVM IR: predict, correct, velocity, acceleration, check, for each sample.

core/kinematics/sweep.cpp is its twin for the virtual machine. A sample that misses a requirement
branches to the block `finish`; every requirement is an ordered comparison, so that a NaN misses it.

The function reads and writes memory that its caller lays out: the last accepted sample (q, v, a,
a_old, last, t, h_old, then the signs of the blocks), limits (weights of rows, spare rows and steps,
floors of the pivots), and the rows of q, v and a.

Own: the acceptance of a step.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from typing import Final, TypeAlias, final

from kempe.compile.llvm.emit import CHUNK, live_registers, write_section
from kempe.compile.llvm.fused import NAME
from kempe.compile.llvm.ir import EXPECTED, SCALAR, UNCHANGING, Loop, Module, Writer
from kempe.compile.llvm.machine_code import CompileEffort
from kempe.compile.llvm.sections import (
    SECTIONS,
    AbstractSections,
    CalledSections,
    InlineSections,
    consecutive,
    folded,
    section_numbers,
)
from kempe.compile.small.kinematic_tape import SWEPT, KinematicTape

MOST_CORRECTIONS: Final = 10
CONTRACTION: Final = 0.5  # each correction at least halves the residual
LEASH: Final = (0.25, 1.0e-3)  # all corrections together stay below 0.25 S + 1e-3

STRUCTURE: Final = (*SWEPT, "blocks", "pivot_blocks")  # what the code depends on

Start: TypeAlias = "Callable[[], AbstractSections]"  # gives sections that know the parameters


def sweep_effort(kinematic: KinematicTape) -> CompileEffort:
    """How hard to work on a sweep; unless thoroughly, its sections are functions of their own."""
    sections = [kinematic.tape.section(name) for name in SECTIONS]
    return CompileEffort.for_length(sum(section.stop - section.start for section in sections))


def sweep_text(kinematic: KinematicTape) -> str:
    """The module with the sweep of a kinematic tape."""
    return _Sweep(kinematic).text()


@final
class _Sweep:
    """Writes the function, block after block."""

    def __init__(self, kinematic: KinematicTape) -> None:
        self.kinematic = k = kinematic
        self.large = sweep_effort(kinematic) is not CompileEffort.THOROUGH
        self.module = Module()
        self.w = Writer(self.module, SCALAR)
        self.loop = Loop(self.w)
        counts = {"q": k.n_q, "v": k.n_v, "delta": k.n_v, "t": 1, "last": k.n_turns}
        self.inputs = consecutive(counts | {"p": k.n_parameters})
        self.limits = consecutive(
            {
                "rows": k.n_rows,
                "spares": k.n_spare,
                "steps": k.n_v,
                "correct_pivots": len(k.correct_pivots),
                "velocity_pivots": len(k.velocity_pivots),
            }
        )
        # Pointers to the last accepted sample: not copied, but where it stands in the output.
        self.rows = {"q": k.n_q, "v": k.n_v, "a": k.n_v, "a_old": k.n_v}
        self.last = [f"last{n}" for n in range(k.n_turns)]
        self.others = [*self.last, "t", "h_old"]
        self.moved = [f"moved{n}" for n in range(k.n_q)]  # q*, what Newton moves

    def text(self) -> str:
        """The whole module."""
        start, signs = self._entry()
        sample, t, h = self._predict(start)
        residual, q, r = self._residual(start, t)
        self._refine(start, residual.fork(), q, r)
        self._accept(residual, signs, q, sample, t, h)
        self._finish()
        read = ", ".join(f"ptr noalias readonly %{name}" for name in ("parameters", "times"))
        pointers = ("state", "limits", "q_out", "v_out", "a_out", "counts")
        written = ", ".join(f"ptr noalias %{name}" for name in pointers)
        head = f"define i64 @{NAME}({read}, i64 %first, i64 %count, {written}) nounwind"
        self.module.pieces[NAME] = self.w.function(head)
        return self.module.text()

    def _entry(self) -> tuple[Start, list[str]]:
        """Load what the loop needs; returns the start of sections and the bits of the signs."""
        w, loop = self.w, self.loop
        if self.large:
            self._make_room()
        loop.declare(list(self.rows), "ptr")
        loop.declare(self.others)
        at = 0
        for name, size in self.rows.items():
            loop.set(name, w.at("%state", at), "ptr")
            at += size
        for k, name in enumerate(self.others):
            loop.set(name, w.load(w.at("%state", at + k)))
        first = at + len(self.others)
        blocks = range(first, first + len(self.kinematic.blocks))
        signs = [w.bits(w.load(w.at("%state", k))) for k in blocks]
        loop.declare([*self.moved, "S", "D", "r_before"])
        loop.declare(["sample", "iteration", "corrections"], "i64")
        loop.set("sample", "%first", "i64")
        loop.set("corrections", "0", "i64")
        start = self._start([w.load(w.at("%parameters", k)) for k in range(len(self.inputs["p"]))])
        w.line("br label %sample")
        return start, signs

    def _predict(self, start: Start) -> tuple[str, str, str]:
        """delta = h v + h^2/2 a + h^3/6 (a - a_old) / h_old, and q* = q (+) delta.

        Written with the newest number, a, last: the next sample waits for it.
        """
        w, loop, constant = self.w, self.loop, SCALAR.constant
        w.label("sample")
        sample = loop.get("sample", "i64")
        more = w.value(f"icmp slt i64 {sample}, %count")
        w.line(f"br i1 {more}, label %predict, label %finish, {EXPECTED}")
        w.label("predict")
        t = w.load(w.at("%times", sample))
        h = w.subtract(t, loop.get("t"))
        half = w.multiply(w.multiply(constant(0.5), h), h)
        third = w.divide(h, w.multiply(constant(3.0), loop.get("h_old")))
        old = w.multiply(half, third)
        both = w.add(half, old)
        delta = []
        motion = (self._row(name) for name in ("v", "a", "a_old"))
        for v, a, a_old in zip(*motion, strict=True):
            known = w.subtract(w.multiply(h, v), w.multiply(old, a_old))
            delta.append(w.add(known, w.multiply(both, a)))
        step = self._peak(delta, "steps")
        self._require_at_most(step, constant(1.0))
        moved = self._retracted(start, self._row("q"), delta)
        for name, value in zip(self.moved, moved, strict=True):
            loop.set(name, value)
        loop.set("S", step)
        loop.set("D", constant(0.0))
        loop.set("r_before", constant(float("inf")))
        loop.set("iteration", "0", "i64")
        w.line("br label %newton")
        return sample, t, h

    def _residual(self, start: Start, t: str) -> tuple[AbstractSections, list[str], str]:
        """phi(q*, t) and its peak r, which may still be too large."""
        w, loop = self.w, self.loop
        w.label("newton")
        here, q = start(), [loop.get(name) for name in self.moved]
        here.put(self.inputs["q"], q)
        here.put(self.inputs["t"], [t])
        here.put(self.inputs["last"], [loop.get(name) for name in self.last])
        here.run("residual")
        r = self._peak(here.values(self.kinematic.phi), "rows")
        converged = w.compare("ole", r, SCALAR.constant(1.0))
        w.line(f"br i1 {converged}, label %converged, label %refine")
        return here, q, r

    def _refine(self, start: Start, here: AbstractSections, q: list[str], r: str) -> None:
        """q* := q* (+) -dx with dx = J^-1 phi, while that contracts and stays near."""
        w, loop = self.w, self.loop
        w.label("refine")
        iteration = loop.get("iteration", "i64")
        few = w.value(f"icmp slt i64 {iteration}, {MOST_CORRECTIONS}")
        bound = w.multiply(SCALAR.constant(CONTRACTION), loop.get("r_before"))
        self._require(w.both(few, w.compare("ole", r, bound)))
        loop.set("r_before", r)
        loop.set("iteration", w.value(f"add i64 {iteration}, 1"), "i64")
        here.run("correct")
        dx, pivots = (here.values(r) for r in (self.kinematic.dx, self.kinematic.correct_pivots))
        self._require_above(pivots, "correct_pivots")
        distance = w.add(loop.get("D"), self._peak(dx, "steps"))
        share, slack = (SCALAR.constant(number) for number in LEASH)
        self._require_at_most(distance, w.add(w.multiply(share, loop.get("S")), slack))
        loop.set("D", distance)
        corrections = loop.get("corrections", "i64")
        loop.set("corrections", w.value(f"add i64 {corrections}, 1"), "i64")
        moved = self._retracted(start, q, [w.negative(x) for x in dx])
        for name, new in zip(self.moved, moved, strict=True):
            loop.set(name, new)
        w.line("br label %newton")

    def _accept(
        self, here: AbstractSections, signs: list[str], q: list[str], sample: str, t: str, h: str
    ) -> None:
        """Velocity and acceleration; the last requirements; the new last accepted sample."""
        w, loop, kinematic = self.w, self.loop, self.kinematic
        w.label("converged")
        turns, spare = here.values(kinematic.turns), here.values(kinematic.spare)
        if spare:
            self._require_at_most(self._peak(spare, "spares"), SCALAR.constant(1.0))
        here.run("velocity")
        v, pivots = here.values(kinematic.qd), here.values(kinematic.velocity_pivots)
        self._require_above(pivots, "velocity_pivots")
        self._require_signs(signs, pivots)
        here.put(self.inputs["v"], v)
        here.run("acceleration")
        a = here.values(kinematic.qdd)
        # an infinity or a NaN would make the sum one of them
        total, infinity = folded([*v, *a], w.add), SCALAR.constant(float("inf"))
        self._require(w.compare("olt", w.magnitude(total), infinity))
        loop.set("a_old", loop.get("a", "ptr"), "ptr")
        for name, values in (("q", q), ("v", v), ("a", a)):
            row = w.at(f"%{name}_out", w.value(f"mul i64 {sample}, {len(values)}"))
            for k, value in enumerate(values):
                w.store(value, w.at(row, k))
            loop.set(name, row, "ptr")
        for name, value in zip(self.others, [*turns, t, h], strict=True):
            loop.set(name, value)
        loop.set("sample", w.value(f"add i64 {sample}, 1"), "i64")
        w.line("br label %sample")

    def _finish(self) -> None:
        """Write the state back; return the sample that was not passed, or the count."""
        w, loop = self.w, self.loop
        w.label("finish")
        state = [value for name in self.rows for value in self._row(name)]
        state += [loop.get(name) for name in self.others]
        for k, value in enumerate(state):
            w.store(value, w.at("%state", k))
        before = w.value("load i64, ptr %counts, align 8")
        after = w.value(f"add i64 {before}, {loop.get('corrections', 'i64')}")
        w.line(f"store i64 {after}, ptr %counts, align 8")
        if self.large:
            self.module.declare("void", "free", ["ptr"])
            w.line("call void @free(ptr %room)")
        w.line(f"ret i64 {loop.get('sample', 'i64')}")

    def _row(self, name: str) -> list[str]:
        """q, v, a or a_old of the last accepted sample."""
        base = self.loop.get(name, "ptr")
        return [self.w.load(self.w.at(base, k)) for k in range(self.rows[name])]

    def _retracted(self, start: Start, q: list[str], delta: list[str]) -> list[str]:
        """q (+) delta."""
        here = start()
        here.put(self.inputs["q"], q)
        here.put(self.inputs["delta"], delta)
        here.run("retract")
        return here.values(self.kinematic.retracted)

    # -- requirements ------------------------------------------------------------------------

    def _require(self, condition: str) -> None:
        """Go on only where the condition holds."""
        going_on = self.w.fresh("fine")
        self.w.line(f"br i1 {condition}, label %{going_on}, label %finish, {EXPECTED}")
        self.w.label(going_on)

    def _require_at_most(self, value: str, bound: str) -> None:
        self._require(self.w.compare("ole", value, bound))

    def _require_above(self, values: Sequence[str], limits: str) -> None:
        """|value_i| > limit_i."""
        w = self.w
        conditions = [
            w.compare("ogt", w.magnitude(value), limit)
            for value, limit in zip(values, self._limits(limits), strict=True)
        ]
        if conditions:
            self._require(folded(conditions, w.both))

    def _require_signs(self, signs: list[str], pivots: list[str]) -> None:
        """No diagonal block's determinant, the product of its pivots, has changed its sign."""
        w, turned = self.w, list(signs)
        for pivot, block in zip(pivots, self.kinematic.pivot_blocks.tolist(), strict=True):
            turned[block] = w.integer("xor", turned[block], w.bits(pivot))
        if turned:
            any_turned = reduce(partial(w.integer, "or"), turned)
            self._require(w.integer("icmp sge", any_turned, SCALAR.whole(0)))

    def _peak(self, values: Sequence[str], limits: str) -> str:
        """max |value_i limit_i|; a NaN wins over everything.

        Doubles without sign are ordered as their bits are, and a NaN's bits are above infinity's.
        """
        w = self.w
        items = [
            w.bits(w.magnitude(w.multiply(value, limit)))
            for value, limit in zip(values, self._limits(limits), strict=True)
        ]
        return w.number(folded(items, w.greater)) if items else SCALAR.constant(0.0)

    def _limits(self, name: str) -> Iterable[str]:
        """The limits of that name, each loaded when it is asked for."""
        for k in self.limits[name]:
            place = self.w.at("%limits", k)
            yield self.w.value(f"load double, ptr {place}, align 8, {UNCHANGING}")

    # -- registers ---------------------------------------------------------------------------

    def _start(self, parameters: list[str]) -> Start:
        """Sections with the parameters in place: in values, or in the register file for good."""
        tape, known = self.kinematic.tape, dict(zip(self.inputs["p"], parameters, strict=True))
        if not self.large:
            return lambda: InlineSections(self.w, tape, dict(known))
        kept = [int(r) for name in SWEPT for r in getattr(self.kinematic, name)]
        live, numbers = live_registers(tape, kept), section_numbers(tape)
        functions = {
            section: write_section(self.module, SCALAR, tape, numbers[section], live, CHUNK)
            for section in SECTIONS
        }
        sections = CalledSections(self.w, tape, functions)
        sections.put(self.inputs["p"], parameters)
        return lambda: sections

    def _make_room(self) -> None:
        """The register file of a large tape, from the heap: a thread's stack may be small."""
        w, align = self.w, SCALAR.size
        self.module.declare("ptr", "malloc", ["i64"])
        size = (self.kinematic.tape.n_registers + 1) * align
        w.line(f"%room = call ptr @malloc(i64 {size})")
        nothing = w.value("icmp eq ptr %room, null")
        w.line(f"br i1 {nothing}, label %no.room, label %room.found")
        w.label("no.room")
        w.line("ret i64 %first")
        w.label("room.found")
        address = w.value("ptrtoint ptr %room to i64")
        up = w.value(f"and i64 {w.value(f'add i64 {address}, {align - 1}')}, {-align}")
        w.line(f"%registers = inttoptr i64 {up} to ptr")
