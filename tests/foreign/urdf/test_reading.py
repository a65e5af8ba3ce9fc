"""URDF files as mechanisms, against forward kinematics in NumPy and closed forms."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation as Turn

import kempe
from kempe.errors import FileError
from kempe.foreign.urdf.reading import read_urdf_model
from kempe.front import Mechanism

ROOT = Path(__file__).resolve().parents[3]
G = 9.81


def robot(*parts):
    return ("<robot name='r'>\n" + "\n".join(parts) + "\n</robot>").encode()


def link(name, inside=""):
    return f"<link name='{name}'>{inside}</link>"


def joint(name, kind, parent, child, inside=""):
    ends = f"<parent link='{parent}'/><child link='{child}'/>"
    return f"<joint name='{name}' type='{kind}'>{ends}{inside}</joint>"


FIRST = "<origin xyz='1 2 3' rpy='0.1 0.2 0.3'/>"
MASS = (
    "<inertial><origin xyz='0.1 0.2 -0.1' rpy='0.3 0.1 -0.4'/><mass value='2'/>"
    "<inertia ixx='0.02' iyy='0.03' izz='0.04' ixy='0.001'/></inertial>"
)


def moved(xyz, rpy, axis=None, angle=0.0, slide=0.0):
    """Homogeneous matrix of an origin and of what its joint does."""
    X = np.eye(4)
    X[:3, :3] = Turn.from_euler("xyz", rpy).as_matrix()
    X[:3, 3] = xyz
    if axis is None:
        return X
    unit, after = np.array(axis) / np.linalg.norm(axis), np.eye(4)
    after[:3, :3] = Turn.from_rotvec(angle * unit).as_matrix()
    after[:3, 3] = slide * unit
    return X @ after


def test_an_arm_stands_where_its_joints_put_it():
    text = robot(
        link("base"),
        link("one"),
        link("two"),
        joint("turn", "revolute", "base", "one", f"{FIRST}<axis xyz='1 1 0'/>"),
        joint(
            "slide",
            "prismatic",
            "one",
            "two",
            "<origin xyz='0 1 0' rpy='-0.5 0 0.7'/><axis xyz='0 0.6 -0.8'/>",
        ),
    )
    arm = Mechanism(read_urdf_model(text, "r.urdf").model)
    put = arm.assemble(values={"turn.angle": 0.9, "slide.displacement": -0.4})
    wanted = moved([1, 2, 3], [0.1, 0.2, 0.3], [1, 1, 0], 0.9) @ moved(
        [0, 1, 0], [-0.5, 0, 0.7], [0, 0.6, -0.8], slide=-0.4
    )
    np.testing.assert_allclose(np.array(put.pose("two").matrix(), float), wanted, atol=1e-10)


def test_an_origin_may_be_turned_by_a_quaternion_with_its_scalar_last():
    origin = "<origin xyz='1 0 0' quat_xyzw='0.2 -0.4 0.6 1.4'/>"
    parts = (link("w"), link("a", MASS), joint("j", "fixed", "w", "a", origin))
    put = Mechanism(read_urdf_model(robot(*parts), "r.urdf").model).assemble()
    wanted = Turn.from_quat([0.2, -0.4, 0.6, 1.4]).as_matrix()
    np.testing.assert_allclose(put.pose("a").rotation.matrix(), wanted, atol=1e-12)


def test_masses_are_those_of_the_rotated_inertial_frame():
    text = robot(link("base"), link("a", MASS), joint("j", "continuous", "base", "a"))
    inertia = read_urdf_model(text, "r.urdf").model.body("a").inertia
    R = Turn.from_euler("xyz", [0.3, 0.1, -0.4]).as_matrix()
    I = np.array([[0.02, 0.001, 0], [0.001, 0.03, 0], [0, 0, 0.04]])
    np.testing.assert_allclose(inertia.tensor, R @ I @ R.T, atol=1e-15)
    np.testing.assert_allclose(inertia.centre, [0.1, 0.2, -0.1])


def test_a_damped_pendulum_swings_as_its_equation_says():
    inertia = "<inertia ixx='0.1' iyy='0.1' izz='0.1'/>"
    bob = f"<inertial><origin xyz='0 0 -0.5'/><mass value='2'/>{inertia}</inertial>"
    hinge = "<origin rpy='1.0 0 0'/><axis xyz='1 0 0'/><dynamics damping='0.3' friction='0.2'/>"
    found = read_urdf_model(
        robot(link("base"), link("bob", bob), joint("j", "continuous", "base", "bob", hinge)), "r"
    )
    assert [item.what for item in found.report.left_out] == ["friction of joint 'j'"]
    swing = Mechanism(found.model).simulate(until=2.0, steps=40)
    J = 0.1 + 2 * 0.25
    wanted = solve_ivp(
        lambda t, y: [y[1], (-2 * G * 0.5 * np.sin(1.0 + y[0]) - 0.3 * y[1]) / J],
        (0, 2),
        [0, 0],
        t_eval=swing.t,
        rtol=1e-10,
        atol=1e-12,
    )
    np.testing.assert_allclose(swing["j.angle"].values, wanted.y[0], atol=1e-6)


def test_a_joint_that_mimics_follows_by_its_share_and_offset():
    follow = "<axis xyz='0 0 1'/><mimic joint='a' multiplier='-2' offset='0.25'/>"
    text = robot(
        link("base"),
        link("x"),
        link("y"),
        joint("a", "continuous", "base", "x", "<axis xyz='0 0 1'/>"),
        joint("b", "prismatic", "base", "y", follow),
    )
    pair = Mechanism(read_urdf_model(text, "r.urdf").model)
    put = pair.assemble(values={"a.angle": 0.7})
    assert put.pose("y").position.z == pytest.approx(-2 * 0.7 + 0.25, abs=1e-12)


def test_limits_are_stops_and_a_start_outside_of_them_is_brought_in():
    limit = "<axis xyz='0 0 1'/><limit lower='0.2' upper='0.9' effort='1' velocity='2'/>"
    found = read_urdf_model(
        robot(link("base"), link("a"), joint("j", "prismatic", "base", "a", limit)), "r.urdf"
    )
    (stop,) = found.model.events
    assert (stop.low, stop.high) == (0.2, 0.9)
    assert float(found.model.body("a").guess.position.z) == pytest.approx(0.2)
    assert len(found.report.left_out) == 2


def test_shapes_are_read_and_a_mesh_from_elsewhere_is_left_out_and_said():
    shapes = "".join(
        f"<collision><geometry>{one}</geometry></collision>"
        for one in (
            "<box size='1 2 3'/>",
            "<sphere radius='0.5'/>",
            "<cylinder radius='0.1' length='2'/>",
            "<mesh filename='../../etc/passwd'/>",
        )
    )
    text = robot(link("base"), link("a", shapes), joint("j", "fixed", "base", "a"))
    found = read_urdf_model(text, "r.urdf")
    assert [s.name for s in found.model.body("a").shapes] == ["box", "sphere", "cylinder"]
    assert [item.what for item in found.report.left_out] == ["<mesh> 'passwd'"]


def test_a_loop_is_closed_by_a_loop_joint():
    mechanism = kempe.load(ROOT / "examples" / "foreign" / "four_bar.urdf")
    report = mechanism.check()
    assert report.mobility == 1
    put = mechanism.assemble(values={"a.angle": 0.5})
    ends = [
        put.pose(body).point(kempe.geometry.Vector(x, 0.0, 0.0))
        for body, x in (("coupler", 0.3), ("rocker", 0.2))
    ]
    assert float((ends[0] - ends[1]).norm) < 1e-9


def hinged(inside, kind="revolute"):
    """Two links and a joint in line 4."""
    return robot(link("a"), link("b"), joint("j", kind, "a", "b", inside))


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (robot(link("a"), link("b")), 1, "one root link, here are 2"),
        (robot(link("a"), link("a")), 3, "two links"),
        (hinged("", "revolut"), 4, "Did you mean 'revolute'"),
        (robot(link("a"), link("b"), joint("j", "fixed", "a", "c")), 4, "no link 'c'"),
        (robot(link("a"), joint("j", "fixed", "a", "a")), 1, "here are 0"),
        (hinged("<axis xyz='0 0 0'/>"), 4, "no length"),
        (hinged("<origin xyz='0 0'/>"), 4, "3 numbers"),
        (hinged("<limit lower='1' upper='0'/>"), 4, "not below"),
        (hinged("<mimic joint='x'/>", "continuous"), 4, "cannot follow"),
        (hinged("<mimic joint='j'/>", "continuous"), 4, "mimics itself"),
        (hinged("<origin quat_xyzw='0 0 0 0'/>"), 4, "no turn"),
        (hinged("<origin rpy='0 0 1' quat_xyzw='0 0 0 1'/>"), 4, "turned twice"),
        (b"<sdf/>", 1, "begins with <robot>"),
    ],
)
def test_a_mistake_is_told_with_its_line(text, line, said):
    with pytest.raises(FileError, match=said) as mistake:
        read_urdf_model(text, "r.urdf")
    assert (mistake.value.path, mistake.value.line) == ("r.urdf", line)
