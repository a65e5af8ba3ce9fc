"""Equations of motion in any specific coordinates are those in twists."""

import numpy as np
import pytest

from kempe.errors import BadNumber, SingularCoordinates
from kempe.geometry import Inertia
from kempe.geometry.rotations import SEQUENCES, uniform
from kempe.geometry.specific import (
    AbstractOrientator,
    AbstractTranslator,
    AxisAndAngle,
    BodyCoordinates,
    BodyEquations,
    Cartesian,
    Cylindrical,
    DirectionCosines,
    EulerAngles,
    EulerParameters,
    ExponentialCoordinates,
    OrientationCoordinates,
    RodriguesParameters,
    Spherical,
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
