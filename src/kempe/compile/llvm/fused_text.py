"""The kinematic sweep in LLVM IR: predict, correct, velocity, acceleration, check, for each sample.

One algorithm, written once for a scalar and for eight lanes; core/kinematics/sweep.cpp is its
twin for the virtual machine. Every requirement is an ordered comparison, so that a NaN misses it.

Own: the acceptance of a step.
"""

from collections.abc import Callable
from functools import partial, reduce
from typing import Final, TypeAlias, final

from kempe.compile.llvm.emit import CHUNK
from kempe.compile.llvm.ir import EXPECTED, Lanes, Module, Writer
from kempe.compile.llvm.loop import ACTIVE, ALIVE, Loop
from kempe.compile.llvm.machine_code import Effort
from kempe.compile.llvm.sections import (
    AbstractSections,
    CalledSections,
    InlineSections,
    section_functions,
)
from kempe.compile.llvm.sweep_state import (
    STEP,
    TIME,
    SweepInputs,
    SweepLimits,
    SweepState,
)
from kempe.compile.small.kinematic_tape import SWEPT, KinematicTape

MOST_CORRECTIONS: Final = 10
CONTRACTION: Final = 0.5  # each correction at least halves the residual
LEASH: Final = (0.25, 1.0e-3)  # all corrections together stay below 0.25 S + 1e-3

SECTIONS: Final = ("retract", "residual", "correct", "velocity", "acceleration")
STRUCTURE: Final = (*SWEPT, "blocks", "pivot_blocks")  # what the code depends on

Start: TypeAlias = Callable[[], AbstractSections]  # gives sections that know the parameters


def sweep_name(lanes: Lanes) -> str:
    """The name of the function."""
    return "kempe_sweep" if lanes.is_scalar else "kempe_sweep_lanes"


def sweep_effort(kinematic: KinematicTape) -> Effort:
    """How hard to work on a sweep; unless thoroughly, its sections are functions of their own."""
    sections = [kinematic.tape.section(name) for name in SECTIONS]
    return Effort.for_length(sum(section.stop - section.start for section in sections))


def sweep_text(kinematic: KinematicTape, lanes: Lanes) -> str:
    """The module with the sweep of a kinematic tape."""
    return _Sweep(kinematic, lanes).text()


@final
class _Sweep:
    """Writes the function, block after block."""

    def __init__(self, kinematic: KinematicTape, lanes: Lanes) -> None:
        self.kinematic = kinematic
        self.lanes = lanes
        self.large = sweep_effort(kinematic) is not Effort.THOROUGH
        self.module = Module()
        self.w = Writer(self.module, lanes)
        self.loop = Loop(self.w)
        self.inputs = SweepInputs(kinematic)
        self.limits = SweepLimits(kinematic)
        self.state = SweepState(kinematic, self.loop)
        self.moved = [f"moved{k}" for k in range(kinematic.n_q)]  # q*, what Newton moves

    def text(self) -> str:
        """The whole module."""
        start, signs = self._entry()
        sample, t, h = self._predict(start)
        residual, q, r, moving = self._residual(start, t)
        self._refine(start, residual.fork(), q, r, moving)
        self._accept(residual, signs, q, sample, t, h)
        self._finish()
        name = sweep_name(self.lanes)
        self.module.pieces[name] = self.w.function(f"define i64 @{name}({self._head()}) nounwind")
        return self.module.text()

    def _head(self) -> str:
        read = ", ".join(f"ptr noalias readonly %{name}" for name in ("parameters", "times"))
        pointers = ["state", "limits", "q_out", "v_out", "a_out", "counts"]
        if not self.lanes.is_scalar:
            pointers.append("failed_at")
        written = ", ".join(f"ptr noalias %{name}" for name in pointers)
        return f"{read}, i64 %first, i64 %count, {written}"

    def _entry(self) -> tuple[Start, list[str]]:
        """Load what the loop needs; returns the start of sections and the bits of the signs."""
        w, loop = self.w, self.loop
        if self.large:
            self._make_room()
        signs = self.state.open()
        loop.declare([*self.moved, "S", "D", "r_before"])
        loop.declare(["sample", "iteration", "corrections"], "i64")
        loop.declare([ALIVE, ACTIVE], self.lanes.truth)
        loop.set("sample", "%first", "i64")
        loop.set("corrections", "0", "i64")
        start = self._start([w.load(w.at("%parameters", k)) for k in range(len(self.inputs.p))])
        alive = self.lanes.always(True)
        if not self.lanes.is_scalar:
            failed_at = w.value(f"load {self.lanes.integer}, ptr %failed_at, align 8")
            alive = w.integer("icmp sge", failed_at, w.spread("%first", "i64"))
        loop.set_truth(ALIVE, alive)
        w.line(f"br i1 {w.any(alive)}, label %sample, label %finish")
        return start, signs

    def _predict(self, start: Start) -> tuple[str, str, str]:
        """delta = h v + h^2/2 a + h^3/6 (a - a_old) / h_old, and q* = q (+) delta.

        Written with the newest number, a, last: the next sample waits for it.
        """
        w, loop, constant = self.w, self.loop, self.lanes.constant
        w.label("sample")
        sample = loop.get("sample", "i64")
        more = w.value(f"icmp slt i64 {sample}, %count")
        w.line(f"br i1 {more}, label %predict, label %finish, {EXPECTED}")
        w.label("predict")
        loop.set_truth(ACTIVE, loop.truth(ALIVE))
        t = w.spread(w.value(f"load double, ptr {w.at('%times', sample, 'double')}, align 8"))
        h = w.subtract(t, loop.get(TIME))
        half = w.multiply(w.multiply(constant(0.5), h), h)
        third = w.divide(h, w.multiply(constant(3.0), loop.get(STEP)))
        old = w.multiply(half, third)
        both = w.add(half, old)
        delta = []
        motion = (self.state.row(name) for name in ("v", "a", "a_old"))
        for v, a, a_old in zip(*motion, strict=True):
            known = w.subtract(w.multiply(h, v), w.multiply(old, a_old))
            delta.append(w.add(known, w.multiply(both, a)))
        step = loop.peak(delta, self.limits.steps)
        loop.require_at_most(step, constant(1.0))
        moved = self._retracted(start, self.state.row("q"), delta)
        for name, value in zip(self.moved, moved, strict=True):
            loop.set(name, value)
        loop.set("S", step)
        loop.set("D", constant(0.0))
        loop.set("r_before", constant(float("inf")))
        loop.set("iteration", "0", "i64")
        w.line("br label %newton")
        return sample, t, h

    def _residual(self, start: Start, t: str) -> tuple[AbstractSections, list[str], str, str]:
        """phi(q*, t), its peak r, and where that is still too large."""
        w, loop = self.w, self.loop
        w.label("newton")
        here, q = start(), [loop.get(name) for name in self.moved]
        here.put(self.inputs.q, q)
        here.put(self.inputs.t, [t])
        here.put(self.inputs.last, [loop.get(name) for name in self.state.last])
        here.run("residual")
        r = loop.peak(here.values(self.kinematic.phi), self.limits.rows)
        converged = w.compare("ole", r, self.lanes.constant(1.0))
        moving = w.but_not(loop.truth(ACTIVE), converged)
        w.line(f"br i1 {w.any(moving)}, label %refine, label %converged")
        return here, q, r, moving

    def _refine(
        self, start: Start, here: AbstractSections, q: list[str], r: str, moving: str
    ) -> None:
        """q* := q* (+) -dx with dx = J^-1 phi, while that contracts and stays near."""
        w, loop, lanes = self.w, self.loop, self.lanes
        w.label("refine")
        self._require_contraction(r, moving)
        here.run("correct")
        dx, pivots = (here.values(r) for r in (self.kinematic.dx, self.kinematic.correct_pivots))
        loop.require_above(pivots, self.limits.correct_pivots, moving)
        distance = w.add(loop.get("D"), loop.peak(dx, self.limits.steps))
        share, slack = (lanes.constant(number) for number in LEASH)
        loop.require_at_most(distance, w.add(w.multiply(share, loop.get("S")), slack), moving)
        loop.set("D", distance)
        going_on = loop.how_many(w.both(moving, loop.truth(ACTIVE)))
        corrections = loop.get("corrections", "i64")
        loop.set("corrections", w.value(f"add i64 {corrections}, {going_on}"), "i64")
        moved = self._retracted(start, q, [w.negative(x) for x in dx])
        for name, old, new in zip(self.moved, q, moved, strict=True):
            loop.set(name, new if lanes.is_scalar else w.choose(moving, new, old))
        w.line("br label %newton")

    def _require_contraction(self, r: str, moving: str) -> None:
        """Few corrections so far, and each has halved the residual."""
        w, loop, truth = self.w, self.loop, self.lanes.truth
        iteration = loop.get("iteration", "i64")
        few = w.value(f"icmp slt i64 {iteration}, {MOST_CORRECTIONS}")
        bound = w.multiply(self.lanes.constant(CONTRACTION), loop.get("r_before"))
        contracts, never = w.compare("ole", r, bound), self.lanes.always(False)
        loop.require(w.value(f"select i1 {few}, {truth} {contracts}, {truth} {never}"), moving)
        loop.set("r_before", r)
        loop.set("iteration", w.value(f"add i64 {iteration}, 1"), "i64")

    def _accept(
        self, here: AbstractSections, signs: list[str], q: list[str], sample: str, t: str, h: str
    ) -> None:
        """Velocity and acceleration; the last requirements; the new state."""
        w, loop, kinematic = self.w, self.loop, self.kinematic
        w.label("converged")
        turns, spare = here.values(kinematic.turns), here.values(kinematic.spare)
        if spare:
            loop.require_at_most(loop.peak(spare, self.limits.spares), self.lanes.constant(1.0))
        here.run("velocity")
        v, pivots = here.values(kinematic.qd), here.values(kinematic.velocity_pivots)
        loop.require_above(pivots, self.limits.velocity_pivots)
        self._require_signs(signs, pivots)
        here.put(self.inputs.v, v)
        here.run("acceleration")
        a = here.values(kinematic.qdd)
        loop.require_finite([*v, *a])
        self.state.part(sample)
        self.state.advance(sample, {"q": q, "v": v, "a": a}, turns, t, h)
        loop.set("sample", w.value(f"add i64 {sample}, 1"), "i64")
        w.line("br label %sample")

    def _require_signs(self, signs: list[str], pivots: list[str]) -> None:
        """No diagonal block's determinant, the product of its pivots, has changed its sign."""
        w, turned = self.w, list(signs)
        for pivot, block in zip(pivots, self.kinematic.pivot_blocks.tolist(), strict=True):
            turned[block] = w.integer("xor", turned[block], w.bits(pivot))
        if turned:
            any_turned = reduce(partial(w.integer, "or"), turned)
            self.loop.require(w.integer("icmp sge", any_turned, self.lanes.whole(0)))

    def _finish(self) -> None:
        """Write the state back; return the sample that was not passed, or the count."""
        w, loop = self.w, self.loop
        w.label("finish")
        self.state.close(loop.truth(ALIVE), "%count")
        before = w.value("load i64, ptr %counts, align 8")
        after = w.value(f"add i64 {before}, {loop.get('corrections', 'i64')}")
        w.line(f"store i64 {after}, ptr %counts, align 8")
        if self.large:
            self.module.declare("void", "free", ["ptr"])
            w.line("call void @free(ptr %room)")
        w.line(f"ret i64 {loop.get('sample', 'i64')}")

    def _retracted(self, start: Start, q: list[str], delta: list[str]) -> list[str]:
        """q (+) delta."""
        here = start()
        here.put(self.inputs.q, q)
        here.put(self.inputs.delta, delta)
        here.run("retract")
        return here.values(self.kinematic.retracted)

    def _start(self, parameters: list[str]) -> Start:
        """Sections with the parameters in place: in values, or in the register file for good."""
        tape, known = self.kinematic.tape, dict(zip(self.inputs.p, parameters, strict=True))
        if not self.large:
            return lambda: InlineSections(self.w, tape, dict(known))
        kept = [int(r) for name in SWEPT for r in getattr(self.kinematic, name)]
        functions = section_functions(self.module, self.lanes, tape, SECTIONS, kept, CHUNK)
        sections = CalledSections(self.w, tape, functions)
        sections.put(self.inputs.p, parameters)
        return lambda: sections

    def _make_room(self) -> None:
        """The register file of a large tape, from the heap: a thread's stack may be small."""
        w, align = self.w, self.lanes.size
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
