"""Flexible beams in model files: the same parts as a builder makes of them."""

import pytest

import kempe
from kempe.errors import FileError
from kempe.forces import Weight
from kempe.geometry import Rotation
from kempe.geometry.section import Section

TEXT = """
version: 1
name: cantilever
plane: {plane}
units: {{length: mm}}
parameters: {{L: 0.5 m}}
beams:
  strip:
    length: L
    section: {section}
    segments: 6
    damping: 2 ms
    at: {at}
    angle: 30 deg
joints:
  wall: {{type: fixed, I: {{body: ground, at: {at}, angle: 30 deg}}, J: strip.start}}
forces:
  load: {{type: weight, at: strip.end, pull: [0, -10 N, 0]}}
  half: {{type: weight, at: {{body: strip, point: middle}}, pull: [0, -3 N, 0]}}
"""
SECTIONS = {
    "{type: rectangle, height: 4, width: 12.5, young: 210 GPa, density: 7850 kg/m^3}": (
        Section.rectangle(0.004, 0.0125, young=210e9, density=7850)
    ),
    "{type: circle, radius: 3 mm, young: 70 GPa, density: 2700 kg/m^3, poisson: 0.33}": (
        Section.circle(0.003, young=70e9, density=2700, poisson=0.33)
    ),
    "{type: stiffness, bending_z: 3 N*m^2, bending_y: 2 N*m^2, twisting: 1.5 N*m^2,"
    " mass: 0.4 kg/m, polar: 1e-5 kg*m}": Section(3.0, 2.0, 1.5, 0.4, 1e-5),
}
FIRST = next(iter(SECTIONS))


def written(section, plane):
    at = "[20, 10]" if plane else "[20, 10, 5]"
    return TEXT.format(section=section, plane=str(plane).lower(), at=at)


def built(section, plane):
    m = kempe.Builder("cantilever", plane=plane)
    at = (0.02, 0.01) if plane else (0.02, 0.01, 0.005)
    turn = Rotation.planar(0.5235987755982988)
    strip = m.beam("strip", 0.5, section, segments=6, damping=0.002, at=at, rotation=turn)
    m.fixed(m.ground.at(*at).turned(0.5235987755982988), strip.start, name="wall")
    m.force(Weight(strip.end, (0.0, -10.0, 0.0)), "load")
    m.force(Weight(strip.middle, (0.0, -3.0, 0.0)), "half")
    return m.build()


@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize("section", SECTIONS)
def test_a_file_has_the_parts_that_a_builder_makes(section, plane, tmp_path):
    file = tmp_path / "beam.yaml"
    file.write_text(written(section, plane), encoding="utf-8")
    loaded, known = kempe.load(file), built(SECTIONS[section], plane)
    assert [b.name for b in loaded.model.moving] == [b.name for b in known.model.moving]
    for mine, theirs in zip(loaded.model.moving, known.model.moving, strict=True):
        assert mine.points["end"] == pytest.approx(theirs.points["end"], rel=1e-14)
        assert mine.inertia.mass == pytest.approx(theirs.inertia.mass, rel=1e-14)
        assert mine.inertia.tensor == pytest.approx(theirs.inertia.tensor, rel=1e-13)
        assert list(mine.guess.position) == pytest.approx(list(theirs.guess.position), abs=1e-15)
    names = [[part.name for part in machine.model.forces] for machine in (loaded, known)]
    assert names[0] == names[1]
    ends = [machine.statics()["strip_6.y"] for machine in (loaded, known)]
    assert ends[0] == pytest.approx(ends[1], rel=1e-9)


@pytest.mark.parametrize("ending", ["yaml", "json"])
def test_what_was_loaded_is_written_as_a_beam_and_is_the_same_again(ending, tmp_path):
    file, again = tmp_path / "beam.yaml", tmp_path / f"again.{ending}"
    file.write_text(written(FIRST, True), encoding="utf-8")
    loaded = kempe.load(file)
    loaded.save(again)
    assert "beams" in again.read_text(encoding="utf-8")
    other = kempe.load(again)
    assert other.model.forces == loaded.model.forces
    assert other.model.joints == loaded.model.joints
    longer = other.with_parameters({"L": "0.6 m"})
    assert longer.model.body("strip_6").points["end"][0] == pytest.approx(0.05)


def test_what_a_builder_made_is_written_piece_by_piece(tmp_path):
    known = built(SECTIONS[FIRST], True)
    known.save(tmp_path / "pieces.yaml")
    assert kempe.load(tmp_path / "pieces.yaml").model.forces == known.model.forces


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("segments: 6", "segments: 0", "1 to 200 segments"),
        ("strip.end", "strip.tip", "it has start, middle, end"),
        ("length: L", "length: -1 m", "positive"),
        ("type: rectangle", "type: square", "section"),
        ("young: 210 GPa", "young: 210 kg", "a pressure is needed"),
        ("  load:", "  strip_2_spring:", "two parts are called 'strip_2_spring'"),
    ],
)
def test_mistakes_are_told_with_their_place(before, after, said, tmp_path):
    text = written(FIRST, True)
    assert before in text
    file = tmp_path / "beam.yaml"
    file.write_text(text.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(FileError, match=said):
        kempe.load(file)
