"""Asking a formula: what it returns is checked, and what goes wrong in it is named after it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from kempe.algebra.expression import SCALARS
from kempe.errors import FormulaError, KempeError, about
from kempe.measures import Wrapped


def rows_of(phi: Callable[[], Any], wanted: int, who: str) -> list[Any]:
    """The rows that a formula returns; a FormulaError where they are none, or too few or many."""
    with asking(who):
        rows = phi()
    if not isinstance(rows, (list, tuple)):
        raise FormulaError(
            f"{who} returned {type(rows).__name__} instead of a list of rows: return"
            " [row, row, ...]."
        )
    if len(rows) != wanted:
        raise FormulaError(
            f"{who} returned {len(rows)} rows, but its class declares {wanted}: correct `rows` or"
            " the formula.",
            rows=len(rows),
            declared=wanted,
        )
    for k, row in enumerate(rows):
        _refuse_other_than_a_number(row, f"{who} returned", f"as its row {k + 1}")
    return list(rows)


def value_of(formula: Callable[[], Any], who: str) -> Any:
    """The one value that a formula returns, or an angle known up to whole turns."""
    with asking(who):
        value = formula()
    if not isinstance(value, Wrapped):
        _refuse_other_than_a_number(value, f"{who} returned", "as its value")
    return value


def _refuse_other_than_a_number(value: Any, said: str, place: str) -> None:
    if not isinstance(value, SCALARS):
        shown = "None" if value is None else f"a {type(value).__name__}"
        raise FormulaError(f"{said} {shown} {place}: it must be one number.")


@contextmanager
def asking(who: str) -> Iterator[None]:
    """Name what goes wrong inside after the formula that is asked."""
    try:
        with about(who):
            yield
    except KempeError:
        raise
    except Exception as trouble:
        said = str(trouble).rstrip(".")
        raise FormulaError(f"{who} failed with {type(trouble).__name__}: {said}.") from trouble
