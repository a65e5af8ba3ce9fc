"""Mechanisms come from files, go to files, and take other parameters on the way."""

import pytest

import kempe
from kempe.compile.program.program import PROGRAMS
from kempe.errors import FileError, UnknownName

TEXT = """\
version: 1
name: four-bar
plane: true
units: {length: mm}
parameters: {crank: 30, coupler: 90 mm, rocker: 70, frame: crank + 70}
bodies: {crank: {length: crank}, coupler: {length: coupler}, rocker: {length: rocker}}
joints:
  A: {type: revolute, I: ground, J: crank.start}
  B: {type: revolute, I: crank.end, J: coupler.start}
  C: {type: revolute, I: coupler.end, J: rocker.end}
  D: {type: revolute, I: {body: ground, at: [frame, 0]}, J: rocker.start}
drives: {crank.angle: {speed: 60 rpm}}
"""
#: The closed form of the swing of a crank-rocker 30, 90, 70, 100.
SWING = 51.77


@pytest.fixture
def path(tmp_path):
    target = tmp_path / "four_bar.yaml"
    target.write_text(TEXT.replace("coupler: 90 mm", "coupler: 90"), encoding="utf-8")
    return target


def test_a_loaded_mechanism_moves(path):
    mechanism = kempe.load(path)
    swing = mechanism.kinematics(until=1.0)["rocker.angle"].ptp("deg")
    assert swing == pytest.approx(SWING, abs=0.02)
    assert repr(mechanism).startswith("Mechanism 'four-bar' in the plane: 3 moving bodies")


def test_load_is_a_door_of_the_package_and_of_the_class(path):
    assert kempe.Mechanism.load(path).name == kempe.load(str(path)).name == "four-bar"


@pytest.mark.parametrize("ending", ["yaml", "yml", "json"])
def test_what_was_loaded_is_saved_with_its_parameters(path, tmp_path, ending):
    target = kempe.load(path).save(tmp_path / f"again.{ending}")
    again = kempe.load(target)
    assert again.document.data == kempe.load(path).document.data
    longer = again.with_parameters({"crank": 31})
    assert longer.model.joint("D").I.position[0] == 0.101


def test_what_was_built_is_saved_in_si(tmp_path):
    mechanism = kempe.gallery.four_bar(crank=30, coupler=90, rocker=70, ground=100, units="mm")
    again = kempe.load(mechanism.save(tmp_path / "built.yaml"))
    assert again.model.length_unit == "mm"
    assert again.layout.parameters.tolist() == mechanism.layout.parameters.tolist()
    assert again.layout.key == mechanism.layout.key


def test_other_parameters_need_no_other_program(path):
    mechanism = kempe.load(path)
    mechanism.kinematics(until=0.1, steps=2)
    known = set(PROGRAMS._programs)
    variants = [mechanism.with_parameters({"crank": length}) for length in (29, 31.5, "32 mm")]
    swings = [m.kinematics(until=1.0)["rocker.angle"].ptp() for m in variants]
    assert swings[0] < swings[1] < swings[2]
    assert {m.layout.key for m in variants} == {mechanism.layout.key}
    assert set(PROGRAMS._programs) == known


def test_parameters_that_do_not_exist_are_refused(path):
    with pytest.raises(UnknownName, match="Did you mean 'crank'"):
        kempe.load(path).with_parameters({"crnk": 3})
    with pytest.raises(UnknownName, match="has no parameters"):
        kempe.gallery.four_bar().edit().build().with_parameters({"crank": 3})


def test_parameters_of_different_kinds_are_not_added(tmp_path):
    target = tmp_path / "mixed.yaml"
    target.write_text(TEXT.replace("crank + 70", "coupler + 10"), encoding="utf-8")
    with pytest.raises(FileError, match=r"mixed\.yaml:5:60: column 9 of 'coupler \+ 10'"):
        kempe.load(target)


def test_a_mistake_says_where_it_is(path):
    path.write_text(TEXT.replace("crank.end", "crank.ende"), encoding="utf-8")
    with pytest.raises(FileError) as refusal:
        kempe.load(path)
    mistake = refusal.value
    assert (mistake.path, mistake.line, mistake.column) == (str(path), 9, 26)
    assert str(mistake) == f"{path}:9:26: body 'crank' has no point 'ende'. Did you mean 'end'?"


def test_an_edited_mechanism_is_written_out(path, tmp_path):
    builder = kempe.load(path).edit()
    builder.remove("crank.angle")
    again = kempe.load(builder.build().save(tmp_path / "edited.yaml"))
    assert again.model.drives == ()
    assert again.document.data.get("parameters") is None
