"""The text that is written for graphics cards, compiled for the processor: the same bits."""

import shutil

import numpy as np
import pytest
from numpy.typing import NDArray

from kempe.algebra import Op, Section, Tape
from kempe.algebra.native import native_tape
from kempe.compile.cuda.emulated import compiled
from kempe.compile.cuda.sweep_text import part
from kempe.compile.cuda.tape_text import SectionText
from tests.compile.test_llvm import assert_same_bits, one_operation, random_tape, triples

Array = NDArray[np.float64]

pytestmark = pytest.mark.skipif(shutil.which("c++") is None, reason="there is no C++ compiler")


def written(tape: Tape, section: Section) -> NDArray[np.int32]:
    """The registers that a section writes."""
    rows = tape.code[section.start : section.stop]
    return np.unique([*rows[:, 1], *rows[rows[:, 0] == Op.SINCOS, 3]])


def source_of(tapes: list[Tape]) -> str:
    """A function `run_all`, which evaluates rows by each tape, one result after another."""
    pieces, calls, place = [part("functions.inc")], [], 0
    for k, tape in enumerate(tapes):
        results = {one.name: [("found", written(tape, one))] for one in tape.sections}
        text = SectionText(tape, f"t{k}", results)
        pieces += [text.structure(), text.data()]
        calls.append(f"t{k}Kept kept{k};")
        for name, ((_, registers),) in results.items():
            pieces.append(text.function(name))
            stores = "".join(f" out[{place + r}] = found[{j}];" for j, r in enumerate(registers))
            call = f"t{k}_{name}(in, kept{k}, found);"
            calls.append(f"{{ double found[{len(registers) + 1}]; {call}{stores} }}")
        place += tape.n_registers
    body = "\n    ".join(calls)
    head = 'extern "C" void run_all(const double* rows, double* all, long long n,'
    pieces.append(
        f"{head} long long inputs, long long width, long long) {{\n"
        "  for (long long i = 0; i < n; ++i) {\n"
        "    const double* in = rows + i * inputs; double* out = all + i * width;\n"
        f"    {body}\n  }}\n}}\n"
    )
    return "\n".join(pieces)


def evaluated(tapes: list[Tape], rows: Array) -> list[Array]:
    """The register files that all tapes leave of every row."""
    width = sum(tape.n_registers for tape in tapes)
    found = np.zeros((len(rows), width))
    function = compiled(source_of(tapes), "run_all", 2)
    rows = np.ascontiguousarray(rows)
    function(rows.ctypes.data, found.ctypes.data, len(rows), rows.shape[1], width, 0)
    stops = np.cumsum([tape.n_registers for tape in tapes])
    return np.split(found, stops[:-1], axis=1)


def test_every_operation_gives_the_bits_of_the_virtual_machine() -> None:
    tapes, rows = [one_operation(op) for op in Op], triples()
    for op, tape, found in zip(Op, tapes, evaluated(tapes, rows), strict=True):
        outputs = np.arange(3, tape.n_registers, dtype=np.int32)
        expected = native_tape(tape).evaluate(rows, outputs)
        try:
            assert_same_bits(np.ascontiguousarray(found[:, 3:]), expected)
        except AssertionError as difference:
            raise AssertionError(op.name) from difference


def test_sections_hand_on_what_later_ones_read() -> None:
    tapes = [random_tape(seed, 60) for seed in range(8)]
    rows = np.random.default_rng(3).normal(size=(50, 4))
    for tape, found in zip(tapes, evaluated(tapes, rows), strict=True):
        first = 4 + len(tape.constants)
        outputs = np.arange(first, tape.n_registers, dtype=np.int32)
        expected = native_tape(tape).evaluate(rows, outputs)
        assert_same_bits(np.ascontiguousarray(found[:, first:]), expected)
