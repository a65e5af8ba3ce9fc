"""Polynomials that vanish where others do, and polynomials that do not."""

import math

import pytest

from kempe.motion.verify.written.polynomial import Ring
from kempe.motion.verify.written.sums_of_rows import SumsOfRows

ROUNDED = 1e-13


@pytest.fixture
def circle():
    ring = Ring(["c", "s"])
    c, s = ring.of(0), ring.of(1)
    return ring, c, s, c * c + s * s - ring.number(1)


def test_a_multiple_of_a_row_vanishes_with_it(circle):
    ring, c, s, row = circle
    (off,) = SumsOfRows(ring, [row]).left_over([c * s * row + row.scaled(row.terms[0, 0] * 3)])
    assert off < ROUNDED


def test_what_is_left_over_is_what_a_row_is_off(circle):
    ring, _, _, row = circle
    (off,) = SumsOfRows(ring, [row]).left_over([row + ring.number(1e-12)])
    assert 1e-12 <= off < 2e-12


def test_what_does_not_vanish_has_no_sum(circle):
    ring, c, s, row = circle
    found = SumsOfRows(ring, [row]).left_over([c, c * c - s * s, c * c + s * s, ring.number(1)])
    assert found == [math.inf] * 4


def test_a_row_of_roundings_tells_nothing(circle):
    ring, c, s, row = circle
    tiny = (c - s).scaled(next(iter(ring.number(2.0**-50).terms.values())))
    (off,) = SumsOfRows(ring, [row, tiny]).left_over([c - s])
    assert off == math.inf


def test_rows_that_nearly_repeat_each_other_tell_no_more_than_one(circle):
    ring, c, _, row = circle
    other = row + c.scaled(next(iter(ring.number(2.0**-40).terms.values())))
    (off,) = SumsOfRows(ring, [row, other]).left_over([c])
    assert off == math.inf
