"""The joints of the ASMT file format are kempe's joints of the same names.

Source: the equations of [OndselSolver]'s joints, in terms of d_I = A_I^T (r_J - r_I) and
C = A_I^T A_J. They are written out here as the format has them, entry by entry; kempe's rows are
others that vanish in the same places. Poses that satisfy one set are found at random, and there the
other set vanishes too, and both leave the same motions free.
"""

import math

import numpy as np
import pytest

from kempe import joints
from kempe.couplers import GearPair, RackAndPinion
from kempe.geometry import Marker, X, Z
from kempe.measures import Back, Bearing, Displacement, Gauge, Turn
from tests.joints.joint_rows import rows_of

#: Rows of numbers of size 1, at a pose found to 1e-15 by Newton's iteration.
VANISHES = 1e-12
#: Derivatives by central differences of step 1e-6.
DIFFERENCE = 1e-8
TRIALS = 20
ENDS = (Marker("a"), Marker("b"))
OFFSET, LENGTH, ANGLE, PITCH = 0.23, 0.61, 0.83, 0.37

# joint -> the format's equations, zero where the joint holds
EQUATIONS = {
    "FixedJoint": (joints.Fixed(*ENDS), lambda d, C: [*d, C[1, 0], C[2, 0], C[2, 1]]),
    "RevoluteJoint": (joints.Revolute(*ENDS), lambda d, C: [*d, C[2, 0], C[2, 1]]),
    "SphericalJoint": (joints.Spherical(*ENDS), lambda d, C: [*d]),
    "UniversalJoint": (joints.Universal(*ENDS), lambda d, C: [*d, C[2, 2]]),
    "ConstantVelocityJoint": (
        joints.ConstantVelocity(*ENDS),
        lambda d, C: [*d, C[0, 1] + C[1, 0]],
    ),
    "CylindricalJoint": (joints.Cylindrical(*ENDS), lambda d, C: [d[0], d[1], C[2, 0], C[2, 1]]),
    "TranslationalJoint": (
        joints.Prismatic(*ENDS),
        lambda d, C: [d[0], d[1], C[1, 0], C[2, 0], C[2, 1]],
    ),
    "PointInLineJoint": (joints.PointOnLine(*ENDS), lambda d, C: [d[0], d[1]]),
    "PointInPlaneJoint": (joints.PointInPlane(*ENDS, offset=OFFSET), lambda d, C: [d[2] - OFFSET]),
    "LineInPlaneJoint": (
        joints.LineInPlane(*ENDS, offset=OFFSET),
        lambda d, C: [d[2] - OFFSET, C[2, 2]],
    ),
    "PlanarJoint": (
        joints.Planar(*ENDS, offset=OFFSET),
        lambda d, C: [d[2] - OFFSET, C[2, 0], C[2, 1]],
    ),
    "NoRotationJoint": (joints.NoRotation(*ENDS), lambda d, C: [C[1, 0], C[2, 0], C[2, 1]]),
    "ParallelAxesJoint": (joints.ParallelAxes(*ENDS), lambda d, C: [C[2, 0], C[2, 1]]),
    "PerpendicularJoint": (joints.PerpendicularAxes(*ENDS), lambda d, C: [C[2, 2]]),
    "AngleJoint": (joints.Angle(*ENDS, angle=ANGLE), lambda d, C: [C[2, 2] - math.cos(ANGLE)]),
    "SphSphJoint": (
        joints.Rod(*ENDS, length=LENGTH),
        lambda d, C: [math.sqrt(d @ d) - LENGTH],
    ),
    "CylSphJoint": (
        joints.CylSph(*ENDS, length=LENGTH),
        lambda d, C: [d[0] ** 2 + d[1] ** 2 - LENGTH**2],
    ),
    "RevCylJoint": (
        joints.RevCyl(*ENDS, length=LENGTH),
        lambda d, C: [d[0] ** 2 + d[1] ** 2 - LENGTH**2, C[2, 0], C[2, 1]],
    ),
    "RevRevJoint": (
        joints.RevRev(*ENDS, length=LENGTH),
        lambda d, C: [d[0] ** 2 + d[1] ** 2 - LENGTH**2, C[2, 0], C[2, 1], d[2]],
    ),
    "ScrewJoint": (
        joints.Screw(*ENDS, lead=PITCH, start=0.0),
        lambda d, C: [
            *(d[0], d[1], C[2, 0], C[2, 1]),
            math.tau * d[2] - PITCH * math.atan2(C[1, 0], C[0, 0]),
        ],
    ),
}


def format_rows(equations):
    """The format's equations as a formula of two poses."""

    def rows(X_WI, X_WJ):
        A_I, A_J = X_WI.rotation.matrix(), X_WJ.rotation.matrix()
        d = np.array(X_WJ.position, dtype=float) - np.array(X_WI.position, dtype=float)
        return np.array(equations(A_I.T @ d, A_I.T @ A_J), dtype=float)

    return rows


def kempe_rows(joint):
    """The joint's own rows, as an array."""
    rows = rows_of(joint)
    return lambda X_WI, X_WJ: np.array(rows(X_WI, X_WJ), dtype=float)


@pytest.fixture
def solved(rng, anywhere, moved, sensitivity):
    """Poses that satisfy some rows, found from a good way off a joint's home by Newton."""

    def found(rows, joint):
        X_WI = anywhere()
        X_WJ = moved(X_WI @ joint.home, rng.uniform(-0.6, 0.6, 6))
        for _ in range(30):
            residual = rows(X_WI, X_WJ)
            if np.abs(residual).max() < 1e-15:
                break
            J = sensitivity(rows, X_WI, X_WJ)
            X_WJ = moved(X_WJ, -np.linalg.pinv(J, rcond=1e-6) @ residual)
        assert np.abs(rows(X_WI, X_WJ)).max() < 1e-13
        return X_WI, X_WJ

    return found


def row_space(J):
    """The projector on the rows of J."""
    return np.linalg.pinv(J) @ J


@pytest.mark.parametrize("kind", EQUATIONS)
def test_where_the_format_s_equations_hold_the_joint_holds_and_moves_alike(
    kind, solved, sensitivity
):
    joint, equations = EQUATIONS[kind]
    theirs, ours = format_rows(equations), kempe_rows(joint)
    for _ in range(TRIALS):
        X_WI, X_WJ = solved(theirs, joint)
        assert np.abs(ours(X_WI, X_WJ)).max() < VANISHES
        J_theirs, J_ours = (sensitivity(rows, X_WI, X_WJ) for rows in (theirs, ours))
        assert len(J_ours) == len(J_theirs)
        np.testing.assert_allclose(
            row_space(J_ours), row_space(J_theirs), rtol=0, atol=DIFFERENCE / _weakest(J_theirs)
        )


@pytest.mark.parametrize("kind", EQUATIONS)
def test_where_the_joint_holds_the_format_s_equations_hold(kind, solved):
    joint, equations = EQUATIONS[kind]
    for _ in range(TRIALS):
        poses = solved(kempe_rows(joint), joint)
        assert np.abs(format_rows(equations)(*poses)).max() < VANISHES


@pytest.mark.parametrize("kind", EQUATIONS)
def test_anywhere_else_neither_holds(kind, anywhere):
    joint, equations = EQUATIONS[kind]
    for _ in range(TRIALS):
        poses = anywhere(), anywhere()
        for rows in (format_rows(equations), kempe_rows(joint)):
            assert np.abs(rows(*poses)).max() > 1e-6  # by chance: one pose in a million


def _weakest(J):
    return float(np.linalg.svd(J, compute_uv=False)[-1])


# -- couplers: the format's constant is what its input has ------------------------------------


def test_a_gear_joint_is_a_pair_by_its_wheels_bearings(anywhere):
    """orbit(J -> I) + (r_I / r_J) orbit(I -> J) = const."""
    r_I, r_J = 0.3, 0.5
    pair = GearPair.meshing(*ENDS, teeth=(r_I, r_J))
    for _ in range(TRIALS):
        X_WI, X_WJ = anywhere(), anywhere()
        orbits = []
        for here, there in ((X_WJ, X_WI), (X_WI, X_WJ)):
            d = here.rotation.matrix().T @ np.array(there.position - here.position, dtype=float)
            orbits.append(math.atan2(d[1], d[0]))
        expected = orbits[0] + r_I / r_J * orbits[1]
        readings = [g.measure.number(X_WI, X_WJ) for g in pair.gauges]
        assert pair.settled(readings).constant == pytest.approx(expected, abs=VANISHES)
        assert pair.settled(readings).phi(readings) == pytest.approx(0.0, abs=VANISHES)


def test_a_gear_joint_s_gauges_are_the_two_bearings():
    measures = [gauge.measure for gauge in GearPair.meshing(*ENDS, teeth=(1, 2)).gauges]
    assert measures == [Back(Bearing()), Bearing()]


def test_a_rack_pinion_joint_is_a_rack_read_from_the_rack(anywhere):
    """d_I.x + pitchRadius theta_z = const, I on the rack and J on the pinion."""
    radius = 0.4
    gauges = (
        Gauge("s", Displacement(X), *ENDS),
        Gauge("a", Turn(Z), *ENDS),
    )
    rack = RackAndPinion(gauges, radius=-radius)
    for _ in range(TRIALS):
        X_WI, X_WJ = anywhere(), anywhere()
        A_I, A_J = X_WI.rotation.matrix(), X_WJ.rotation.matrix()
        d = A_I.T @ np.array(X_WJ.position - X_WI.position, dtype=float)
        C = A_I.T @ A_J
        expected = d[0] + radius * math.atan2(C[1, 0], C[0, 0])
        readings = [g.measure.number(X_WI, X_WJ) for g in gauges]
        assert rack.settled(readings).constant == pytest.approx(expected, abs=VANISHES)


def test_a_screw_s_constant_is_what_its_markers_have(anywhere):
    """2 pi d_I.z - pitch theta_z = const."""
    (held,) = joints.Screw(*ENDS, lead=PITCH).held
    for _ in range(TRIALS):
        X_WI, X_WJ = anywhere(), anywhere()
        A_I, A_J = X_WI.rotation.matrix(), X_WJ.rotation.matrix()
        d = A_I.T @ np.array(X_WJ.position - X_WI.position, dtype=float)
        C = A_I.T @ A_J
        constant = math.tau * d[2] - PITCH * math.atan2(C[1, 0], C[0, 0])
        settled = held.settled(X_WI, X_WJ)
        assert math.tau * settled.value == pytest.approx(constant, abs=VANISHES)
