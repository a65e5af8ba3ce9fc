"""A joint's own Jacobian is believed only where it is the derivative of its phi."""

import pickle
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import kempe
from kempe.compile.trace.analytic_check import COLUMNS, JACOBIAN_TOLERANCE, check_jacobian
from kempe.errors import FormulaError
from kempe.geometry import Marker, X, Z
from kempe.joints import AbstractJoint

ENDS = (Marker("ground"), Marker("crank"))


@dataclass(frozen=True)
class Apart(AbstractJoint):
    """|d|^2 / 2 - length^2 / 2 and x_I . z_J, with a Jacobian that may be spoiled."""

    length: float = 0.5

    rows: ClassVar[tuple[str, ...]] = ("m", "1")
    calls: ClassVar[list[int]] = []
    spoiled: ClassVar[dict[tuple[int, int], float]] = {}

    def phi(self, X_WI, X_WJ):
        d = X_WJ.position - X_WI.position
        half = 0.5 * (d.square - self.length * self.length)
        return [half, X_WI.axis(X) @ X_WJ.axis(Z)]

    def jacobian(self, X_WI, X_WJ):
        self.calls.append(1)
        d = X_WJ.position - X_WI.position
        a, b = X_WI.axis(X), X_WJ.axis(Z)
        turning = a.cross(b)
        none = [0.0, 0.0, 0.0]
        rows = [[*(-d), *none, *d, *none], [*none, *turning, *none, *(-turning)]]
        for (row, column), error in self.spoiled.items():
            rows[row][column] += error
        return rows


def variant(**members):
    """A class of its own, so that what was checked of another does not count."""
    return type("Variant", (Apart,), {"calls": [], **members})


def test_a_right_jacobian_passes():
    check_jacobian(Apart(*ENDS))


@pytest.mark.parametrize(("row", "column"), [(0, 0), (0, 8), (1, 4), (1, 11), (0, 5), (1, 0)])
@pytest.mark.parametrize("error", [1.0, -1e-6])
def test_a_wrong_entry_is_named_with_its_row_column_and_size(row, column, error):
    wrong = variant(spoiled={(row, column): error})
    with pytest.raises(FormulaError) as caught:
        check_jacobian(wrong(*ENDS, "gap"))
    said = str(caught.value)
    assert f"row {row + 1}, column {column + 1} ({COLUMNS[column]})" in said
    assert f"off by {abs(error):.3g}" in said
    assert "Variant.jacobian (joint 'gap')" in said
    assert caught.value.facts["error"] == pytest.approx(abs(error), rel=1e-6)
    assert pickle.loads(pickle.dumps(caught.value)).facts == caught.value.facts


def test_an_error_of_rounding_is_none():
    check_jacobian(variant(spoiled={(0, 0): 0.1 * JACOBIAN_TOLERANCE})(*ENDS))


def test_an_entry_that_is_not_finite_is_refused():
    with pytest.raises(FormulaError, match=r"row 1, column 1 \(v_I.x\) is nan"):
        check_jacobian(variant(spoiled={(0, 0): np.nan})(*ENDS))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ([[0.0] * 12], "returned 1 rows of 12 entries, but phi has 2 rows"),
        ([[0.0] * 6] * 2, "returned 2 rows of 6 entries"),
        ([[0.0] * 12, [0.0] * 11], "rows of 11 or 12 entries"),
        ([], "returned 0 rows of no entries"),
    ],
)
def test_a_jacobian_of_the_wrong_shape_is_refused(answer, words):
    with pytest.raises(FormulaError, match=words):
        check_jacobian(variant(jacobian=lambda self, X_WI, X_WJ: answer)(*ENDS))


def test_a_class_is_checked_once():
    kind = variant()
    for length in (0.5, 0.7, 0.9):
        check_jacobian(kind(*ENDS, length=length))
    assert 1 <= len(kind.calls) <= 5
    before = len(kind.calls)
    check_jacobian(kind(*ENDS))
    assert len(kind.calls) == before


def test_a_wrong_class_stays_wrong():
    wrong = variant(spoiled={(0, 0): 1.0})
    for _ in range(2):
        with pytest.raises(FormulaError):
            check_jacobian(wrong(*ENDS))


def test_none_means_there_is_no_jacobian():
    check_jacobian(variant(jacobian=lambda self, X_WI, X_WJ: None)(*ENDS))


@dataclass(frozen=True)
class OwnHinge(AbstractJoint):
    """A planar hinge whose author forgot a sign."""

    rows: ClassVar[int] = 3

    def phi(self, X_WI, X_WJ):
        return list(X_WI.position - X_WJ.position)

    def jacobian(self, X_WI, X_WJ):
        identity = np.eye(3)
        return [[*row, 0.0, 0.0, 0.0, *row, 0.0, 0.0, 0.0] for row in identity.tolist()]


@pytest.mark.parametrize("plan", ["small", "large"])
def test_the_mistake_is_reported_before_anything_moves(plan):
    kind = type("OwnHinge", (OwnHinge,), {})
    m = kempe.Builder("crank", plane=True)
    crank = m.bar("crank", 1.0)
    m.add(kind(m.ground.at(0, 0), crank.start), name="A")
    m.drive(crank.angle, rpm=60)
    with pytest.raises(FormulaError, match=r"OwnHinge.jacobian \(joint 'A'\).*column 7 \(v_J.x\)"):
        m.build().kinematics(until=1.0, plan=plan)
