"""What a formula measures: found from its terms, so that lengths and angles are not mixed up."""

from collections.abc import Mapping

from kempe.algebra.text.grammar import WrittenFormula, expression_error
from kempe.algebra.text.terms import (
    AbstractTerm,
    Call,
    Chain,
    Choice,
    Name,
    Negation,
    Number,
    Power,
    Trouble,
)
from kempe.units import PLAIN, Dimension

ANGLE = Dimension(angle=1)
TIME = Dimension(time=1)
TURNING = ("sin", "cos", "tan")
Known = Mapping[str, Dimension]


def dimension_of(formula: WrittenFormula, known: Known) -> Dimension:
    """What the value of a formula measures; ExpressionError where it adds a length to an angle.

    The number 0 may be added to anything and compared with anything.
    """
    try:
        return _of(formula.term, known) or PLAIN
    except Trouble as trouble:
        raise expression_error(formula.text, trouble) from None


def refuse_bare_angles(formula: WrittenFormula, unit: str) -> None:
    """ExpressionError where a sine is taken of t itself, which counts degrees or the like.

    Functions take radians; a factor beside t may turn it into them, and is left alone.
    """
    try:
        _refuse_sines(formula.term, unit)
    except Trouble as trouble:
        raise expression_error(formula.text, trouble) from None


def _refuse_sines(term: AbstractTerm, unit: str) -> None:
    if isinstance(term, Call) and term.function in TURNING and _is_bare(term.parts[0]):
        raise Trouble(
            term.at,
            f"{term.function} takes radians, and t is in {unit} here: write"
            f" {term.function}(pi / 180 * t) or the like",
        )
    for part in term.parts:
        _refuse_sines(part, unit)


def _is_bare(term: AbstractTerm) -> bool:
    """Whether t itself is a summand of a term."""
    match term:
        case Name():
            return term.name == "t"
        case Negation():
            return _is_bare(term.term)
        case Chain():
            if all(step.sign in "+-" for step in term.rest):
                return any(_is_bare(part) for part in (term.first, *(s.term for s in term.rest)))
    return False


def _of(term: AbstractTerm, known: Known) -> Dimension | None:
    """None where the term is 0, which may measure anything."""
    match term:
        case Number():
            return None if term.number == 0.0 else PLAIN
        case Name():
            return known[term.name]
        case Negation():
            return _of(term.term, known)
        case Chain():
            return _chain(term, known)
        case Power():
            return _power(term, known)
        case Call():
            return _call(term, known)
        case Choice():
            _alike(term.at, [_of(term.left, known), _of(term.right, known)])
            return _alike(term.at, [_of(term.yes, known), _of(term.no, known)])
    raise AssertionError(term)


def _chain(term: Chain, known: Known) -> Dimension | None:
    total = _of(term.first, known)
    for step in term.rest:
        one = _of(step.term, known)
        if step.sign in "+-":
            total = _alike(step.at, [total, one])
        elif total is not None:  # 0 times anything is 0
            total = total.times(one or PLAIN, 1.0 if step.sign == "*" else -1.0)
    return total


def _power(term: Power, known: Known) -> Dimension:
    base, exponent = _of(term.base, known) or PLAIN, _of(term.exponent, known) or PLAIN
    if exponent != PLAIN:
        raise Trouble(term.at, f"an exponent is a plain number, this one is {exponent.words}")
    if base == PLAIN:
        return PLAIN
    if next(term.exponent.names(), None) is not None:
        raise Trouble(term.at, f"a power of {base.words} needs a number as its exponent")
    return PLAIN.times(base, float(term.exponent.value({})))


def _call(term: Call, known: Known) -> Dimension | None:
    given = [_of(part, known) for part in term.parts]
    first = given[0] or PLAIN
    if term.function in ("min", "max", "abs"):
        return _alike(term.at, given)
    if term.function == "sqrt":
        return PLAIN.times(first, 0.5)
    if term.function == "atan2":
        _alike(term.at, given)
        return ANGLE
    if term.function == "smooth_step":
        _alike(term.at, given)
        return PLAIN
    takes_angles = term.function in TURNING
    if first != PLAIN and not (takes_angles and first == ANGLE):
        raise Trouble(term.at, f"{term.function} of {first.words} has no meaning")
    return ANGLE if term.function in ("asin", "acos") else PLAIN


def _alike(at: int, given: list[Dimension | None]) -> Dimension | None:
    """The one dimension of terms that are added or compared."""
    seen = [d for d in given if d is not None]
    for other in seen[1:]:
        if not other.is_like(seen[0]):
            raise Trouble(
                at,
                f"{seen[0].words} and {other.words} cannot be added or compared: give each number"
                " its unit, as a parameter",
            )
    return seen[0] if seen else None
