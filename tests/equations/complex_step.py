"""Derivatives of the equations of motion by a complex step through their undifferentiated tape.

Im R(x + i h e) / h is the derivative without subtraction, exact to rounding for h = 1e-30.
"""

import numpy as np

from kempe.algebra.operations import Op
from kempe.results.state import State

STEP = 1e-30
EXACT = 1e-10  # of the largest entry of the row: what is asked of every implicit Jacobian


def run_complex(tape, section, registers):
    """One section of a tape on registers (n, cases) of complex numbers."""

    def piece(x, k, order):
        table = tape.tables[k]
        place = np.clip(np.searchsorted(table.breaks, x.real, side="right") - 1, 0, None)
        place = np.minimum(place, len(table.coefficients) - 1)
        powers = table.coefficients[place]
        out = []
        for each, coefficients, start in zip(x, powers, table.breaks[place], strict=True):
            out.append(np.polyval(np.polyder(np.poly1d(coefficients), order), each - start))
        return np.array(out)

    def atan2(y, x):
        d = (x.real * y.imag - y.real * x.imag) / (x.real**2 + y.real**2)
        return np.arctan2(y.real, x.real) + 1j * d

    one = {
        Op.NEG: np.negative, Op.REC: lambda a: 1.0 / a, Op.SQR: lambda a: a * a, Op.SQRT: np.sqrt,
        Op.SIN: np.sin, Op.COS: np.cos, Op.TAN: np.tan, Op.EXP: np.exp, Op.LOG: np.log,
        Op.ASIN: np.arcsin, Op.ACOS: np.arccos, Op.TANH: np.tanh,
        Op.ABS: lambda a: np.where(a.real >= 0, a, -a), Op.ROUND: lambda a: np.rint(a.real) + 0j,
        Op.COPY: lambda a: a,
    }  # fmt: skip
    two = {
        Op.ADD: np.add, Op.SUB: np.subtract, Op.MUL: np.multiply, Op.DIV: np.divide,
        Op.ATAN2: atan2, Op.POW: np.power,
        Op.MIN: lambda a, b: np.where(a.real < b.real, a, b),
        Op.MAX: lambda a, b: np.where(a.real > b.real, a, b),
    }  # fmt: skip
    three = {
        Op.MULADD: lambda a, b, c: a * b + c,
        Op.MULSUB: lambda a, b, c: a * b - c,
        Op.NMULADD: lambda a, b, c: c - a * b,
        Op.WHERE_POSITIVE: lambda a, b, c: np.where(a.real > 0, b, c),
        Op.WHERE_NOT_NEGATIVE: lambda a, b, c: np.where(a.real >= 0, b, c),
    }
    at = tape.section(section)
    for op, d, a, b, c in tape.code[at.start : at.stop].tolist():
        x = registers
        if op == Op.SINCOS:
            x[d], x[b] = np.sin(x[a]), np.cos(x[a])
        elif op == Op.TABLE:
            x[d] = piece(x[a], b, c)
        elif op == Op.SPLINE:
            spline, values = tape.splines[b], x[a]
            x[d] = spline(values.real, c) + 1j * values.imag * spline(values.real, c + 1)
        elif op in one:
            x[d] = one[op](x[a])
        elif op in two:
            x[d] = two[op](x[a], x[b])
        else:
            x[d] = three[op](x[a], x[b], x[c])
    return registers


def directions(plane, q):
    """How coordinates move along every velocity, (n_v, n_q)."""
    if plane:
        return np.eye(len(q))
    bodies = len(q) // 7
    found = np.zeros((6 * bodies, 7 * bodies))
    for b in range(bodies):
        w, x, y, z = q[7 * b + 3 : 7 * b + 7]
        found[6 * b : 6 * b + 3, 7 * b : 7 * b + 3] = np.eye(3)
        turns = np.array([[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]])
        found[6 * b + 3 : 6 * b + 6, 7 * b + 3 : 7 * b + 7] = 0.5 * turns
    return found


def by_complex_step(prepared, at, a, lam, parameters=None, kind=complex):
    """dR by place, velocity and time, (n_v + rows, 2 n_v + 1); other numbers may be given.

    `kind` is that of the numbers: np.clongdouble has more digits where the machine does.
    """
    equations = prepared.equations
    layout, tape = equations.layout, equations.program.shape
    n, m = tape.n_v, len(tape.rows)
    cases, given = 2 * n + 1, layout.parameters if parameters is None else parameters
    q = at.q + 1j * STEP * np.vstack(
        [directions(layout.model.plane, at.q), np.zeros((n + 1, len(at.q)))]
    )
    v = at.v + 1j * STEP * np.vstack([np.zeros((n, n)), np.eye(n), np.zeros((1, n))])
    t = at.t + 1j * STEP * np.append(np.zeros(2 * n), 1.0)
    rest = [at.turns, np.zeros(tape.n_rows), given, np.zeros(len(tape.guards))]
    rest = np.tile(np.concatenate(rest), (cases, 1))
    registers = np.zeros((tape.tape.n_registers, cases), dtype=kind)
    inputs = np.hstack([q, v, t[:, None], rest])
    registers[: inputs.shape[1]] = inputs.T
    first = tape.tape.n_inputs
    registers[first : first + len(tape.tape.constants)] = tape.tape.constants[:, None]
    done = run_complex(tape.tape, "system", registers)
    J = np.zeros((cases, m, n), dtype=kind)
    J[:, tape.jacobian_rows, tape.jacobian_columns] = done[tape.registers["jacobian"]].T
    f, gamma = done[tape.registers["load"]].T, done[tape.registers["gamma"]].T
    R = np.hstack([np.einsum("ckj,k->cj", J, lam) - f, J @ a - gamma])
    return R.imag.T / STEP


def somewhere(prepared, rng):
    """A state with velocities, accelerations and multipliers of the size that machines have."""
    start, shape = prepared.start, prepared.equations.program.shape
    v = rng.normal(size=shape.n_v)
    at = State(0.3, start.q, v, start.turns)
    return at, rng.normal(size=shape.n_v), rng.normal(size=len(shape.rows))


def assert_same(found, exact):
    size = np.abs(exact).max(axis=1, keepdims=True)
    assert np.all(np.abs(found - exact) <= EXACT * np.maximum(size, 1.0))


def all_of(derivatives):
    return np.hstack([derivatives.K, derivatives.C, derivatives.T[:, None]])
