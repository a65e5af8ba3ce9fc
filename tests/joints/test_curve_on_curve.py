"""Two curves that touch in the plane: closed forms of circles, ovals and lines."""

import math

import numpy as np
import pytest

import kempe
from kempe import Builder
from kempe.errors import BadConnection
from kempe.forces import CurveOnCam, RollerOnCam
from kempe.geometry import Inertia, Marker
from kempe.geometry.curves import Circle, Ellipse, Line, Segment
from kempe.geometry.surfaces import SphereSurface
from kempe.joints import CurveOnCurve, CurveOnSurface, PointOnCurve, RollingOnCurve

CLOSE = 1e-9
ASIDE, CAM, ROLLER = 0.3, 1.0, 0.25


def round_cam(**rest):
    """A round cam about a shaft beside its middle, and a round follower that goes up and down."""
    m = Builder("round cam", plane=True, **rest)
    cam = m.body("cam", inertia=Inertia(1.0, (0, 0, 0), np.eye(3)))
    top = (0.0, math.sqrt((CAM + ROLLER) ** 2 - ASIDE**2))
    follower = m.body(
        "follower", points={"P": (0, 0)}, at=top, inertia=Inertia(2.0, (0, 0, 0), np.eye(3))
    )
    shaft = m.revolute(m.ground.at(0, 0), cam.at(0, 0), name="shaft")
    m.prismatic(m.ground.at(0, 0), follower.P, along=(0, 1), name="guide")
    edge, roller = Circle((ASIDE, 0.0), CAM), Circle((0.0, 0.0), ROLLER)
    m.add(CurveOnCurve(cam.at(0, 0), follower.P, curve=edge, other=roller), "touch")
    return m, shaft


def height(angle):
    """Of the follower: its middle is CAM + ROLLER from the cam's."""
    return ASIDE * np.sin(angle) + np.sqrt((CAM + ROLLER) ** 2 - (ASIDE * np.cos(angle)) ** 2)


def test_a_round_cam_lifts_a_round_follower_as_a_rod_between_their_middles_would():
    m, shaft = round_cam()
    m.drive(shaft.angle, speed=1.0)
    turn = m.build().kinematics(until=7.0)
    np.testing.assert_allclose(
        turn["follower.P"].position[:, 1], height(turn["shaft.angle"].values), atol=CLOSE
    )


def test_all_motions_of_a_round_cam_are_those_of_circles_that_touch_on_either_side():
    m, _ = round_cam()
    mechanism = m.build()
    found = mechanism.motions()
    # outside above and below, and the follower inside the cam above and below
    assert str(found) == "round cam: 4 loops - complete."
    lengths = set()
    for component in found.components:
        turn = mechanism.follow(component, 0.1)
        angle, y = turn["shaft.angle"].values, turn["follower.P"].position[:, 1]
        middle = ASIDE * np.column_stack([np.cos(angle), np.sin(angle)])
        away = np.hypot(middle[:, 0], y - middle[:, 1])
        np.testing.assert_allclose(away, away[0], atol=CLOSE)
        lengths.add(round(float(away[0]), 9))
    assert lengths == {CAM + ROLLER, CAM - ROLLER}
    assert found.verify().holds


def test_a_round_cam_moves_under_gravity_as_its_energy_says_and_presses_along_the_normal():
    m, _ = round_cam(gravity=(0, -9.81))
    mechanism = m.build()
    run = mechanism.simulate(until=1.0)
    angle, rate = run["shaft.angle"].values, run["shaft.angle"].rate
    np.testing.assert_allclose(run["follower.P"].position[:, 1], height(angle), atol=1e-8)
    root = np.sqrt((CAM + ROLLER) ** 2 - (ASIDE * np.cos(angle)) ** 2)
    lift = ASIDE * np.cos(angle) + ASIDE**2 * np.cos(angle) * np.sin(angle) / root
    energy = 0.5 * (1.0 + 2.0 * lift**2) * rate**2 + 2.0 * 9.81 * height(angle)
    np.testing.assert_allclose(energy, energy[0], rtol=1e-6)


@pytest.mark.parametrize("turn", [0.3, 1.2, 2.5])
def test_an_oval_stands_on_a_line_as_high_as_its_support_function(turn):
    m = Builder("oval", plane=True)
    oval = m.body("oval", at=(0.0, 1.0), angle=0.0)
    m.prismatic(m.ground.at(0, 0), oval.at(0, 0), along=(0, 1), name="guide")
    c, s = math.cos(turn), math.sin(turn)
    floor = Line((0.0, 0.0), (1.0, 0.0))
    edge = Ellipse((0, 0), (0.8 * c, 0.8 * s), (-0.5 * s, 0.5 * c))
    m.add(CurveOnCurve(m.ground.at(0, 0), oval.at(0, 0), curve=floor, other=edge), "floor")
    tall = math.hypot(0.8 * math.sin(turn), 0.5 * math.cos(turn))
    assert float(m.build().assemble()["oval"][1]) == pytest.approx(tall, abs=CLOSE)


@pytest.mark.parametrize(
    "put",
    [
        lambda I, J, ball: PointOnCurve(I, J, curve=ball),
        lambda I, J, ball: RollingOnCurve(I, J, curve=ball, radius=0.1),
        lambda I, J, ball: CurveOnSurface(I, J, surface=ball, other=ball),
        lambda I, J, ball: RollerOnCam(I, J, ball, radius=0.1, stiffness=1e3),
        lambda I, J, ball: CurveOnCam(I, J, Circle((0, 0), 0.1), ball, stiffness=1e3),
        lambda I, J, ball: kempe.Builder("m", plane=True).point("P", on="circle"),
    ],
)
def test_what_is_no_curve_is_named_where_it_is_given(put):
    with pytest.raises(BadConnection, match=r"needs a curve such as Circle"):
        put(Marker("a"), Marker("b"), SphereSurface((0, 0, 0), 1.0))


def test_what_is_no_curve_and_what_touches_all_along_is_refused():
    ends = Marker("a"), Marker("b")
    round_ = Circle((0, 0), 1.0)
    with pytest.raises(BadConnection, match="needs a curve"):
        CurveOnCurve(*ends, curve=round_, other=SphereSurface((0, 0, 0), 1.0))
    with pytest.raises(BadConnection, match="touch all along"):
        CurveOnCurve(*ends, curve=Segment((0, 0), (1, 0)), other=Line((0, 0), (1, 0)))
