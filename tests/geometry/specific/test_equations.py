"""Equations of motion in specific coordinates."""

import numpy as np
import pytest

from kempe.errors import BadNumber, SingularCoordinates
from kempe.geometry import Inertia
from kempe.geometry.rotations import SEQUENCES, uniform
from kempe.geometry.specific import (
    AbstractOrientator,
    AbstractTranslator,
    AxialAngle,
    AxisAndAngle,
    BodyCoordinates,
    BodyEquations,
    Cartesian,
    Cylindrical,
    DirectionCosines,
    EulerAngles,
    EulerParameters,
    ExponentialCoordinates,
    GeneralisedEquations,
    OrientationCoordinates,
    RodriguesParameters,
    Spherical,
    SystemEquations,
    TwoAxes,
)

# Relative to the largest number of what is compared. Coordinates keep 0.2 away from singularities,
# so that some digits are lost to the solutions and no more.
EQUAL = 1e-12
ORIENTATORS: list[AbstractOrientator] = [
    *(EulerAngles(s) for s in SEQUENCES),
    *(EulerAngles(s.lower()) for s in SEQUENCES),
    EulerParameters(),
    ExponentialCoordinates(),
    RodriguesParameters(),
    AxisAndAngle(),
    TwoAxes(),
    DirectionCosines(),
]
TRANSLATORS: list[AbstractTranslator] = [Cartesian(), Cylindrical(), Spherical()]
TENSOR = np.array([[2.0, 0.3, -0.2], [0.3, 2.5, 0.1], [-0.2, 0.1, 1.5]])
CENTRED = Inertia(3.0, np.zeros(3), TENSOR)
OFFSET = Inertia(3.0, np.array([0.2, -0.4, 0.3]), TENSOR)
G = 9.81


def apart(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference by the largest number."""
    return float(abs(a - b).max() / max(1.0, abs(b).max()))


def moving(
    coordinates: BodyCoordinates, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coordinates, rates and twists of twenty bodies in motion, away from singularities."""
    q = uniform(400, rng)
    turns = OrientationCoordinates(coordinates.orientator)
    q = q[turns.singularity(turns.coordinates(q)).distance > 0.2][:20]
    s = coordinates.coordinates(rng.uniform(0.5, 2.0, (len(q), 3)), q)
    V = rng.standard_normal((len(q), 6))
    return s, coordinates.rates(s, V), V


def in_twists(
    body: BodyEquations, s: np.ndarray, V: np.ndarray, F: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M6, h and V' by Newton's and Euler's laws for the centre of mass, body by body."""
    _, A = body.coordinates.place(s)
    m, c, J = body.inertia.mass, body.inertia.centre, body.inertia.tensor
    C = np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])
    masses, biases = [], []
    for R, w in zip(A, V[:, 3:], strict=True):
        # m a_C = f and J w' + w x J w = t - c x R^T f, with a_C = v' + R (w' x c + w x (w x c))
        upper = np.hstack([m * np.eye(3), -m * R @ C])
        inward = m * R @ np.cross(w, np.cross(w, c))
        lower = np.hstack([np.zeros((3, 3)), J]) + C @ R.T @ upper
        masses.append(np.vstack([upper, lower]))
        biases.append(np.concatenate([inward, np.cross(w, J @ w) + C @ R.T @ inward]))
    M, h = np.array(masses), np.array(biases)
    return M, h, np.linalg.solve(M, (F - h)[..., None])[..., 0]


@pytest.mark.parametrize("inertia", [CENTRED, OFFSET], ids=["centred", "offset"])
@pytest.mark.parametrize("orientator", ORIENTATORS, ids=repr)
def test_a_free_body_accelerates_as_it_does_in_twists(
    orientator: AbstractOrientator, inertia: Inertia, rng: np.random.Generator
) -> None:
    for translator in TRANSLATORS:
        body = BodyEquations(BodyCoordinates(orientator, translator), inertia)
        s, rate, V = moving(body.coordinates, rng)
        F = rng.standard_normal(V.shape)
        M6, h, expected = in_twists(body, s, V, F)
        assert apart(body.twist_mass(s), M6) < EQUAL
        assert apart(body.twist_bias(s, rate), h) < EQUAL
        second = body.accelerations(s, rate, F)
        assert apart(body.coordinates.twist_rate(s, rate, second), expected) < EQUAL
        assert apart(second, body.coordinates.accelerations(s, rate, expected)) < EQUAL
        energy = np.einsum("ti,tij,tj->t", V, M6, V) / 2
        assert apart(body.kinetic_energy(s, rate), energy) < EQUAL
        in_s = np.einsum("ti,tij,tj->t", rate, body.mass_matrix(s), rate) / 2
        assert apart(in_s, energy) < EQUAL


@pytest.mark.row("D6")
@pytest.mark.parametrize("orientator", ORIENTATORS, ids=repr)
def test_the_quadratic_velocity_vector_is_the_difference_of_the_books_two_parts(
    orientator: AbstractOrientator, rng: np.random.Generator
) -> None:
    for translator in TRANSLATORS:
        body = BodyEquations(BodyCoordinates(orientator, translator), CENTRED)
        c = body.coordinates
        s, rate, V = moving(c, rng)
        B, B_rate, M6 = c.B(s), c.B_rate(s, rate), body.twist_mass(s)
        # dV/ds_k, as B' along coordinate k alone, then 3.50; and 3.54 without its last term
        dV = np.stack([(c.B_rate(s, e) @ rate[..., None])[..., 0] for e in np.eye(c.count)], -1)
        gradient = np.einsum("tik,tij,tj->tk", dV, M6, V)
        M_rate = np.swapaxes(B_rate, -1, -2) @ M6 @ B + np.swapaxes(B, -1, -2) @ M6 @ B_rate
        expected = gradient - np.einsum("tij,tj->ti", M_rate, rate)
        found = body.quadratic_velocity(s, rate)
        # Where coordinates have a constraint, only what works on motions that keep it is the same.
        if len(orientator.names) > 3:
            kept = [np.linalg.svd(C)[2][len(C) :] for C in c.C(s)]
            found = np.einsum("tki,ti->tk", kept, found)
            expected = np.einsum("tki,ti->tk", kept, expected)
        assert apart(found, expected) < EQUAL


def test_with_the_origin_in_the_centre_of_mass_place_and_orientation_are_decoupled(
    rng: np.random.Generator,
) -> None:
    body = BodyEquations(BodyCoordinates(EulerAngles("ZXZ"), Spherical()), CENTRED)
    s, rate, V = moving(body.coordinates, rng)
    assert body.is_decoupled
    assert not BodyEquations(body.coordinates, OFFSET).is_decoupled
    assert not body.mass_matrix(s)[:, :3, 3:].any()
    F = rng.standard_normal(V.shape)
    pushed = F + np.concatenate([rng.standard_normal((len(F), 3)), np.zeros((len(F), 3))], 1)
    one, other = (body.accelerations(s, rate, f) for f in (F, pushed))
    assert (one[:, 3:] == other[:, 3:]).all()
    assert abs(one[:, :3] - other[:, :3]).min() > 0
    spin = np.einsum("ti,ij,tj->t", V[:, 3:], TENSOR, V[:, 3:]) / 2
    assert apart(body.rotational_energy(s, rate), spin) < EQUAL


def test_work_done_is_the_energy_gained_in_any_coordinates(rng: np.random.Generator) -> None:
    for orientator in ORIENTATORS:
        body = BodyEquations(BodyCoordinates(orientator, Cylindrical()), OFFSET)
        s, rate, V = moving(body.coordinates, rng)
        F = rng.standard_normal(V.shape)
        power = np.einsum("ti,ti->t", body.force(s, F), rate)
        assert apart(power, np.einsum("ti,ti->t", F, V)) < EQUAL


def test_a_place_where_the_coordinates_are_singular_is_refused() -> None:
    body = BodyEquations(BodyCoordinates(EulerAngles("ZXZ")), CENTRED)
    with pytest.raises(SingularCoordinates, match="EulerAngles"):
        body.accelerations(np.zeros(6), np.zeros(6), np.ones(6))
    massless = BodyEquations(body.coordinates, Inertia(0.0, np.zeros(3), np.zeros((3, 3))))
    with pytest.raises(SingularCoordinates, match="without mass"):
        massless.accelerations([0, 0, 0, 0, 1, 0], np.zeros(6), np.ones(6))
    with pytest.raises(BadNumber, match=r"6 numbers \(x, y, z, phi, theta, psi\)"):
        body.kinetic_energy(np.zeros(7), np.zeros(7))


@pytest.mark.parametrize(
    "orientators",
    [
        (EulerAngles("ZXZ"), EulerAngles("xyz")),
        (EulerParameters(), EulerAngles("ZYX")),
        (ExponentialCoordinates(), RodriguesParameters()),
        (EulerParameters(), EulerParameters()),
    ],
    ids=repr,
)
def test_constrained_bodies_accelerate_as_they_do_in_twists(
    orientators: tuple[AbstractOrientator, AbstractOrientator], rng: np.random.Generator
) -> None:
    inertias = (
        Inertia(3.0, np.array([0.2, -0.4, 0.3]), TENSOR),
        Inertia(0.5, np.zeros(3), 0.1 * TENSOR),
    )
    translators = (Cylindrical(), Spherical())
    pairs = [BodyCoordinates(o, t) for o, t in zip(orientators, translators, strict=True)]
    bodies = [BodyEquations(c, i) for c, i in zip(pairs, inertias, strict=True)]
    system = SystemEquations(tuple(bodies))
    parts = []
    for c in pairs:
        turns = OrientationCoordinates(c.orientator)
        q = uniform(200, rng)
        q = q[turns.singularity(turns.coordinates(q)).distance > 0.3][:10]
        s = c.coordinates(rng.uniform(0.5, 2.0, (10, 3)), q)
        parts.append((s, c.rates(s, rng.standard_normal((10, 6)))))
    s, rate = (np.concatenate([p[k] for p in parts], axis=1) for k in (0, 1))
    J, gamma = rng.standard_normal((10, 5, 12)), rng.standard_normal((10, 5))
    F = rng.standard_normal((10, 12))
    second, lam = system.accelerations(s, rate, F, J, gamma)
    V_rate = np.concatenate(
        [
            c.twist_rate(x, y, z)
            for c, (x, y), z in zip(
                pairs, parts, np.split(second, [pairs[0].count], axis=1), strict=True
            )
        ],
        axis=1,
    )
    for k in range(10):
        K, b = np.zeros((17, 17)), np.zeros(17)
        for i, (body, (x, y)) in enumerate(zip(bodies, parts, strict=True)):
            at = slice(6 * i, 6 * i + 6)
            K[at, at] = body.twist_mass(x[k])
            b[at] = F[k, at] - body.twist_bias(x[k], y[k])
        K[12:, :12], K[:12, 12:], b[12:] = J[k], -J[k].T, gamma[k]
        expected = np.linalg.solve(K, b)
        assert apart(V_rate[k], expected[:12]) < EQUAL
        assert apart(lam[k], expected[12:]) < EQUAL
    J_s, gamma_s = (
        system.constraint_jacobian(s, J),
        system.constraint_acceleration(s, rate, J, gamma),
    )
    assert apart(np.einsum("kmn,kn->km", J_s, second), gamma_s) < EQUAL
    energies = [b.kinetic_energy(x, y) for b, (x, y) in zip(bodies, parts, strict=True)]
    assert apart(system.kinetic_energy(s, rate), sum(energies)) < EQUAL


def pendulum(inertia: Inertia, count: int) -> SystemEquations:
    turning = BodyCoordinates(AxialAngle((0.0, 0.0, 1.0)))
    return SystemEquations((BodyEquations(turning, inertia),) * count)


def test_a_double_pendulum_in_two_angles_has_the_equations_of_the_textbooks(
    rng: np.random.Generator,
) -> None:
    """Two rods of length l, mass m and moment I; angles from the x axis, which hangs down.

    With I = 0 and the masses at the ends of weightless rods these are the equations of every
    textbook: 2 l a1'' + l cos(d) a2'' = -l sin(d) a2'^2 - 2 g sin(a1), and so on.
    """
    m, l = 1.5, 0.7
    system = pendulum(Inertia(m, np.zeros(3), np.zeros((3, 3))), 2)

    def places(q):
        a, b = q
        x, y = l * np.cos(a), l * np.sin(a)
        return [x, y, 0.0, a, x + l * np.cos(b), y + l * np.sin(b), 0.0, b]

    equations = GeneralisedEquations(system, places, 2)
    q, rate = rng.uniform(-2, 2, (2, 20, 2))
    weight = np.tile([m * G, 0, 0, 0, 0, 0], 2)
    second, none = equations.accelerations(q, rate, weight)
    assert none.shape == (20, 0)
    (a, b), (u, v) = q.T, rate.T
    d = a - b
    M = m * l * l * np.array([[2 + 0 * d, np.cos(d)], [np.cos(d), 1 + 0 * d]]).transpose(2, 0, 1)
    right = (
        m
        * l
        * np.stack(
            [
                -l * np.sin(d) * v * v - 2 * G * np.sin(a),
                l * np.sin(d) * u * u - G * np.sin(b),
            ],
            axis=1,
        )
    )
    assert apart(equations.mass_matrix(q), M) < EQUAL
    found = equations.force(q, weight) + equations.quadratic_velocity(q, rate)
    assert apart(found, right) < EQUAL
    assert apart(second, np.linalg.solve(M, right[..., None])[..., 0]) < EQUAL * 10
    energy = np.einsum("ti,tij,tj->t", rate, M, rate) / 2
    assert apart(equations.kinetic_energy(q, rate), energy) < EQUAL


def test_a_constraint_left_out_of_the_map_comes_back_with_its_multiplier() -> None:
    """A pendulum of length l by its place in the plane and angle, held by a pin at the origin.

    J = (1, 0, ..., turn) keeps the rod's other end at rest; the tension is m (l w^2 + g cos a).
    """
    m, l, a, w = 2.0, 0.5, 0.4, 3.0
    system = pendulum(Inertia(m, np.zeros(3), np.diag([0.0, 0.1, 0.1])), 1)
    equations = GeneralisedEquations(system, lambda q: [q[0], q[1], 0.0, q[2]], 3)
    q = [l * np.cos(a), l * np.sin(a), a]
    rate = [-l * w * np.sin(a), l * w * np.cos(a), w]
    # the pin is at p = r - l (cos, sin): p' = v + l w (sin, -cos), p'' = 0
    J = np.zeros((2, 6))
    J[0, 0], J[0, 5], J[1, 1], J[1, 5] = 1.0, l * np.sin(a), 1.0, -l * np.cos(a)
    gamma = -l * w * w * np.array([np.cos(a), np.sin(a)])
    weight = [m * G, 0, 0, 0, 0, 0]
    second, lam = equations.accelerations(q, rate, weight, J, gamma)
    alone = GeneralisedEquations(
        system, lambda q: [l * np.cos(q[0]), l * np.sin(q[0]), 0.0, q[0]], 1
    )
    (swing,), _ = alone.accelerations([a], [w], weight)
    assert swing == pytest.approx(-m * G * l * np.sin(a) / (m * l * l + 0.1), rel=1e-13)
    assert second[2] == pytest.approx(swing, rel=1e-12)
    tension = -(lam @ [np.cos(a), np.sin(a)])
    assert tension == pytest.approx(m * (l * w * w + G * np.cos(a)), rel=1e-12)


def test_a_symmetric_top_keeps_its_two_momenta_and_its_energy() -> None:
    """Euler's angles ZXZ of a heavy top: phi and psi are cyclic (Goldstein's third chapter)."""
    A, C, mgl = 0.4, 0.15, 1.2
    body = BodyEquations(
        BodyCoordinates(EulerAngles("ZXZ")), Inertia(0.0, np.zeros(3), np.diag([A, A, C]))
    )
    top = GeneralisedEquations(
        SystemEquations((body,)), lambda q: [0.0 * q[0], 0.0 * q[0], 0.0 * q[0], *q], 3
    )

    def pull(q):  # the torque of the weight, in the body's axes
        _, theta, psi = q
        return np.array([0, 0, 0, *mgl * np.sin(theta) * np.array([np.cos(psi), -np.sin(psi), 0])])

    def rates(x):
        return np.concatenate([x[3:], top.accelerations(x[:3], x[3:], pull(x[:3]))[0]])

    x, h = np.array([0.0, 0.6, 0.0, 0.5, 0.0, 20.0]), 1e-3
    momenta, energies = [], []
    for _ in range(300):
        p = top.mass_matrix(x[:3]) @ x[3:]
        momenta.append(p[[0, 2]])
        energies.append(top.kinetic_energy(x[:3], x[3:]) + mgl * np.cos(x[1]))
        k1 = rates(x)
        k2 = rates(x + h / 2 * k1)
        k3 = rates(x + h / 2 * k2)
        k4 = rates(x + h * k3)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    assert np.ptp(momenta, axis=0).max() < 1e-8  # the error of Runge-Kutta with this step
    assert np.ptp(energies) < 1e-7
    assert abs(x[1] - 0.6) > 1e-2  # it nutates


def test_repeated_constraints_and_wrong_counts_are_refused() -> None:
    system = pendulum(Inertia(1.0, np.zeros(3), np.eye(3)), 1)
    J = np.array([[1.0, 0, 0, 0, 0, 0], [2.0, 0, 0, 0, 0, 0]])
    with pytest.raises(SingularCoordinates, match="repeat each other"):
        system.accelerations(np.zeros(4), np.zeros(4), np.zeros(6), J, np.zeros(2))
    with pytest.raises(BadNumber, match="4 coordinates"):
        system.mass_matrix(np.zeros(5))
