"""Turns in whole ratios: products of cosine-sine pairs, or two wheels as one shaft's angle."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from kempe.algebra import Expression, Graph, sparse_jacobian, substituted, supports
from kempe.algebra.expression import lifted
from kempe.compile.layout.elements import JointElement
from kempe.compile.layout.layout import Layout
from kempe.compile.layout.numbers import own_numbers, with_numbers
from kempe.couplers import AbstractCoupler
from kempe.errors import UnsolvableKind
from kempe.geometry import GROUND, Marker, Z
from kempe.measures import Gauge, Turn
from kempe.motion.equations.exact_numbers import Constants
from kempe.motion.equations.system import FullSystem

LARGEST_RATIO = 64  # powers beyond this are out of any search's reach
TWO_ROUNDINGS = Fraction(1, 2**52)  # of a quotient of two doubles, each the nearest to its number
Arms = tuple[Expression, Expression]  # sine, cosine
Number = Callable[[float], Expression]


def exact(fraction: Fraction, number: Number) -> Expression:
    """A fraction as a formula of doubles that has exactly its value."""
    if fraction.denominator & (fraction.denominator - 1):
        above, below = Fraction(fraction.numerator), Fraction(fraction.denominator)
        return exact(above, number) / exact(below, number)
    first = float(fraction)
    rest = fraction - Fraction(first)
    return number(first) + exact(rest, number) if rest else number(first)


def linear_law(coupler: AbstractCoupler, source: str) -> tuple[list[Fraction], Fraction]:
    """The shares c_k and the constant of a coupler that says sum c_k m_k = constant, exactly."""
    graph = Graph()
    numbers = (Expression(graph, graph.constant(x)) for x in own_numbers(coupler))
    values = [Expression(graph, graph.input(f"m{k}")) for k in range(len(coupler.gauges))]
    row = lifted(graph, with_numbers(coupler, numbers).phi(list(values)))
    one, zero = (Expression(graph, graph.constant(x)) for x in (1.0, 0.0))
    places = {v.node: k for k, v in enumerate(values)}
    (entries,) = sparse_jacobian([row], {node: {k: one} for node, k in places.items()})
    constants = Constants(graph)
    (rest,) = substituted([row], dict.fromkeys(places, zero))
    if not any(supports(graph, list(entries.values()), places)):
        shares = [constants(entries.get(k, zero)).fraction for k in range(len(values))]
        constant = constants(rest).fraction
        told = [c for c in shares if c is not None]
        if len(told) == len(shares) and constant is not None:
            return told, -constant
    raise UnsolvableKind(
        f"coupler {source!r} is no sum of its measures: certified motions know gears, racks and"
        " belts, not curved laws."
    )


def hold_coupler(
    arms: Sequence[Arms],
    shares: Sequence[Fraction],
    constant: Fraction,
    number: Number,
    source: str,
    slides: Sequence[tuple[Fraction, Expression]] = (),
) -> tuple[Expression, Expression]:
    """(row, side) of sum k_i a_i = constant, the k_i whole numbers without a common factor.

    prod (c_i + j s_i)^k_i = exp(j constant): the row is the sine of the difference, the side its
    cosine. Whole turns of the wheels are all one position, which is the same set for coprime k_i.
    From the constant `slides` are taken, displacements s_i times what they share: a rack or a
    screw is told by its displacement how often its wheel has gone round.
    """
    whole, unit = whole_ratios(shares, source)
    turn = exact(constant / unit, number)
    for share, displacement in slides:
        turn = turn - exact(share / unit, number) * displacement
    sine, cosine = -turn.sin(), turn.cos()
    for (s, c), power in zip(arms, whole, strict=True):
        turned = (s if power > 0 else -s, c)
        for _ in range(abs(power)):
            sine, cosine = (
                sine * turned[1] + cosine * turned[0],
                cosine * turned[1] - sine * turned[0],
            )
    return sine, cosine


def whole_ratios(shares: Sequence[Fraction], source: str) -> tuple[list[int], Fraction]:
    """Coprime whole numbers in the ratio of the shares, and the unit that they count.

    The numbers of teeth of a pair give their ratio exactly. A ratio of other numbers, 0.1 to 0.3,
    is read as the ratio of whole numbers whose terms they are the nearest doubles to; the unit is
    that of the first share.
    """
    reference = next((x for x in shares if x != 0), Fraction(1))
    exactly = [x / reference for x in shares]
    ratios = [r.limit_denominator(LARGEST_RATIO) for r in exactly]
    common = math.lcm(*(r.denominator for r in ratios))
    divisor = math.gcd(*(int(r * common) for r in ratios)) or 1
    whole = [int(r * common) // divisor for r in ratios]
    is_close = all(
        abs(r - x) <= TWO_ROUNDINGS * abs(r) for r, x in zip(ratios, exactly, strict=True)
    )
    if not is_close or max(map(abs, whole), default=0) > LARGEST_RATIO:
        raise UnsolvableKind(
            f"{source!r} couples turns in the ratio {', '.join(f'{float(x):g}' for x in shares)},"
            f" which is no ratio of whole numbers up to {LARGEST_RATIO}: its motion never repeats,"
            " or not soon enough to be listed."
        )
    return whole, reference * divisor / common


LEAST_RATIO = 3  # below, products of cosines and sines are of second degree, and cheaper


@final
@dataclass(frozen=True, slots=True)
class Mesh:
    """A pair k a + l b = turn of two wheels' angles, k and l whole numbers without a common factor.

    All its positions, once each, are a = u turn + l phi, b = v turn - k phi for the angle phi of
    one turn, where k u + l v = 1: the wheels are in step with one shaft, which is at the same angle
    only where both wheels are, as no whole number but 1 divides both k and l.
    """

    wheels: tuple[str, str]
    signs: tuple[int, int]  # of the angle that is read against the body's own
    ratio: tuple[int, int]  # k, l
    turn: Fraction  # rad

    @property
    def bezout(self) -> tuple[int, int]:
        """u and v."""
        k, l = self.ratio
        if l in (1, -1):
            return 0, l
        u = pow(k, -1, abs(l))
        return u, (1 - k * u) // l

    @property
    def ways(self) -> dict[str, tuple[Fraction, int]]:
        """By wheel: its angle is the first number plus the second times phi."""
        (k, l), (u, v), (one, other) = self.ratio, self.bezout, self.signs
        first, second = self.wheels
        return {first: (one * u * self.turn, one * l), second: (other * v * self.turn, -other * k)}

    def implies(self, coupler: Any, name: str) -> bool:
        """Whether another coupler of its two wheels holds wherever they are in step, exactly."""
        told = [_wheel(gauge) for gauge in coupler.gauges]
        if not all(t is not None and t[0] in self.wheels for t in told):
            return False
        shares, constant = linear_law(coupler, name)
        whole, unit = whole_ratios(shares, name)
        seen = [(self.ways[t[0]], t[1] * k) for t, k in zip(told, whole, strict=True) if t]
        at_rest = sum((start * k for (start, _), k in seen), Fraction(0))
        return at_rest == constant / unit and not sum(ratio * k for (_, ratio), k in seen)

    def angles(self, equations: FullSystem, guesses: Mapping[str, float]) -> dict[str, Expression]:
        """The angles of both wheels, by the name of the body: formulas of one new unknown."""
        (k, l), (u, v), (one, other) = self.ratio, self.bezout, self.signs
        first, second = self.wheels
        scale = 2.0 ** round(math.log2(max(abs(k), abs(l))))  # a wheel turns about as fast
        near = v * one * guesses[first] - u * other * guesses[second]
        guess = near % math.tau * scale
        name, most = f"turn of {first} and {second}", math.tau * scale
        phi = equations.unknown(name, 0.0, most, period=most, guess=guess)
        number = equations.number
        made = {}
        for wheel, (constant, ratio) in self.ways.items():
            angle = number(ratio / scale) * phi
            made[wheel] = exact(constant, number) + angle if constant else angle
        return made


def meshes(layout: Layout) -> dict[str, Mesh]:
    """Couplers of two wheels that turn about the ground in no small ratio, by the coupler's name.

    A wheel belongs to one of them; another coupler of it keeps its row.
    """
    found: dict[str, Mesh] = {}
    taken: set[str] = set()
    elements: Sequence[Any] = layout.elements[: layout.first_drive]
    for element in elements:
        mesh = None if isinstance(element, JointElement) else _mesh(element)
        if mesh is not None and not taken & set(mesh.wheels):
            found[element.name] = mesh
            taken |= set(mesh.wheels)
    return found


def _mesh(element: Any) -> Mesh | None:
    gauges = element.coupler.gauges
    told = [_wheel(gauge) for gauge in gauges]
    wheels = [t for t in told if t is not None]
    if len(wheels) != 2 or len(told) != 2 or wheels[0][0] == wheels[1][0]:
        return None
    try:
        shares, constant = linear_law(element.coupler, element.name)
        whole, unit = whole_ratios(shares, element.name)
    except UnsolvableKind:  # told where the coupler is written
        return None
    if max(map(abs, whole)) < LEAST_RATIO or 0 in whole:
        return None
    return Mesh(
        (wheels[0][0], wheels[1][0]),
        (wheels[0][1], wheels[1][1]),
        (whole[0], whole[1]),
        constant / unit,
    )


def _wheel(gauge: Gauge) -> tuple[str, int] | None:
    """The body whose angle a gauge reads, and with which sign."""
    level = all(m.rotation.angle == 0.0 for m in (gauge.I, gauge.J))
    if not (isinstance(gauge.measure, Turn) and gauge.measure.axis is Z and level):
        return None
    return _other(gauge.I, gauge.J, 1) or _other(gauge.J, gauge.I, -1)


def _other(ground: Marker, wheel: Marker, sign: int) -> tuple[str, int] | None:
    return (wheel.body, sign) if ground.body == GROUND and wheel.body != GROUND else None
