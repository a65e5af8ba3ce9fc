"""Every number of a force or a coupler in a file measures what it must, or is refused."""

import math

import numpy as np
import pytest

from kempe import Builder
from kempe.errors import FileError, KempeError
from kempe.forces import Attraction, Bushing, GasSpring, LineSpring, SpringDamper, TorsionSpring

START = """
version: 1
plane: true
units: {length: mm, angle: deg, mass: g}
parameters: {gap: 3 mm, stiff: 2 N/mm, turn: 5 deg}
bodies:
  block: {at: [30, 0], angle: 0, inertia: {mass: 2, tensor: [1, 1, 1]}}
  wheel: {at: [0, 50], angle: 0, inertia: {mass: 2, tensor: [1, 1, 1]}}
joints:
  rail: {type: prismatic, I: ground, J: block, axis: [1, 0, 0]}
  axle: {type: revolute, I: {body: ground, at: [0, 50]}, J: wheel}
"""
#: force, field, gauge -> a text, its SI value, texts of other things
FIELDS = [
    ("spring_damper", "stiffness", "block.x", "2 N/mm", 2000.0, ["3 mm", "2 N m/rad", "2 N/deg"]),
    ("spring_damper", "damping", "block.x", "2 N s/mm", 2000.0, ["3 N/mm", "3 mm", "2 N m s"]),
    ("spring_damper", "preload", "block.x", "2 kN", 2000.0, ["3 mm", "2 N m", "2 N/m"]),
    ("spring_damper", "stiffness", "block.x", "stiff", 2000.0, ["gap", "turn", "stiff * gap"]),
    ("spring_damper", "stiffness", "wheel.angle", "2 N m/deg", 360 / math.pi, ["2 N/mm", "3 deg"]),
    ("spring_damper", "damping", "wheel.angle", "2 N m s/rad", 2.0, ["2 N s/m", "2 N m/s"]),
    ("spring_damper", "preload", "wheel.angle", "2 N cm", 0.02, ["2 N", "3 deg"]),
    ("torsion_spring", "stiffness", "wheel.angle", "2 N mm/rad", 0.002, ["2 N/mm", "3 mm"]),
    ("torsion_spring", "damping", "wheel.angle", "2 N m s/rad", 2.0, ["2 N m/rad", "3 mm"]),
    ("nonlinear_spring", "damping", "block.x", "2 N s/mm", 2000.0, ["2 N m s/rad", "3 mm"]),
    ("gas_spring", "damping", "block.x", "2 N s/mm", 2000.0, ["2 N m s/rad", "3 mm"]),
    ("dc_motor", "stall", "wheel.angle", "2 N cm", 0.02, ["2 N", "3 deg", "2 N/m"]),
    ("induction_motor", "breakdown", "wheel.angle", "2 N cm", 0.02, ["2 N", "3 deg"]),
    ("dry_friction", "sliding", "block.x", "2 kN", 2000.0, ["2 N m", "3 mm"]),
    ("dry_friction", "sliding", "wheel.angle", "2 N cm", 0.02, ["2 N", "3 mm"]),
    ("hydraulic_cylinder", "back_pressure", "block.x", "2 bar", 2e5, ["2 N", "3 mm"]),
    ("electromagnet", "turns", "block.x", "200 %", 2.0, ["2 N", "3 mm"]),
    ("line_spring", "stiffness", "", "2 N/mm", 2000.0, ["3 mm", "2 N m/rad", "2 N"]),
    ("line_spring", "damping", "", "2 N s/mm", 2000.0, ["3 mm", "2 N/m"]),
    ("attraction", "strength", "", "2 N cm^2", 0.0002, ["2 N", "2 N m", "3 mm"]),
]
OTHERS = {
    "nonlinear_spring": ", law: 0",
    "gas_spring": ", pressure: 1 bar, area: 1 cm^2, length: 100",
    "dc_motor": ", no_load: 3000 rpm, supply: 1 - exp(-t), efficiency: 90 %",
    "induction_motor": ", slip: 20 %, synchronous: 3000 rpm",
    "dry_friction": ", creep: 1",
    "hydraulic_cylinder": ", pressure: 5 bar, area: 1 cm^2, orifice: 2",
    "electromagnet": ", area: 1 cm^2, current: 3 * sin(t), residual: 1",
    "line_spring": ", I: ground, J: block",
    "attraction": ", I: ground, J: block",
}


def written(kind: str, field: str, gauge: str, text: str) -> str:
    on = f", gauge: {gauge}" if gauge else ""
    return f"{START}forces:\n  f: {{type: {kind}{on}{OTHERS.get(kind, '')}, {field}: {text}}}\n"


@pytest.mark.parametrize(("kind", "field", "gauge", "text", "value", "wrong"), FIELDS)
def test_a_number_of_a_force_measures_what_it_must(
    kind, field, gauge, text, value, wrong, document
):
    force = document(written(kind, field, gauge, text)).model.forces[0]
    assert getattr(force, field) == pytest.approx(value, rel=1e-14)
    bare = document(written(kind, field, gauge, "2")).model.forces[0]
    assert getattr(bare, field) == 2.0  # newtons and metres in every document
    for other in wrong:
        with pytest.raises(FileError, match=r"is needed.*|no meaning") as refusal:
            _ = document(written(kind, field, gauge, other)).model
        assert "a.yaml:13:" in str(refusal.value)


def test_speeds_of_friction_are_in_the_documents_units(document):
    for gauge, text, wanted in (
        ("block.x", "5", 0.005),
        ("block.x", "5 cm/s", 0.05),
        ("wheel.angle", "90", math.pi / 2),
        ("wheel.angle", "30 rpm", math.pi),
    ):
        entry = f"{{type: dry_friction, gauge: {gauge}, sliding: 2, creep: {text}}}"
        force = document(f"{START}forces:\n  f: {entry}\n").model.forces[0]
        assert force.creep == pytest.approx(wanted, rel=1e-14)


def test_the_numbers_of_a_bushing_measure_what_their_places_say(document):
    def bushing(stiffness: list[str]) -> str:
        entries = ", ".join(stiffness)
        force = f"{{type: bushing, I: ground, J: block, stiffness: [{entries}]}}"
        return f"{START}forces:\n  f: {force}\n"

    six = ["2 N/mm"] * 3 + ["2 N m/deg"] * 3
    found = document(bushing(six)).model.forces[0].stiffness
    assert found == pytest.approx([2000.0] * 3 + [360 / math.pi] * 3)
    for place, other in ((0, "2 N m/rad"), (5, "2 N/m"), (2, "3 mm")):
        with pytest.raises(FileError, match="is needed"):
            _ = document(bushing([*six[:place], other, *six[place + 1 :]])).model
    rows = np.full((6, 6), "0 N/mm", dtype=object)
    rows[:3, 3:], rows[3:, :3], rows[3:, 3:] = "1 N/rad", "1 N m/m", "0 N m/rad"
    whole = document(bushing(rows.ravel().tolist())).model.forces[0].stiffness
    assert np.array(whole).reshape(6, 6).sum() == 18.0
    with pytest.raises(FileError, match="is needed"):
        _ = document(bushing([*rows.ravel().tolist()[:3], "1 N m/rad", *["0"] * 32])).model


def test_radii_of_a_belt_are_lengths_of_the_document(document):
    """Bare numbers stood beside '30 mm' as metres: a ratio wrong by a thousand, in silence."""

    def belt(radii: str) -> str:
        entry = f"{{type: belt, gauges: [axle.angle, block.angle], radii: [{radii}]}}"
        return f"{START}couplers:\n  b: {entry}\n"

    for radii in ("30 mm, 60", "30, 6 cm", "30, 60"):
        assert document(belt(radii)).model.couplers[0].radii == pytest.approx((0.03, 0.06))
    for radii in ("30 deg, 60 deg", "3 g, 60", "30 mm, 60 N"):
        with pytest.raises(FileError, match="where a length is needed"):
            _ = document(belt(radii)).model


def test_a_value_that_a_joint_holds_is_in_the_documents_units(document):
    """It was SI: 30 of a document in mm were 30 m."""

    def joint(measure: str, value: str) -> str:
        held = f"[{{measures: [{measure}], value: {value}}}]"
        entry = f"{{type: joint, I: ground, J: block, held: {held}}}"
        return START.partition("joints:")[0] + f"joints:\n  j: {entry}\n"

    along = "{type: displacement, axis: x}"
    for measure, value, wanted in (
        (along, "30", 0.03),
        (along, "3 cm", 0.03),
        ("turn", "90", math.pi / 2),
        ("turn", "0.25 turn", math.pi / 2),
    ):
        held = document(joint(measure, value)).model.joints[0].held[0]
        assert held.value == pytest.approx(wanted)
    with pytest.raises(FileError, match="where a length is needed"):
        _ = document(joint(along, "3 deg")).model


def parts():
    m = Builder("parts", plane=True)
    block = m.body("block")
    return m, block


def test_python_takes_the_same_texts_and_refuses_the_same():
    m, block = parts()
    assert SpringDamper(block.x, stiffness="2 N/mm", free="3 cm").stiffness == 2000.0
    assert SpringDamper(block.angle, stiffness="180 N m/deg").stiffness == pytest.approx(
        180 * 180 / math.pi
    )
    assert LineSpring(m.ground.at(0, 0), block.at(0, 0), stiffness="2 N/mm").stiffness == 2000.0
    assert TorsionSpring(block.angle, damping="2 N cm s/rad").damping == 0.02
    assert Attraction(m.ground.at(0, 0), block.at(0, 0), "2 N m^2").strength == 2.0
    assert GasSpring(block.x, "2 bar", "3 cm^2", "40 mm").pressure == 200_000.0
    bush = Bushing(m.ground.at(0, 0), block.at(0, 0), ["2 N/mm"] * 3 + ["1 N m/rad"] * 3)
    assert bush.stiffness == (2000.0,) * 3 + (1.0,) * 3
    for make in (
        lambda: SpringDamper(block.x, stiffness="3 mm"),
        lambda: SpringDamper(block.x, stiffness="3 N m/rad"),
        lambda: SpringDamper(block.angle, damping="3 N s/m"),
        lambda: LineSpring(m.ground.at(0, 0), block.at(0, 0), damping="3 mm"),
        lambda: TorsionSpring(block.angle, stiffness="3 N/m"),
        lambda: Attraction(m.ground.at(0, 0), block.at(0, 0), "2 N"),
        lambda: Bushing(m.ground.at(0, 0), block.at(0, 0), ["2 N/mm"] * 6),
    ):
        with pytest.raises(KempeError, match="no unit of"):
            make()


HARMONIC = """
couplers:
  c: {{type: cam_law, gauges: [axle.angle, rail.displacement], constant: 0,
       law: {{type: harmonic, amplitude: 5, frequency: {}}}}}
"""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("0.01 1/deg", 1.8 / math.pi),
        ("0.01 1 / deg", 1.8 / math.pi),
        ("0.01 deg^-1", 1.8 / math.pi),
        ("2 1/turn", 1 / math.pi),
        ("1 %/deg", 1.8 / math.pi),
        ("0.01", 1.8 / math.pi),
    ],
)
def test_one_over_a_unit_is_a_unit(text, wanted, document):
    model = document(START + HARMONIC.format(text)).model
    assert model.couplers[0].law.frequency == pytest.approx(wanted, rel=1e-14)


@pytest.mark.parametrize("text", ["0.01 turn/deg", "f", "2 * f", "g", "5 mm/m"])
def test_a_number_whose_units_cancel_is_not_bare(text, document):
    """0.01 turn/deg was 3.6 per degree."""
    more = "turn: 5 deg, f: 0.01 turn/deg, g: {value: 0.01, unit: turn/deg}}"
    start = START.replace("turn: 5 deg}", more)
    with pytest.raises(FileError, match="is a plain number, where something in rad\\^-1"):
        _ = document(start + HARMONIC.format(text)).model


def test_parameters_whose_units_cancel_make_a_formula_one_of_si(document):
    """f t of f = 0.01 turn/deg: at 50 deg half a turn, whatever the unit of t."""
    law = START.replace("gap: 3 mm", "gap: 3 mm, f: 0.01 turn/deg") + HARMONIC.partition(" law")[0]
    law = law.replace("{{", "{") + " law: gap * sin(f * t)}\n"
    cam = document(law).model.couplers[0].law
    assert cam.value(math.radians(25.0)) == pytest.approx(0.003)
