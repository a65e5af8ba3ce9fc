"""The laws: their values, their derivatives at the seams, and what is refused."""

import math

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from kempe.algebra import Expression, Graph, tangent, where
from kempe.drives import (
    AbstractLaw,
    Cycloidal,
    Formula,
    Harmonic,
    ModifiedSine,
    Piecewise,
    Polynomial,
    Ramp,
    Setting,
    Table,
)
from kempe.errors import BadNumber

ROUNDING = 1e-13  # of a formula of a dozen operations on numbers up to 10


@pytest.fixture
def derived(evaluate):
    """Value, rate and acceleration of a law at a time, as a sweep derives them."""

    def at(law, time):
        graph = Graph()
        t = Expression(graph, graph.input("t"))
        one = {t.node: 0.0 * t + 1.0}
        value = 0.0 * t + law.value(t)
        (rate,) = tangent([value], one)
        (acceleration,) = tangent([rate], one)
        return evaluate([t], [value, rate, acceleration], [time])

    return at


@pytest.mark.parametrize(
    ("law", "t", "expected"),
    [
        (Ramp(1.0, 2.0, 3.0), 2.0, (11.0, 8.0, 3.0)),
        (Polynomial((1.0, 2.0, 1.5)), 2.0, (11.0, 8.0, 3.0)),
        (Polynomial((4.0,)), 2.0, (4.0, 0.0, 0.0)),
        (
            Harmonic(amplitude=0.5, frequency=0.25, phase=0.3, mean=2.0),
            1.0,
            (
                2.0 + 0.5 * math.cos(0.3),
                -0.5 * (math.pi / 2) * math.sin(0.3),
                -0.5 * (math.pi / 2) ** 2 * math.cos(0.3),
            ),
        ),
        (Cycloidal(rise=3.0, duration=2.0, dwell=1.0, start=0.5), 2.0, (2.0, 3.0, 0.0)),
        (Formula(lambda t: t * np.sin(t)), 0.0, (0.0, 0.0, 2.0)),
        (Setting(1.0, 4.0), 0.5, (2.5, 3.0, 0.0)),
    ],
    ids=lambda x: type(x).__name__ if isinstance(x, AbstractLaw) else None,
)
def test_value_rate_and_acceleration_come_from_one_formula(law, t, expected, derived):
    np.testing.assert_allclose(derived(law, t), expected, rtol=0, atol=ROUNDING)


# -- cam laws ------------------------------------------------------------------------------------

RISES = [Cycloidal, ModifiedSine]
# Peak speed and acceleration in rises and durations, as in the tables of cam design.
PEAKS = {
    Cycloidal: (2.0, math.tau),
    ModifiedSine: (4 * math.pi / (4 + math.pi), 4 * math.pi**2 / (4 + math.pi)),
}


@pytest.mark.parametrize("kind", RISES)
def test_a_rise_dwells_before_and_after(kind, derived):
    law = kind(rise=0.4, duration=2.0, dwell=1.0, start=0.1)
    for t, value in ((-5.0, 0.1), (0.0, 0.1), (1.0, 0.1), (3.0, 0.5), (9.0, 0.5)):
        np.testing.assert_allclose(derived(law, t), (value, 0.0, 0.0), rtol=0, atol=ROUNDING)
    assert float(law.value(2.0)) == pytest.approx(0.3, abs=ROUNDING)  # both are symmetric


@pytest.mark.parametrize("kind", RISES)
def test_a_rise_reaches_its_published_peaks(kind, derived):
    law = kind(rise=1.0, duration=1.0)
    samples = np.array([derived(law, t) for t in np.linspace(0.0, 1.0, 1601)])
    speed, acceleration = PEAKS[kind]
    assert samples[:, 1].max() == pytest.approx(speed, rel=1e-6)  # a parabola between samples
    assert samples[:, 2].max() == pytest.approx(acceleration, rel=1e-5)
    assert -samples[:, 2].min() == pytest.approx(acceleration, rel=1e-5)


@pytest.mark.parametrize("seam", [0.0, 0.125, 0.875, 1.0])
@pytest.mark.parametrize("kind", RISES)
def test_value_speed_and_acceleration_are_continuous_at_the_seams(kind, seam, derived):
    law = kind(rise=1.0, duration=1.0)
    step = 1e-9
    before, after = derived(law, seam - step), derived(law, seam + step)
    jerk = 300.0  # the largest of either law, in rises and durations
    np.testing.assert_allclose(before, after, rtol=0, atol=2 * step * jerk + ROUNDING)


def test_a_modified_sine_is_a_sine_of_the_acceleration_in_three_parts(derived):
    """Independent of the formula of the rise: its acceleration integrated twice gives 1."""
    law, n = ModifiedSine(rise=1.0, duration=1.0), 4000
    t = (np.arange(n) + 0.5) / n
    acceleration = np.array([derived(law, x)[2] for x in t])
    speed = np.cumsum(acceleration) / n
    assert speed[-1] == pytest.approx(0.0, abs=1e-6)
    assert speed.sum() / n == pytest.approx(1.0, abs=1e-3)
    quick = acceleration[t < 0.125]
    amplitude = PEAKS[ModifiedSine][1]
    np.testing.assert_allclose(quick, amplitude * np.sin(4 * math.pi * t[t < 0.125]), atol=1e-9)


# -- tables --------------------------------------------------------------------------------------

TIMES = np.linspace(0.0, 2.0, 41)


def test_a_table_goes_through_its_points_and_is_held_outside(derived):
    law = Table(tuple((t, math.sin(t)) for t in TIMES.tolist()))
    for t in TIMES[::5]:
        assert derived(law, t)[0] == pytest.approx(math.sin(t), abs=ROUNDING)
    for t, end in ((-1.0, 0.0), (3.0, math.sin(2.0))):
        np.testing.assert_allclose(derived(law, t), (end, 0.0, 0.0), rtol=0, atol=ROUNDING)
    # a cubic spline with step 0.05 errs by h^4/384 and its slope by h^3/24
    np.testing.assert_allclose(derived(law, 1.03)[:2], (math.sin(1.03), math.cos(1.03)), atol=1e-5)


@pytest.mark.parametrize("points", [2, 3, 4, 9])
def test_an_open_table_has_the_rates_of_its_curve_at_both_ends(derived, points):
    """SciPy's spline of the same points has the one-sided derivatives."""
    times = np.linspace(-0.5, 2.0, points)
    values = np.cos(2.0 * times) + times
    spline = CubicSpline(times, values, bc_type="not-a-knot")
    law = Table(tuple(zip(times.tolist(), values.tolist(), strict=True)))
    for t in (times[0], times[-1]):
        expected = [float(spline(t, k)) for k in range(3)]
        np.testing.assert_allclose(derived(law, t), expected, rtol=0, atol=100 * ROUNDING)
    for t in (np.nextafter(times[0], -9.0), times[-1] + 1e-9):
        np.testing.assert_allclose(derived(law, t)[1:], (0.0, 0.0), rtol=0, atol=ROUNDING)


def test_a_periodic_table_goes_on_for_ever(derived):
    law = Table(tuple((t, math.cos(math.pi * t)) for t in TIMES.tolist()), periodic=True)
    for t in (0.3, 1.0, 1.9):
        for periods in (-3, 1, 50):
            np.testing.assert_allclose(
                derived(law, t + 2.0 * periods), derived(law, t), rtol=0, atol=1e-9
            )


def test_tables_with_different_points_are_different_structures():
    from kempe.compile.layout.numbers import word

    first, second = (Table(((0.0, 0.0), (1.0, end))) for end in (1.0, 2.0))
    assert word(first) != word(second)


# -- pieces --------------------------------------------------------------------------------------

UP = Cycloidal(rise=1.0, duration=2.0)
TOP = Ramp(1.0)
DOWN = Polynomial((1.0, 0.0, -1.0))


def test_each_piece_has_its_own_time(derived):
    law = Piecewise(((2.0, UP), (3.0, TOP), (1.0, DOWN)))
    assert [float(law.value(t)) for t in (0.0, 1.0, 2.0, 4.0, 5.0, 5.5, 6.0)] == pytest.approx(
        [0.0, 0.5, 1.0, 1.0, 1.0, 0.75, 0.0], abs=ROUNDING
    )
    np.testing.assert_allclose(derived(law, 5.5), (0.75, -1.0, -2.0), rtol=0, atol=ROUNDING)
    np.testing.assert_allclose(derived(law, 7.0), (-3.0, -4.0, -2.0), rtol=0, atol=ROUNDING)


def test_pieces_that_repeat_begin_anew(derived):
    law = Piecewise(((2.0, UP), (1.0, DOWN)), repeats=True)
    for t in (0.2, 1.7, 2.4):
        for periods in (-2, 1, 7):
            np.testing.assert_allclose(
                derived(law, t + 3.0 * periods), derived(law, t), rtol=0, atol=1e-10
            )


@pytest.mark.parametrize("t", [0.0, 3.0, 6.0, 9.0, -3.0])
def test_at_a_whole_period_either_end_is_taken(t):
    law = Piecewise(((2.0, UP), (1.0, DOWN)), repeats=True)
    assert float(law.value(t)) == pytest.approx(0.0, abs=ROUNDING)


def test_laws_that_do_not_meet_are_refused():
    with pytest.raises(BadNumber, match="jumps from 1, where piece 1 ends, to 2"):
        Piecewise(((2.0, UP), (1.0, Ramp(2.0))))
    with pytest.raises(BadNumber, match=r"jumps from 1, where piece 1 ends, to 0"):
        Piecewise(((2.0, UP),), repeats=True)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Ramp(math.nan),
        lambda: Ramp("1 rad"),
        lambda: Harmonic(amplitude=math.inf, frequency=1.0),
        lambda: Polynomial(()),
        lambda: Polynomial((1.0, math.nan)),
        lambda: Cycloidal(rise=1.0, duration=0.0),
        lambda: ModifiedSine(rise=math.nan, duration=1.0),
        lambda: Table(((0.0, 1.0),)),
        lambda: Table(((0.0, 1.0), (0.0, 2.0))),
        lambda: Table(((0.0, 1.0), (1.0, math.nan))),
        lambda: Table(((0.0, 1.0), (1.0, 0.0), (2.0, 3.0)), periodic=True),
        lambda: Piecewise(()),
        lambda: Piecewise(((-1.0, TOP),)),
        lambda: Piecewise(((1.0, math.sin),)),
        lambda: Setting(0.0, math.nan),
        lambda: Formula(3.0),
    ],
)
def test_a_law_refuses_numbers_that_mean_nothing(make):
    with pytest.raises(BadNumber):
        make()


def test_a_root_below_nought_is_no_complex_number():
    law = Formula(lambda t: where(t < 0.3, 0.0, (t - 0.3) ** 0.5))
    for t in (0.0, 0.2, 0.34, 1.0):
        assert float(law.value(t)) == pytest.approx(math.sqrt(max(t - 0.3, 0.0)), rel=1e-15)
    assert math.isnan(Formula(lambda t: (t - 0.3) ** 0.5).value(0.0))


def test_a_text_where_a_function_of_t_is_due_is_told_to_be_a_text_formula():
    with pytest.raises(BadNumber, match=r"a text is TextFormula\('sin\(t\)'\)"):
        Formula("sin(t)")
