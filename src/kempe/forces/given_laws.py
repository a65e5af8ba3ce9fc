"""Laws of time that forces are given: as laws, as numbers that stay, or as texts of t."""

import typing
from dataclasses import fields
from functools import lru_cache
from numbers import Real
from types import UnionType
from typing import Any

from kempe.drives import AbstractLaw, Ramp, TextFormula
from kempe.errors import BadNumber
from kempe.geometry.number import finite


def keep_laws(force: Any, called: str) -> None:
    """Makes laws of the fields of a `force` that are laws of time; a BadNumber for what is none.

    f(t) = x for a number x, in SI, and the formula for a text. `called` is the force in messages.
    """
    kind: Any = type(force)
    for word in law_fields(kind):
        given = getattr(force, word)
        if given is None or isinstance(given, AbstractLaw):
            continue
        law: AbstractLaw
        if isinstance(given, Real) and not isinstance(given, bool):
            law = Ramp(finite(float(given), f"the {word} of {called}"), 0.0)
        elif isinstance(given, str):
            law = TextFormula(given)
        else:
            raise BadNumber(
                f"the {word} of {called} is {given!r}: give a law of time such as Ramp(2.0, 0.0), a"
                " number that stays, or a text such as '2 * t'."
            )
        object.__setattr__(force, word, law)


@lru_cache(maxsize=256)
def law_fields(kind: type) -> tuple[str, ...]:
    """The fields of a class that hold one law of time each, and nothing else."""
    try:
        hints = typing.get_type_hints(kind)
    except NameError:  # of a class that was made inside a function
        return ()
    return tuple(one.name for one in fields(kind) if _is_law(hints.get(one.name)))


def _is_law(hint: Any) -> bool:
    if typing.get_origin(hint) in (typing.Union, UnionType):
        parts = [part for part in typing.get_args(hint) if part is not type(None)]
        return len(parts) == 1 and _is_law(parts[0])
    return isinstance(hint, type) and issubclass(hint, AbstractLaw)
