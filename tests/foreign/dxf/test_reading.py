"""Sketches of linkages, drawn here by ezdxf, against closed forms of what they show."""

import io
import math

import numpy as np
import pytest

import kempe as kp
from kempe.errors import FileError
from kempe.foreign.dxf.reading import read_dxf

ezdxf = pytest.importorskip("ezdxf")
A, B, C, D = (0, 0), (30, 0), (64.5, 83.1264), (100, 0)  # mm


def read(draw, units=4):
    document = ezdxf.new()
    document.header["$INSUNITS"] = units
    draw(document.modelspace())
    text = io.StringIO()
    document.write(text)
    return read_dxf(text.getvalue().encode(), "sketch.dxf")


def four_bar(space, ground="ground"):
    for ends in ((A, B), (B, C), (C, D)):
        space.add_line(*ends)
    for centre, layer in ((A, "motor"), (B, "0"), (C, "0"), (D, ground)):
        space.add_circle(centre, 2, dxfattribs={"layer": layer})
    if ground == "ground":
        space.add_circle(A, 1, dxfattribs={"layer": ground})


def test_lines_are_bars_and_circles_are_pins():
    found = read(four_bar)
    model = found.model
    assert [type(joint).__name__ for joint in model.joints] == ["Revolute"] * 4
    assert not found.report.left_out
    sketch = kp.Mechanism(model)
    assert sketch.check().freedom == 1
    turn = sketch.kinematics(until=1.0, steps=360)
    lengths = [math.dist(*ends) for ends in ((A, B), (B, C), (C, D), (A, D))]
    crank, coupler, rocker, ground = lengths

    def angle(r):  # the rocker's, where crank and coupler lie in one line, r apart
        return math.acos((rocker**2 + ground**2 - r**2) / (2 * rocker * ground))

    swing = math.degrees(angle(coupler + crank) - angle(coupler - crank))
    assert turn["bar_3.angle"].ptp("deg") == pytest.approx(swing, abs=0.02)


def test_without_a_layer_for_the_ground_lone_pins_hold_to_it_and_are_named():
    found = read(lambda space: four_bar(space, ground="0"))
    assert kp.Mechanism(found.model).check().freedom == 1
    held = [note.what for note in found.report.notes if "to the ground" in note.why]
    assert len(held) == 2


@pytest.mark.parametrize(("units", "metre"), [(4, 0.001), (5, 0.01), (6, 1.0), (1, 0.0254)])
def test_the_unit_of_a_drawing_is_heeded(units, metre):
    model = read(four_bar, units).model
    bar = model.body("bar_1")
    assert math.dist(bar.points["P1"], bar.points["P2"]) == pytest.approx(30 * metre)


def test_a_drawing_without_a_unit_is_in_millimetres_and_the_report_says_so():
    found = read(four_bar, 0)
    assert any("taken as mm" in note.why for note in found.report.notes)


def test_a_slider_crank_strokes_twice_its_crank():
    def draw(space):
        space.add_line((0, 0), (20, 0))
        space.add_line((20, 0), (90, 0), dxfattribs={"layer": "body rod"})
        space.add_lwpolyline([(90, 0), (100, 0)], dxfattribs={"layer": "body piston"})
        space.add_circle((0, 0), 3, dxfattribs={"layer": "motor"})
        space.add_circle((0, 0), 2, dxfattribs={"layer": "ground"})
        space.add_circle((20, 0), 2)
        space.add_circle((90, 0), 2)
        space.add_line((60, 0), (120, 0), dxfattribs={"layer": "guide"})

    model = read(draw).model
    assert [type(j).__name__ for j in model.joints] == ["Revolute"] * 3 + ["Prismatic"]
    turn = kp.Mechanism(model).kinematics(until=1.0, steps=360)
    assert float(turn["piston.x"].ptp("mm")) == pytest.approx(40.0, abs=1e-6)


def test_an_end_on_a_guide_is_a_pin_in_a_slot():
    def draw(space):  # a trammel: both ends of a bar on two guides
        space.add_line((30, 0), (0, 40))
        space.add_line((-60, 0), (60, 0), dxfattribs={"layer": "guide"})
        space.add_line((0, -60), (0, 60), dxfattribs={"layer": "guide"})

    model = read(draw).model
    assert [type(j).__name__ for j in model.joints] == ["PinInSlot", "PinInSlot"]
    assert kp.Mechanism(model).check().freedom == 1


def test_ends_that_meet_without_a_circle_are_pinned_and_it_is_said():
    found = read(lambda s: [s.add_line((0, 0), (10, 0)), s.add_line((10, 0), (20, 5))])
    assert len(found.model.joints) == 1
    assert any("pinned there" in note.why for note in found.report.notes)


def test_a_pin_in_the_middle_of_a_bar_holds_it_there():
    def draw(space):
        space.add_line((-10, 0), (10, 0))
        space.add_line((0, 0), (0, 20))
        space.add_circle((0, 0), 1)

    (joint,) = read(draw).model.joints
    assert {joint.I.body, joint.J.body} == {"bar_1", "bar_2"}


def test_words_in_circles_are_their_names():
    def draw(space):
        four_bar(space)
        space.add_text("crankshaft").dxf.insert = (0.5, 0.5)

    assert read(draw).model.joints[0].name == "crankshaft"


def test_the_lines_of_a_block_are_one_body():
    document = ezdxf.new()
    document.header["$INSUNITS"] = 4
    block = document.blocks.new("plate")
    block.add_line((0, 0), (10, 0))
    block.add_line((10, 0), (5, 8))
    document.modelspace().add_blockref("plate", (100, 50), dxfattribs={"rotation": 90})
    text = io.StringIO()
    document.write(text)
    model = read_dxf(text.getvalue().encode(), "a.dxf").model
    (plate,) = model.moving
    assert plate.name == "plate"
    X = plate.guess.matrix()
    places = [(X @ (*p, 1.0))[:2] * 1000 for p in plate.points.values()]
    np.testing.assert_allclose(places, [(100, 50), (100, 60), (92, 55)], atol=1e-9)


def test_what_is_no_part_of_a_sketch_is_listed_one_by_one():
    def draw(space):
        four_bar(space)
        space.add_arc((0, 0), 5, 0, 90)
        space.add_spline([(0, 0), (1, 1), (2, 0)])
        space.add_line((0, 0, 5), (1, 0, 5))
        space.add_circle((500, 500), 1)

    left = [item.what.split(" #")[0] for item in read(draw).report.left_out]
    assert sorted(left) == ["ARC", "CIRCLE", "LINE", "SPLINE"]


@pytest.mark.parametrize(
    "content", [b"", b"SECTION", b"0\nSECTION\n2\nENTITIES\n0\nENDSEC\n0\nEOF\n", b"\xff" * 99]
)
def test_what_is_no_drawing_of_lines_is_refused_in_one_sentence(content):
    with pytest.raises(FileError) as refused:
        read_dxf(content, "a.dxf")
    assert "\n" not in str(refused.value)
    assert "a.dxf" in str(refused.value)


def test_without_the_extra_the_install_line_is_said(monkeypatch):
    import importlib

    from kempe.errors import MissingPart

    def refuse(name):
        raise ModuleNotFoundError(name=name.partition(".")[0])

    monkeypatch.setattr(importlib, "import_module", refuse)
    with pytest.raises(MissingPart, match=r"pip install 'kempe\[cad\]'"):
        read_dxf(b"SECTION", "a.dxf")
