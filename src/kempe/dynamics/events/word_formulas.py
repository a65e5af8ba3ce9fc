"""Formulas of events that may be faster than the motion, traced to be enclosed along a step.

A formula of measures, rates, readings and the time, its words w, is traced with how fast they
change: f(w) and f' = sum f_w w'. The core runs both on intervals, so that no zero of a formula
that turns to and fro within one step is passed over.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from kempe.algebra import Expression, Graph, Op, record_formula, tangent
from kempe.algebra.derivative import reachable
from kempe.algebra.native import core, native_tape
from kempe.algebra.operations import CONSTANT, INPUT
from kempe.algebra.text.grammar import WrittenFormula

TIME = -1  # the word that is the time, to the core


def reading_word(k: int) -> int:
    """The word that is the k-th of what is read, to the core."""
    return -2 - k


# Of words, these make sums and products with numbers, as long as no product is of two words.
PLAIN = frozenset({INPUT, CONSTANT, Op.ADD, Op.SUB, Op.MUL, Op.NEG, Op.COPY})


def word_formula(formula: WrittenFormula, words: Mapping[str, int]) -> "core.WordFormula | None":
    """A formula for the core; None of one that is linear, and so turns only where a word does.

    `words` are the places of its names: outputs of the tape of all measures, TIME, or readings.
    """
    graph = Graph()
    said = [Expression(graph, graph.input(f"w{k}")) for k in range(len(words))]
    moved = [Expression(graph, graph.input(f"r{k}")) for k in range(len(words))]
    zero: Any = Expression(graph, graph.constant(0.0))
    value = zero + formula.value(dict(zip(words, said, strict=True)))
    along = {w.node: r for w, r in zip(said, moved, strict=True)}
    (slope,) = tangent([value], along)
    used = {graph.ops[node] for node in reachable(graph, [value.node])}
    bent = set(reachable(graph, [slope.node])) & {w.node for w in said}
    if used <= PLAIN and not bent:
        return None
    tape = record_formula([*said, *moved], [value, slope])
    places = np.asarray(list(words.values()), dtype=np.int32)
    return core.WordFormula(
        tape=native_tape(tape), value=tape.outputs[0], slope=tape.outputs[1], words=places
    )
