"""The interval VM encloses: every exact value, every scalar result, and not much more."""

import math
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from kempe import _core

pytestmark = pytest.mark.core

NAMES = _core.operation_names()

#: Widening by 8 ulp on each side, taken from the larger of two neighbouring binades.
POINT_WIDTH_ULP = 34.0
#: A sum, product, quotient or root lies between two neighbouring doubles; without directed rounding
#: the nearest one is stepped both ways.
ROUNDED_WIDTH_ULP = 1.0 if _core.interval_rounding() == "upward" else 2.0
#: A chain of up to six of these (a cubic), in ulp of the largest magnitude met.
CHAIN_WIDTH_ULP = 20.0 * ROUNDED_WIDTH_ULP
#: The margin for a scalar's roundings, 16 terms u on coefficients up to 3, times a slope of 14.
SPLINE_WIDTH_ULP = 1000.0
ROUNDED = ("add", "sub", "mul", "div", "rec", "sqr", "sqrt")
EXACT = ("neg", "abs", "min", "max", "round", "where_positive", "where_not_negative", "copy")

EDGES = [0.0, 5e-324, 1e-308, -1e-308, 1e-17, 0.5, -0.5, -1.5, 1.0, -1.0, 3.0, 1e5, -1e5, 1.1e5]
EDGES += [1e17, -1e17, 1e308, -1e308, 709.0, -745.0, 0.9999999999999999]
EDGES += [k * math.pi / 2 for k in (1, -1, 2, 3, -3, 4, 29, 58, 1001, 63661)]


def boxes(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Points, neighbours, and wide intervals, around edges and around random numbers."""
    rng = np.random.default_rng(seed)
    edges = rng.permuted(np.tile(EDGES, (n, 3)), axis=1).T
    other = rng.permuted(np.tile(EDGES, (n, 3)), axis=1).T
    small = rng.uniform(-4, 4, (80, n))
    width = rng.choice([0.0, 1e-16, 1e-9, 0.01, 1.0, 10.0], (80, n))
    first = np.concatenate([edges, small])
    second = np.concatenate([np.where(rng.random(edges.shape) < 0.5, edges, other), small + width])
    return np.minimum(first, second), np.maximum(first, second)


def points_of(lower: np.ndarray, upper: np.ndarray, rng: np.random.Generator) -> list[np.ndarray]:
    """Points of one box: its corners, edges that it holds, and random ones."""
    choices = []
    for low, high in zip(lower, upper, strict=True):
        inside = [x for x in EDGES if low <= x <= high]
        part = rng.random(2)
        drawn = [min(max(low * (1 - p) + high * p, low), high) for p in part]
        choices.append([low, high, *drawn, *rng.permutation(inside)[:3]])
    return [np.array([rng.choice(c) for c in choices]) for _ in range(5)]


@pytest.mark.parametrize("name", NAMES)
def test_an_operation_encloses_the_exact_and_the_scalar_result(kit: Any, name: str) -> None:
    rng = np.random.default_rng(8)
    orders = [(k, m) for k in range(kit.pieces(name)) for m in (0, 1, 2, 3)] or [(0, 0)]
    checked = 0
    for b, c in orders:
        tape, d = kit.single(name, b, c)
        outputs = np.array([d], dtype=np.int32)
        low, high = boxes(9, kit.operands(name))
        lower, upper = tape.evaluate_intervals(low, high, outputs)
        assert not np.isnan(lower).any()
        assert not np.isnan(upper).any()
        for row in range(len(low)):
            points = points_of(low[row], high[row], rng)
            scalars = tape.evaluate(np.array(points), outputs)[:, 0]
            for point, scalar in zip(points, scalars, strict=True):
                truth = kit.exact(name, list(point), b, c)
                if truth is None:
                    continue
                where = f"{name} of {point} in {low[row]}, {high[row]}"
                assert mp.mpf(lower[row, 0]) <= truth <= mp.mpf(upper[row, 0]), where
                assert lower[row, 0] <= scalar <= upper[row, 0] or math.isinf(scalar), where
                checked += 1
    assert checked > 200


def test_both_results_of_sincos_are_those_of_sine_and_cosine(kit: Any) -> None:
    program = kit.program(1)
    s = program.add("sincos", 0)
    outputs = np.array([s, s + 1, program.add("sin", 0), program.add("cos", 0)], dtype=np.int32)
    for bound in program.tape().evaluate_intervals(*boxes(10, 1), outputs):
        np.testing.assert_array_equal(bound[:, :2], bound[:, 2:])


@pytest.mark.parametrize("name", NAMES)
def test_the_enclosure_of_a_point_is_narrow(kit: Any, name: str) -> None:
    """Within the reach of the functions: 1e5 for the angles."""
    rng = np.random.default_rng(11)
    n = kit.operands(name)
    x = np.concatenate([rng.uniform(-1, 1, (300, n)), rng.uniform(-50, 50, (300, n))])
    tape, d = kit.single(name)
    outputs = np.array([d], dtype=np.int32)
    lower, upper = (bound[:, 0] for bound in tape.evaluate_intervals(x, x, outputs))
    value = tape.evaluate(x, outputs)[:, 0]
    # On the cut of atan2, and where pow and log have no value, there is nothing to be narrow about.
    good = np.isfinite(value)
    assert good.sum() > 100
    widths = (upper - lower)[good] / np.spacing(np.abs(value[good]))
    if name in EXACT:
        assert widths.max() == 0
    elif name in ROUNDED:
        assert widths.max() <= ROUNDED_WIDTH_ULP
    elif name == "spline":
        size = np.abs(x).max(axis=1) + 50.0
        assert ((upper - lower)[good] <= SPLINE_WIDTH_ULP * np.spacing(size[good])).all()
    elif name in ("muladd", "mulsub", "nmuladd", "table"):
        size = np.abs(x).max(axis=1) ** (3 if name == "table" else 2) + 50.0
        assert ((upper - lower)[good] <= CHAIN_WIDTH_ULP * np.spacing(size[good])).all()
    else:
        assert widths.max() <= POINT_WIDTH_ULP


#: (operation, boxes, exact range): the wide result is the range to the last places.
with mp.workprec(200):
    RANGES = [
        ("sin", [(0.0, 1.0)], (0.0, mp.sin(1))),
        ("sin", [(1.0, 2.0)], (mp.sin(1), 1)),
        ("sin", [(4.0, 5.0)], (-1, mp.sin(4))),
        ("sin", [(-0.5, 1.5)], (-mp.sin(0.5), mp.sin(1.5))),
        ("sin", [(0.0, 6.0)], (-1, 1)),
        ("sin", [(99990.0, 99990.5)], (mp.sin(99990), mp.sin(99990.5))),
        ("cos", [(-1.0, 2.0)], (mp.cos(2), 1)),
        ("cos", [(2.0, 4.0)], (-1, mp.cos(2))),
        ("cos", [(-2.0, -1.0)], (mp.cos(-2), mp.cos(-1))),
        ("tan", [(-1.5, 1.5)], (mp.tan(-1.5), mp.tan(1.5))),
        ("tan", [(2.0, 4.0)], (mp.tan(2), mp.tan(4))),
        ("asin", [(-0.5, 1.0)], (mp.asin(-0.5), mp.pi / 2)),
        ("acos", [(-1.0, 0.5)], (mp.acos(0.5), mp.pi)),
        ("atan2", [(1.0, 2.0), (-1.0, 3.0)], (mp.atan2(1, 3), mp.atan2(1, -1))),
        ("atan2", [(-2.0, 1.0), (1.0, 3.0)], (mp.atan2(-2, 1), mp.atan2(1, 1))),
        ("atan2", [(-2.0, -1.0), (-3.0, -1.0)], (mp.atan2(-1, -3), mp.atan2(-2, -1))),
        ("exp", [(-1.0, 2.0)], (mp.exp(-1), mp.exp(2))),
        ("exp", [(-math.inf, 0.0)], (0, 1)),
        ("log", [(0.5, 8.0)], (mp.log(0.5), mp.log(8))),
        ("tanh", [(-2.0, 1.0)], (mp.tanh(-2), mp.tanh(1))),
        ("pow", [(0.5, 2.0), (-1.0, 3.0)], (0.125, 8)),
        ("pow", [(-2.0, 3.0), (2.0, 2.0)], (0, 9)),
        ("pow", [(-2.0, 3.0), (3.0, 3.0)], (-8, 27)),
        ("pow", [(-3.0, -2.0), (-1.0, -1.0)], (-0.5, -mp.mpf(1) / 3)),
        ("sqr", [(-2.0, 1.0)], (0, 4)),
        ("abs", [(-2.0, 1.0)], (0, 2)),
        ("mul", [(-2.0, 3.0), (-5.0, 4.0)], (-15, 12)),
        ("div", [(1.0, 2.0), (-4.0, -2.0)], (-1, -0.25)),
        ("min", [(0.0, 5.0), (1.0, 3.0)], (0, 3)),
        ("max", [(0.0, 5.0), (1.0, 3.0)], (1, 5)),
        ("round", [(-0.5, 2.5)], (0, 2)),
    ]


@pytest.mark.parametrize(("name", "operands", "exact_range"), RANGES)
def test_a_wide_result_is_the_range_to_the_last_places(
    kit: Any, name: str, operands: list[tuple[float, float]], exact_range: tuple[Any, Any]
) -> None:
    lower, upper = kit.enclosure(name, *operands)
    slack = POINT_WIDTH_ULP * 2.0**-53  # relative
    with mp.workprec(200):
        low, high = (mp.mpf(x) for x in exact_range)
        assert 0 <= low - lower <= slack * abs(low)
        assert 0 <= upper - high <= slack * abs(high)


def test_a_monotone_piece_of_a_table_is_enclosed_by_its_ends(kit: Any) -> None:
    lower, upper = kit.enclosure("table", (0.5, 1.5), table=(0, 0))  # rises from 0.7
    low, high = (float(kit.exact("table", [x], 0, 0)) for x in (0.5, 1.5))
    assert low - lower == pytest.approx(0, abs=1e-13)
    assert upper - high == pytest.approx(0, abs=1e-13)


@pytest.mark.parametrize("seed", range(20))
def test_random_tapes_enclose_their_scalar_runs(kit: Any, seed: int) -> None:
    """Register by register, wherever the scalar run has seen no overflow and no NaN so far."""
    rng = np.random.default_rng(seed)
    program = kit.random_program(rng, 80)
    tape, outputs = program.tape(), program.all_registers()
    centre = rng.uniform(-3, 3, (40, 3))
    radius = rng.choice([0.0, 1e-14, 1e-6, 0.1], (40, 1))
    lower, upper = tape.evaluate_intervals(centre - radius, centre + radius, outputs)
    point = centre + radius * rng.uniform(-1, 1, centre.shape)
    scalar = tape.evaluate(np.clip(point, centre - radius, centre + radius), outputs)
    sound = np.ones(scalar.shape, dtype=bool)
    for code, d, *operands in program.rows:
        name = NAMES[code]
        results = [d, operands[1]] if name == "sincos" else [d]
        for register in results:
            sound[:, register] = np.isfinite(scalar[:, register]) & np.all(
                sound[:, operands[: kit.operands(name)]], axis=1
            )
            held = (lower[:, register] <= scalar[:, register]) & (
                scalar[:, register] <= upper[:, register]
            )
            assert held[sound[:, register]].all(), f"{name} into {register}"
    assert sound[:, program.n_inputs + 4 :].sum() > 200


@pytest.mark.parametrize("seed", range(6))
def test_random_tapes_enclose_the_exact_run(kit: Any, seed: int) -> None:
    """The formula in 2400-bit arithmetic, as an independent truth."""
    rng = np.random.default_rng(50 + seed)
    program = kit.random_program(rng, 60)
    tape, outputs = program.tape(), program.all_registers()
    x = rng.uniform(-3, 3, (3, 3))
    lower, upper = tape.evaluate_intervals(x, x, outputs)
    checked = 0
    for row in range(len(x)):
        values: dict[int, Any] = dict(enumerate(mp.mpf(v) for v in [*x[row], *program.constants]))
        for code, d, *operands in program.rows:
            name = NAMES[code]
            arguments = [values.get(r) for r in operands[: kit.operands(name)]]
            if any(a is None or abs(a) > 1e100 for a in arguments):
                continue
            values[d] = kit.exact(name, arguments, *operands[1:])
            if name == "sincos":
                values[operands[1]] = kit.exact("cos", arguments)
            if values[d] is not None:
                assert mp.mpf(lower[row, d]) <= values[d] <= mp.mpf(upper[row, d]), name
                checked += 1
    assert checked > 50
