"""Edges of the graph of frames by specific coordinates: the same states as by other routes."""

import numpy as np
import pytest

import kempe as kp
from kempe.errors import BadNumber, EdgeFailed
from kempe.frames import ByFormula, BySpecific, FrameGraph
from kempe.geometry.specific import (
    BodyCoordinates,
    Cylindrical,
    EulerAngles,
    EulerParameters,
    OrientationCoordinates,
)

ROUNDING = 1e-13  # a few dozen operations on numbers of size 1 to 10
T = np.linspace(0.0, 1.5, 7)


def state(motion, t=T):
    graph = FrameGraph("world")
    graph.add("body", "world", motion)
    return graph.state("body", "world", t=t)


@pytest.mark.row("D10")
def test_an_edge_by_euler_angles_and_cylinder_coordinates_is_the_formula_it_stands_for():
    def place(t):
        r, phi, z = 1.0 + 0.2 * t, 0.7 * t, 0.1 * t * t
        return r * kp.cos(phi), r * kp.sin(phi), z

    def turned(t):
        a, b = 0.3 + t, 0.5 * kp.sin(t)
        c, s, cb, sb = kp.cos(a), kp.sin(a), kp.cos(b), kp.sin(b)
        # Rz(a) Rx(b)
        return kp.Rotation(
            kp.Vector(c, s, 0.0), kp.Vector(-s * cb, c * cb, sb), kp.Vector(s * sb, -c * sb, cb)
        )

    wanted = state(ByFormula(lambda t: kp.Pose(kp.Vector(*place(t)), turned(t))))
    body = BodyCoordinates(EulerAngles("ZXZ"), Cylindrical())
    law = BySpecific(
        body,
        lambda t: (1.0 + 0.2 * t, 0.7 * t, 0.1 * t * t, 0.3 + t, 0.5 * kp.sin(t), 0.0),
    )
    found = state(law)
    for a, b in zip(wanted.parts, found.parts, strict=True):
        np.testing.assert_allclose(a, b, atol=ROUNDING)


@pytest.mark.row("D10")
def test_rates_of_euler_parameters_turn_a_frame_twice_as_fast():
    s = state(BySpecific(EulerParameters(), (1, 0, 0, 0), (0, 0, 0, 5)), t=0.0)
    assert s.angular_velocity.tolist() == [0.0, 0.0, 10.0]
    assert s.position.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.row("D10")
@pytest.mark.parametrize("axes", ["body", "reference"])
def test_the_four_by_four_matrices_of_euler_parameters_hold_g_and_turn_vectors(axes):
    e, rate = np.random.default_rng(7).normal(size=(2, 5, 4))
    e /= np.linalg.norm(e, axis=1)[:, None]
    rate -= np.sum(e * rate, axis=1)[:, None] * e
    parameters, turning = EulerParameters(), OrientationCoordinates(EulerParameters())
    B = parameters.B(e, axes=axes)
    np.testing.assert_allclose(B @ B.swapaxes(1, 2), np.tile(np.eye(4), (5, 1, 1)), atol=ROUNDING)
    np.testing.assert_allclose(2.0 * B[:, 1:], turning.G(e, axes=axes), atol=ROUNDING)
    w = turning.angular_velocity(e, rate, axes=axes)
    np.testing.assert_allclose(
        np.einsum("nij,nj->ni", 2.0 * B, rate), np.c_[np.zeros(5), w], atol=ROUNDING
    )
    both = parameters.B(e, axes="reference") @ parameters.B(e, axes="body").swapaxes(1, 2)
    np.testing.assert_allclose(both[:, 1:, 1:], turning.orientation(e), atol=ROUNDING)
    np.testing.assert_allclose(both[:, 0], np.tile([1.0, 0, 0, 0], (5, 1)), atol=ROUNDING)


@pytest.mark.parametrize(
    ("make", "kind", "said"),
    [
        (lambda: BySpecific("ZXZ", (0, 0, 0)), BadNumber, "EulerAngles"),
        (lambda: BySpecific(EulerAngles("ZXZ"), (0, 0)), BadNumber, "3 finite numbers"),
        (lambda: BySpecific(EulerAngles("ZXZ"), (0, 0, np.nan)), BadNumber, "3 finite numbers"),
        (lambda: BySpecific(EulerAngles("ZXZ"), lambda t: (t, t)), EdgeFailed, "it gave 2"),
        (
            lambda: BySpecific(EulerAngles("ZXZ"), lambda t: (t, t, t), (1, 1, 1)),
            BadNumber,
            "no ra",
        ),
        (lambda: BySpecific(EulerAngles("ZXZ"), lambda t: 1 / 0), EdgeFailed, "ZeroDivision"),
    ],
)
def test_what_is_no_set_of_coordinates_is_refused(make, kind, said):
    with pytest.raises(kind, match=said):
        make()
