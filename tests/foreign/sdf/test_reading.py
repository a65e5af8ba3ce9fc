"""SDFormat files as mechanisms, against frames in NumPy and closed forms."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Turn

import kempe
from kempe.errors import FileError
from kempe.foreign.sdf.reading import read_sdf
from kempe.front import Mechanism

ROOT = Path(__file__).resolve().parents[3]
G = 9.8  # m/s^2, the format's own
ROUNDING = 1e-12


def sdf(inside, version="1.9"):
    return f"<sdf version='{version}'><model name='m'>\n{inside}\n</model></sdf>".encode()


def link(name, inside=""):
    return f"<link name='{name}'>{inside}</link>"


def joint(kind, inside="", name="j", ends=("world", "a")):
    parent, child = ends
    return (
        f"<joint name='{name}' type='{kind}'><parent>{parent}</parent><child>{child}</child>"
        f"{inside}</joint>"
    )


def axis(xyz="0 1 0", inside="", of=""):
    return f"<axis><xyz {of}>{xyz}</xyz>{inside}</axis>"


def frame(xyz, rpy=(0, 0, 0)):
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = Turn.from_euler("xyz", rpy).as_matrix(), xyz
    return X


def found_matrix(model, body):
    return np.array(model.body(body).guess.matrix(), float)


def test_frames_lie_in_each_other():
    text = (
        "<pose>1 2 3 0.1 0.2 0.3</pose>"
        "<frame name='f' attached_to='a'><pose>0 1 0 0 0 1</pose></frame>"
        + link("a", "<pose>0.5 0 0 0 0.4 0</pose>")
        + link("b", "<pose relative_to='f'>0 0 1 0.2 0 0</pose>")
        + link("c", "<pose relative_to='j' degrees='true'>0 0 0 90 0 0</pose>")
        + joint("ball", "<pose relative_to='b'>1 0 0 0 0 0</pose>", ends=("a", "b"))
    )
    model = read_sdf(sdf(text), "m.sdf").model
    a = frame((1, 2, 3), (0.1, 0.2, 0.3)) @ frame((0.5, 0, 0), (0, 0.4, 0))
    b = a @ frame((0, 1, 0), (0, 0, 1)) @ frame((0, 0, 1), (0.2, 0, 0))
    c = b @ frame((1, 0, 0)) @ frame((0, 0, 0), (np.pi / 2, 0, 0))
    for body, wanted in zip("abc", (a, b, c), strict=True):
        np.testing.assert_allclose(found_matrix(model, body), wanted, atol=ROUNDING)
    made = model.joint("j")
    at = [model.body(m.body).guess.point(m.pose.position) for m in (made.I, made.J)]
    for place in at:
        np.testing.assert_allclose(np.array([*place], float), (b @ frame((1, 0, 0)))[:3, 3])


def test_a_quaternion_turns_a_frame():
    text = link("a", "<pose rotation_format='quat_xyzw'>1 0 0 0.1 0.2 0.3 0.9</pose>")
    R = found_matrix(read_sdf(sdf(text), "m.sdf").model, "a")[:3, :3]
    np.testing.assert_allclose(R, Turn.from_quat([0.1, 0.2, 0.3, 0.9]).as_matrix(), atol=ROUNDING)


@pytest.mark.parametrize(
    ("version", "of", "inside", "frame_of"),
    [
        ("1.9", "", "", "joint"),
        ("1.9", "expressed_in='__model__'", "", "model"),
        ("1.9", "expressed_in='a'", "", "link"),
        ("1.6", "", "<use_parent_model_frame>1</use_parent_model_frame>", "model"),
        ("1.6", "", "", "joint"),
        ("1.4", "", "", "model"),
    ],
)
def test_an_axis_points_along_the_frame_that_its_version_says(version, of, inside, frame_of):
    text = link("a", "<pose>0 0 0 0 0 0.5</pose>")
    text += joint("revolute", "<pose>0 0 0 0.7 0 0</pose>" + axis("0 1 1", inside, of))
    made = read_sdf(sdf(text, version), "m.sdf").model.joint("j")
    R_link = Turn.from_euler("z", 0.5).as_matrix()
    R = {
        "model": np.eye(3),
        "link": R_link,
        "joint": R_link @ Turn.from_euler("x", 0.7).as_matrix(),
    }
    z = np.array([*made.I.rotation.z], float)
    np.testing.assert_allclose(z, R[frame_of] @ [0, 1, 1] / np.sqrt(2), atol=ROUNDING)


PENDULUM = link(
    "a",
    "<inertial><pose>0.5 0 0 0 0 0</pose><mass>2</mass>"
    "<inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.2</izz></inertia></inertial>",
)


def test_a_pendulum_falls_by_its_mass_and_swings_against_its_spring():
    spring = "<spring_stiffness>3</spring_stiffness><spring_reference>0.2</spring_reference>"
    spring = f"<dynamics>{spring}</dynamics>"
    text = sdf(PENDULUM + joint("revolute", axis("0 1 0", spring)))
    start = Mechanism(read_sdf(text, "m.sdf").model).simulate(until=1e-3, steps=1)
    inertia = 0.2 + 2.0 * 0.5**2
    wanted = (2.0 * G * 0.5 + 3.0 * 0.2) / inertia  # about y: what hangs along x falls
    assert start["j.angle"].acceleration[0] == pytest.approx(wanted, rel=1e-9)


def test_a_loop_of_joints_is_a_four_bar():
    mechanism = kempe.load(ROOT / "examples" / "foreign" / "four_bar.sdf")
    assert mechanism.check().mobility == 1
    assert mechanism.model.gravity == (0.0, 0.0, -9.81)
    motion = mechanism.simulate(until=0.3, steps=6)
    assert motion.outcome.is_done
    assert np.ptp(motion["coupler"].position, axis=0).max() > 0.01


def test_a_screw_goes_on_by_its_pitch_a_turn():
    for word, pitch in (("screw_thread_pitch", 0.01), ("thread_pitch", -2.0 * np.pi / 0.01)):
        text = link("a") + joint("screw", f"{axis('1 0 0')}<{word}>{pitch}</{word}>")
        assert read_sdf(sdf(text), "m.sdf").model.joint("j").lead == pytest.approx(0.01)


def test_a_joint_follows_another():
    law = "<multiplier>2</multiplier><offset>0.1</offset><reference>0.3</reference>"
    mimic = f"<mimic joint='j'>{law}</mimic>"
    text = link("a") + link("b") + joint("revolute", axis())
    text += joint("prismatic", axis("1 0 0", mimic), "k", ("a", "b"))
    put = Mechanism(read_sdf(sdf(text), "m.sdf").model).assemble(values={"j.angle": 0.5})
    assert put["k.displacement"] == pytest.approx(2 * (0.5 - 0.3) + 0.1, abs=1e-9)


def test_a_static_model_stands_still_and_what_hangs_on_nothing_falls():
    still = Mechanism(read_sdf(sdf("<static>true</static>" + link("a")), "m.sdf").model)
    assert still.check().mobility == 0
    free = Mechanism(read_sdf(sdf(link("a")), "m.sdf").model)
    assert free.check().mobility == 6


def test_shapes_are_solids():
    shapes = "<box><size>1 2 3</size></box>", "<sphere><radius>0.5</radius></sphere>"
    shapes += ("<cylinder><radius>0.1</radius><length>2</length></cylinder>",)
    inside = "".join(
        f"<collision name='c{k}'><pose>{k} 0 0 0 0 0</pose><geometry>{one}</geometry></collision>"
        for k, one in enumerate(shapes)
    )
    found = read_sdf(sdf(link("a", inside)), "m.sdf").model.body("a").shapes
    assert [round(s.solid.volume, 6) for s in found] == [
        6.0,
        round(np.pi / 6, 6),
        round(np.pi * 0.02, 6),
    ]
    assert [float(s.at.position.x) for s in found] == [0.0, 1.0, 2.0]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (link("a") + "<include><uri>x</uri></include>", "<include>"),
        (link("a") + "<model name='n'/>", "<model> 'n'"),
        (link("a") + "<plugin name='p'/>", "<plugin>"),
        (link("a", "<sensor name='s'/>"), "<sensor>"),
        (link("a", "<gravity>false</gravity>"), "<gravity>"),
        (link("a") + joint("gearbox"), "gearbox"),
        (link("a") + joint("revolute", axis(inside="<limit><effort>2</effort></limit>")), "effort"),
        (link("a") + joint("ball", axis(inside="<limit/>")), "<limit>"),
        (
            link("a")
            + joint("revolute", axis(inside="<limit><lower>1</lower><upper>2</upper></limit>")),
            "limits",
        ),
        (
            link(
                "a", "<visual name='v'><geometry><mesh><uri>a.dae</uri></mesh></geometry></visual>"
            ),
            "<mesh> 'a.dae'",
        ),
        (
            link("a", "<visual name='v'><geometry><capsule/></geometry></visual>"),
            "<capsule>",
        ),
    ],
)
def test_what_is_not_read_is_said_with_its_line(text, what):
    (item,) = read_sdf(sdf(text), "m.sdf").report.left_out
    assert what in item.what
    assert item.line == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"<robot/>", "begins with <sdf>"),
        (b"<sdf/>", "no <model>"),
        (b"<sdf version='x'><model name='m'><link name='a'/></model></sdf>", "version"),
        (sdf(""), "no <link>"),
        (sdf(link("a") + link("a")), "are called 'a'"),
        (sdf(link("a", "<pose>1 2</pose>")), "not 6 numbers"),
        (sdf(link("a", "<pose relative_to='aa'>0 0 0 0 0 0</pose>")), "Did you mean 'a'"),
        (sdf(link("a", "<pose relative_to='a'>0 0 0 0 0 0</pose>")), "lies in itself"),
        (sdf(link("a") + joint("ball", ends=("a", "b"))), "b"),
        (sdf(link("a") + joint("ball", ends=("a", "a"))), "a"),
        (sdf(link("a") + joint("revolute", axis("0 0 0"))), "no length"),
        (sdf(link("a") + joint("screw", "<thread_pitch>0</thread_pitch>")), "lead"),
        (sdf(link("a", "<inertial><mass>-1</mass></inertial>")), "mass"),
        (sdf(link("a") + joint("revolute", axis(inside="<mimic joint='j'/>"))), "cannot follow"),
    ],
)
def test_a_mistake_is_told_with_its_line(content, said):
    with pytest.raises(FileError, match=said) as mistake:
        read_sdf(content, "m.sdf")
    assert mistake.value.line
