"""The tape VM computes what the operations mean, alike for one row and for eight in step."""

import ctypes
import math
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from kempe import _core
from kempe.algebra.operations import OPERATIONS

pytestmark = pytest.mark.core

NAMES = _core.operation_names()

#: Operations that IEEE 754 rounds correctly, or that are exact.
CORRECT_ULP = 0.5
#: The C library errs by up to 2.3 ulp (tanh); sine and cosine of the core by 1.1 (functions.hpp).
FUNCTION_ULP = 3.0
#: Two roundings, of which the first may weigh as much as the operands it cancels: checked apart.
TWICE_ROUNDED = ("muladd", "mulsub", "nmuladd", "table", "spline")
CORRECT = ("add", "sub", "mul", "div", "neg", "rec", "sqr", "sqrt", "abs", "min", "max", "round")
CORRECT += ("where_positive", "where_not_negative", "copy")

EDGES = [
    0.0,
    -0.0,
    5e-324,
    1e-308,
    -1e-308,
    1e-17,
    0.5,
    -1.5,
    2.5,
    1.0,
    -1.0,
    3.0,
    1e5,
    1.0000001e5,
]
EDGES += [1e17, -1e17, 1e308, -1e308, math.pi / 2, -math.pi, 1e4 * math.pi, 0.9999999999999999]
NOT_FINITE = [math.inf, -math.inf, math.nan]


def samples(seed: int, count: int, n: int) -> np.ndarray:
    """Rows of n operands: edges in every combination that fits, then random over many scales."""
    rng = np.random.default_rng(seed)
    edges = rng.permuted(np.tile(EDGES, (n, 4)), axis=1).T
    small = rng.uniform(-3, 3, (count, n))
    scaled = small * 10.0 ** rng.uniform(-12, 12, (count, n))
    return np.concatenate([edges, small, scaled])


def errors_in_ulp(got: np.ndarray, truths: list[Any]) -> np.ndarray:
    errors = []
    for value, truth in zip(got, truths, strict=True):
        if truth is None:
            continue
        if abs(truth) > mp.mpf(2) ** 1024 * (1 - mp.mpf(2) ** -54):  # rounds to infinity
            errors.append(0.0 if value == math.copysign(math.inf, truth) else math.inf)
            continue
        # below the largest double, so that it has an ulp
        errors.append(float(abs(mp.mpf(float(value)) - truth) / mp.mpf(math.ulp(float(truth)))))
    return np.array(errors)


def test_the_core_and_the_package_number_the_operations_alike() -> None:
    assert tuple(NAMES) == OPERATIONS


def errors_of(kit: Any, name: str, seed: int) -> np.ndarray:
    """How far one operation is off at random places, in units of the last place."""
    tape, d = kit.single(name)
    x = samples(seed, 60, kit.operands(name))
    got = tape.evaluate(x, np.array([d], dtype=np.int32))[:, 0]
    return errors_in_ulp(got, [kit.exact(name, list(row)) for row in x])


@pytest.mark.parametrize("name", CORRECT)
def test_arithmetic_is_correctly_rounded(kit: Any, name: str) -> None:
    errors = errors_of(kit, name, 1)
    assert errors.size > 100
    assert errors.max() <= CORRECT_ULP


FUNCTIONS = [n for n in NAMES if n not in (*CORRECT, *TWICE_ROUNDED)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_right_to_the_last_places(kit: Any, name: str) -> None:
    errors = errors_of(kit, name, 2)
    assert errors.size > 60
    assert errors.max() <= FUNCTION_ULP


def test_sincos_is_sine_and_cosine(kit: Any) -> None:
    program = kit.program(1)
    s = program.add("sincos", 0)
    both = np.array([s, s + 1, program.add("sin", 0), program.add("cos", 0)], dtype=np.int32)
    got = program.tape().evaluate(samples(3, 500, 1), both)
    np.testing.assert_array_equal(got[:, :2], got[:, 2:])


def test_sine_and_cosine_hold_next_to_every_multiple_of_a_quarter_turn(kit: Any) -> None:
    program = kit.program(1)
    s = program.add("sincos", 0)
    rng = np.random.default_rng(4)
    n = np.unique(np.concatenate([np.arange(1, 60), rng.integers(1, 63662, 200)]))
    at = n * (math.pi / 2)
    x = np.concatenate(
        [np.nextafter(at, 0), at, np.nextafter(at, 1e9), at + 2.0**-20, at - 2.0**-8]
    )
    got = program.tape().evaluate(x[:, None], np.array([s, s + 1], dtype=np.int32))
    for column, name in enumerate(("sin", "cos")):
        errors = errors_in_ulp(got[:, column], [kit.exact(name, [v]) for v in x])
        assert errors.max() <= FUNCTION_ULP


@pytest.mark.parametrize(
    ("name", "signs"), [("muladd", (1, 1)), ("mulsub", (1, -1)), ("nmuladd", (-1, 1))]
)
def test_a_multiplication_with_addition_rounds_twice(
    kit: Any, name: str, signs: tuple[int, int]
) -> None:
    tape, d = kit.single(name)
    x = samples(5, 500, 3)
    with np.errstate(all="ignore"):
        expected = signs[0] * (x[:, 0] * x[:, 1]) + signs[1] * x[:, 2]
    got = tape.evaluate(x, np.array([d], dtype=np.int32))[:, 0]
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("order", range(6))
def test_a_table_gives_its_derivatives_and_extrapolates(kit: Any, order: int) -> None:
    """Horner's scheme errs by a few ulp of the sum of magnitudes, here below 40 for |x| < 4."""
    largest_sum, roundings = 200.0, 8
    x = np.concatenate([np.linspace(-3, 4, 57), [-1.0, 0.0, 0.5, 2.0, np.nextafter(0.5, 0)]])
    for k in range(kit.n_tables):
        tape, d = kit.single("table", k, order)
        got = tape.evaluate(x[:, None], np.array([d], dtype=np.int32))[:, 0]
        truth = np.array([float(kit.exact("table", [v], k, order)) for v in x])
        np.testing.assert_allclose(got, truth, rtol=0, atol=roundings * 2.0**-53 * largest_sum)


def test_a_break_belongs_to_the_piece_on_its_right(kit: Any) -> None:
    tape, d = kit.single("table", 0, 0)
    got = tape.evaluate(np.array([[0.0], [-5e-324]]), np.array([d], dtype=np.int32))[:, 0]
    assert got.tolist() == [-1.0, 2.5]  # constant term of piece 1; end of piece 0


@pytest.mark.parametrize("name", NAMES)
def test_lanes_are_the_scalars_bit_for_bit(kit: Any, name: str) -> None:
    tape, d = kit.single(name)
    n = kit.operands(name)
    x = np.concatenate([samples(6, 300, n), np.tile(NOT_FINITE, (n, 1)).T, np.ones((3, n))])
    x[-3:, 0] = NOT_FINITE
    outputs = np.array([d, d + 1] if name == "sincos" else [d], dtype=np.int32)
    one, eight = tape.evaluate(x, outputs), tape.evaluate_lanes(x, outputs)
    number = ~np.isnan(one)
    np.testing.assert_array_equal(number, ~np.isnan(eight))
    np.testing.assert_array_equal(one[number].view(np.uint64), eight[number].view(np.uint64))


@pytest.mark.parametrize("seed", range(30))
def test_random_tapes_agree_between_scalars_and_lanes(kit: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    program = kit.random_program(rng, 120)
    x = rng.uniform(-3, 3, (8 + seed % 9, 3))
    one = program.tape().evaluate(x, program.all_registers())
    eight = program.tape().evaluate_lanes(x, program.all_registers())
    number = ~np.isnan(one)
    np.testing.assert_array_equal(number, ~np.isnan(eight))
    np.testing.assert_array_equal(one[number].view(np.uint64), eight[number].view(np.uint64))


@pytest.mark.parametrize("seed", range(15))
def test_every_operation_of_a_random_tape_follows_from_its_operands(kit: Any, seed: int) -> None:
    program = kit.random_program(np.random.default_rng(100 + seed), 60)
    x = np.random.default_rng(seed).uniform(-3, 3, (4, 3))
    registers = program.tape().evaluate(x, program.all_registers())
    checked = 0
    for code, d, *operands in program.rows:
        name = NAMES[code]
        if name in TWICE_ROUNDED:
            continue
        values = registers[:, operands[: kit.operands(name)]]
        finite = np.isfinite(values).all(axis=1) & (np.abs(values) < 1e300).all(axis=1)
        truths = [kit.exact(name, list(v), *operands[1:]) for v in values[finite]]
        errors = errors_in_ulp(registers[finite, d], truths)
        assert (errors <= FUNCTION_ULP).all(), name
        checked += errors.size
    assert checked > 40


@pytest.mark.parametrize("name", NAMES)
def test_a_destination_may_be_an_operand(kit: Any, name: str) -> None:
    n, b_of_table = kit.operands(name), 0
    for aliased in range(n):
        program = kit.program(n)
        copies = [program.add("copy", k) for k in range(n)]
        columns = [*copies, 0, 0][:3] if not kit.pieces(name) else [copies[0], b_of_table, 1]
        apart = program.add(name, *columns)
        program.rows.append([*program.rows[-1]])
        program.rows[-1][1] = copies[aliased]
        x = samples(7, 20, n)
        outputs = np.array([apart, copies[aliased]], dtype=np.int32)
        for evaluate in (program.tape().evaluate, program.tape().evaluate_lanes):
            got = evaluate(x, outputs)
            np.testing.assert_array_equal(got[:, 0], got[:, 1])
        lower, upper = program.tape().evaluate_intervals(x, x, outputs)
        np.testing.assert_array_equal(lower[:, 0], lower[:, 1])
        np.testing.assert_array_equal(upper[:, 0], upper[:, 1])


@pytest.mark.parametrize("rows", [0, 1, 7, 8, 9, 17])
def test_any_number_of_rows_can_be_evaluated(kit: Any, rows: int) -> None:
    tape, d = kit.single("sqr")
    x = np.arange(rows, dtype=np.float64)[:, None]
    outputs = np.array([d, 0], dtype=np.int32)
    for evaluate in (tape.evaluate, tape.evaluate_lanes):
        got = evaluate(x, outputs)
        assert got.shape == (rows, 2)
        np.testing.assert_array_equal(got, np.hstack([x * x, x]))


def test_inputs_and_constants_can_be_outputs(kit: Any) -> None:
    tape = kit.program(1, [7.0]).tape()
    got = tape.evaluate(np.array([[3.0]]), np.array([1, 0, 1], dtype=np.int32))
    assert got.tolist() == [[7.0, 3.0, 7.0]]


def test_compiled_code_can_find_the_functions_and_tables(kit: Any) -> None:
    addresses = {f.name: f.address for f in _core.functions()}
    one = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
    two = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)
    piecewise = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_double, ctypes.c_int32)
    x = np.array([[0.3, 0.7]])
    for name in ("sin", "cos", "tan", "asin", "acos", "exp", "log", "tanh"):
        tape, d = kit.single(name)
        expected = tape.evaluate(x[:, :1], np.array([d], dtype=np.int32))[0, 0]
        assert one(addresses[f"kempe_{name}"])(0.3) == expected
    for name in ("atan2", "pow"):
        tape, d = kit.single(name)
        expected = tape.evaluate(x, np.array([d], dtype=np.int32))[0, 0]
        assert two(addresses[f"kempe_{name}"])(0.3, 0.7) == expected
    tape, d = kit.single("table", 0, 1)
    expected = tape.evaluate(x[:, :1], np.array([d], dtype=np.int32))[0, 0]
    assert piecewise(addresses["kempe_table"])(tape.table_address(0), 0.3, 1) == expected
    with pytest.raises(IndexError):
        tape.table_address(kit.n_tables)
