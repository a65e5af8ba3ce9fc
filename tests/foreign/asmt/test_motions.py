"""Motions and limits of ASMT files against closed forms."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Turn

from kempe.errors import FileError
from kempe.files.documents.document import document_from
from kempe.files.documents.writer import document_data
from kempe.files.syntax.text import json_text
from kempe.foreign.asmt.reading import read_asmt
from kempe.front import Mechanism

HERE = ((0.0, 0.0, 0.0), np.eye(3))
G = 9.81


def general(order, **fields):
    laws = {
        "rIJI1": "0",
        "rIJI2": "0",
        "rIJI3": "0",
        "angIJJ1": "0",
        "angIJJ2": "0",
        "angIJJ3": "0",
    }
    ends = {"MarkerI": "/A/o", "MarkerJ": "/A/box/m"}
    first = {"kind": "GeneralMotion", "Name": "fly", **ends}
    return {**first, **laws, **fields, "RotationOrder": "\t".join(map(str, order))}


def rotation_of(motion, body):
    return np.array(
        [Turn.from_quat(q, scalar_first=True).as_matrix() for q in quaternions(motion, body)]
    )


def quaternions(motion, body):
    return motion[f"{body}.orientation"].values


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 3), (2, 3, 1)])
def test_a_general_motion_turns_by_three_angles_one_after_another(asmt, part, order):
    angles = {"angIJJ1": "0.3 + 2*time", "angIJJ2": "0.7 + 0.5*sin(time)", "angIJJ3": "-7*time"}
    places = {"rIJI1": "1 + time", "rIJI2": "time^2", "rIJI3": "cos(time)"}
    start = "".join("xyz"[k - 1] for k in order).upper()
    first = Turn.from_euler(start, [0.3, 0.7, 0.0]).as_matrix()
    text = asmt(
        {"box": part({"m": HERE}, at=((1.0, 0.0, 1.0), first))},
        {"o": HERE},
        motions=[general(order, **places, **angles)],
    )
    motion = Mechanism(read_asmt(text, "a.asmt").model).kinematics(until=2.0, steps=20)
    assert motion.outcome.is_done
    t = motion.t
    wanted = np.column_stack([0.3 + 2 * t, 0.7 + 0.5 * np.sin(t), -7 * t])
    matrices = Turn.from_euler(start, wanted).as_matrix()
    np.testing.assert_allclose(rotation_of(motion, "box"), matrices, atol=1e-11)
    np.testing.assert_allclose(
        motion["box"].position, np.column_stack([1 + t, t**2, np.cos(t)]), atol=1e-12
    )


def test_angles_that_stand_still_turn_the_marker_once(asmt, part):
    R = Turn.from_euler("XYZ", [0.2, 0.4, -0.3]).as_matrix()
    laws = {"angIJJ1": "0.2d", "angIJJ2": "0.4", "angIJJ3": "-0.3", "rIJI1": "time"}
    text = asmt(
        {"box": part({"m": HERE}, at=((0, 0, 0), R))},
        {"o": HERE},
        motions=[general((1, 2, 3), **laws)],
    )
    model = read_asmt(text, "a.asmt").model
    assert len(model.moving) == 1
    motion = Mechanism(model).kinematics(until=1.0, steps=4)
    np.testing.assert_allclose(rotation_of(motion, "box"), np.tile(R, (5, 1, 1)), atol=1e-13)


def slider(name="rail"):
    return {"kind": "TranslationalJoint", "Name": name, "MarkerI": "/A/o", "MarkerJ": "/A/box/m"}


def test_a_body_falls_onto_its_limit_and_rests_there(asmt, part):
    limit = {"kind": "TranslationLimit", "Name": "floor", "MarkerI": "", "MarkerJ": ""}
    more = {"MotionJoint": "/A/rail", "Limit": "-0.5d", "Type": "=>", "Tol": 1e-9}
    text = asmt(
        {"box": part({"m": HERE})},
        {"o": HERE},
        joints=[slider()],
        limits=[{**limit, **more}],
        gravity=(0.0, 0.0, -G),
    )
    fall = Mechanism(read_asmt(text, "a.asmt").model).simulate(until=1.0, steps=100)
    z, t = fall["rail.displacement"].values, fall.t
    np.testing.assert_allclose(z, np.maximum(-G * t**2 / 2, -0.5), atol=1e-8)


def test_a_motion_between_two_markers_needs_no_joint_of_its_own(asmt, part):
    move = {"kind": "TranslationalMotion", "Name": "push", "MarkerI": "/A/o", "MarkerJ": "/A/box/m"}
    text = asmt(
        {"box": part({"m": HERE})},
        {"o": HERE},
        joints=[slider()],
        motions=[{**move, "TranslationZ": "time*time"}],
        times=(2.0, 3.0, 0.25),
    )
    found = read_asmt(text, "a.asmt")
    assert (found.run.until, found.run.steps, found.run.analysis) == (1.0, 4, "kinematics")
    motion = Mechanism(found.model).kinematics(until=1.0, steps=4)
    np.testing.assert_allclose(motion["rail.displacement"].values, (2.0 + motion.t) ** 2)


def test_a_motion_without_its_expression_is_left_out_and_said(asmt, part):
    mute = {"kind": "TranslationalMotion", "Name": "push", "MotionJoint": "/A/rail"}
    text = asmt({"box": part({"m": HERE})}, {"o": HERE}, joints=[slider()], motions=[mute])
    found = read_asmt(text, "a.asmt")
    assert not found.model.drives
    assert [item.what for item in found.report.left_out] == ["TranslationalMotion 'push'"]


def test_what_only_helps_to_assemble_is_left_out_and_said(asmt, part):
    allow = {"kind": "AllowRotation", "Name": "loose", "MotionJoint": "/A/rail"}
    found = read_asmt(
        asmt({"box": part({"m": HERE})}, {"o": HERE}, joints=[slider()], motions=[allow]), "a"
    )
    assert [item.what for item in found.report.left_out] == ["AllowRotation 'loose'"]
    assert found.run.analysis == "dynamics"


@pytest.mark.parametrize(
    ("motion", "said"),
    [
        (
            {"MotionJoint": "/A/rial", "TranslationZ": "1"},
            "no joint '/A/rial'. Did you mean '/A/rail'",
        ),
        ({"MotionJoint": "/A/rail", "TranslationZ": "tim"}, "Did you mean 'time'"),
        ({"MotionJoint": "/A/rail", "RotationZ": "1"}, "lacks its TranslationZ"),
        ({"TranslationZ": "1"}, "lacks its MarkerI"),
    ],
)
def test_a_wrong_motion_is_refused_with_its_line(asmt, part, motion, said):
    entry = {"kind": "TranslationalMotion", "Name": "push", **motion}
    text = asmt({"box": part({"m": HERE})}, {"o": HERE}, joints=[slider()], motions=[entry])
    with pytest.raises(FileError, match=said) as mistake:
        read_asmt(text, "a.asmt")
    first = text.decode().split("\n").index("\t\t\tTranslationalMotion") + 1
    assert first <= mistake.value.line <= first + 6


@pytest.mark.parametrize("kind", ["general", "joint", "markers"])
def test_names_as_long_as_may_be_leave_a_model_that_can_be_written(asmt, part, kind):
    long, ends = "y" * 5000, {"MarkerI": "/A/o", "MarkerJ": "/A/box/m"}
    moves = {f"angIJJ{k}": f"0.1*{k} + time" for k in (1, 2, 3)}
    motions = {
        "general": {**general((1, 2, 3), **moves), "Name": long},
        "joint": {"MotionJoint": f"/A/{long}", "Name": "m", "RotationZ": "time"},
        "markers": {**ends, "Name": long, "RotationZ": "time"},
    }
    motion = {"kind": "RotationalMotion", **motions[kind]}
    ball = {"kind": "SphericalJoint", "Name": long, **ends}
    text = asmt({"box": part({"m": HERE})}, {"o": HERE}, joints=[ball], motions=[motion])
    model = read_asmt(text, "a.asmt").model
    again = document_from(json_text(document_data(model)).encode(), "again.json").model
    assert [d.gauge.name for d in again.drives] == [d.gauge.name for d in model.drives]
