"""The grammar of formulas in text: our own, so that a file can calculate and never run code.

    expression = sum ["if" comparison "else" expression]
    comparison = sum ("<" | "<=" | ">" | ">=" | "==" | "!=") sum
    sum        = product {("+" | "-") product}
    product    = factor {("*" | "/") factor}
    factor     = ("-" | "+") factor | power
    power      = atom [("^" | "**") factor]
    atom       = number | name | function "(" expression {"," expression} ")"
               | "if" "(" comparison "," expression "," expression ")" | "(" expression ")"

Source: recursive descent; -a^2 is -(a^2) and a^b^c is a^(b^c), as in Python.
"""

import itertools
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

from kempe.algebra.text.terms import (
    COMPARISONS,
    CONSTANTS,
    FUNCTIONS,
    AbstractTerm,
    Call,
    Chain,
    Choice,
    Name,
    Names,
    Negation,
    Number,
    Power,
    Step,
    Trouble,
)
from kempe.errors import ExpressionError, nearest_name

LONGEST = 10_000  # characters
DEEPEST = 64  # brackets, signs, powers and choices inside each other
RESERVED = frozenset({"if", "else", *FUNCTIONS, *CONSTANTS})

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<sign>\*\*|<=|>=|==|!=|[-+*/^(),<>])"
    r"|(?P<end>\Z))"
)


@final
@dataclass(frozen=True, slots=True)
class WrittenFormula:
    """A formula read from text."""

    text: str
    term: AbstractTerm

    @property
    def names(self) -> tuple[str, ...]:
        """The names in it, each once, in order."""
        return tuple(dict.fromkeys(name.name for name in self.term.names()))

    def value(self, names: Names) -> Any:
        """Its value; ExpressionError where there is none."""
        try:
            return self.term.value(names)
        except Trouble as trouble:
            raise expression_error(self.text, trouble) from None

    def refuse_other_names(self, known: Names | frozenset[str]) -> None:
        """ExpressionError at the first name that is not known."""
        for name in self.term.names():
            if name.name not in known:
                message = f"there is no {name.name!r}.{nearest_name(name.name, known)}"
                raise expression_error(self.text, Trouble(name.at, message))


@lru_cache(maxsize=4096)
def parse(text: str) -> WrittenFormula:
    """The formula in a text; ExpressionError with the column where it is none.

    Parts that hold no names are worked out at once, so that 1/0 is refused here.

    Example:
        >>> parse("2 * sin(pi / 6) + x").value({"x": 1.0})
        2.0
    """
    if not isinstance(text, str):
        raise ExpressionError(f"a formula is a text such as '2 * t', not {text!r}: use quotes.")
    try:
        term = _Parser(text).whole()
        _try_constants(term)
    except Trouble as trouble:
        raise expression_error(text, trouble) from None
    return WrittenFormula(text, term)


def expression_error(text: str, trouble: Trouble) -> ExpressionError:
    """The mistake, with the text around it."""
    start = max(0, trouble.at - 30)
    shown = f"{'...' * (start > 0)}{text[start : start + 60]}{'...' * (len(text) > start + 60)}"
    end = "" if trouble.message.endswith((".", "?")) else "."
    message = f"column {trouble.at + 1} of {shown!r}: {trouble.message}{end}"
    return ExpressionError(message, text=text[:LONGEST], column=trouble.at + 1)


def _try_constants(term: AbstractTerm) -> None:
    """Work out what holds no names; Trouble where that has no value."""
    if _is_constant(term):
        term.value({})
        return
    for part in term.parts:
        _try_constants(part)
    if isinstance(term, Chain):
        known = list(itertools.takewhile(lambda step: _is_constant(step.term), term.rest))
        if _is_constant(term.first):
            Chain(term.at, term.first, tuple(known)).value({})
        for step in term.rest:
            if step.sign == "/" and _is_constant(step.term) and step.term.value({}) == 0.0:
                raise Trouble(step.at, "this divides by zero")


def _is_constant(term: AbstractTerm) -> bool:
    return next(term.names(), None) is None


@final
@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int


class _Parser:
    """Reads one text from left to right; `token` is the next one."""

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST:
            raise Trouble(LONGEST, f"a formula has at most {LONGEST} characters")
        self.text = text
        self.depth = 0
        self.token = self._scan(0)

    def _scan(self, at: int) -> _Token:
        found = _TOKEN.match(self.text, at)
        if found is None:
            at += len(self.text[at:]) - len(self.text[at:].lstrip())
            raise Trouble(at, f"{self.text[at]!r} has no meaning in a formula")
        kind = str(found.lastgroup)
        if kind == "name" and not found[kind].isidentifier():
            raise Trouble(found.start(kind), f"{found[kind]!r} has no meaning in a formula")
        return _Token(kind, found[kind], found.start(kind))

    def _next(self) -> _Token:
        token = self.token
        self.token = self._scan(token.at + len(token.text))
        return token

    def _take(self, *texts: str) -> _Token | None:
        is_wanted = self.token.kind in ("sign", "name") and self.token.text in texts
        return self._next() if is_wanted else None

    def _need(self, text: str) -> None:
        if self._take(text) is None:
            raise Trouble(self.token.at, f"{text!r} is missing before {self._shown()}")

    def _shown(self) -> str:
        return "the end" if self.token.kind == "end" else repr(self.token.text)

    def whole(self) -> AbstractTerm:
        term = self.expression()
        if self.token.text in COMPARISONS:
            message = "a comparison may only stand in if(comparison, value, other value)"
            raise Trouble(self.token.at, message)
        if self.token.kind != "end":
            raise Trouble(self.token.at, f"{self._shown()} does not belong here")
        return term

    def expression(self) -> AbstractTerm:
        self._deeper()
        term = self.chain("+-")
        if self._take("if"):
            left, sign, right = self.comparison()
            self._need("else")
            term = Choice(sign.at, sign.text, left, right, term, self.expression())
        self.depth -= 1
        return term

    def comparison(self) -> tuple[AbstractTerm, _Token, AbstractTerm]:
        left = self.chain("+-")
        sign = self._take(*COMPARISONS)
        if sign is None:
            raise Trouble(
                self.token.at, f"a comparison such as a < b is missing at {self._shown()}"
            )
        return left, sign, self.chain("+-")

    def chain(self, signs: str) -> AbstractTerm:
        operand = self.factor if signs == "*/" else lambda: self.chain("*/")
        first = operand()
        rest = []
        while sign := self._take(*signs):
            rest.append(Step(sign.at, sign.text, operand()))
        return Chain(first.at, first, tuple(rest)) if rest else first

    def factor(self) -> AbstractTerm:
        sign = self._take("-", "+")
        if sign is None:
            return self.power()
        self._deeper()
        term = self.factor()
        self.depth -= 1
        return Negation(sign.at, term) if sign.text == "-" else term

    def power(self) -> AbstractTerm:
        base = self.atom()
        sign = self._take("^", "**")
        if sign is None:
            return base
        self._deeper()
        power = Power(sign.at, base, self.factor())
        self.depth -= 1
        return power

    def atom(self) -> AbstractTerm:
        token = self._next()
        if token.kind == "number":
            return _number(token)
        if token.kind == "name":
            return self.named(token)
        if token.text == "(":
            term = self.expression()
            self._need(")")
            return term
        shown = "the end" if token.kind == "end" else repr(token.text)
        raise Trouble(token.at, f"a number or a name is missing before {shown}")

    def named(self, token: _Token) -> AbstractTerm:
        if token.text in CONSTANTS:
            return Number(token.at, CONSTANTS[token.text])
        if self.token.text == "(" and token.text == "if":
            return self.choice()
        if self.token.text == "(":
            return self.call(token)
        if token.text in RESERVED:
            raise Trouble(token.at, f"{token.text!r} cannot be a name")
        return Name(token.at, token.text)

    def choice(self) -> AbstractTerm:
        self._need("(")
        left, sign, right = self.comparison()
        self._need(",")
        yes = self.expression()
        self._need(",")
        no = self.expression()
        self._need(")")
        return Choice(sign.at, sign.text, left, right, yes, no)

    def call(self, token: _Token) -> AbstractTerm:
        function = FUNCTIONS.get(token.text)
        if function is None:
            near = nearest_name(token.text, FUNCTIONS)
            raise Trouble(token.at, f"there is no function {token.text!r}.{near}")
        self._need("(")
        parts = [self.expression()]
        while self._take(","):
            parts.append(self.expression())
        self._need(")")
        if not function.fewest <= len(parts) <= function.most:
            message = f"{token.text} takes {function.fewest} values, not {len(parts)}"
            raise Trouble(token.at, message)
        return Call(token.at, token.text, tuple(parts))

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Trouble(self.token.at, f"a formula is at most {DEEPEST} deep")


def _number(token: _Token) -> Number:
    value = float(token.text)
    if value in (float("inf"), float("-inf")):
        raise Trouble(token.at, f"{token.text} is too large a number")
    return Number(token.at, value)
