"""Parameters: other values make another mechanism and compile nothing."""

from pathlib import Path

import pytest

import kempe
from kempe.compile.program.program import PROGRAMS
from kempe.couplers import CamLaw
from kempe.drives import (
    Cycloidal,
    Harmonic,
    ModifiedSine,
    Piecewise,
    Polynomial,
    Ramp,
    Table,
    TextFormula,
)
from kempe.equations import programs
from kempe.errors import BadNumber, UnknownName

ROOT = Path(__file__).resolve().parents[2]
#: Everything that makes a program: tracing, elimination, machine code, and tiles of large models.
COMPILING = ("trace", "kinematic_tape", "attach_executor", "tile_program", "stored_program")


@kempe.parametric
def press(crank="40 mm", rod="120 mm", *, offset="1 cm", speed=60.0):
    m = kempe.Builder("press", plane=True)
    bar, link = m.bar("crank", crank, at=(0, 0), angle=0.1), m.bar("rod", rod, angle=0.1)
    ram = m.body("ram")
    m.revolute(m.ground.at(0, 0), bar.start)
    m.revolute(bar.end, link.start)
    m.revolute(link.end, ram.at(0, 0))
    m.prismatic(m.ground.at(0, offset), ram.at(0, 0))
    m.drive(bar.angle, rpm=speed)
    return m.build()


@pytest.fixture
def compilations(monkeypatch):
    """What was compiled since the list was last cleared, by a process that knows no program."""
    PROGRAMS.clear()
    done = []

    def counted(name, work):
        def counting(*args, **kwargs):
            done.append(name)
            return work(*args, **kwargs)

        return counting

    for name in COMPILING:
        monkeypatch.setattr(programs, name, counted(name, getattr(programs, name)))
    return done


VARIANTS = {
    "a function": (press, [{"crank": 45}, {"rod": "13 cm", "offset": 5}, {"speed": 30.0}]),
    "the gallery": (kempe.gallery.jansen, [{"scale": 0.02}, {"scale": 0.5}]),
    "a file": (
        lambda: kempe.load(ROOT / "examples" / "models" / "quick_return.yaml"),
        [{"crank": 55}, {"crank": "4.5 cm"}],
    ),
}


@pytest.mark.parametrize("source", VARIANTS)
def test_other_values_compile_nothing(source, compilations):
    make, variants = VARIANTS[source]
    mechanism = make()
    mechanism.kinematics(until=0.2, steps=4)
    assert compilations
    compilations.clear()
    for values in variants:
        variant = mechanism.with_parameters(values)
        assert variant.layout.parameters.tolist() != mechanism.layout.parameters.tolist()
        assert variant.kinematics(until=0.2, steps=4).outcome.is_done
    assert compilations == []


def law_variants():
    """Pairs of laws that differ in numbers alone."""
    return {
        "ramp": [Ramp(0.1, 2.0, 0.3), Ramp(0.2, 3.0, 0.1)],
        "harmonic": [Harmonic(amplitude=0.2, frequency=1.0), Harmonic(amplitude=0.3, frequency=2)],
        "polynomial": [Polynomial((0.1, 0.2, -0.3)), Polynomial((0.3, -0.2, 0.1))],
        "cam laws": [ModifiedSine(rise=r, duration=3.0, dwell=0.5) for r in (1.0, 0.7)],
        "text": [TextFormula("a * sin(b * t)", ("a", "b"), (a, 2.0)) for a in (0.3, 0.2)],
        "piecewise": [
            Piecewise(((d, Cycloidal(rise=r, duration=d)), (0.5, Ramp(r))))
            for d, r in ((1.0, 2.0), (2.0, 1.5))
        ],
        "piecewise, again and again": [
            Piecewise(
                tuple((d, Cycloidal(rise=s, duration=d, start=0.5 - s / 2)) for s in (1.0, -1.0)),
                repeats=True,
            )
            for d in (0.5, 0.7)
        ],
    }


@pytest.mark.parametrize("kind", law_variants())
def test_a_law_with_other_numbers_compiles_nothing(kind, compilations):
    def turned(law):
        m = kempe.Builder("crank", plane=True)
        crank = m.bar("crank", 0.3)
        m.revolute(m.ground.at(0, 0), crank.start)
        m.drive(crank.angle, law)
        return m.build().kinematics(until=4.0, steps=40)["crank.angle"].values

    first, second = law_variants()[kind]
    for law in (first, second):
        angle = turned(law)
        assert angle == pytest.approx([float(law.value(0.1 * k)) for k in range(41)], abs=1e-12)
        if law is first:
            compilations.clear()
    assert compilations == []


def test_a_bare_number_is_in_the_unit_of_the_one_it_replaces():
    longer = press().with_parameters({"crank": 45, "offset": 2})
    assert longer.parameters == {"crank": "45 mm", "rod": "120 mm", "offset": "2 cm", "speed": 60.0}
    assert longer.model.body("crank").points["end"][0] == 0.045
    assert press("0.045 m").model.body("crank").points["end"][0] == 0.045


def test_values_are_changed_one_after_another():
    press_ = press().with_parameters({"crank": 45}).with_parameters({"rod": "0.2 m"})
    assert press_.parameters["crank"] == "45 mm"
    assert press_.model.body("rod").points["end"][0] == 0.2


def test_a_file_shows_its_parameters_as_it_has_them():
    mechanism = kempe.load(ROOT / "examples" / "models" / "quick_return.yaml")
    assert mechanism.parameters["crank"] == mechanism.document.data["parameters"]["crank"]


def test_what_nobody_named_is_no_parameter():
    m = kempe.Builder("bar", plane=True)
    m.bar("bar", 1.0)
    assert m.build().parameters == {}
    with pytest.raises(UnknownName, match=r"no parameters: load it .* or build it in a function"):
        m.build().with_parameters({"bar": 2})


def test_wrong_names_and_values_are_refused():
    with pytest.raises(UnknownName, match="Did you mean 'crank'"):
        press().with_parameters({"crnk": 3})
    with pytest.raises(BadNumber, match="'crank' takes a number or a text, not None"):
        press().with_parameters({"crank": None})
    with pytest.raises(kempe.KempeError, match="length of bar 'crank'"):
        press().with_parameters({"crank": "3 kg"})


def test_a_function_with_nameless_arguments_is_refused():
    with pytest.raises(BadNumber, match="a parameter has a name"):
        kempe.parametric(lambda *lengths: press())


def test_a_cam_with_other_numbers_compiles_nothing(compilations):
    def lifted(rise):
        m = kempe.Builder("cam", plane=True)
        cam, follower = m.body("cam", at=(0, 0), angle=0), m.body("follower", at=(0, 0.2))
        m.revolute(m.ground.at(0, 0), cam.at(0, 0))
        slide = m.prismatic(m.ground.at(0, 0), follower.at(0, 0), along=(0, 1))
        law = Cycloidal(rise=rise, duration=2.0, start=0.2)
        m.couple(CamLaw((cam.angle, slide.displacement), law=law))
        m.drive(cam.angle, speed=1.0)
        return m.build().kinematics(until=2.0, steps=4)["follower.y"].values[-1]

    assert lifted(0.03) == pytest.approx(0.23, abs=1e-12)
    compilations.clear()
    assert lifted(0.05) == pytest.approx(0.25, abs=1e-12)
    assert compilations == []


def test_another_table_is_another_program():
    """Its points are looked up, not computed with: they are part of the program."""
    keys = set()
    for y in (0.4, 0.5):
        m = kempe.Builder("crank", plane=True)
        crank = m.bar("crank", 0.3)
        m.revolute(m.ground.at(0, 0), crank.start)
        m.drive(crank.angle, Table(((0.0, 0.1), (1.0, y), (2.0, 0.3))))
        keys.add(m.build().layout.key)
    assert len(keys) == 2
