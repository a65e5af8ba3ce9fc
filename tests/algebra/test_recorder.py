"""From graph to tape: sections in loop order, and registers that nobody clobbers."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kempe.algebra import Expression, Graph, Interpolation, Op, Part, functions, record_parts, where
from kempe.algebra.derivative import operands
from kempe.algebra.native import native_tape
from kempe.algebra.operations import CONSTANT, INPUT

F = functions


def _cubic(table, x, order):
    breaks, coefficients = table
    piece = min(max(int(np.searchsorted(breaks, x, side="right")) - 1, 0), len(coefficients) - 1)
    return float(np.polyval(np.polyder(coefficients[piece], order), x - breaks[piece]))


#: Operations on numbers: the meaning of an instruction, rounding by rounding.
MEANING = {
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.DIV: lambda a, b: a / b,
    Op.NEG: lambda a: -a,
    Op.REC: lambda a: 1.0 / a,
    Op.SQR: lambda a: a * a,
    Op.SQRT: math.sqrt,
    Op.SIN: math.sin,
    Op.COS: math.cos,
    Op.TANH: math.tanh,
    Op.ABS: abs,
    Op.MIN: min,
    Op.MAX: max,
    Op.WHERE_POSITIVE: lambda a, b, c: b if a > 0 else c,
    Op.COPY: lambda a: a,
    Op.MULADD: lambda a, b, c: a * b + c,
    Op.MULSUB: lambda a, b, c: a * b - c,
    Op.NMULADD: lambda a, b, c: c - a * b,
}


class Machine:
    """A register file and the plainest executor there can be; nothing starts at zero."""

    def __init__(self, tape):
        self.tape = tape
        self.registers = [math.nan] * tape.n_registers
        end = tape.n_inputs + len(tape.constants)
        self.registers[tape.n_inputs : end] = tape.constants.tolist()

    def run(self, section):
        file = self.registers
        for op, d, a, b, c in self.tape.code[section.start : section.stop].tolist():
            if op == Op.SINCOS:
                file[d], file[b] = math.sin(file[a]), math.cos(file[a])
            elif op == Op.TABLE:
                table = self.tape.tables[b]
                file[d] = _cubic((table.breaks, table.coefficients), file[a], c)
            else:
                function = MEANING[Op(op)]
                count = function.__code__.co_argcount if hasattr(function, "__code__") else None
                arguments = [file[a], file[b], file[c]]
                if count is None:
                    count = 2 if Op(op) in (Op.MIN, Op.MAX) else 1
                file[d] = function(*arguments[:count])


def node_values(graph, numbers):
    """Every node of the graph, computed one by one."""
    values = []
    for node, (op, args) in enumerate(zip(graph.ops, graph.args, strict=True)):
        if op == INPUT:
            values.append(numbers.get(node, math.nan))
        elif op == CONSTANT:
            values.append(graph.constants[node])
        elif op == Op.TABLE:
            values.append(_cubic(graph.tables[args[1]], values[args[0]], args[2]))
        else:
            values.append(MEANING[Op(op)](*(values[a] for a in args)))
    return values


# -- random programs of several sections -----------------------------------------------------

WORDS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: F.tanh(a) * b,
    "product": lambda a, b: F.cos(a) * F.sin(b),
    "sine": lambda a, b: F.sin(a),
    "cosine": lambda a, b: F.cos(a),
    "both": lambda a, b: F.sin(a) - F.cos(a),
    "root": lambda a, b: F.sqrt(1.0 + a * a),
    "quotient": lambda a, b: a / (2.0 + F.sin(b)),
    "choice": lambda a, b: where(a > b, a, F.cos(b)),
    "least": lambda a, b: F.minimum(a, b),
    "rename": lambda a, b: a.renamed(),
    "constant": lambda a, b: 0.0 * a + 0.3,
}


@dataclass(frozen=True)
class Program:
    """Steps of one formula, sections as lists of outputs, and which sections each one reads."""

    steps: tuple[tuple[str, int, int], ...]
    sections: tuple[tuple[int, ...], ...]
    reads: tuple[tuple[int, ...], ...]
    schedule: tuple[tuple[str, int], ...]

    n_inputs = 3

    def recorded(self):
        graph = Graph()
        values = [Expression(graph, graph.input(f"x{k}")) for k in range(self.n_inputs)]
        inputs = values[:]
        for word, a, b in self.steps:
            values.append(WORDS[word](values[a], values[b]))
        parts = [
            Part(f"s{k}", {f"out{k}": [values[i] for i in outputs]}, tuple(f"s{r}" for r in reads))
            for k, (outputs, reads) in enumerate(zip(self.sections, self.reads, strict=True))
        ]
        return graph, inputs, parts, record_parts(graph, inputs, parts)


@st.composite
def programs(draw):
    steps = []
    for k in range(draw(st.integers(3, 25))):
        operand = st.integers(0, Program.n_inputs + k - 1)
        steps.append((draw(st.sampled_from(sorted(WORDS))), draw(operand), draw(operand)))
    n = draw(st.integers(1, 5))
    value = st.integers(0, Program.n_inputs + len(steps) - 1)
    sections = tuple(tuple(draw(st.lists(value, min_size=1, max_size=4))) for _ in range(n))
    reads = tuple(
        tuple(sorted(draw(st.sets(st.integers(0, k - 1), max_size=k)))) if k else ()
        for k in range(n)
    )
    event = st.tuples(st.just("run"), st.integers(0, n - 1)) | st.tuples(
        st.just("change"), st.integers(0, Program.n_inputs - 1)
    )
    schedule = tuple(draw(st.lists(event, max_size=25)))
    return Program(tuple(steps), sections, reads, schedule)


def influences(graph, roots):
    """The inputs that these nodes are made of."""
    seen, stack = set(), list(roots)
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack.extend(operands(graph.ops[node], graph.args[node]))
    return {node for node in seen if graph.ops[node] == INPUT}


@settings(max_examples=150)
@given(program=programs())
def test_whatever_order_respects_reads_leaves_every_result_in_its_register(program):
    """Sections run again and again, inputs change in between, and no result is ever lost."""
    graph, inputs, parts, recording = program.recorded()
    machine, tape = Machine(recording.tape), recording.tape
    numbers = {x.node: 0.3 * (k + 1) for k, x in enumerate(inputs)}
    machine.registers[: tape.n_inputs] = list(numbers.values())
    # a section may hold results of what it reads only by name: it depends on all their inputs
    depends = []
    for k, part in enumerate(parts):
        own = influences(graph, (e.node for es in part.outputs.values() for e in es))
        depends.append(own.union(*(depends[r] for r in program.reads[k])))
    valid = set()
    for event, k in (*program.schedule, *(("run", k) for k in range(len(parts)))):
        if event == "change":
            numbers[inputs[k].node] += 0.17
            machine.registers[k] = numbers[inputs[k].node]
            valid -= {s for s in valid if inputs[k].node in depends[s]}
        elif set(program.reads[k]) <= valid:
            machine.run(tape.sections[k])
            valid.add(k)
        truth = node_values(graph, numbers)
        for s in valid:
            registers = recording.registers[f"out{s}"]
            results = [machine.registers[r] for r in registers]
            assert results == [truth[e.node] for e in parts[s].outputs[f"out{s}"]]
    assert valid == set(range(len(parts)))


@settings(max_examples=50)
@given(program=programs())
def test_inputs_and_constants_are_never_written(program):
    tape = program.recorded()[3].tape
    first = tape.n_inputs + len(tape.constants)
    for op, d, _, b, _ in tape.code.tolist():
        assert first <= d < tape.n_registers
        assert op != Op.SINCOS or (first <= b < tape.n_registers and b != d)


@settings(max_examples=50)
@given(program=programs())
def test_the_core_runs_a_recorded_tape_to_the_same_numbers(program):
    _, _, _, recording = program.recorded()
    machine = Machine(recording.tape)
    point = [0.3, 0.6, 0.9]
    machine.registers[:3] = point
    for section in recording.tape.sections:
        machine.run(section)
    expected = [machine.registers[r] for r in recording.tape.outputs]
    results = native_tape(recording.tape).evaluate(np.array([point]), recording.tape.outputs)[0]
    # sine, cosine and tanh of the core and of the C library differ by an ulp each
    np.testing.assert_allclose(results, expected, rtol=1e-12, atol=1e-12)


# -- what a tape looks like ------------------------------------------------------------------


def operations(recording):
    return [Op(op) for op in recording.tape.code[:, 0]]


def one_part(traced, formula):
    x, y, z = traced("x y z")
    return record_parts(x.graph, [x, y, z], [Part("all", {"out": formula(x, y, z)})])


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (lambda x, y, z: [x * y + z], Op.MULADD),
        (lambda x, y, z: [z + x * y], Op.MULADD),
        (lambda x, y, z: [x * y - z], Op.MULSUB),
        (lambda x, y, z: [z - x * y], Op.NMULADD),
    ],
)
def test_a_product_that_only_a_sum_uses_becomes_one_instruction(traced, formula, expected):
    assert operations(one_part(traced, formula)) == [expected]


def test_a_product_that_is_used_twice_is_computed_once(traced):
    recording = one_part(traced, lambda x, y, z: [x * y + z, x * y - z])
    assert operations(recording).count(Op.MUL) == 1


def test_a_product_that_is_an_output_keeps_a_register(traced):
    recording = one_part(traced, lambda x, y, z: [x * y + z, x * y])
    assert Op.MUL in operations(recording)


def test_sine_and_cosine_of_one_angle_become_one_instruction(traced):
    recording = one_part(traced, lambda x, y, z: [F.sin(x) + F.cos(x), F.cos(y)])
    assert sorted(operations(recording)) == sorted([Op.SINCOS, Op.ADD, Op.COS])


def test_renaming_costs_nothing(traced):
    recording = one_part(traced, lambda x, y, z: [(x + y).renamed().renamed(), x.renamed()])
    assert operations(recording) == [Op.ADD]
    assert recording.registers["out"][1] == 0


def test_an_output_may_be_an_input_or_a_constant(traced):
    recording = one_part(traced, lambda x, y, z: [y, 0.0 * x + 2.5])
    tape = recording.tape
    results = native_tape(tape).evaluate(np.array([[1.0, 7.0, 2.0]]), tape.outputs)[0]
    assert list(results) == [7.0, 2.5]
    assert len(tape.code) == 0


def test_registers_of_a_long_chain_are_recycled(traced):
    def chain(x, y, z):
        for _ in range(50):
            x = F.tanh(x) * y
        return [x]

    recording = one_part(traced, chain)
    assert recording.tape.n_registers <= 3 + 3


def test_a_part_does_not_compute_again_what_it_reads(traced):
    x, y = traced("x y")
    shared = F.exp(x)
    reading = [Part("a", {"a": [shared]}), Part("b", {"b": [shared * y]}, ("a",))]
    apart = [Part("a", {"a": [shared]}), Part("b", {"b": [shared * y]})]
    both = [
        operations(record_parts(x.graph, [x, y], parts)).count(Op.EXP) for parts in (reading, apart)
    ]
    assert both == [1, 2]


def test_sections_come_in_the_order_of_the_parts(traced):
    x, y = traced("x y")
    parts = [Part("first", {"p": [x + y]}), Part("empty", {}), Part("last", {"q": [x - y]})]
    sections = record_parts(x.graph, [x, y], parts).tape.sections
    assert [s.name for s in sections] == ["first", "empty", "last"]
    assert [(s.start, s.stop) for s in sections] == [(0, 1), (1, 1), (1, 2)]


def test_a_table_s_place_and_order_are_no_registers(traced):
    (x,) = traced("x")
    curve = Interpolation.through([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 0.0, 2.0])
    other = Interpolation.through([0.0, 1.0, 2.0, 3.0], [5.0, 1.0, 0.0, 2.0])
    recording = record_parts(x.graph, [x], [Part("all", {"out": [curve(x), other(x + 1.0)]})])
    rows = [row for row in recording.tape.code.tolist() if row[0] == Op.TABLE]
    assert [(row[3], row[4]) for row in rows] == [(0, 0), (1, 0)]
    machine = Machine(recording.tape)
    machine.registers[0] = 1.25
    machine.run(recording.tape.sections[0])
    results = [machine.registers[r] for r in recording.registers["out"]]
    assert results == pytest.approx([curve(1.25), other(2.25)], rel=1e-14)
