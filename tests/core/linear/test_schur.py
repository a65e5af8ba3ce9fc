"""S = J M^-1 J^T and its factors on the graph are those of linear algebra."""

import numpy as np
import pytest

from kempe.algebra import Expression, Graph, record_formula
from kempe.algebra.native import native_tape
from kempe.compile.trace.elimination import (
    InverseMass,
    factors,
    product,
    schur_complement,
    transposed_product,
)

#: Fewer than a thousand roundings of numbers of size 1.
CLOSE = 1e-12


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_multipliers_and_accelerations_solve_the_saddle_equations(order):
    rng = np.random.default_rng(3)
    pattern = np.array([[1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 0, 1]], dtype=bool)
    J = rng.normal(size=(3, 4)) * pattern
    M = np.diag([2.0, 0.5, 1.5, 3.0])
    f, g = rng.normal(size=4), rng.normal(size=3)
    graph = Graph()

    def inputs(name, values):
        return [Expression(graph, graph.input(f"{name}{k}")) for k in range(len(values))]

    entries = inputs("j", J[pattern])
    waiting = iter(entries)
    rows = [{c: next(waiting) for c in range(4) if pattern[r, c]} for r in range(3)]
    light, load, right = inputs("m", f), inputs("f", f), inputs("g", g)
    mass = InverseMass({k: {k: light[k]} for k in range(4)})
    solved = factors(schur_complement(rows, mass), order)
    zero = 0.0 * light[0]
    free = mass.times(dict(enumerate(load)))
    lam = solved.solve([product(r, free, zero) - x for r, x in zip(rows, right, strict=True)])
    held = mass.times(transposed_product(rows, lam))
    a = [free[k] - held.get(k, zero) for k in range(4)]
    ins = [*entries, *light, *load, *right]
    tape = record_formula(ins, [*lam, *a, *solved.pivots, *solved.diagonals])
    numbers = np.concatenate([J[pattern], 1.0 / np.diag(M), f, g])[None, :]
    values = native_tape(tape).evaluate(numbers, tape.outputs)[0]
    whole = np.block([[M, J.T], [J, np.zeros((3, 3))]])
    expected = np.linalg.solve(whole, np.concatenate([f, g]))
    assert np.abs(values[:3] - expected[4:]).max() < CLOSE
    assert np.abs(values[3:7] - expected[:4]).max() < CLOSE
    S = J @ np.linalg.inv(M) @ J.T
    assert np.abs(values[10:] - np.diag(S)[list(order)]).max() < CLOSE
    assert np.prod(values[7:10]) == pytest.approx(np.linalg.det(S), rel=1e-10)
