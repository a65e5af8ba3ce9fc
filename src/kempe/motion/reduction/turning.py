"""Turning points: where a measure stands still while the mechanism moves.

Along a curve F(x) = 0 with tangent v, a measure f turns where J v = 0, grad f . v = 0, |v|^2 = 1:
as many rows as unknowns (x, v), so that all of them are found, certified, as isolated points. Each
comes with v and -v.
"""

from collections.abc import Sequence

from kempe.algebra import Expression, sparse_jacobian, supports
from kempe.errors import UnsolvableKind
from kempe.motion.equations.rewriting import ROOM
from kempe.motion.equations.system import FullSystem
from kempe.motion.reduction.reduction import Reduction


def turning_equations(equations: FullSystem, measure: str) -> FullSystem:
    """Equations whose solutions are the turning points of a reading, each twice (v and -v).

    An angle is given by two readings, "<measure> sine" and "<measure> cosine".
    """
    reduction = Reduction(equations)
    made = FullSystem(graph=equations.graph, form=equations.form, notes=equations.notes)
    made.loose = equations.loose
    live = reduction.live
    for j in live:
        made.unknowns.append(reduction.unknowns[j])
        made.inputs.append(reduction.inputs[j])
    x = [reduction.inputs[j] for j in live]
    values = _measure(reduction, measure)
    moving = _moving(reduction, values)
    names = {k: f"rate of {reduction.unknowns[live[k]].name}" for k in moving}
    v = {k: made.unknown(name, -ROOM, ROOM) for k, name in names.items()}
    one = made.number(1.0)
    seeds = {x[k].node: {k: one} for k in moving}
    for row in reduction.rows:
        made.equate(row.value, row.source)
    derivatives = sparse_jacobian([r.value for r in reduction.rows], seeds)
    for row, entries in zip(reduction.rows, derivatives, strict=True):
        if entries:
            made.equate(_along(entries, v), row.source)
    slopes = sparse_jacobian(values, seeds)
    if not any(slopes):
        raise UnsolvableKind(
            f"{measure!r} stays what it is however the mechanism moves: it turns back nowhere, or"
            " everywhere. Ask for a measure that changes.",
            measure=measure,
        )
    rates = [_along(entries, v) if entries else made.number(0.0) for entries in slopes]
    if len(values) == 2:  # the angle of (cosine, sine) stands still
        made.equate(values[1] * rates[0] - values[0] * rates[1], measure)
    else:
        made.equate(rates[0], measure)
    squares = [e * e for e in v.values()]
    made.equate(sum(squares[1:], squares[0]) - 1.0, "unit speed")
    for row in reduction.redundant:
        made.imply(row.value, row.source)
    for side in reduction.sides:
        made.keep_positive(side.value, side.source)
    for name, value in reduction.readings.items():
        made.read(name, value)
    return made


def _measure(reduction: Reduction, measure: str) -> list[Expression]:
    readings = reduction.readings
    if measure in readings:
        return [readings[measure]]
    return [readings[f"{measure} sine"], readings[f"{measure} cosine"]]


def _moving(reduction: Reduction, values: Sequence[Expression]) -> list[int]:
    """The unknowns that rows tie to those of the measure: they alone have rates."""
    numbers = {reduction.inputs[j].node: k for k, j in enumerate(reduction.live)}
    rows = supports(reduction.graph, [r.value for r in reduction.rows], numbers)
    known = set[int]().union(*supports(reduction.graph, list(values), numbers))
    grown = -1
    while grown != len(known):
        grown = len(known)
        for support in rows:
            if support & known:
                known |= support
    return sorted(known)


def _along(entries: dict[int, Expression], v: dict[int, Expression]) -> Expression:
    terms = [e * v[k] for k, e in entries.items()]
    return sum(terms[1:], terms[0])
