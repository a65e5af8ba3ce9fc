"""Sobol' indices against a function whose indices are known in closed form."""

import numpy as np
import pytest

from kempe.errors import BadNumber
from kempe.sweeps.plan import Plan
from kempe.sweeps.sensitivity import sobol_indices

# Ishigami and Homma (1990): sin x + a sin^2 y + b z^4 sin x, angles even between -pi and pi
A, B = 7.0, 0.1
PARTS = (0.5 * (1.0 + B * np.pi**4 / 5.0) ** 2, A**2 / 8.0, 0.0)
TOGETHER = 8.0 * B**2 * np.pi**8 / 225.0
WHOLE = sum(PARTS) + TOGETHER
NEAR = 0.02  # of 4096 points, whose own scatter is about 0.01


def test_indices_are_those_of_the_closed_form():
    plan = Plan.of(dict.fromkeys("xyz", f"{-np.pi}..{np.pi}"), "saltelli", 4096, 2)
    x, y, z = plan.columns(0, plan.size).values()
    values = np.sin(x) + A * np.sin(y) ** 2 + B * z**4 * np.sin(x)
    found = sobol_indices("f", plan.names, values, plan.base)
    assert found.first == pytest.approx(np.array(PARTS) / WHOLE, abs=NEAR)
    total = np.array([PARTS[0] + TOGETHER, PARTS[1], PARTS[2] + TOGETHER]) / WHOLE
    assert found.total == pytest.approx(total, abs=NEAR)
    assert "first    total" in str(found)


def test_one_parameter_alone_accounts_for_everything():
    plan = Plan.of({"x": "0..1"}, "saltelli", 64, 2)
    x = plan.columns(0, plan.size)["x"]
    found = sobol_indices("f", plan.names, 3.0 + x, plan.base)
    assert found.first == pytest.approx([1.0], abs=NEAR)
    assert found.total == pytest.approx([1.0], abs=NEAR)


def test_what_is_always_the_same_depends_on_nothing():
    found = sobol_indices("f", ("x", "y"), np.full(16, 0.1), 4)
    assert found.first.tolist() == found.total.tolist() == [0.0, 0.0]


def test_curves_are_refused():
    with pytest.raises(BadNumber, match=r"max\(f\)"):
        sobol_indices("f", ("x",), np.ones((12, 3)), 4)


def test_a_missing_value_is_refused():
    with pytest.raises(BadNumber, match="missing for 1 of 12 variants"):
        sobol_indices("f", ("x",), np.array([np.nan, *np.ones(11)]), 4)
