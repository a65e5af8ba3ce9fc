"""DXF drawings that kempe writes: they read as the mechanism that was drawn."""

import math

import numpy as np
import pytest

import kempe as kp

ezdxf = pytest.importorskip("ezdxf")
GALLERY = ("four_bar", "slider_crank", "jansen", "quick_return", "chebyshev_lambda", "klann")


@pytest.mark.parametrize("name", GALLERY)
def test_a_drawing_of_a_linkage_is_that_linkage(name, tmp_path):
    first = getattr(kp.gallery, name)()
    assert not first.export(tmp_path / "a.dxf").left_out
    again = kp.load(tmp_path / "a.dxf")
    assert not again.imported.report.left_out
    assert {b.name for b in again.model.moving} == {b.name for b in first.model.moving}
    turns = [x.kinematics(until=1.0, steps=24) for x in (first, again)]
    for body in first.model.moving:
        angles = [np.unwrap(turn[f"{body.name}.angle"].values) for turn in turns]
        swung = [a - a[0] for a in angles]
        np.testing.assert_allclose(swung[1], swung[0], atol=1e-8, err_msg=body.name)
    assert max(np.ptp(turns[0][f"{b.name}.angle"].values) for b in first.model.moving) > 0.1


def test_a_drawing_passes_the_audit_of_its_library_and_has_its_lengths(tmp_path):
    m = kp.Builder("arm", plane=True, units="mm")
    arm = m.bar("arm", 30, points={"tip": (30, 12)})
    m.revolute(m.ground.at(5, 7), arm.start, name="shoulder")
    m.drive(arm.angle, rpm=60)
    m.build().save(tmp_path / "arm.dxf")
    document = ezdxf.readfile(tmp_path / "arm.dxf")
    assert not document.audit().errors
    assert document.header["$INSUNITS"] == 4
    places = [tuple(point.dxf.location)[:2] for point in document.modelspace().query("POINT")]
    assert any(place == pytest.approx((35, 19)) for place in places)
    circles = document.modelspace().query("CIRCLE")
    assert all(math.dist(c.dxf.center, (5, 7, 0)) < 1e-9 for c in circles)
    again = kp.load(tmp_path / "arm.dxf").model
    assert again.body("arm").points["tip"] == pytest.approx((0.030, 0.012, 0.0))


def test_what_a_drawing_cannot_hold_is_listed(tmp_path):
    left = [item.what for item in kp.gallery.engine().export(tmp_path / "a.dxf").left_out]
    assert "force 'gas'" in left
    assert "mass of 'piston'" in left


def test_a_mechanism_in_space_is_drawn_in_space_and_the_report_says_that_joints_are_not(tmp_path):
    report = kp.gallery.rssr().export(tmp_path / "a.dxf")
    assert any("only bodies" in item.why for item in report.left_out)
    lines = ezdxf.readfile(tmp_path / "a.dxf").modelspace().query("POLYLINE")
    assert max(abs(v.dxf.location.z) for line in lines for v in line.vertices) > 0.01


def test_bodies_that_only_lie_in_the_same_place_are_named(tmp_path):
    m = kp.Builder("two", plane=True)
    a, b = m.bar("a", 1), m.bar("b", 1, at=(0, 0), angle=1.0)
    m.revolute(m.ground.at(0, 0), a.start, name="left")
    m.revolute(a.end, m.bar("c", 1, at=(1, 0)).start, name="top")
    m.revolute(b.start, m.bar("d", 2, at=(-2, 0)).end, name="loose")
    left = [item.what for item in m.build().export(tmp_path / "a.dxf").left_out]
    assert "freedom of 'b'" in left


def test_a_motion_is_drawn_with_the_paths_of_its_points(tmp_path):
    turn = kp.gallery.four_bar().kinematics(until=1.0, steps=36)
    turn.to_dxf(tmp_path / "a.dxf", trace="coupler.P")
    document = ezdxf.readfile(tmp_path / "a.dxf")
    (path,) = document.modelspace().query('LWPOLYLINE[layer=="path coupler.P"]')
    unit = {4: 1e-3, 6: 1.0}[document.header["$INSUNITS"]]
    np.testing.assert_allclose(
        unit * np.array(path.get_points("xy")), turn["coupler.P"].position[:, :2], atol=1e-12
    )
    assert any(
        "no body" in item.why for item in kp.load(tmp_path / "a.dxf").imported.report.left_out
    )
