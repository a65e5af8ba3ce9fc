"""The report of a benchmark: what was measured, and what was wanted of it."""

from dataclasses import dataclass, field
from typing import Any, final


@final
@dataclass(frozen=True, slots=True)
class Report:
    """Rows (case, who, seconds, per, error) and goals (goal, wanted, got, met)."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    goals: list[dict[str, Any]] = field(default_factory=list)

    def row(
        self, case: str, who: str, seconds: float | None, per: str, error: float | None = None
    ) -> None:
        """A measurement: CPU seconds per step, loop, run or import; None where there is none."""
        self.rows.append(
            {"case": case, "who": who, "seconds": _rounded(seconds), "per": per, "error": error}
        )

    def at_most(self, goal: str, wanted: float, got: float | None, missing: str = "") -> None:
        """A goal that holds where got <= wanted; `missing` says why nothing was got."""
        self._goal(goal, f"<= {wanted:g}", got, None if got is None else got <= wanted, missing)

    def at_least(self, goal: str, wanted: float, got: float | None, missing: str = "") -> None:
        """A goal that holds where got >= wanted; `missing` says why nothing was got."""
        self._goal(goal, f">= {wanted:g}", got, None if got is None else got >= wanted, missing)

    def _goal(
        self, goal: str, wanted: str, got: float | None, met: bool | None, missing: str
    ) -> None:
        text = goal if got is not None else f"{goal} ({missing})"
        self.goals.append({"goal": text, "wanted": wanted, "got": _rounded(got), "met": met})


def _rounded(number: float | None) -> float | None:
    return None if number is None else float(f"{number:.4g}")


def ratio(a: float | None, b: float | None) -> float | None:
    """a / b where both were measured."""
    return None if a is None or b is None else a / b
