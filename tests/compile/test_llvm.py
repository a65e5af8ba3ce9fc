"""Tapes as native code: the same bits as the C++ virtual machine, scalar and in lanes."""

import ctypes
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from kempe.algebra import Op, Section, Spline, Tape, TapeTable
from kempe.algebra.native import native_tape
from kempe.algebra.operations import PIECEWISE
from kempe.compile.llvm import machine_code
from kempe.compile.llvm import native_tape as llvm
from kempe.compile.llvm.ir import EIGHT, SCALAR
from kempe.compile.llvm.machine_code import CompileEffort
from kempe.compile.llvm.native_tape import LlvmTape
from kempe.compile.llvm.object_cache import ObjectCache
from kempe.errors import MissingPart
from tests.compile.compiled_tape import CompiledTape, register_file

Array = NDArray[np.float64]

OFF = ObjectCache(None)
LANE_COUNT = 8

# Every kind of double: zeros, halves (rounding), quadrant borders, the border of the fast sine,
# tiny, huge, infinite, not a number.
SPECIAL = (
    [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1.0, -1.0, 0.1, 1e-8, -3.7, 5e-324, 1e-310, 1e308]
    + [k * np.pi / 4 for k in range(-9, 10)]
    + [99999.99999, 1e5, np.nextafter(1e5, 2e5), -1e5, -123456.789, 1e22, 4503599627370497.5]
    + [np.inf, -np.inf, np.nan]
)
TABLES = (
    TapeTable(np.array([0.0, 1.0, 3.0]), np.array([[2.0, -1.0, 0.5, 1.0], [0.3, 1.0, -2.0, 2.5]])),
    TapeTable(np.array([-1.0, 1.0]), np.array([[1.25]])),
)
SPLINES = (
    Spline.of([0.0, 1.0, 3.0], [[2.0, -1.0, 0.5], [0.5, 1.0, 2.5]], [[1.0, 0.5, 2.0], [2.0, 1, 1]]),
    Spline.of([0.0, 2.5], [[1.25, 0.5, -1.0, 1.25]], is_periodic=True),
)


def tape_of(
    code: list[tuple[int, ...]],
    n_inputs: int,
    n_registers: int,
    constants: tuple[float, ...] = (),
    stops: tuple[int, ...] | None = None,
) -> Tape:
    """A tape written by hand; `stops` cuts it into sections."""
    ends = (len(code),) if stops is None else stops
    starts = (0, *ends[:-1])
    return Tape(
        code=np.array(code, dtype=np.int32).reshape(-1, 5),
        constants=np.array(constants),
        n_inputs=n_inputs,
        n_registers=n_registers,
        outputs=np.arange(n_registers, dtype=np.int32),
        sections=tuple(Section(f"s{k}", *b) for k, b in enumerate(zip(starts, ends, strict=True))),
        tables=TABLES,
        splines=SPLINES,
    )


def assert_same_bits(found: Array, expected: Array) -> None:
    """Equal bit for bit; one NaN is as good as another."""
    assert found.shape == expected.shape
    both_nan = np.isnan(found) & np.isnan(expected)
    np.testing.assert_array_equal(
        np.where(both_nan, 0.0, found).view(np.int64),
        np.where(both_nan, 0.0, expected).view(np.int64),
    )


def one_operation(op: Op) -> Tape:
    """A tape of one operation on three inputs; some use their columns otherwise."""
    if op == Op.SINCOS:
        return tape_of([(op, 3, 0, 4, 0)], 3, 5)
    if op in PIECEWISE:
        code = [(op, 3 + k, 0, 0, k) for k in range(5)] + [(op, 8, 0, 1, 0), (op, 9, 0, 1, 1)]
        return tape_of(code, 3, 10)
    return tape_of([(op, 3, 0, 1, 2)], 3, 4)


def triples() -> Array:
    """Special values in every pair of columns, and ordinary ones."""
    a, b = np.meshgrid(SPECIAL, SPECIAL)
    random = np.random.default_rng(7)
    ordinary = random.normal(scale=3.0, size=(500, 3))
    far = random.uniform(-1e9, 1e9, size=(200, 3))
    special = np.stack([a.ravel(), b.ravel(), np.roll(a.ravel(), 5)], axis=1)
    return np.concatenate([special, ordinary, far])


@pytest.mark.parametrize("op", list(Op), ids=lambda op: op.name.lower())
def test_every_operation_gives_the_bits_of_the_virtual_machine(op: Op) -> None:
    tape, inputs = one_operation(op), triples()
    outputs = np.arange(3, tape.n_registers, dtype=np.int32)
    expected = native_tape(tape).evaluate(inputs, outputs)
    compiled = CompiledTape(tape, cache=OFF)
    assert_same_bits(compiled.evaluate(inputs, outputs), expected)
    assert_same_bits(compiled.evaluate_lanes(inputs, outputs), expected)


def random_tape(seed: int, length: int) -> Tape:
    """A tape of random operations in three sections, with recycled registers."""
    random = np.random.default_rng(seed)
    n_inputs, constants, n_temporaries = 4, (0.5, -1.25, 3.0), 24
    first = n_inputs + len(constants)
    code: list[tuple[int, ...]] = []
    written = list(range(first))
    for _ in range(length):
        op = Op(random.choice(list(Op)))
        a, b, c = random.choice(written, size=3)
        d, e = first + random.choice(n_temporaries, size=2, replace=False)
        if op == Op.SINCOS:
            b = e
            written.append(e)
        elif op in PIECEWISE:
            b, c = 0, random.integers(0, 4)
        code.append((op, d, a, b, c))
        written.append(d)
    missing = set(range(first, first + n_temporaries)) - set(written)
    code += [(Op.COPY, d, 0, 0, 0) for d in sorted(missing)]
    return tape_of(
        code, n_inputs, first + n_temporaries, constants, (length // 3, length // 2, len(code))
    )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("effort", list(CompileEffort), ids=lambda effort: effort.value)
def test_random_tapes_give_the_bits_of_the_virtual_machine(
    seed: int, effort: CompileEffort, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CompileEffort, "for_length", lambda _: effort)
    monkeypatch.setattr(llvm, "CHUNK", 37)
    tape = random_tape(seed, 300)
    inputs = np.random.default_rng(seed).normal(size=(27, tape.n_inputs))
    expected = native_tape(tape).evaluate(inputs, tape.outputs)
    compiled = CompiledTape(tape, cache=OFF)
    assert_same_bits(compiled.evaluate(inputs, tape.outputs), expected)
    assert_same_bits(compiled.evaluate_lanes(inputs, tape.outputs), expected)


def test_a_lane_with_nan_or_a_far_angle_leaves_its_neighbours_alone() -> None:
    tape = random_tape(3, 200)
    inputs = np.random.default_rng(3).normal(size=(LANE_COUNT, tape.n_inputs))
    clean = CompiledTape(tape, cache=OFF).evaluate_lanes(inputs, tape.outputs)
    inputs[2] = np.nan
    inputs[5] = 1e7
    spoilt = CompiledTape(tape, cache=OFF).evaluate_lanes(inputs, tape.outputs)
    others = [0, 1, 3, 4, 6, 7]
    assert_same_bits(spoilt[others], clean[others])
    assert np.isnan(spoilt[2]).any()


@pytest.mark.parametrize("kept", [None, "outputs"])
def test_sections_are_functions_on_a_shared_register_file(kept: str | None) -> None:
    tape = random_tape(11, 120)
    wanted = np.arange(7, 15)
    compiled = LlvmTape(tape, kept=None if kept is None else wanted.tolist(), cache=OFF)
    inputs = np.random.default_rng(11).normal(size=(LANE_COUNT, tape.n_inputs))
    expected = native_tape(tape).evaluate(inputs, wanted.astype(np.int32))
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    one, eight = register_file(tape, SCALAR), register_file(tape, EIGHT)
    one[: tape.n_inputs] = inputs[0]
    eight[: tape.n_inputs] = inputs.T
    assert len(compiled.section_addresses()) == len(tape.sections)
    for address in compiled.section_addresses():
        function(address)(one.ctypes.data)
    for address in compiled.lane_section_addresses():
        function(address)(eight.ctypes.data)
    assert_same_bits(one[wanted], expected[0])
    assert_same_bits(np.ascontiguousarray(eight[wanted].T), expected)


def test_sines_taken_side_by_side_survive_recycled_registers() -> None:
    # Register 6 is read before the second sine overwrites it, though both sines run first.
    code = [
        (Op.ADD, 6, 0, 1, 0),
        (Op.SIN, 5, 0, 0, 0),
        (Op.MUL, 7, 6, 5, 0),
        (Op.SINCOS, 6, 1, 5, 0),
        (Op.COS, 8, 2, 0, 0),
        (Op.MULADD, 7, 6, 5, 7),
        (Op.ADD, 9, 8, 7, 0),
    ]
    tape = tape_of(code, 3, 10, constants=(1.0, 2.0))
    inputs = np.random.default_rng(5).normal(size=(9, 3))
    outputs = np.arange(5, 10, dtype=np.int32)
    expected = native_tape(tape).evaluate(inputs, outputs)
    assert_same_bits(CompiledTape(tape, cache=OFF).evaluate(inputs, outputs), expected)


def test_outputs_may_be_inputs_and_constants() -> None:
    tape = tape_of([(Op.ADD, 3, 0, 2, 0)], 2, 4, constants=(0.25,))
    inputs = np.array([[1.0, 2.0], [3.0, 4.0]])
    expected = np.array([[0.25, 2.0, 1.25], [0.25, 4.0, 3.25]])
    compiled = CompiledTape(tape, cache=OFF)
    assert_same_bits(compiled.evaluate(inputs, [2, 1, 3]), expected)
    assert_same_bits(compiled.evaluate_lanes(inputs, [2, 1, 3]), expected)


def test_threads_may_share_a_tape() -> None:
    tape = random_tape(9, 150)
    inputs = np.random.default_rng(9).normal(size=(64, tape.n_inputs))
    expected = native_tape(tape).evaluate(inputs, tape.outputs)
    compiled = CompiledTape(tape, cache=OFF)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: compiled.evaluate(inputs, tape.outputs), range(8)))
    for results in found:
        assert_same_bits(results, expected)


CACHED_RUN = """
import sys
import numpy as np
from pathlib import Path
from kempe.algebra import Tape
from kempe.compile.llvm import native_tape as llvm
from kempe.compile.llvm.object_cache import ObjectCache
from tests.compile.compiled_tape import CompiledTape

def refuse(*_):
    raise AssertionError("compiled although the cache has it")

llvm.tape_text = refuse
tape = Tape.from_bytes(Path(sys.argv[1]).read_bytes())
inputs = np.linspace(-2.0, 4.0, 12 * tape.n_inputs).reshape(12, tape.n_inputs)
compiled = CompiledTape(tape, cache=ObjectCache(Path(sys.argv[2])))
results = compiled.evaluate(inputs, tape.outputs), compiled.evaluate_lanes(inputs, tape.outputs)
sys.stdout.buffer.write(b"".join(r.tobytes() for r in results))
"""


def test_a_cached_object_runs_in_another_process_without_compiling(tmp_path: Path) -> None:
    # Tables and the core's functions sit at other addresses there.
    tape = random_tape(4, 300)
    assert (tape.code[:, 0] == Op.TABLE).any()
    assert (tape.code[:, 0] == Op.TAN).any()
    file, folder = tmp_path / "tape", tmp_path / "cache"
    file.write_bytes(tape.to_bytes())
    inputs = np.linspace(-2.0, 4.0, 12 * tape.n_inputs).reshape(12, tape.n_inputs)
    compiled = CompiledTape(tape, cache=ObjectCache(folder))
    expected = native_tape(tape).evaluate(inputs, tape.outputs)
    assert_same_bits(compiled.evaluate(inputs, tape.outputs), expected)
    assert_same_bits(compiled.evaluate_lanes(inputs, tape.outputs), expected)
    command = [sys.executable, "-c", CACHED_RUN, str(file), str(folder)]
    output = subprocess.run(command, check=True, capture_output=True).stdout
    found = np.frombuffer(output).reshape(2, *expected.shape)
    assert_same_bits(found[0].copy(), expected)
    assert_same_bits(found[1].copy(), expected)


def test_importing_the_executor_does_not_import_llvmlite() -> None:
    code = (
        "import sys, kempe.compile.llvm.native_tape, kempe.compile.llvm.fused\n"
        "sys.exit('llvmlite' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_missing_llvmlite_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code.importlib.util, "find_spec", lambda name: None)
    machine_code.llvm_reason.cache_clear()
    try:
        assert not llvm.llvm_available()
        assert "pip install llvmlite" in llvm.llvm_reason()
        with pytest.raises(MissingPart, match="llvmlite is not installed"):
            LlvmTape(one_operation(Op.ADD), cache=OFF).section_addresses()
    finally:
        machine_code.llvm_reason.cache_clear()


def test_an_old_llvmlite_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "OLDEST_LLVM", (1000, 0, 0))
    machine_code.llvm_reason.cache_clear()
    try:
        assert llvm.llvm_reason() == "llvmlite is too old; pip install 'llvmlite>=0.45'"
    finally:
        machine_code.llvm_reason.cache_clear()


def test_llvm_is_available_where_the_tests_run() -> None:
    assert llvm.llvm_available(), llvm.llvm_reason()
