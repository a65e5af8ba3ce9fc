"""Runs that end on a corner of a law of time, or some last digits before or after it."""

import math

import numpy as np
import pytest

import kempe as kp
from kempe.drives import Piecewise as Pieces
from kempe.drives import Ramp, Table, TextFormula
from kempe.forces import Actuator

pytestmark = pytest.mark.core

CORNERS = (0.3, 1 / 3, 12.7)
#: Numbers of doubles between the corner and the end.
DIGITS = (-2, -1, 0, 1, 2, 7)
METHODS = ("dop853", "tsit5", "rodas5p", "gear")


def moved(x, digits):
    for _ in range(abs(digits)):
        x = math.nextafter(x, math.inf if digits > 0 else -math.inf)
    return x


def slide(law=None, drive=None):
    """A body of 1 kg on a rail, pushed or driven from rest."""
    m = kp.Builder("rail", plane=True)
    body = m.body("body", at=(0.0, 0), inertia=kp.Inertia(1.0, (0, 0, 0), np.eye(3)))
    rail = m.prismatic(m.ground.at(0, 0), body.at(0, 0), along=(1, 0), name="rail")
    if law is not None:
        m.force(Actuator(rail.displacement, law), "push")
    if drive is not None:
        m.drive(rail.displacement, drive)
    return m.build()


@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("text", ["if(t < {0}, 1, -2)", "1 + max(0, t - {0})", "1 - abs(t - {0})"])
def test_a_force_may_change_over_where_the_run_ends(text, method, corner):
    """x = t^2 / 2 until there, or what 1 - (c - t) makes of it."""
    machine = slide(TextFormula(text.format(repr(corner))))
    due = corner**2 / 2 if "abs" not in text else corner**2 / 2 * (1 - corner) + corner**3 / 6
    for digits in DIGITS:
        run = machine.simulate(until=moved(corner, digits), steps=1, method=method)
        assert run.outcome.is_done, digits
        assert run["rail.displacement"].values[-1] == pytest.approx(due, rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_tables_and_pieces_may_end_where_the_run_ends(method):
    """Between corners the rate of the body is the integral of the law."""
    table = Table(((0, 1), (0.3, 1), (0.7, 1), (0.8, 1)))
    pieces = Pieces(((0.3, Ramp(1.0, 0.0)), (0.5, Ramp(1.0, 0.0))))
    for law, corner in ((table, 0.8), (table, 0.3), (pieces, 0.3), (pieces, 0.8)):
        for digits in DIGITS:
            run = slide(law).simulate(until=moved(corner, digits), steps=1, method=method)
            assert run.outcome.is_done
            assert run["rail.displacement"].rate[-1] == pytest.approx(corner, rel=1e-8)


@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("method", METHODS)
def test_the_acceleration_of_a_drive_may_jump_where_the_run_ends(method, corner):
    machine = slide(drive=TextFormula(f"0.5 * t + max(0, t - {corner!r})^2"))
    for digits in DIGITS:
        run = machine.simulate(until=moved(corner, digits), steps=1, method=method)
        assert run.outcome.is_done, digits
        assert run["rail.displacement"].values[-1] == pytest.approx(0.5 * corner, rel=1e-9)
