"""MJCF files as mechanisms, against MuJoCo itself, closed forms and NumPy."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Turn

import kempe
from kempe.errors import FileError
from kempe.foreign.mjcf.reading import read_mjcf
from kempe.front import Mechanism

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples" / "foreign" / "four_bar.xml"
G = 9.81


def mjcf(body="", more="", compiler="<compiler angle='radian'/>"):
    return f"<mujoco model='m'>{compiler}\n<worldbody>{body}</worldbody>\n{more}</mujoco>".encode()


def test_a_four_bar_with_a_spring_moves_as_in_mujoco(mujoco):
    found = mujoco(EXAMPLE, 0.4)
    motion = kempe.load(EXAMPLE).simulate(until=0.4, steps=10)
    for body, mass in found["masses"].items():
        wanted = np.array([sample["bodies"][body] for sample in found["samples"]])
        np.testing.assert_allclose(motion[body].position, wanted, atol=1e-7)
        assert kempe.load(EXAMPLE).model.body(body).inertia.mass == pytest.approx(mass, rel=1e-12)
    assert np.ptp(motion["coupler"].position, axis=0).max() > 0.01


CHAIN = """<body name='a' pos='0 0 1' euler='0.2 0 0'>
  <joint name='s' type='slide' axis='1 0 0' stiffness='50' springref='0.1' damping='0.2'/>
  <joint name='h' type='hinge' axis='0 1 0' pos='0 0 0.1' damping='0.01'/>
  <geom type='box' size='0.1 0.05 0.2' pos='0 0 -0.2' quat='0.9 0.1 0.3 0'/>
  <body name='b' pos='0 0 -0.4'><joint type='ball'/>
    <geom type='ellipsoid' size='0.1 0.2 0.3' mass='2' pos='0.1 0 -0.3'/></body>
  <body name='c' pos='0.1 0 0' zaxis='1 0 1'>
    <geom type='cylinder' size='0.05 0.1' density='500'/></body>
</body>
<body name='d' pos='3 0 0'><freejoint/><geom type='sphere' size='0.1'/></body>"""


def test_slides_hinges_balls_welds_and_free_bodies_move_as_in_mujoco(mujoco, tmp_path):
    path = tmp_path / "chain.xml"
    path.write_bytes(mjcf(CHAIN))
    found = mujoco(path, 0.5)
    motion = kempe.load(path).simulate(until=0.5, steps=10)
    for body in found["masses"]:
        wanted = np.array([sample["bodies"][body] for sample in found["samples"]])
        np.testing.assert_allclose(motion[body].position, wanted, atol=2e-6, err_msg=body)


def test_a_free_ball_falls():
    motion = Mechanism(read_mjcf(mjcf(CHAIN), "m.xml").model).simulate(until=0.5, steps=5)
    np.testing.assert_allclose(motion["d"].position[:, 2], -G * motion.t**2 / 2, atol=1e-9)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("quat='0.5 0.5 -0.5 0.5'", Turn.from_quat([0.5, -0.5, 0.5, 0.5])),
        ("axisangle='1 1 0 0.7'", Turn.from_rotvec(0.7 * np.array([1, 1, 0]) / np.sqrt(2))),
        ("euler='0.1 0.2 0.3'", Turn.from_euler("XYZ", [0.1, 0.2, 0.3])),
        ("xyaxes='0 1 0 -1 0 0'", Turn.from_euler("z", np.pi / 2)),
        ("zaxis='0 0 -1'", Turn.from_euler("x", np.pi)),
        ("zaxis='0 1 1'", Turn.from_euler("x", -np.pi / 4)),
    ],
)
def test_a_body_is_turned_however_it_is_written(given, wanted):
    model = read_mjcf(mjcf(f"<body name='a' {given}><geom size='1'/></body>"), "m.xml").model
    R = model.body("a").guess.rotation.matrix()
    np.testing.assert_allclose(np.array(R, float), wanted.as_matrix(), atol=1e-12)


def test_angles_are_degrees_unless_the_compiler_says_otherwise_and_sequences_may_be_fixed():
    text = mjcf(
        "<body name='a' euler='10 20 30'><joint name='j' range='-90 45'/><geom size='1'/></body>",
        compiler="<compiler eulerseq='ZYX'/>",
    )
    model = read_mjcf(text, "m.xml").model
    R = np.array(model.body("a").guess.rotation.matrix(), float)
    wanted = Turn.from_euler("zyx", np.radians([10, 20, 30])).as_matrix()
    np.testing.assert_allclose(R, wanted, atol=1e-12)
    assert model.events[0].low == pytest.approx(-np.pi / 2)


def test_defaults_are_inherited_by_class_and_by_childclass():
    text = mjcf(
        "<body name='a' childclass='stiff'><joint damping='3'/><geom class='heavy'/></body>",
        "<default><geom size='0.1'/><default class='stiff'><joint stiffness='7'/>"
        "<default class='heavy'><geom mass='5'/></default></default></default>",
    )
    model = read_mjcf(text, "m.xml").model
    assert model.body("a").inertia.mass == 5.0
    (spring,) = model.forces
    assert (spring.stiffness, spring.damping) == (7.0, 3.0)


TWO = """<body name='a'><joint name='x'/><geom size='1'/></body>
<body name='b' pos='0 1 0'><joint name='y' ref='0.5'/><geom size='1'/></body>"""


def test_joints_are_coupled_by_their_polynomial():
    more = "<equality><joint joint1='y' joint2='x' polycoef='0.1 2 0.5'/></equality>"
    pair = Mechanism(read_mjcf(mjcf(TWO, more), "m.xml").model)
    put = pair.assemble(values={"x.angle": 0.3})
    R = np.array(put.pose("b").rotation.matrix(), float)
    assert np.arctan2(R[1, 0], R[0, 0]) == pytest.approx(0.1 + 2 * 0.3 + 0.5 * 0.3**2, abs=1e-9)


def test_a_weld_holds_two_bodies_as_they_lie():
    idle = "<connect active='false' body1='a' anchor='0 0 0'/>"
    more = f"<equality><weld body1='a' body2='b'/>{idle}</equality>"
    found = read_mjcf(mjcf(TWO, more), "m.xml")
    assert Mechanism(found.model).check().mobility == 0
    assert [item.why for item in found.report.left_out] == ["it is not active"]


def test_everything_else_is_left_out_and_said():
    geoms = "<geom type='mesh' mesh='m'/><geom type='plane' size='1 1 1'/>"
    body = f"<body>{geoms}<camera/><joint armature='1'/></body>"
    tendon = "<tendon><fixed><joint joint='q' coef='1'/></fixed></tendon>"
    more = f"<asset><mesh file='../x.stl'/></asset><sensor><clock/></sensor>{tendon}"
    found = read_mjcf(mjcf(body, more), "m.xml")
    assert len(found.report.left_out) == 7
    assert all(item.line for item in found.report.left_out)


FRAMED = """<frame pos='1 0 0.2' euler='0 0 0.5' childclass='soft'><frame quat='0.8 0.1 0.2 0.4'>
  <body name='a' pos='0.1 0.2 0.3' axisangle='1 0 1 0.4'>
    <frame pos='0 0.1 0' zaxis='1 2 0'><joint name='h' pos='0 0 0.2' axis='0 1 1'/>
      <geom type='capsule' fromto='0 0 0 0.3 0.1 0' size='0.04'/><geom size='0.1' pos='0 0.2 0'/>
    </frame>
    <body name='b' pos='0.3 0 0'><joint class='main'/>
      <frame euler='0.3 0.2 0.1'><inertial pos='0.1 0 0' mass='2' diaginertia='1 2 2.5'/></frame>
    </body></body></frame></frame>"""
SOFT = "<default><default class='soft'><joint damping='0.3' stiffness='2'/></default></default>"


def test_what_stands_in_frames_moves_as_in_mujoco(mujoco, tmp_path):
    path = tmp_path / "framed.xml"
    path.write_bytes(mjcf(FRAMED, SOFT))
    found, framed = mujoco(path, 0.5), kempe.load(path)
    assert not [item for item in framed.imported.report.left_out if "frame" in item.what]
    motion = framed.simulate(until=0.5, steps=10)
    for body in found["masses"]:
        wanted = np.array([sample["bodies"][body] for sample in found["samples"]])
        np.testing.assert_allclose(motion[body].position, wanted, atol=2e-6, err_msg=body)


def test_frames_in_frames_put_a_body_where_their_turns_and_ways_lead():
    model = read_mjcf(mjcf(FRAMED, SOFT), "m.xml").model
    outer, inner = Turn.from_euler("z", 0.5), Turn.from_quat([0.1, 0.2, 0.4, 0.8])
    place = np.array([1, 0, 0.2]) + (outer * inner).apply([0.1, 0.2, 0.3])
    put = Mechanism(model).assemble()
    np.testing.assert_allclose(put["a"], place, atol=1e-12)
    (spring,) = model.forces  # of `h`, by the class of the outer frame; b's joint names another
    assert (spring.stiffness, spring.damping) == (2.0, 0.3)


SPRUNG = """<site name='s' pos='2 0 0'/><body name='a' pos='0.1 0 0'>
  <joint name='x' type='slide' axis='1 0 0' ref='0.25' springref='0.75'/>
  <joint name='h' pos='0.4 0 0' axis='0 0 2' ref='0.1' springref='0.7'/>
  <geom size='0.1'/><site name='t' pos='0.9 0 0'/></body>"""


def test_a_tendon_is_as_long_at_rest_as_with_every_joint_at_its_springref():
    more = "<tendon><spatial stiffness='3'><site site='s'/><site site='t'/></spatial></tendon>"
    (spring,) = read_mjcf(mjcf(SPRUNG, more), "m.xml").model.forces
    hinge = np.array([0.1 + 0.5 + 0.4, 0.0])
    tip = hinge + 0.5 * np.array([np.cos(0.6), np.sin(0.6)])
    assert spring.free == pytest.approx(np.linalg.norm(tip - [2.0, 0.0]), rel=1e-12)


def test_a_flag_takes_gravity_away():
    flag = "<option gravity='0 0 -3'><flag gravity='disable'/></option>"
    assert tuple(read_mjcf(mjcf(TWO, flag), "m.xml").model.gravity) == (0.0, 0.0, 0.0)


def test_what_would_change_the_motion_is_never_dropped_in_silence():
    geom = "<geom size='1' shellinertia='true' fluidshape='ellipsoid'/>"
    joint = "<joint springdamper='1 0.5' actuatorgravcomp='true'/>"
    body = f"<light/><replicate count='2'/><body gravcomp='1' mocap='true'>{joint}{geom}</body>"
    more = "<option density='1.2' wind='1 0 0'><flag spring='disable' limit='disable'/></option>"
    compiler = "<compiler boundinertia='1' inertiagrouprange='1 2'/>"
    report = read_mjcf(mjcf(body, more, compiler), "m.xml").report
    said = [item.what.split()[0] for item in report.left_out]
    assert sorted(said) == sorted(
        [
            *("<light>", "<replicate>", "gravcomp", "mocap", "springdamper", "actuatorgravcomp"),
            *("shellinertia", "fluidshape", "density", "wind", "flag", "flag"),
            *("<compiler>", "<compiler>"),
        ]
    )


def test_nothing_that_is_zero_is_told_as_left_out():
    body = (
        "<body gravcomp='0'><joint type='ball' damping='0' stiffness='0'/><geom size='1'/></body>"
    )
    assert not read_mjcf(mjcf(body), "m.xml").report.left_out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"<robots/>", "begins with <mujoco>"),
        (mjcf("<include file='/etc/passwd'/>"), "does not read <include>"),
        (mjcf("<body><joint type='hing'/></body>"), "Did you mean 'hinge'"),
        (mjcf("<body name='a'/><body name='a'/>"), "two bodies"),
        (mjcf("<body quat='0 0 0 0'/>"), "no length"),
        (mjcf("<body quat='1 0 0 0' euler='0 0 0'/>"), "turned twice"),
        (mjcf("<body class='x'><geom class='x'/></body>"), "no default class 'x'"),
        (mjcf("<body><geom size='-1'/></body>"), "positive"),
        (mjcf("<body><freejoint/><joint/></body>"), "free joint"),
        (mjcf(TWO, "<equality><connect body1='c' anchor='0 0 0'/></equality>"), "no body 'c'"),
        (mjcf(TWO, "<equality><joint joint1='z'/></equality>"), "no hinge or slide 'z'"),
        (mjcf("<body><inertial mass='1' diaginertia='1 1 5'/></body>"), "principal moments"),
    ],
)
def test_a_mistake_is_told_with_its_line(text, said):
    with pytest.raises(FileError, match=said) as mistake:
        read_mjcf(text, "m.xml")
    assert mistake.value.path == "m.xml"
    assert mistake.value.line in (1, 2, 3, 4)
