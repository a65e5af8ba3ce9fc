"""Exact rational rotations, and the identities of Pissanetzky's book with its misprints mended.

Source: [Pissanetzky] eq. 3.50-3.55, 5.8, 5.9, 5.29-5.33. As printed, 5.28 transposes a column, 5.31
has its factors in the wrong order, 5.32 lacks a transpose, and 3.55 transposes inside the hats and
lost a dot. The cases were made with fractions, and their last digits are exact.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from kempe.algebra import Expression, Op, tangent
from kempe.geometry.rotations import Matrix, Quaternion, turned
from kempe.geometry.specific import (
    AxisAndAngle,
    EulerAngles,
    EulerParameters,
    OrientationCoordinates,
)
from kempe.geometry.specific.kinematics import Tracing

# Four units in the last place of numbers between two and four, such as these angular velocities.
ULPS = 4 * np.spacing(2.0)
# A few dozen roundings of numbers around ten.
ROUNDING = 1e-13

# Euler parameters, rotation by rows, and the rates of the parameters and the angular velocity in
# space for the angular velocity (1, -2, 3) in the body.
OMEGA_BODY = (Fraction(1), Fraction(-2), Fraction(3))
CASES = [
    (
        "-1/2 1/2 1/2 1/2",
        "0 1 0 0 0 1 1 0 0",
        "-1/2 1 0 -3/2",
        "-2 3 1",
    ),
    (
        "0 0 0 1",
        "-1 0 0 0 -1 0 0 0 1",
        "-3/2 1 1/2 0",
        "-1 2 3",
    ),
    (
        "-13/15 4/15 -2/15 2/5",
        "29/45 28/45 4/9 -172/225 121/225 16/45 -4/225 -128/225 37/45",
        "-13/15 -7/30 2/3 -3/2",
        "11/15 -58/75 269/75",
    ),
    (
        "59/741 400/741 -200/247 160/741",
        "-222119/549081 -498880/549081 4400/42237 "
        "-461120/549081 177881/549081 -18400/42237 "
        "198800/549081 -144800/549081 -37763/42237",
        "-80/57 -1421/1482 -193/247 -23/1482",
        "105249/61009 -170498/61009 -109373/61009",
    ),
    (
        "-37/39 -2/13 10/39 4/39",
        "1289/1521 176/1521 -788/1521 -32/117 109/117 -28/117 692/1521 524/1521 1249/1521",
        "7/39 1/78 16/13 -109/78",
        "-1427/1521 -334/117 3391/1521",
    ),
    (
        "-26/27 7/27 0 -2/27",
        "721/729 -104/729 -28/729 104/729 623/729 364/729 -28/729 -364/729 631/729",
        "-1/54 -5/9 29/54 -46/27",
        "845/729 -50/729 2593/729",
    ),
]


def fractions(text: str) -> list[Fraction]:
    return [Fraction(word) for word in text.split()]


def floats(numbers: Sequence[Fraction]) -> np.ndarray:
    return np.array([float(n) for n in numbers])


EXACT = [tuple(fractions(text) for text in case) for case in CASES]
Case = tuple[list[Fraction], list[Fraction], list[Fraction], list[Fraction]]


#: Angles with a rational tangent of their half: sine and cosine are rational too.
HALF_TANGENTS = (Fraction(1, 3), Fraction(2, 5), Fraction(-3, 4))


def sine(half: Fraction) -> Fraction:
    return 2 * half / (1 + half * half)


def cosine(half: Fraction) -> Fraction:
    return (1 - half * half) / (1 + half * half)


def exactly(
    output: Expression, inputs: dict[int, Fraction], halves: dict[int, Fraction] | None = None
) -> Fraction:
    """The value of a traced formula in fractions, node by node.

    `halves` are inputs that are angles, given by the tangent of their half; square roots must be
    rational.
    """
    graph, halves = output.graph, halves or {}
    values = dict(inputs)
    for node in range(output.node + 1):
        angle = graph.args[node][0] if graph.args[node] else None
        if angle in halves and graph.ops[node] in (Op.SIN, Op.COS):
            values[node] = (sine if graph.ops[node] == Op.SIN else cosine)(halves[angle])
    for node in range(output.node + 1):
        if node in graph.constants:
            values[node] = Fraction(graph.constants[node])
        elif all(a in values for a in graph.args[node]) and node not in values:
            a = [values[n] for n in graph.args[node]]
            match graph.ops[node]:
                case Op.ADD:
                    values[node] = a[0] + a[1]
                case Op.SUB:
                    values[node] = a[0] - a[1]
                case Op.MUL:
                    values[node] = a[0] * a[1]
                case Op.DIV:
                    values[node] = a[0] / a[1]
                case Op.NEG:
                    values[node] = -a[0]
                case Op.REC:
                    values[node] = 1 / a[0]
                case Op.SQR:
                    values[node] = a[0] * a[0]
                case Op.SQRT:
                    root = Fraction(math.isqrt(a[0].numerator), math.isqrt(a[0].denominator))
                    assert root * root == a[0]
                    values[node] = root
    return values[output.node]


def exact_G(e: Sequence[Fraction]) -> tuple[np.ndarray, np.ndarray]:
    """G in body and in reference axes, (3, 4) each, by the tracer, in fractions."""
    tracing = Tracing(4)
    inputs = {s.node: value for s, value in zip(tracing.s, e, strict=True)}
    R = EulerParameters().A(tracing.s)
    entries = [c[i] for i in range(3) for c in (R.x, R.y, R.z)]

    def matrix(outputs: Sequence[Expression]) -> np.ndarray:
        return np.array([exactly(o, inputs) for o in outputs], dtype=object).reshape(3, 3)

    A = matrix(entries)
    dA = [matrix(tracing.along(entries, k)) for k in range(4)]

    def axial(m: np.ndarray) -> list[Fraction]:
        return [(m[k, j] - m[j, k]) / 2 for j, k in ((1, 2), (2, 0), (0, 1))]

    body = np.array([axial(A.T @ d) for d in dA], dtype=object).T
    return body, np.array([axial(d @ A.T) for d in dA], dtype=object).T


def printed_G(e: Sequence[Fraction]) -> tuple[np.ndarray, np.ndarray]:
    """Equations 5.29 and 5.30."""
    e0, e1, e2, e3 = e
    body = [[-e1, e0, e3, -e2], [-e2, -e3, e0, e1], [-e3, e2, -e1, e0]]
    space = [[-e1, e0, -e3, e2], [-e2, e3, e0, -e1], [-e3, -e2, e1, e0]]
    return 2 * np.array(body, dtype=object), 2 * np.array(space, dtype=object)


@pytest.mark.parametrize("case", EXACT, ids=lambda c: "e = " + " ".join(map(str, c[0])))
def test_the_rotation_of_euler_parameters_is_exact(case: Case) -> None:
    e, rotation, _, _ = case
    R = EulerParameters().A(e)
    assert [c[i] for i in range(3) for c in (R.x, R.y, R.z)] == rotation
    given = floats(rotation).reshape(3, 3)
    assert abs(Matrix().of_quaternions(Quaternion().quaternions(floats(e))) - given).max() < ULPS
    assert (
        abs(OrientationCoordinates(EulerParameters()).orientation(floats(e)) - given).max() < ULPS
    )
    back = Matrix().quaternions(given)
    assert min(abs(back - floats(e)).max(), abs(back + floats(e)).max()) < ULPS


@pytest.mark.parametrize("case", EXACT, ids=lambda c: "e = " + " ".join(map(str, c[0])))
def test_traced_G_matrices_are_those_of_equations_5_29_and_5_30(case: Case) -> None:
    e = case[0]
    for traced, printed in zip(exact_G(e), printed_G(e), strict=True):
        assert (traced == printed).all()
    coordinates = OrientationCoordinates(EulerParameters())
    for axes, printed in zip(("body", "reference"), printed_G(e), strict=True):
        assert abs(coordinates.G(floats(e), axes=axes) - printed.astype(float)).max() < ULPS


@pytest.mark.parametrize("case", EXACT, ids=lambda c: "e = " + " ".join(map(str, c[0])))
def test_rates_and_angular_velocities_are_exact(case: Case) -> None:
    e, _, e_dot, omega_space = case
    body, space = exact_G(e)
    omega_body = np.array(OMEGA_BODY, dtype=object)
    assert (body @ np.array(e_dot, dtype=object) == omega_body).all()  # 5.28, no transpose
    assert (space @ np.array(e_dot, dtype=object) == np.array(omega_space, dtype=object)).all()
    quarter = Fraction(1, 4)
    assert (
        quarter * body.T @ omega_body == np.array(e_dot, dtype=object)
    ).all()  # 5.32, transposed
    coordinates = OrientationCoordinates(EulerParameters())
    w, w_space = floats(OMEGA_BODY), floats(omega_space)
    assert abs(coordinates.rates(floats(e), w) - floats(e_dot)).max() < ULPS
    assert abs(coordinates.rates(floats(e), w_space, axes="reference") - floats(e_dot)).max() < ULPS
    assert abs(turned(floats(e), w) - w_space).max() < ULPS


@pytest.mark.parametrize("case", EXACT, ids=lambda c: "e = " + " ".join(map(str, c[0])))
def test_products_of_G_are_those_of_equation_5_31_mended(case: Case) -> None:
    e = np.array(case[0], dtype=object)
    one, zero = Fraction(1), Fraction(0)
    eye = np.array([[one if i == j else zero for j in range(4)] for i in range(4)], dtype=object)
    for G in exact_G(case[0]):
        assert (4 * eye[:3, :3] == G @ G.T).all()
        assert (4 * (eye - np.outer(e, e)) == G.T @ G).all()
        assert not (G @ e).any()
        B = np.vstack([e, G / Fraction(2)])  # 5.33
        assert (eye == B @ B.T).all()


def test_G_of_the_ZXZ_convention_is_that_of_equations_5_8_and_5_9(
    rng: np.random.Generator,
) -> None:
    coordinates = OrientationCoordinates(EulerAngles("ZXZ"))
    for s in rng.uniform(-3, 3, (50, 3)):
        (sf, st, sp), (cf, ct, cp) = np.sin(s), np.cos(s)
        body = [[st * sp, cp, 0], [st * cp, -sp, 0], [ct, 0, 1]]
        space = [[0, cf, st * sf], [0, sf, -st * cf], [1, 0, ct]]
        assert abs(coordinates.G(s) - body).max() < ULPS
        assert abs(coordinates.G(s, axes="reference") - space).max() < ULPS
        assert abs(np.linalg.det(coordinates.G(s)) + st) < ULPS
        A = coordinates.orientation(s)
        assert abs(A[2] - [st * sp, st * cp, ct]).max() < ULPS
        assert abs(A[:2, 2] - [st * sf, -st * cf]).max() < ULPS


@pytest.mark.row("D1")
@pytest.mark.parametrize("axis", ["2/3 -1/3 2/3", "3/13 4/13 12/13", "-6/7 2/7 3/7"])
def test_rodrigues_formula_1_47_is_the_matrix_of_1_48_exactly(axis: str) -> None:
    a = np.array(fractions(axis), dtype=object)
    half = Fraction(2, 7)

    def rotation(a: np.ndarray, half: Fraction) -> np.ndarray:
        tracing = Tracing(4)
        R = AxisAndAngle().A(tracing.s)
        inputs = {s.node: value for s, value in zip(tracing.s[:3], a, strict=True)}
        entries = [c[i] for i in range(3) for c in (R.x, R.y, R.z)]
        found = [exactly(e, inputs, {tracing.s[3].node: half}) for e in entries]
        return np.array(found, dtype=object).reshape(3, 3)

    R = rotation(a, half)
    s, c = sine(half), cosine(half)
    one = np.array([[Fraction(int(i == j)) for j in range(3)] for i in range(3)], dtype=object)
    S = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]], dtype=object)
    assert (one + s * S + (1 - c) * (S @ S) == R).all()  # 1.47
    assert (c * one + (1 - c) * np.outer(a, a) + s * S == R).all()  # 1.48, all nine entries
    assert (one == R @ R.T).all()
    assert (rotation(-a, -half) == R).all()


def exact_coordinates(sequence: str) -> tuple[Tracing, list[Expression], dict[int, Fraction]]:
    """Traced angles, the nine entries of A by rows, and the angles' half tangents."""
    tracing = Tracing(3)
    R = EulerAngles(sequence).A(tracing.s)
    entries = tracing.lifted([c[i] for i in range(3) for c in (R.x, R.y, R.z)])
    halves = {s.node: half for s, half in zip(tracing.s, HALF_TANGENTS, strict=True)}
    return tracing, entries, halves


def traced_G(tracing: Tracing, entries: list[Expression], *, body: bool) -> list[Expression]:
    """G by rows, as traced values."""
    columns = []
    for k in range(3):
        d = tracing.along(entries, k)

        def entry(i: int, j: int, d: list[Expression] = d) -> Expression:
            if body:  # A^T dA
                return sum((entries[3 * m + i] * d[3 * m + j] for m in range(3)), 0.0 * d[0])
            return sum((d[3 * i + m] * entries[3 * j + m] for m in range(3)), 0.0 * d[0])

        columns.append([0.5 * (entry(m, n) - entry(n, m)) for n, m in ((1, 2), (2, 0), (0, 1))])
    return [column[i] for i in range(3) for column in columns]


def test_G_of_the_ZXZ_convention_is_exactly_that_of_equations_5_8_and_5_9() -> None:
    tracing, entries, halves = exact_coordinates("ZXZ")
    sf, st, sp = map(sine, HALF_TANGENTS)
    cf, ct, cp = map(cosine, HALF_TANGENTS)
    printed = {
        True: [st * sp, cp, 0, st * cp, -sp, 0, ct, 0, 1],
        False: [0, cf, st * sf, 0, sf, -st * cf, 1, 0, ct],
    }
    for body, numbers in printed.items():
        G = [exactly(g, {}, halves) for g in traced_G(tracing, entries, body=body)]
        assert numbers == G
    A = [exactly(e, {}, halves) for e in entries]
    assert A[6:8] == [st * sp, st * cp]  # psi = atan2(A31, A32) where sin(theta) > 0
    assert [A[2], A[5]] == [st * sf, -st * cf]


@pytest.mark.parametrize("sequence", ["ZXZ", "ZYX", "XYX", "zxy"])
def test_equations_3_50_to_3_55_mended_hold_exactly(sequence: str) -> None:
    tracing, entries, halves = exact_coordinates(sequence)
    rates = fractions("2/3 -5/4 7/2")
    seconds = fractions("-1/2 3 4/7")
    inputs = {r.node: value for r, value in zip(tracing.rate, rates, strict=True)}
    j = fractions("1 2 5/2")  # principal moments: the hats hold for these alone

    def numbers(outputs: Sequence[Expression], *shape: int) -> np.ndarray:
        found = [exactly(o, inputs, halves) for o in outputs]
        return np.array(found, dtype=object).reshape(shape)

    G = traced_G(tracing, entries, body=True)
    w = [sum((G[3 * i + k] * tracing.rate[k] for k in range(3)), 0.0 * G[0]) for i in range(3)]
    moments = [float(x) for x in j]  # exact in binary
    T = [0.5 * sum((m * x * x for m, x in zip(moments, w, strict=True)), 0.0 * w[0])]
    dT = np.array([numbers(tracing.along(T, k), 1)[0] for k in range(3)], dtype=object)
    dw = np.stack([numbers(tracing.along(w, k), 3) for k in range(3)], axis=1)
    J, hat = np.diag(j), np.diag
    G_, G_rate = numbers(G, 3, 3), numbers(tracing.in_time(G), 3, 3)
    s_, rate, second = numbers(w, 3), np.array(rates, object), np.array(seconds, object)
    assert (dT == dw.T @ J @ s_).all()  # 3.50
    assert (dT == dw.T @ hat(s_) @ np.array(j, object)).all()  # 3.51
    energy = rate @ G_.T @ J @ G_ @ rate / 2
    assert energy == numbers(T, 1)[0]  # 3.52
    momenta = [tangent_of(T[0], tracing, k) for k in range(3)]
    assert (numbers(momenta, 3) == G_.T @ J @ G_ @ rate).all()  # 3.53
    # d/dt of the momenta: along s at the rates, and along s' at the second rates
    whole = numbers(tracing.in_time(momenta), 3) + G_.T @ J @ G_ @ second
    inertial = G_.T @ J @ G_ @ second
    assert (whole == (G_rate.T @ J @ G_ + G_.T @ J @ G_rate) @ rate + inertial).all()  # 3.54
    hats = G_rate.T @ hat(G_ @ rate) + G_.T @ hat(G_rate @ rate)
    assert (whole == hats @ np.array(j, object) + inertial).all()  # 3.55


def tangent_of(output: Expression, tracing: Tracing, k: int) -> Expression:
    """The derivative with respect to rate k."""
    one = Expression(tracing.graph, tracing.graph.constant(1.0))
    return tangent([output], {tracing.rate[k].node: one})[0]


@pytest.mark.parametrize("sequence", ["ZXZ", "ZYX"])
def test_the_rates_of_rotational_energy_are_those_of_equations_3_50_to_3_55_mended(
    sequence: str, rng: np.random.Generator
) -> None:
    coordinates = OrientationCoordinates(EulerAngles(sequence))
    j = np.array([1.0, 2.0, 2.5])  # principal moments: the hats hold for these alone
    J = np.diag(j)
    s, rate, second = np.array([0.4, 0.9, -1.2]), *rng.standard_normal((2, 3))
    G, G_rate = coordinates.G(s), coordinates.G_rate(s, rate)
    w = G @ rate

    def energy(at: np.ndarray) -> float:
        spin = coordinates.angular_velocity(at, rate)
        return float(spin @ J @ spin) / 2

    h = 1e-5
    dT = [(energy(s + d) - energy(s - d)) / (2 * h) for d in h * np.eye(3)]
    dw = np.stack([coordinates.G_rate(s, d) @ rate for d in np.eye(3)], axis=1)
    assert abs(dw.T @ J @ w - dT).max() < 1e-8  # 3.50, against a difference with step 1e-5
    assert abs(dw.T @ np.diag(w) @ j - dw.T @ J @ w).max() < ROUNDING  # 3.51

    def momentum(t: float) -> np.ndarray:
        at, speed = s + t * rate + t * t / 2 * second, rate + t * second
        return coordinates.G(at).T @ J @ coordinates.G(at) @ speed  # 3.53

    inertial = G.T @ J @ G @ second
    whole = (G_rate.T @ J @ G + G.T @ J @ G_rate) @ rate + inertial  # 3.54
    assert abs((momentum(h) - momentum(-h)) / (2 * h) - whole).max() < 1e-8
    hats = G_rate.T @ np.diag(G @ rate) + G.T @ np.diag(G_rate @ rate)
    assert abs(hats @ j + inertial - whole).max() < ROUNDING  # 3.55
