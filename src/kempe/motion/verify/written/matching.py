"""Rows of a map beside those of its model: which belong together, and what fits nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import final

from kempe.algebra import Tape
from kempe.motion.verify.written.derivation import Derived
from kempe.motion.verify.written.planar_rows import WrittenRow
from kempe.motion.verify.written.polynomial import (
    Monomial,
    Polynomial,
    Terms,
    are_proportional,
    factor_between,
    of_tape,
)


@final
@dataclass(slots=True, eq=False)
class BlockRows:
    """Rows and sides of one block, derived from the model; `left_out` rows the map does without.

    `implied` rows follow from those of the model.
    """

    unknowns: list[int]
    rows: list[Polynomial] = field(default_factory=list)
    sides: list[Polynomial] = field(default_factory=list)
    left_out: list[WrittenRow] = field(default_factory=list)
    implied: list[Polynomial] = field(default_factory=list)


@final
@dataclass(slots=True, eq=False)
class FromModel:
    """What the model says, and where the map says something else."""

    failures: list[str] = field(default_factory=list)
    unproved: list[str] = field(default_factory=list)
    derived: Derived | None = None
    blocks: list[BlockRows] = field(default_factory=list)

    @property
    def leaves_rows_out(self) -> bool:
        """Whether the map does without rows of the model, or one may be a zero that was rounded."""
        doubtful = self.derived is not None and bool(self.derived.doubtful)
        return doubtful or any(block.left_out for block in self.blocks)


def matched(
    stored: Sequence[Polynomial],
    said: list[WrittenRow],
    fits: Callable[[Polynomial, Polynomial], bool],
) -> tuple[list[Polynomial], list[int]]:
    """Rows of the model that fit what is stored, taken out of `said`; numbers of those without."""
    made, missed = [], []
    for i, value in enumerate(stored):
        match = next((row for row in said if fits(value, row.value)), None)
        if match is None:
            missed.append(i)
            continue
        said.remove(match)
        made.append(match.value)
    return made, missed


def are_sums_of(stored: Sequence[Polynomial], said: Sequence[WrittenRow]) -> bool:
    """Whether each is a sum of multiples of the model's rows, exactly, and more than one row's."""
    basis: list[tuple[Monomial, Terms]] = []
    for row in said:
        left = _less(row.value.terms, basis)
        if left:
            basis.append((min(left), left))
    plain = any(are_proportional(value, row.value) for value in stored for row in said)
    return bool(stored) and not plain and not any(_less(value.terms, basis) for value in stored)


def _less(terms: Terms, basis: Sequence[tuple[Monomial, Terms]]) -> Terms:
    """What is left of a sum when multiples of others take out their leading terms, in order."""
    left = dict(terms)
    for lead, other in basis:
        if lead not in left:
            continue
        factor = left[lead] / other[lead]
        for m, c in other.items():
            value = left.get(m, Fraction(0)) - factor * c
            if value:
                left[m] = value
            else:
                left.pop(m, None)
    return left


def same_sign(a: Polynomial, b: Polynomial) -> bool:
    """Whether one is a positive number times the other."""
    factor = factor_between(a, b)
    return factor is not None and factor.ring.bounds(factor)[0] > 0


def outputs_of(tape: Tape, inputs: Sequence[Polynomial]) -> list[Polynomial]:
    """The outputs of a tape as polynomials; none where it has no unknowns."""
    if tape.n_inputs != len(inputs):
        raise ValueError("a tape has another number of unknowns than its block")
    return of_tape(inputs[0].ring, tape, inputs) if inputs else []
