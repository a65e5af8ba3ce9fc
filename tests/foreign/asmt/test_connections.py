"""Joints of ASMT files against the equations of the format, written here once more in NumPy.

d = r_J - r_I, e = A_I^T d, C = A_I^T A_J. A place where all equations of a kind hold is found by
SciPy; there the rows of kempe's joint must vanish, and leave as many freedoms.
"""

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation as Turn

from kempe.foreign.asmt.reading import read_asmt
from kempe.front import Mechanism
from kempe.geometry import Pose, Rotation, Vector

# kind: (equations of e, d and C, further fields, how many are independent)
KINDS = {
    "FixedJoint": (lambda e, C: [*e, C[1, 0], C[2, 0], C[2, 1]], {}),
    "RevoluteJoint": (lambda e, C: [*e, C[2, 0], C[2, 1]], {}),
    "SphericalJoint": (lambda e, C: [*e], {}),
    "UniversalJoint": (lambda e, C: [*e, C[2, 2]], {}),
    "ConstantVelocityJoint": (lambda e, C: [*e, C[0, 1] + C[1, 0]], {}),
    "CylindricalJoint": (lambda e, C: [*e[:2], C[2, 0], C[2, 1]], {}),
    "TranslationalJoint": (lambda e, C: [*e[:2], C[1, 0], C[2, 0], C[2, 1]], {}),
    "PointInLineJoint": (lambda e, C: [*e[:2]], {}),
    "PointInPlaneJoint": (lambda e, C: [e[2] - 0.3], {"offset": 0.3}),
    "LineInPlaneJoint": (lambda e, C: [e[2] - 0.3, C[2, 2]], {"offset": 0.3}),
    "PlanarJoint": (lambda e, C: [e[2] - 0.3, C[2, 0], C[2, 1]], {"offset": 0.3}),
    "NoRotationJoint": (lambda e, C: [C[1, 0], C[2, 0], C[2, 1]], {}),
    "ParallelAxesJoint": (lambda e, C: [C[2, 0], C[2, 1]], {}),
    "PerpendicularJoint": (lambda e, C: [C[2, 2]], {}),
    "AngleJoint": (lambda e, C: [C[2, 2] - np.cos(1.1)], {"theIzJz": 1.1}),
    "SphSphJoint": (lambda e, C: [np.linalg.norm(e) - 0.7], {"distanceIJ": 0.7}),
    "CylSphJoint": (lambda e, C: [np.hypot(*e[:2]) - 0.7], {"distanceIJ": 0.7}),
    "RevCylJoint": (lambda e, C: [np.hypot(*e[:2]) - 0.7, C[2, 0], C[2, 1]], {"distanceIJ": 0.7}),
    "RevRevJoint": (
        lambda e, C: [np.hypot(*e[:2]) - 0.7, e[2], C[2, 0], C[2, 1]],
        {"distanceIJ": 0.7},
    ),
}
CLOSED = 1e-10  # rows where SciPy has put the equations below 1e-13


def frames(x):
    """Poses of I and J from 12 numbers."""
    return [(x[k : k + 3], Turn.from_rotvec(x[k + 3 : k + 6]).as_matrix()) for k in (0, 6)]


def residual(equations, x):
    (r_I, A_I), (r_J, A_J) = frames(x)
    return np.array(equations(A_I.T @ (r_J - r_I), A_I.T @ A_J))


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_a_joint_holds_where_the_equations_of_the_format_do(kind, seed, asmt, part):
    equations, fields = KINDS[kind]
    rng = np.random.default_rng(seed)
    found = least_squares(
        lambda x: residual(equations, x), rng.normal(size=12), xtol=1e-15, ftol=1e-15, gtol=1e-15
    )
    assert np.abs(found.fun).max() < 1e-13
    at_I, at_J = frames(found.x)
    joint = {"kind": kind, "Name": "j", "MarkerI": "/A/one/m", "MarkerJ": "/A/two/m", **fields}
    here = {"m": ((0.0, 0.0, 0.0), np.eye(3))}
    text = asmt({"one": part(here, at_I), "two": part(here, at_J)}, joints=[joint])
    model = read_asmt(text, "a.asmt").model
    made = model.joint("j")
    X = [pose(at) @ marker.pose for at, marker in zip((at_I, at_J), (made.I, made.J), strict=True)]
    assert np.abs(np.array(made.phi(*X), float)).max(initial=0.0) < CLOSED
    assert all(float(side.value(*X)) > 0.0 for side in made.sides), "the mirrored assembly"
    assert Mechanism(model).check().mobility == 12 - len(found.fun)


def pose(at):
    return Pose(Vector(*at[0]), Rotation.from_matrix(at[1]))


def hinge(I, J, name):
    return {"kind": "RevoluteJoint", "Name": name, "MarkerI": I, "MarkerJ": J}


def turning(joint, text):
    return {"kind": "RotationalMotion", "Name": "motor", "MotionJoint": joint, "RotationZ": text}


def at(x=0.0, y=0.0, z=0.0):
    return ((x, y, z), np.eye(3))


@pytest.mark.parametrize(("radii", "ratio"), [((1.0, 2.0), -0.5), ((-3.0, 1.0), 3.0)])
def test_gears_turn_by_the_ratio_of_their_radii(asmt, part, radii, ratio):
    far = abs(sum(radii))
    mesh = {"kind": "GearJoint", "Name": "mesh", "MarkerI": "/A/a/m", "MarkerJ": "/A/b/m"}
    text = asmt(
        {"a": part({"m": at()}), "b": part({"m": at()}, at(far))},
        {"o": at(), "p": at(far)},
        joints=[
            hinge("/A/o", "/A/a/m", "first"),
            hinge("/A/p", "/A/b/m", "second"),
            {**mesh, "radiusI": radii[0], "radiusJ": radii[1]},
        ],
        motions=[turning("/A/first", "3*time")],
    )
    turn = Mechanism(read_asmt(text, "a.asmt").model).kinematics(until=2.0, steps=40)
    np.testing.assert_allclose(turn["second.angle"].values, ratio * 3.0 * turn.t, atol=1e-11)


def test_a_rack_and_a_screw_are_one_row_each(asmt, part):
    """The pinion turns by a, the rack goes by -r a along x, the screw turns by 2 pi x / pitch."""
    along = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])  # z along x
    rod = ((0.0, 0.0, 0.0), along)
    rack = {"kind": "RackPinionJoint", "Name": "rack", "MarkerI": "/A/bar/m", "pitchRadius": 0.25}
    screw = {"kind": "ScrewJoint", "Name": "screw", "MarkerI": "/A/bar/rod", "pitch": 0.5}
    text = asmt(
        {
            "pinion": part({"m": at()}),
            "bar": part({"m": at(), "rod": rod}),
            "spindle": part({"m": rod}),
        },
        {"o": at(), "slide": rod},
        joints=[
            hinge("/A/o", "/A/pinion/m", "pin"),
            {**rack, "MarkerJ": "/A/pinion/m"},
            {
                "kind": "TranslationalJoint",
                "Name": "guide",
                "MarkerI": "/A/slide",
                "MarkerJ": "/A/bar/rod",
            },
            {**screw, "MarkerJ": "/A/spindle/m"},
            hinge("/A/slide", "/A/spindle/m", "bearing"),
        ],
        motions=[turning("/A/pin", "2*time")],
    )
    turn = Mechanism(read_asmt(text, "a.asmt").model).kinematics(until=3.0, steps=60)
    a = 2.0 * turn.t
    # d . x_I + r a = const, where d goes from the rack to the pinion
    np.testing.assert_allclose(turn["bar.x"].values, 0.25 * a, atol=1e-12)
    # 2 pi d . z_I - pitch b = const, where d goes from the rack to the spindle
    np.testing.assert_allclose(turn["bearing.angle"].values, -np.pi * a, atol=1e-10)


def test_what_is_no_known_joint_is_left_out_and_said(asmt, part):
    odd = {"kind": "MagicJoint", "Name": "spell", "MarkerI": "/A/bar/m", "MarkerJ": "/A/o"}
    found = read_asmt(asmt({"bar": part({"m": at()})}, {"o": at()}, joints=[odd]), "a.asmt")
    assert not found.model.joints
    (item,) = found.report.left_out
    assert item.what == "MagicJoint 'spell'"
    assert (
        asmt({"bar": part({"m": at()})}, {"o": at()}, joints=[odd])
        .decode()
        .split("\n")[item.line - 1]
        .strip()
        == "MagicJoint"
    )
