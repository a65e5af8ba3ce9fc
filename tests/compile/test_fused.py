"""The compiled sweep against the algorithm written out in plain NumPy, bit for bit."""

import ctypes
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np
import pytest
from numpy.typing import NDArray

from kempe.algebra import Expression, Graph, Op, Part, Tape, record_parts, sparse_jacobian, tangent
from kempe.algebra.functions import atan2, cos, sin
from kempe.algebra.native import core
from kempe.compile.llvm import fused_text
from kempe.compile.llvm.fused import FusedSweep
from kempe.compile.llvm.machine_code import CompileEffort
from kempe.compile.llvm.object_cache import ObjectCache
from kempe.compile.trace.elimination import eliminate

Array = NDArray[np.float64]

POINTER, COUNT = ctypes.c_void_p, ctypes.c_int64
SWEEP = ctypes.CFUNCTYPE(COUNT, POINTER, POINTER, COUNT, COUNT, *[POINTER] * 6)
OFF = ObjectCache(None)
TURN = 2.0 * math.pi
CONVERGED = 1e-10  # m and rad: what the weights of these tests call small
STEP = 1.0 / 90.0  # s: four degrees of the crank


@dataclass(frozen=True)
class HandTape:
    """What a sweep needs of a kinematic tape, traced here from formulas written by hand."""

    tape: Tape
    n_q: int
    n_v: int
    n_rows: int
    n_spare: int
    n_turns: int
    n_parameters: int
    retracted: NDArray[np.int32]
    phi: NDArray[np.int32]
    spare: NDArray[np.int32]
    turns: NDArray[np.int32]
    dx: NDArray[np.int32]
    correct_pivots: NDArray[np.int32]
    qd: NDArray[np.int32]
    velocity_pivots: NDArray[np.int32]
    qdd: NDArray[np.int32]
    blocks: NDArray[np.int32]
    pivot_blocks: NDArray[np.int32]


@final
class Symbols:
    """The inputs of a kinematic tape: q, v, delta, t, last, p."""

    def __init__(self, n: int, n_turns: int, n_parameters: int) -> None:
        self.graph = Graph()
        counts = {"q": n, "v": n, "delta": n, "t": 1, "last": n_turns, "p": n_parameters}
        made = {
            name: [Expression(self.graph, self.graph.input(f"{name}{k}")) for k in range(count)]
            for name, count in counts.items()
        }
        self.all = [symbol for symbols in made.values() for symbol in symbols]
        self.q, self.v, self.delta, (self.t,), self.last, self.p = made.values()


def recorded(
    symbols: Symbols,
    phi: list[Expression],
    order: list[tuple[int, int]],
    spare: Sequence[Expression] = (),
    turns: Sequence[Expression] = (),
) -> HandTape:
    """The sections of a sweep for phi = 0 in plain coordinates, eliminated in this order."""
    one = Expression(symbols.graph, symbols.graph.constant(1.0))
    time = {symbols.t.node: one}
    along = {q.node: v for q, v in zip(symbols.q, symbols.v, strict=True)} | time
    factors = eliminate(
        sparse_jacobian(phi, {q.node: {k: one} for k, q in enumerate(symbols.q)}), order
    )
    qd = factors.solve([-e for e in tangent(phi, time)])
    qdd = factors.solve([-e for e in tangent(tangent(phi, along), along)])
    moved = [q + delta for q, delta in zip(symbols.q, symbols.delta, strict=True)]
    pivots = factors.pivots
    parts = [
        Part("retract", {"retracted": moved}),
        Part("residual", {"phi": phi, "spare": spare, "turns": turns}),
        Part("correct", {"dx": factors.solve(phi), "correct_pivots": pivots}, ("residual",)),
        Part("velocity", {"qd": qd, "velocity_pivots": pivots}, ("residual",)),
        Part("acceleration", {"qdd": qdd}, ("residual", "velocity")),
    ]
    recording = record_parts(symbols.graph, symbols.all, parts)
    n = len(symbols.q)
    sizes = (n, n, len(phi), len(spare), len(turns), len(symbols.p))
    one_block = {
        "blocks": np.zeros(1, dtype=np.int32),
        "pivot_blocks": np.zeros(len(pivots), dtype=np.int32),
    }
    return HandTape(recording.tape, *sizes, **recording.registers, **one_block)


# A four-bar with a redundant row and a turn.


def four_bar() -> HandTape:
    """Crank, coupler, rocker with (x, y, theta) each; parameters: half lengths, base, speed."""
    symbols = Symbols(9, 1, 5)
    r, l, s, d, speed = symbols.p
    x1, y1, th1, x2, y2, th2, x3, y3, th3 = symbols.q
    angle = atan2(sin(th1), cos(th1))
    turn = angle + TURN * ((symbols.last[0] - angle) * (1.0 / TURN)).rint()
    phi = [
        x1 - r * cos(th1),
        y1 - r * sin(th1),
        x1 + r * cos(th1) - x2 + l * cos(th2),
        y1 + r * sin(th1) - y2 + l * sin(th2),
        x2 + l * cos(th2) - x3 - s * cos(th3),
        y2 + l * sin(th2) - y3 - s * sin(th3),
        x3 - s * cos(th3) - d,
        y3 - s * sin(th3),
        turn - speed * symbols.t,
    ]
    spare = [2.0 * x1 - 2.0 * r * cos(th1)]  # says what row 0 says
    order = [(8, 2), (0, 0), (1, 1), (2, 3), (3, 4), (4, 6), (5, 7), (6, 5), (7, 8)]
    return recorded(symbols, phi, order, spare, [turn])


def parameters(crank: float = 1.0, coupler: float = 4.0, rocker: float = 2.5) -> Array:
    """Half lengths, base 4 m, one turn a second."""
    return np.array([crank / 2, coupler / 2, rocker / 2, 4.0, 2.0 * math.pi])


def assembled(p: Array) -> Array:
    """q with the crank at angle zero, coupler above the base."""
    r, l, s, d, _ = p * [2.0, 2.0, 2.0, 1.0, 1.0]
    gap = d - r
    th2 = math.acos((l * l + gap * gap - s * s) / (2.0 * l * gap))
    cx, cy = r + l * math.cos(th2), l * math.sin(th2)
    th3 = math.atan2(cy, cx - d)
    coupler = [r + l / 2 * math.cos(th2), l / 2 * math.sin(th2), th2]
    return np.array([r / 2, 0.0, 0.0, *coupler, (cx + d) / 2, cy / 2, th3])


# The algorithm, written out.


@dataclass
class Interpreter:
    """Runs sections one operation at a time, with the core's own sine and cosine."""

    tape: Tape

    def __post_init__(self) -> None:
        self.registers = np.zeros(self.tape.n_registers)
        first = self.tape.n_inputs
        self.registers[first : first + len(self.tape.constants)] = self.tape.constants
        kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
        addresses = {f.name: f.address for f in core.functions()}
        self.sin, self.cos = kind(addresses["kempe_sin"]), kind(addresses["kempe_cos"])

    def run(self, name: str) -> None:
        section = self.tape.section(name)
        R = self.registers
        for code, d, a, b, c in self.tape.code[section.start : section.stop].tolist():
            op = Op(code)
            if op == Op.SINCOS:
                R[d], R[b] = self.sin(R[a]), self.cos(R[a])
            else:
                R[d] = self.rules[op](R[a], R[b], R[c])

    @cached_property
    def rules(self) -> dict[Op, Callable[..., float]]:
        return {
            Op.ADD: lambda a, b, c: a + b,
            Op.SUB: lambda a, b, c: a - b,
            Op.MUL: lambda a, b, c: a * b,
            Op.DIV: lambda a, b, c: a / b,
            Op.NEG: lambda a, b, c: -a,
            Op.REC: lambda a, b, c: 1.0 / a,
            Op.SQR: lambda a, b, c: a * a,
            Op.SIN: lambda a, b, c: self.sin(a),
            Op.COS: lambda a, b, c: self.cos(a),
            Op.ATAN2: lambda a, b, c: math.atan2(a, b),
            Op.ROUND: lambda a, b, c: np.rint(a),
            Op.MULADD: lambda a, b, c: a * b + c,
            Op.MULSUB: lambda a, b, c: a * b - c,
            Op.NMULADD: lambda a, b, c: c - a * b,
            Op.COPY: lambda a, b, c: a,
        }


@dataclass
class Plain:
    """The sweep of one mechanism, statement by statement."""

    kinematic: HandTape
    parameters: Array
    limits: Array

    def __post_init__(self) -> None:
        k = self.kinematic
        self.machine = Interpreter(k.tape)
        sizes = [k.n_rows, k.n_spare, k.n_v, len(k.correct_pivots), len(k.velocity_pivots)]
        cuts = np.cumsum(sizes)[:-1]
        self.row_weights, self.spare_weights, self.step_weights, *floors = np.split(
            self.limits, cuts
        )
        self.correct_floors, self.velocity_floors = floors
        self.corrections = 0

    def run(self, section: str, q: Array, **others: Array) -> Callable[[Array], Array]:
        """Set inputs, run a section, and give what reads registers."""
        k, R = self.kinematic, self.machine.registers
        cuts = np.cumsum([k.n_q, k.n_v, k.n_v, 1, k.n_turns])
        places = dict(
            zip(
                ("q", "v", "delta", "t", "last", "p"),
                np.split(np.arange(k.tape.n_inputs), cuts),
                strict=True,
            )
        )
        for name, value in {"q": q, "p": self.parameters, **others}.items():
            R[places[name]] = value
        self.machine.run(section)
        return lambda registers: R[registers].copy()

    def sample(self, state: Array, t: float) -> tuple[Array, Array, Array, Array] | None:
        """The state after one sample and its q, v, a; None where a requirement is missed."""
        k = self.kinematic
        cuts = np.cumsum([k.n_q, k.n_v, k.n_v, k.n_v, k.n_turns])
        q, v, a, a_old, last, (t_old, h_old, sign) = np.split(state, cuts)
        h = t - t_old
        half = 0.5 * h * h
        old = half * (h / (3.0 * h_old))
        delta = (h * v - old * a_old) + (half + old) * a
        S = np.max(np.abs(delta) * self.step_weights)
        if not S <= 1.0:
            return None
        moved = self.run("retract", q, delta=delta)(k.retracted)
        D, r_before = 0.0, math.inf
        for iteration in range(1000):
            read = self.run("residual", moved, t=np.array([t]), last=last)
            r = np.max(np.abs(read(k.phi)) * self.row_weights)
            if r <= 1.0:
                break
            if not (iteration < 10 and r <= 0.5 * r_before):
                return None
            r_before = r
            read = self.run("correct", moved)
            if not np.all(np.abs(read(k.correct_pivots)) > self.correct_floors):
                return None
            dx = read(k.dx)
            D = D + np.max(np.abs(dx) * self.step_weights)
            if not D <= 0.25 * S + 1e-3:
                return None
            self.corrections += 1
            moved = self.run("retract", moved, delta=-dx)(k.retracted)
        turns = read(k.turns)
        if not np.max(np.abs(read(k.spare)) * self.spare_weights) <= 1.0:
            return None
        read = self.run("velocity", moved)
        pivots, qd = read(k.velocity_pivots), read(k.qd)
        if not np.all(np.abs(pivots) > self.velocity_floors):
            return None
        if np.prod(np.sign(pivots)) != sign:
            return None
        qdd = self.run("acceleration", moved, v=qd)(k.qdd)
        if not (np.isfinite(qd).all() and np.isfinite(qdd).all()):
            return None
        new = np.concatenate([moved, qd, qdd, a, turns, [t, h, sign]])
        return new, moved, qd, qdd

    def sweep(self, state: Array, times: Array) -> tuple[int, Array, list[Array]]:
        """Index of the sample that failed or the count, the state, the rows."""
        rows = []
        with np.errstate(all="ignore"):
            for index, t in enumerate(times):
                found = self.sample(state, float(t))
                if found is None:
                    return index, state, rows
                state, *row = found
                rows.append(np.concatenate(row))
        return len(times), state, rows


# One case: a start, limits, times.


@dataclass(frozen=True)
class Case:
    kinematic: HandTape
    parameters: Array
    state: Array
    limits: Array
    times: Array

    def limits_with(self, block: int, value: float) -> Array:
        """The limits with one block (rows, spares, steps, two floors) set to a number."""
        k = self.kinematic
        sizes = [k.n_rows, k.n_spare, k.n_v, len(k.correct_pivots), len(k.velocity_pivots)]
        blocks = np.split(self.limits.copy(), np.cumsum(sizes)[:-1])
        blocks[block][:] = value
        return np.concatenate(blocks)


def case(p: Array | None = None, samples: int = 100) -> Case:
    kinematic, numbers = four_bar(), parameters() if p is None else p
    k = kinematic
    pivots = len(k.correct_pivots) + len(k.velocity_pivots)
    weights = [np.full(k.n_rows, 1.0 / CONVERGED), np.full(k.n_spare, 1e-2 / CONVERGED)]
    limits = np.concatenate([*weights, np.full(k.n_v, 1.5), np.full(pivots, 1e-6)])
    plain = Plain(kinematic, numbers, limits)
    q = assembled(numbers)
    plain.run("residual", q, t=np.zeros(1), last=np.zeros(1))
    read = plain.run("velocity", q)
    qd, sign = read(k.qd), np.prod(np.sign(read(k.velocity_pivots)))
    qdd = plain.run("acceleration", q, v=qd)(k.qdd)
    state = np.concatenate([q, qd, qdd, qdd, [0.0, 0.0, STEP, sign]])
    return Case(kinematic, numbers, state, limits, STEP * np.arange(1, samples + 1))


@dataclass(frozen=True)
class SweepArrays:
    """What a sweep reads and writes."""

    parameters: Array  # (n_parameters,)
    times: Array  # (count,)
    state: Array  # q, v, a, a_old, last, t, h_old, signs of the last accepted sample
    limits: Array  # row, spare and step weights, floors of the pivots
    q: Array  # (count, n_q)
    v: Array  # (count, n_v)
    a: Array  # (count, n_v)
    counts: NDArray[np.int64]  # (1,): corrections made so far


def arrays_of(c: Case) -> SweepArrays:
    n, k = len(c.times), c.kinematic
    return SweepArrays(
        parameters=c.parameters.copy(),
        times=c.times,
        state=c.state.copy(),
        limits=c.limits,
        q=np.full((n, k.n_q), np.nan),
        v=np.full((n, k.n_v), np.nan),
        a=np.full((n, k.n_v), np.nan),
        counts=np.zeros(1, dtype=np.int64),
    )


def run(sweep: FusedSweep, arrays: SweepArrays, first: int, stop: int) -> int:
    """Samples first .. stop - 1; the index of the one that failed, or `stop`."""
    before = [arrays.parameters.ctypes.data, arrays.times.ctypes.data, first, stop]
    after = (arrays.state, arrays.limits, arrays.q, arrays.v, arrays.a, arrays.counts)
    return int(SWEEP(sweep.address)(*before, *(array.ctypes.data for array in after)))


def assert_sweep_is_plain(c: Case, sweep: FusedSweep) -> int:
    """The compiled scalar sweep does what the plain one does, to the last bit."""
    plain = Plain(c.kinematic, c.parameters, c.limits)
    stop, state, rows = plain.sweep(c.state, c.times)
    arrays = arrays_of(c)
    assert run(sweep, arrays, 0, len(c.times)) == stop
    np.testing.assert_array_equal(arrays.state, state)
    assert arrays.counts[0] == plain.corrections
    found = np.concatenate([arrays.q, arrays.v, arrays.a], axis=1)
    np.testing.assert_array_equal(found[:stop], np.array(rows).reshape(stop, found.shape[1]))
    assert np.isnan(found[stop:]).all()
    return stop


@pytest.fixture(scope="module")
def scalar() -> FusedSweep:
    return FusedSweep(four_bar(), cache=OFF)


def test_a_full_turn_is_swept_as_written(scalar: FusedSweep) -> None:
    c = case()
    assert assert_sweep_is_plain(c, scalar) == len(c.times)


def test_the_crank_angle_is_unwrapped_over_turns(scalar: FusedSweep) -> None:
    c = case(samples=200)
    arrays = arrays_of(c)
    assert run(scalar, arrays, 0, 200) == 200
    assert arrays.state[-4] == pytest.approx(2.0 * math.pi * c.times[-1], abs=1e-9)


def test_irregular_times_are_predicted_as_written(scalar: FusedSweep) -> None:
    c = case()
    steps = np.random.default_rng(8).uniform(0.3, 1.5, size=100) * STEP
    c = replace(c, times=np.cumsum(steps))
    assert assert_sweep_is_plain(c, scalar) == 100


def test_a_dead_point_ends_the_sweep_before_it(scalar: FusedSweep) -> None:
    c = case(parameters(crank=2.5, coupler=2.0, rocker=2.5))  # the crank cannot turn round
    stop = assert_sweep_is_plain(c, scalar)
    assert 0 < stop < len(c.times)


@pytest.mark.parametrize(
    ("block", "value"),
    [
        (0, 1e30),  # rows can never be small enough: corrections stop contracting
        (1, np.nan),  # spare rows
        (2, 1e3),  # the step is too long
        (2, np.nan),
        (3, 1e3),  # pivots of the correction
        (4, 1e3),  # pivots of the velocity
        (4, np.nan),
    ],
)
def test_a_missed_limit_fails_at_the_first_sample(
    block: int, value: float, scalar: FusedSweep
) -> None:
    c = case()
    c = replace(c, limits=c.limits_with(block, value))
    assert assert_sweep_is_plain(c, scalar) == 0


def test_a_redundant_row_that_no_longer_holds_fails(scalar: FusedSweep) -> None:
    # Loose weights let Newton stop early; the spare row is watched more strictly.
    c = case()
    c = replace(c, limits=c.limits_with(0, 10.0))
    c = replace(c, limits=c.limits_with(1, 1e13))
    stop = assert_sweep_is_plain(c, scalar)
    assert stop < len(c.times)


def test_a_sign_that_changes_is_a_jump_of_branch(scalar: FusedSweep) -> None:
    c = case()
    state = c.state.copy()
    state[-1] = -state[-1]
    assert assert_sweep_is_plain(replace(c, state=state), scalar) == 0


@pytest.mark.parametrize("place", ["times", "parameters", "state"])
def test_a_nan_fails_and_leaves_the_state(place: str, scalar: FusedSweep) -> None:
    c = case()
    spoilt = getattr(c, place).copy()
    spoilt[4] = np.nan
    c = replace(c, **{place: spoilt})
    assert assert_sweep_is_plain(c, scalar) == (4 if place == "times" else 0)


def test_slices_give_what_one_call_gives(scalar: FusedSweep) -> None:
    c = case()
    whole, sliced = arrays_of(c), arrays_of(c)
    assert run(scalar, whole, 0, 100) == 100
    for first, stop in [(0, 1), (1, 40), (40, 40), (40, 100)]:
        assert run(scalar, sliced, first, stop) == stop
    for name in ("q", "v", "a", "state", "counts"):
        np.testing.assert_array_equal(getattr(sliced, name), getattr(whole, name))


# A double root: Newton only halves the distance, so the number of corrections can be chosen.


def one_unknown(formula: Callable[[Expression, Expression], Expression]) -> HandTape:
    """One unknown q with phi = formula(q, t)."""
    symbols = Symbols(1, 0, 0)
    return recorded(symbols, [formula(symbols.q[0], symbols.t)], [(0, 0)])


def double_root() -> HandTape:
    """phi = q^2."""
    return one_unknown(lambda q, t: q * q)


def resting(q: float, row_weight: float) -> Case:
    """At rest in q: the prediction is q itself. State: q, v, a, a_old, t, h_old, sign."""
    state = np.array([q, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0])
    limits = np.array([row_weight, 1.0, 0.0, 0.0])
    return Case(double_root(), np.zeros(0), state, limits, np.array([1.0]))


@pytest.mark.parametrize(("corrections", "stop"), [(9, 1), (10, 1), (11, 0)])
def test_ten_corrections_are_the_most(corrections: int, stop: int) -> None:
    q = 2.0**-12
    c = resting(q, 1.0 / (q * q * 4.0**-corrections))
    arrays = arrays_of(c)
    assert run(FusedSweep(c.kinematic, cache=OFF), arrays, 0, 1) == stop
    assert arrays.counts[0] == min(corrections, 10)
    assert arrays.state[0] == (q * 2.0**-corrections if stop else q)


def test_an_acceleration_that_is_no_number_fails() -> None:
    # q = (1 - t)^(3/2) comes to rest at t = 1 with infinite acceleration.
    kinematic = one_unknown(lambda q, t: q - (1.0 - t) ** 1.5)
    state = np.array([1.0, -1.5, 0.75, 0.75, 0.0, 1.0, 1.0])
    c = Case(kinematic, np.zeros(0), state, np.array([1e12, 1.0]), np.array([0.25, 0.5, 1.0]))
    arrays = arrays_of(c)
    assert run(FusedSweep(kinematic, cache=OFF), arrays, 0, 3) == 2
    assert arrays.q[1] == pytest.approx(0.5**1.5, abs=1e-12)
    assert np.isnan(arrays.q[2]).all()


# Large tapes, caching.


@pytest.mark.parametrize(
    "effort", [CompileEffort.MODERATE, CompileEffort.QUICK], ids=lambda e: e.value
)
def test_a_large_tape_is_swept_through_called_sections(
    effort: CompileEffort, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CompileEffort, "for_length", lambda _: effort)
    monkeypatch.setattr(fused_text, "CHUNK", 17)
    large = FusedSweep(four_bar(), cache=OFF)
    turning = [case(parameters(crank=crank)) for crank in (0.5, 0.8)]
    blocked = [case(parameters(crank=2.5, coupler=coupler)) for coupler in (2.0, 1.2)]
    nothing = replace(turning[0], parameters=turning[0].parameters * np.nan)
    for c in (*turning, *blocked, nothing):
        assert_sweep_is_plain(c, large)


def test_an_image_is_loaded_without_compiling(
    scalar: FusedSweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> str:
        raise AssertionError("compiled although there is an image")

    monkeypatch.setattr(fused_text, "sweep_text", refuse)
    again = FusedSweep(four_bar(), image=scalar.image)
    assert again.address not in (0, scalar.address)
    assert_sweep_is_plain(case(samples=5), again)
