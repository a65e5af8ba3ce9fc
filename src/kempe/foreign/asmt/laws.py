"""Laws of drives as expressions of ASMT: t is called time there."""

import re

from kempe.drives import AbstractLaw, Harmonic, Polynomial, Ramp, TextFormula
from kempe.foreign.asmt.expressions import FUNCTIONS

SAME = frozenset(kempe for name, kempe in FUNCTIONS.items() if name == kempe)
_WORD = re.compile(r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d]\w*)|\*\*|.")


def expression_of(law: AbstractLaw) -> str | None:
    """The expression of a law, or None where the format has none for it.

    Examples:
        >>> from kempe.drives import Ramp
        >>> expression_of(Ramp(0.5, 2.0))
        '0.5 + 2.0*time'
    """
    if isinstance(law, Ramp):
        return _powers((law.start, law.speed, 0.5 * law.acceleration))
    if isinstance(law, Polynomial):
        return _powers(law.coefficients)
    if isinstance(law, Harmonic):
        turn = f"{_number(law.amplitude)}*sin(2.0*pi*{_number(law.frequency)}*time"
        return f"{_number(law.mean)} + {turn} + {_number(law.phase)})"
    if isinstance(law, TextFormula):
        return _formula(law)
    return None


def _powers(coefficients: tuple[float, ...]) -> str:
    """c_0 + c_1 time + ..., powers as products, as the other program has no other ones."""
    terms = [
        "*".join([_number(c), *["time"] * k]) for k, c in enumerate(coefficients) if c or not k
    ]
    return " + ".join(terms)


def _formula(law: TextFormula) -> str | None:
    """The text with the format's words; None where it has one that the format lacks."""
    values = dict(zip(law.names, law.values, strict=True))
    clock = "time" if law.per is None else f"(time/{_number(law.per)})"
    words, found = [m.group() for m in _WORD.finditer(law.text)], []
    for word in words:
        if not word[0].isidentifier():
            if word in ("<", ">", "=", "!", ","):
                return None
            found.append("^" if word == "**" else word)
        elif word in values:
            found.append(_number(float(values[word])))
        elif word == "t":
            found.append(clock)
        elif word == "pi" or word in SAME:
            found.append(word)
        else:
            return None
    text = "".join(found)
    return text if law.scale == 1.0 else f"{_number(law.scale)}*({text})"


def _number(x: float) -> str:
    """A number, in brackets where it has a sign: the format has no sign after an operator."""
    text = repr(float(x) + 0.0)
    return f"({text})" if text.startswith("-") else text
