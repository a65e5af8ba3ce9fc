"""Forces of an ASMT assembly: pulls along the line between two markers.

The force on I is tension times the unit vector from I to J. Tensions that are
F0 + K (r + (-L0)) + C r' are a spring and damper; any other formula of distance, rate and time is
a control along the distance.
"""

from collections.abc import Callable
from typing import Any

from kempe.algebra.powers import Powers, polynomial_of
from kempe.algebra.text.grammar import WrittenFormula, parse
from kempe.errors import KempeError
from kempe.files.syntax.source import shown
from kempe.forces import AbstractForce, Control, LineSpring
from kempe.foreign.asmt.expressions import formula_of
from kempe.foreign.asmt.frames import Frames
from kempe.foreign.asmt.outline import Entry
from kempe.foreign.imported import Ledger
from kempe.foreign.legal_names import LegalNames
from kempe.geometry import Marker
from kempe.measures import Distance, Gauge


def forces_of(
    assembly: Entry, frames: Frames, names: LegalNames, ledger: Ledger, start: float
) -> list[AbstractForce]:
    """The forces of an assembly; kinds that nobody knows are left out and said."""
    found: list[AbstractForce] = []
    for entry in assembly.members("ForceTorques"):
        name = entry.value("Name")
        if entry.text != "InLineForceTorque":
            what = f"{entry.text} {shown(name)}"
            ledger.leave_out(entry.line, what, "only an InLineForceTorque is read")
            continue
        own = names.part(name, "force", entry.line)
        I, J = (frames.marker(entry, label) for label in ("MarkerI", "MarkerJ"))
        tension, twist = (_formula(entry, word, ledger, start) for word in ("tension", "twist"))
        if _is_not_zero(twist):
            ledger.leave_out(entry.line, f"twist of {shown(name)}", "only its tension is read")
        with ledger.at(entry.line, f"{entry.text} {shown(name)}"):
            found.append(_pull(own, I, J, tension))
    return found


def _formula(entry: Entry, label: str, ledger: Ledger, start: float) -> WrittenFormula:
    where = entry.below(label)
    text = entry.value(label) if where is not None else ""
    with ledger.at(where.line if where is not None else entry.line):
        return parse(formula_of(text, reads=True, start=start))


def _is_not_zero(formula: WrittenFormula) -> bool:
    return bool(formula.names) or float(formula.value({})) != 0.0


def _pull(name: str, I: Marker, J: Marker, tension: WrittenFormula) -> AbstractForce:
    linear = _linear(tension)
    if linear is not None:
        at_rest, stiffness, damping = linear
        free = -at_rest / stiffness if stiffness and at_rest * stiffness < 0.0 else 0.0
        preload = 0.0 if free else at_rest
        return LineSpring(I, J, stiffness, damping, free, preload, name=name)
    return Control(Gauge(f"{name}.distance", Distance(), I, J), f"-({tension.text})", name=name)


def _linear(tension: WrittenFormula) -> tuple[float, float, float] | None:
    """c, k and b where the tension is c + k x + b x_rate; None where it is anything else.

    A polynomial of degree one in each is that or has a product of both, which shows in its slope.
    """
    if "t" in tension.names:
        return None

    def along(of: Callable[[Any], tuple[Any, Any]]) -> Powers | None:
        return polynomial_of(
            lambda x: 0.0 * x + tension.value(dict(zip(("x", "x_rate"), of(x), strict=True)))
        )

    try:
        found = (along(lambda x: (x, 0.0)), along(lambda v: (0.0, v)), along(lambda v: (1.0, v)))
    except KempeError:
        return None
    terms = [() if one is None else one.coefficients for one in found]
    if not all(terms) or any(any(c for c in one[2:]) for one in terms):
        return None
    (c, k), (_, b), (_, other) = ([*map(float, one), 0.0, 0.0][:2] for one in terms)
    return (c, k, b) if b == other else None
