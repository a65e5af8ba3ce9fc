"""What the interval VM says of a formula over a whole box: defined there, and continuous."""

import itertools
import math
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from kempe import _core

pytestmark = pytest.mark.core

NAMES = _core.operation_names()
TRIVIAL, DEFINED, CONTINUOUS = 0, 1, 2
EMPTY = (math.inf, -math.inf)

#: Halvings of the stretch with the largest change: a jump stays, any slope up to 2^60 has gone.
HALVINGS = 120
#: What is left of the change of a continuous operation then, over the size of its values.
NO_JUMP = 1e-9
#: Pieces that meet in rounded numbers are taken for continuous: that is no jump.
BRIDGED = 1e-12

#: Next to a hole this close no number of halvings tells a slope from a jump.
LEAST = 1e-100

EDGES = [0.0, 5e-324, -5e-324, 1e-17, -1e-17, 0.5, -0.5, 1.5, 1.0, -1.0, 2.0, 2.5, 0.25, 3.0]
EDGES += [math.nextafter(1.0, 2.0), math.nextafter(-1.0, -2.0), math.pi, -math.pi]
EDGES += [math.pi / 2, -math.pi / 2, math.nextafter(math.pi / 2, 2.0), 3 * math.pi / 2]


def decoration(kit: Any, name: str, *boxes: tuple[float, float], piece: Any = (0, 0)) -> int:
    tape, d = kit.single(name, *piece)
    bounds = np.array([boxes], dtype=np.float64)
    outputs = np.array([d], dtype=np.int32)
    lower, upper, found = tape.evaluate_decorated(bounds[:, :, 0], bounds[:, :, 1], outputs)
    plain = tape.evaluate_intervals(bounds[:, :, 0], bounds[:, :, 1], outputs)
    assert (lower[0, 0], upper[0, 0]) == (plain[0][0, 0], plain[1][0, 0])
    return int(found[0, 0])


def random_box(rng: np.random.Generator, n: int) -> list[tuple[float, float]]:
    """Points, narrow and wide sides, with ends that matter."""
    sides = []
    for _ in range(n):
        a = float(rng.choice(EDGES)) if rng.random() < 0.6 else float(rng.uniform(-4, 4))
        kind = rng.integers(4)
        b = a if kind == 0 else a + float(rng.choice([1e-9, 0.01, 1.0, 3.0])) * rng.choice([-1, 1])
        b = float(rng.choice(EDGES)) if kind == 3 else float(b)
        sides.append((min(a, b), max(a, b)))
    return sides


def points_in(
    rng: np.random.Generator, box: list[tuple[float, float]], count: int
) -> list[list[float]]:
    choices = []
    for low, high in box:
        inside = [x for x in EDGES if low <= x <= high]
        drawn = [min(max(low + float(s) * (high - low), low), high) for s in rng.random(4)]
        choices.append([low, high, *inside, *drawn])
    return [[float(rng.choice(c)) for c in choices] for _ in range(count)]


def largest_jump(f: Any, start: list[float], stop: list[float]) -> tuple[Any, Any]:
    """Of f between two points, as far as halving the stretch that changes most can tell."""

    def at(s: Any) -> Any:
        return f([(1 - s) * mp.mpf(a) + s * mp.mpf(b) for a, b in zip(start, stop, strict=True)])

    places = [mp.mpf(k) / 8 for k in range(9)]
    values = [at(s) for s in places]
    size = max(abs(v) for v in values)
    k = max(range(8), key=lambda k: abs(values[k + 1] - values[k]))
    low, high, at_low, at_high = places[k], places[k + 1], values[k], values[k + 1]
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        value = at(middle)
        if abs(value - at_low) > abs(at_high - value):
            high, at_high = middle, value
        else:
            low, at_low = middle, value
    return abs(at_high - at_low), size


@pytest.mark.parametrize("name", NAMES)
def test_what_is_called_defined_or_continuous_is(kit: Any, name: str) -> None:
    rng = np.random.default_rng(100 + NAMES.index(name))
    pieces = [(k, m) for k in range(kit.pieces(name)) for m in (0, 1, 2)] or [(0, 0)]
    boxes_each = 60 if len(pieces) == 1 else 12
    seen = {TRIVIAL: 0, DEFINED: 0, CONTINUOUS: 0}
    for (b, c), _ in itertools.product(pieces, range(boxes_each)):
        box = random_box(rng, kit.operands(name))
        found = decoration(kit, name, *box, piece=(b, c))
        seen[found] += 1
        if found == TRIVIAL:
            continue
        points = points_in(rng, box, 8)
        where = f"{name} ({b}, {c}) on {box}"
        with mp.workprec(160):
            assert all(kit.exact(name, p, b, c) is not None for p in points), where
            is_steep = any(0.0 < abs(end) < LEAST for side in box for end in side)
            if found == CONTINUOUS and not is_steep:
                start, stop = ([float(rng.uniform(*side)) for side in box] for _ in range(2))
                jump, size = largest_jump(lambda x, b=b, c=c: kit.exact(name, x, b, c), start, stop)
                assert jump <= NO_JUMP * (1 + size) or jump <= BRIDGED, where
    assert seen[CONTINUOUS] > 10


@pytest.mark.parametrize(
    ("name", "operands", "expected"),
    [
        ("div", [(1.0, 2.0), (0.5, 1.0)], CONTINUOUS),
        ("div", [(1.0, 2.0), (-1.0, 1.0)], TRIVIAL),
        ("div", [(0.0, 0.0), (-1.0, 1.0)], TRIVIAL),
        ("rec", [(0.0, 1.0)], TRIVIAL),
        ("rec", [(-2.0, -1.0)], CONTINUOUS),
        ("sqrt", [(0.0, 1.0)], CONTINUOUS),
        ("sqrt", [(-1e-300, 1.0)], TRIVIAL),
        ("tan", [(-1.5, 1.5)], CONTINUOUS),
        ("tan", [(1.5, 1.6)], TRIVIAL),
        ("asin", [(-1.0, 1.0)], CONTINUOUS),
        ("acos", [(0.0, math.nextafter(1.0, 2.0))], TRIVIAL),
        ("atan2", [(-1.0, 1.0), (0.5, 1.0)], CONTINUOUS),
        ("atan2", [(0.1, 1.0), (-1.0, 1.0)], CONTINUOUS),
        ("atan2", [(-1.0, 1.0), (-1.0, -0.5)], DEFINED),
        ("atan2", [(-1.0, 1.0), (-1.0, 1.0)], TRIVIAL),
        ("atan2", [(0.0, 1.0), (0.0, 1.0)], TRIVIAL),
        ("log", [(1e-300, 1.0)], CONTINUOUS),
        ("log", [(0.0, 1.0)], TRIVIAL),
        ("pow", [(0.0, 2.0), (0.5, 1.0)], CONTINUOUS),
        ("pow", [(-2.0, 2.0), (3.0, 3.0)], CONTINUOUS),
        ("pow", [(-2.0, 2.0), (-1.0, -1.0)], TRIVIAL),
        ("pow", [(-2.0, 2.0), (0.5, 0.5)], TRIVIAL),
        ("pow", [(0.0, 2.0), (0.0, 1.0)], TRIVIAL),
        ("round", [(0.6, 1.4)], CONTINUOUS),
        ("round", [(0.4, 0.6)], DEFINED),
        ("where_positive", [(1.0, 2.0), (1.0, 2.0), (3.0, 4.0)], CONTINUOUS),
        ("where_positive", [(-1.0, 2.0), (1.0, 2.0), (3.0, 4.0)], DEFINED),
        ("where_positive", [(0.0, 2.0), (1.0, 2.0), (3.0, 4.0)], DEFINED),
        ("where_not_negative", [(0.0, 2.0), (1.0, 2.0), (3.0, 4.0)], CONTINUOUS),
        ("where_not_negative", [(0.0, 2.0), (1.0, 2.0), EMPTY], CONTINUOUS),
        ("where_not_negative", [(-1.0, 2.0), (1.0, 2.0), EMPTY], TRIVIAL),
        ("abs", [(-1.0, 1.0)], CONTINUOUS),
        ("exp", [(-math.inf, math.inf)], CONTINUOUS),
        ("add", [EMPTY, (0.0, 1.0)], TRIVIAL),
    ],
)
def test_the_ends_of_domains_are_told(
    kit: Any, name: str, operands: list[tuple[float, float]], expected: int
) -> None:
    assert decoration(kit, name, *operands) == expected


def test_a_spline_is_continuous_over_a_break_its_slope_at_a_corner_is_not(kit: Any) -> None:
    at_break = (0.2, 0.3)  # of the first spline, which has a corner at 0.25
    assert decoration(kit, "spline", at_break, piece=(0, 0)) == CONTINUOUS
    assert decoration(kit, "spline", at_break, piece=(0, 1)) == DEFINED
    assert decoration(kit, "spline", (0.3, 1.9), piece=(0, 1)) == CONTINUOUS
    # it goes on along its end tangents
    assert decoration(kit, "spline", (1.5, 7.0), piece=(0, 1)) == CONTINUOUS
    assert decoration(kit, "spline", (1.5, 7.0), piece=(0, 2)) == DEFINED


def test_the_slope_of_a_smooth_spline_is_continuous_but_for_roundings() -> None:
    """A cubic through random points: slopes at its breaks agree to the last digits."""
    from scipy.interpolate import CubicSpline

    from kempe.algebra import Expression, Graph, Spline, record_formula
    from kempe.algebra.native import native_tape

    rng = np.random.default_rng(4)
    for _ in range(20):
        breaks = np.cumsum(rng.uniform(0.2, 2.0, 7))
        values = rng.normal(size=7)
        curve = CubicSpline(breaks, values)
        h, slopes = np.diff(breaks), curve(breaks, 1)
        inner = [values[:-1] + h * slopes[:-1] / 3, values[1:] - h * slopes[1:] / 3]
        spline = Spline.of(breaks, np.stack([values[:-1], *inner, values[1:]], axis=1))
        graph = Graph()
        t = Expression(graph, graph.input("t"))
        tape = record_formula([t], [spline(t, 0), spline(t, 1)])
        box = np.array([[breaks[1]]]), np.array([[breaks[5]]])
        found = native_tape(tape).evaluate_decorated(*box, tape.outputs)[2]
        assert found.tolist() == [[CONTINUOUS, CONTINUOUS]]


def test_a_hole_anywhere_inside_a_formula_reaches_its_result(kit: Any) -> None:
    program = kit.program(1, [0.0, 1.0])
    hole = program.add("rec", 0)
    hidden = program.add("mul", hole, 1)  # 0 / x: its enclosure is the point 0
    whole = program.add("add", hidden, 2)
    safe = program.add("mul", 0, 2)
    outputs = np.array([hidden, whole, safe], dtype=np.int32)
    box = np.array([[-1.0]]), np.array([[1.0]])
    lower, upper, found = program.tape().evaluate_decorated(*box, outputs)
    assert (lower[0, :2] == [0.0, 1.0]).all()
    assert (upper[0, :2] == [0.0, 1.0]).all()
    assert found.tolist() == [[TRIVIAL, TRIVIAL, CONTINUOUS]]


@pytest.mark.parametrize("seed", range(8))
def test_registers_of_random_tapes_that_are_called_defined_have_numbers(
    kit: Any, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    program = kit.random_program(rng, 60)
    tape, outputs = program.tape(), program.all_registers()
    centre = rng.uniform(-3, 3, (30, 3))
    radius = rng.choice([0.0, 1e-6, 0.1, 1.0], (30, 1))
    low, high = centre - radius, centre + radius
    lower, upper, found = tape.evaluate_decorated(low, high, outputs)
    for _ in range(10):
        point = np.clip(low + (high - low) * rng.random(low.shape), low, high)
        scalar = tape.evaluate(point, outputs)
        bounded = (found > TRIVIAL) & np.isfinite(lower) & np.isfinite(upper)
        assert np.isfinite(scalar[bounded]).all()
    assert (found == CONTINUOUS).sum() > 300
