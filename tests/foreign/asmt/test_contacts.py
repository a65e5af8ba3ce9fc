"""Curves that touch: a round follower on a round cam has a closed form."""

import numpy as np
import pytest

import kempe
from kempe.foreign.asmt.reading import read_asmt

HERE = ((0.0, 0.0, 0.0), np.eye(3))
CAM, ROLLER, OFF = 0.3, 0.2, 0.1  # m: radii, and the middle of the cam from its hinge
# The quintic spline through 32 points of a circle misses it by 3e-8 of its radius.
OF_SPLINE = 1e-7
SLIDE = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])  # z up along the guide


def circle(radius, middle, count=32):
    turn = np.linspace(0.0, 2.0 * np.pi, count + 1)
    rows = {"s": np.linspace(-1.0, 1.0, count + 1), "x": middle + radius * np.cos(turn)}
    return {**rows, "y": radius * np.sin(turn), "z": 0.0 * turn}


def curve_lines(name, rows, order=5):
    lines = ["RefCurve", "\tPosition3D", "\t\t0 0 0", "\tRotationMatrix"]
    lines += [f"\t\t{row}" for row in ("1 0 0", "0 1 0", "0 0 1")]
    lines += ["\tGeneralSpline", "\t\tOrder", f"\t\t\t{order}", "\t\tDataPoints"]
    lines += ["\t\t" + "\t".join([w, *(f"{x:.17g} " for x in row)]) for w, row in rows.items()]
    lines += ["\tCurveMarkers", "\t\tCurveMarker", "\t\t\tName", f"\t\t\t\t{name}"]
    return [*lines, "\t\t\ts", "\t\t\t\t0.0"]


@pytest.fixture
def cam_file(asmt, part):
    """cam_file(cam, roller, order) is a file with a cam and a follower above it."""

    def file(cam=None, roller=None, order=5):
        beside = 0.05  # m, along the axis
        parts = {
            "cam": part({"eye": HERE}),
            "follower": part({"slide": ((0, 0, 0), SLIDE)}, ((0, 0.48, beside), np.eye(3))),
        }
        joints = [
            joint("RevoluteJoint", "hinge", "/A/pin", "/A/cam/eye"),
            joint("TranslationalJoint", "guide", "/A/guide", "/A/follower/slide"),
            joint("CurveCurveContact", "contact", "/A/cam/edge", "/A/follower/edge"),
        ]
        joints[-1]["coeffRestitution"] = 0.5
        turn = {"kind": "RotationalMotion", "Name": "m", "MotionJoint": "/A/hinge"}
        turn["RotationZ"] = "2*pi*time"
        ground = {"pin": HERE, "guide": ((0, 0, beside), SLIDE)}
        lines = asmt(parts, ground, joints, [turn]).decode().split("\n")
        shapes = iter([cam or circle(CAM, OFF), roller or circle(ROLLER, 0.0)])
        text = []
        for line in lines:
            text.append(line)
            if line == "\t\t\tRefCurves":  # of a part
                text += ["\t\t\t\t" + one for one in curve_lines("edge", next(shapes), order)]
        return "\n".join(text).encode()

    return file


def joint(kind, name, I, J):
    return {"kind": kind, "Name": name, "MarkerI": I, "MarkerJ": J}


def test_a_round_follower_rides_on_a_round_cam_as_its_closed_form(cam_file, tmp_path):
    path = tmp_path / "cam.asmt"
    path.write_bytes(cam_file())
    mechanism = kempe.load(path)
    assert mechanism.check().mobility == 1
    turn = mechanism.kinematics(until=1.0, steps=50)
    a = 2.0 * np.pi * turn.t
    wanted = OFF * np.sin(a) + np.sqrt((CAM + ROLLER) ** 2 - (OFF * np.cos(a)) ** 2)
    np.testing.assert_allclose(turn["follower"].position[:, 1], wanted, atol=OF_SPLINE)
    notes = [one.why for one in mechanism.imported.report.notes]
    assert "the curves are held together: they neither part nor bounce" in notes


def test_the_contact_comes_back_from_a_file_of_its_own(cam_file, tmp_path):
    path = tmp_path / "cam.asmt"
    path.write_bytes(cam_file())
    first = kempe.load(path)
    first.save(tmp_path / "cam.yaml")
    again = kempe.load(tmp_path / "cam.yaml")
    assert again.model.joint("contact") == first.model.joint("contact")


def changed(word, k, value):
    rows = circle(CAM, OFF)
    rows[word][k] = value
    return rows


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"cam": changed("x", -1, 0.7)}, "does not come back to its first point"),
        ({"cam": changed("z", 3, 0.1)}, "leaves its plane"),
        ({"roller": changed("s", 3, -1.0)}, "parameters s that do not rise"),
        ({"roller": circle(ROLLER, 0.0, 5)}, "one of order 5 needs 7 or more"),
        ({"order": 4}, "has order 4"),
    ],
)
def test_curves_that_are_not_read_leave_their_contact_out(cam_file, given, why):
    found = read_asmt(cam_file(**given), "a.asmt")
    (said,) = [item for item in found.report.left_out if "CurveCurveContact" in item.what]
    assert why in said.why
    assert [j.name for j in found.model.joints] == ["hinge", "guide"]


def test_a_marker_that_is_no_curve_s_leaves_its_contact_out(cam_file):
    text = cam_file().replace(b"/A/cam/edge", b"/A/cam/eye")
    (said,) = [item for item in read_asmt(text, "a.asmt").report.left_out if "Curve" in item.what]
    assert "no curve has it" in said.why


def test_a_broken_order_is_a_mistake_with_its_line(cam_file):
    with pytest.raises(kempe.errors.FileError, match="whole"):
        read_asmt(cam_file(order=2.5), "a.asmt")
