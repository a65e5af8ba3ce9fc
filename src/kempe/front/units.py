"""Units at the doors: text with a unit becomes an SI number, and a number is shown in a unit."""

import math
from functools import lru_cache
from typing import Any

from kempe.errors import BadNumber, UnitError

DIMENSIONS = {"m": "length", "rad": "angle", "s": "time", "rad/s": "speed of turning"}


@lru_cache(maxsize=1)
def _registry() -> Any:
    import pint

    return pint.UnitRegistry()


@lru_cache(maxsize=256)
def factor(unit: str, into: str) -> float:
    """How many `into` one `unit` is: factor("mm", "m") = 0.001."""
    if unit == into:
        return 1.0
    import pint

    try:
        return float(_registry()(unit).to(into).magnitude)
    except pint.UndefinedUnitError:
        raise UnitError(
            f"there is no unit {unit!r}: write for example 'mm', 'deg' or 'rpm'."
        ) from None
    except (pint.DimensionalityError, AttributeError, TypeError):
        raise UnitError(f"{unit!r} is no unit of {DIMENSIONS.get(into, into)}.") from None


def in_si(value: float | int | str, into: str, plain: str | None = None) -> float:
    """A number, or text such as "30 mm", in SI; a bare number is in `plain` (default: SI)."""
    if isinstance(value, str):
        import pint

        try:
            quantity = _registry().Quantity(value)
            number = float(
                quantity.magnitude * factor(plain or into, into)
                if quantity.dimensionless and not quantity.units._units
                else quantity.to(into).magnitude
            )
        except pint.UndefinedUnitError as unknown:
            raise UnitError(f"{value!r} has an unknown unit: {unknown}.") from None
        except pint.DimensionalityError:
            raise UnitError(
                f"{value!r} is not a {DIMENSIONS.get(into, into)}: give it in {into} or a unit"
                " like it."
            ) from None
        except Exception:
            raise UnitError(f"{value!r} is not a number with a unit, such as '30 mm'.") from None
    else:
        number = float(value) * factor(plain or into, into)
    if not math.isfinite(number):
        raise BadNumber(f"{value!r} is not a finite number.", value=str(value))
    return number
