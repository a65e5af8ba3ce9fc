"""Forces of ASMT files against closed forms and SciPy."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from kempe.forces import Control, LineSpring
from kempe.foreign.asmt.reading import read_asmt
from kempe.front import Mechanism

HERE = ((0.0, 0.0, 0.0), np.eye(3))
MASS = 2.0


def pulled(asmt, part, tension, twist="0"):
    """A box on a rail along z, 1.5 m from the marker o that pulls it."""
    force = {"kind": "InLineForceTorque", "Name": "pull", "MarkerI": "/A/o", "MarkerJ": "/A/box/m"}
    rail = {"kind": "TranslationalJoint", "Name": "rail", "MarkerI": "/A/o", "MarkerJ": "/A/box/m"}
    return read_asmt(
        asmt(
            {"box": part({"m": HERE}, at=((0.0, 0.0, 1.5), np.eye(3)), mass=MASS)},
            {"o": HERE},
            joints=[rail],
            forces=[{**force, "tension": tension, "twist": twist}],
        ),
        "a.asmt",
    )


def test_a_linear_tension_is_a_spring_with_its_preload(asmt, part):
    model = pulled(asmt, part, "(3.0d + 8.0d*(rIJ(self) + (-1.0d)) + 0.0d*vrIJ(self))").model
    (spring,) = model.forces
    assert isinstance(spring, LineSpring)
    motion = Mechanism(model).simulate(until=1.0, steps=20)  # before they meet
    rest, w = 1.0 - 3.0 / 8.0, np.sqrt(8.0 / MASS)  # 3 + 8 (r - 1) = 0
    found = motion["rail.displacement"].values
    np.testing.assert_allclose(found, rest + (1.5 - rest) * np.cos(w * motion.t), atol=1e-6)


@pytest.mark.parametrize(
    ("text", "tension"),
    [
        ("2*rIJ(self)^3 + 0.5*vrIJ(self)", lambda t, r, v: 2 * r**3 + 0.5 * v),
        ("rIJ(self)*vrIJ(self) + 4*rIJ(self)", lambda t, r, v: r * v + 4 * r),
        ("3*sin(2*time)", lambda t, r, v: 3 * np.sin(2 * t)),
    ],
)
def test_any_other_tension_pulls_by_its_formula(asmt, part, text, tension):
    model = pulled(asmt, part, text).model
    assert isinstance(model.forces[0], Control)
    motion = Mechanism(model).simulate(until=0.8, steps=20)
    wanted = solve_ivp(
        lambda t, y: [y[1], -tension(t, *y) / MASS],
        (0.0, 0.8),
        [1.5, 0.0],
        t_eval=motion.t,
        rtol=1e-10,
        atol=1e-12,
    )
    np.testing.assert_allclose(motion["rail.displacement"].values, wanted.y[0], atol=1e-6)


def test_a_twist_is_left_out_and_said(asmt, part):
    found = pulled(asmt, part, "1", twist="2*time")
    assert [item.what for item in found.report.left_out] == ["twist of 'pull'"]
    assert not pulled(asmt, part, "1", twist="0.0d").report.left_out


def test_a_force_of_another_kind_is_left_out_and_said(asmt, part):
    odd = {"kind": "GeneralForceTorque", "Name": "wind"}
    found = read_asmt(asmt({"box": part({"m": HERE})}, forces=[odd]), "a.asmt")
    assert [item.what for item in found.report.left_out] == ["GeneralForceTorque 'wind'"]
