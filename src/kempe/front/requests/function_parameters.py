"""Parameters of mechanisms that a function makes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from kempe.errors import BadNumber, UnknownName, nearest_name
from kempe.front.parts import by_name
from kempe.units import quantity

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism


@final
@dataclass(frozen=True, slots=True)
class FunctionParameters:
    """The function that made a mechanism, and the values it was given."""

    make: Callable[..., "Mechanism"]
    values: Mapping[str, Any]

    def changed(self, values: Mapping[str, Any]) -> "Mechanism":
        """The mechanism for other `values` by name; a bare number is in the unit it replaces."""
        new = dict(self.values)
        for name, value in by_name(values, "a change of parameters").items():
            if name not in new:
                message = f"there is no parameter {name!r}.{nearest_name(name, new)}"
                raise UnknownName(message, name=name)
            new[name] = _in_its_unit(name, value, new[name])
        return self.make(**new)


def _in_its_unit(name: str, value: Any, before: Any) -> Any:
    if value is None and before is not None:
        raise BadNumber(f"parameter {name!r} takes a number or a text, not None.", name=name)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and isinstance(before, str):
        parts = quantity(before)
        return f"{value!r} {parts[1]}" if parts is not None and parts[1] else value
    return value
