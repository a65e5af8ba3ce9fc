"""Expressions of ASMT files as formulas of kempe: `2.0d*pi*time` is "2.0*pi*t".

    expression = the usual + - * / ^ ( ) with numbers, pi, time, sin cos tan asin acos arctan
                 abs sqrt exp; rIJ(self) and vrIJ(self) in forces

A number may end in d, as Smalltalk's doubles do; "..." is a comment and <n> a line's end, both
anywhere between words. Nothing at all is 0.
"""

import re
from typing import NoReturn, final

from kempe.algebra.text.grammar import expression_error, parse
from kempe.algebra.text.terms import Trouble
from kempe.errors import ExpressionError, nearest_name
from kempe.files.syntax.source import shown

LONGEST = 10_000  # characters
FUNCTIONS = {
    "abs": "abs",
    "arccos": "acos",
    "acos": "acos",
    "arcsin": "asin",
    "asin": "asin",
    "cos": "cos",
    "exp": "exp",
    "sin": "sin",
    "sqrt": "sqrt",
    "tan": "tan",
}
ARCTAN = ("arctan", "atan")
READ = {"rIJ": "x", "vrIJ": "x_rate"}  # of (self): distance of the markers, and its rate
UNREAD = ("spline", "integral", "rampstep", "piecewise", "functions", "transitions")

_TOKEN = re.compile(
    r'(?P<blank>\s+|<n>|"[^"]*")'
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[dDqQ]?(?![\w.]))"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>[-+*/^(),])",
    re.ASCII,
)


def formula_of(text: str, *, reads: bool = False, start: float = 0.0) -> str:
    """The formula in kempe's grammar; an ExpressionError says what cannot be read, and where.

    With `reads` it may read the distance of its markers, called x. `start` (s) is the time that
    the file's clock shows when kempe's is 0.

    Examples:
        >>> formula_of('2.0d*pi*time "one turn a second"')
        '2.0*pi*t'
        >>> formula_of("arctan(time)")
        'atan2(t,1.0)'
    """
    clock = f"(t+{start!r})" if start else "t"
    written = _Rewriting(text, clock, reads=reads).rewritten()
    parse(written)  # refuses what is no formula
    return written


def _words(text: str) -> list[tuple[int, str, str]]:
    """Place from 0, kind and text of every word."""
    if len(text) > LONGEST:
        raise ExpressionError(f"an expression has at most {LONGEST} characters.")
    words, at = [], 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            what = "a comment that does not end" if text[at] == '"' else shown(text[at])
            raise expression_error(text, Trouble(at, f"{what} means nothing in an expression"))
        if found.lastgroup != "blank":
            words.append((at, str(found.lastgroup), found.group()))
        at = found.end()
    return words


@final
class _Rewriting:
    """Writes the words of one expression as kempe spells them."""

    def __init__(self, text: str, clock: str, *, reads: bool) -> None:
        self.text, self.clock, self.reads = text, clock, reads
        self.words = _words(text)
        self.out: list[str] = []
        self.closing: list[str] = []  # what goes before the bracket that ends a call

    def rewritten(self) -> str:
        """The whole expression; "0" where it is empty."""
        k, was_word = 0, False
        while k < len(self.words):
            _, kind, word = self.words[k]
            if was_word and kind != "sign":
                self.out.append(" ")  # two numbers in a row stay two, and are refused
            was_word = kind != "sign"
            if kind == "number":
                self.out.append(word.rstrip("dDqQ"))
            elif kind == "name":
                k = self._name(k)
                was_word = not self.out[-1].endswith("(")
            else:
                self._sign(word)
            k += 1
        return "".join(self.out) or "0"

    def _sign(self, word: str) -> None:
        if word == "(":
            self.closing.append("")
        elif word == ")" and self.closing:
            word = f"{self.closing.pop()})"
        self.out.append(word)

    def _name(self, k: int) -> int:
        """Write the name at place k; the place of the last word that it took."""
        at, _, word = self.words[k]
        following = [text for _, _, text in self.words[k + 1 : k + 4]]
        if word in READ and self.reads and following == ["(", "self", ")"]:
            self.out.append(READ[word])
            return k + 3
        if following[:1] == ["("]:
            self.closing.append(",1.0" if word in ARCTAN else "")
            self.out.append(f"{self._function(at, word)}(")
            return k + 1
        if word not in ("time", "pi"):
            known = ["time", "pi", *(f"{name}(self)" for name in READ if self.reads)]
            self._refuse(at, f"there is no {shown(word)}.{nearest_name(word, known)}")
        self.out.append(self.clock if word == "time" else word)
        return k

    def _function(self, at: int, word: str) -> str:
        if word in ARCTAN:
            return "atan2"
        if word in UNREAD:
            self._refuse(at, f"kempe does not read the function {word!r}")
        if word not in FUNCTIONS:
            hint = nearest_name(word, [*FUNCTIONS, *ARCTAN])
            self._refuse(at, f"there is no function {shown(word)}.{hint}")
        return FUNCTIONS[word]

    def _refuse(self, at: int, message: str) -> NoReturn:
        raise expression_error(self.text, Trouble(at, message))
