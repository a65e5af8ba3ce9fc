"""Formulas of columns in text: "0.5 * 40 * (spring.length - 0.1)^2".

The grammar is that of drives and forces, so nothing in a text is ever run as code; names carry dots
here, and a name with blanks or signs in it stands between back quotes. d(a)/d(b) is the velocity
ratio of two measures; a/b divides their values, as everywhere.
"""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.text.grammar import RESERVED, WrittenFormula, parse
from kempe.errors import ExpressionError
from kempe.model.output import NAME

if TYPE_CHECKING:
    from kempe.readings.source import AbstractSource

FloatArray = NDArray[np.float64]
SIGNS = re.compile(r"[-+*/^()<>=`,]")
_IN_RATIO = rf"\bd\(\s*({NAME.pattern.replace('(', '(?:', 1)})\s*\)"
RATIO = re.compile(rf"{_IN_RATIO}\s*/\s*{_IN_RATIO}")


@final
@dataclass(frozen=True, slots=True)
class ColumnFormula:
    """A formula, and what its names stand for."""

    text: str
    formula: WrittenFormula
    names: dict[str, str]  # identifier in the formula -> name of a column

    def values(self, source: "AbstractSource") -> FloatArray:
        """(n,), sample by sample."""
        for name in self.names.values():
            source.registry.single(name, f" in {self.text!r}")
        known = {word: source[name].values for word, name in self.names.items()}
        with np.errstate(all="ignore"):  # what has no value at a sample is inf or nan there
            found = self.formula.value(known)
        return np.array(np.broadcast_to(found, (len(source.motion),)), dtype=np.float64)


def ratio_names(text: str) -> tuple[str, ...]:
    """The two measures of "d(rocker.angle)/d(crank.angle)"; () where a text is something else."""
    found = RATIO.fullmatch(text.strip())
    return (found[1].strip("`"), found[2].strip("`")) if found else ()


def ratio_text(over: str, under: str) -> str:
    """The velocity ratio of two measures as a name: d(rocker.angle)/d(crank.angle)."""
    plain = (name if NAME.fullmatch(name) else f"`{name}`" for name in (over, under))
    return "d({})/d({})".format(*plain)


def _column_names(text: str) -> Iterator[tuple[int, int, str]]:
    """Where names of columns stand in a formula, and what they are; ratios are names, too."""
    ratios = [(found.start(), found.end(), found[0]) for found in RATIO.finditer(text)]
    for found in NAME.finditer(text):
        word = found.group(1) or found.group(0)
        if any(start <= found.start() < end for start, end, _ in ratios):
            continue
        if found.group(1) is None and (word in RESERVED or _is_exponent(text, found.start())):
            continue
        ratios.append((found.start(), found.end(), word))
    yield from sorted(ratios)


def is_formula(text: str) -> bool:
    """Whether a text could be more than a name."""
    return bool(SIGNS.search(text)) or text[:1].isdigit()


def column_formula(text: str) -> ColumnFormula:
    """The formula in a text; ExpressionError where it is none."""
    names: dict[str, str] = {}
    counter = itertools.count()
    pieces, end = [], 0
    for start, stop, word in _column_names(text):
        known = next((k for k, v in names.items() if v == word), None)
        key = known or f"column{next(counter)}"
        names[key] = word
        pieces += [text[end:start], key]
        end = stop
    written = "".join([*pieces, text[end:]])
    try:
        return ColumnFormula(text, parse(written), names)
    except ExpressionError as mistake:
        why = mistake.message.split(": ", 1)[-1]
        for key, word in reversed(names.items()):
            why = why.replace(key, word)
        raise ExpressionError(f"{text!r} is no name and no formula: {why}", text=text) from None


def _is_exponent(text: str, at: int) -> bool:
    """Whether a letter belongs to a number, as in 2e3."""
    return at > 0 and (text[at - 1].isdigit() or text[at - 1] == ".") and text[at] in "eE"
