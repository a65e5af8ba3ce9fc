"""What a file asks for and there is not: told with its place, by the check as by the run."""

import math

import pytest

import kempe
from kempe.cli.check import check
from kempe.measures import Displacement, Held

MODEL = """version: 1
name: crank
plane: true
parameters:
  rod: {value: 10, unit: cm, doc: long}
bodies:
  crank: {length: rod}
joints:
  A: {type: revolute, I: ground, J: crank.start}
drives:
  crank.angle: {speed: 1 rad/s}
"""


@pytest.mark.parametrize(
    ("line", "column", "says"),
    [
        ("run: {until: 1 s, trace: [crank.ned]}", 27, "'crank.end'"),
        ("outputs: [crank.angle, crank.angel]", 24, "'crank.angle'"),
        ("run: {until: -1 s}", 14, "later than 0 s"),
        ("run: {until: 1 s, outputs: [x.csv, x.cvs]}", 36, ".csv"),
        ("run: {until: 1 s, through: momentun}", 28, "Did you mean 'momentum'?"),
        ("run: {until: 1 s, through: [momentun]}", 29, "Did you mean 'momentum'?"),
        ("run: {steps: 0}", 14, "run.steps must be at least 1, not 0."),
    ],
)
def test_a_wrong_wish_has_its_place(tmp_path, line: str, column: int, says: str) -> None:
    path = tmp_path / "crank.yaml"
    path.write_text(MODEL + line + "\n")
    with pytest.raises(kempe.KempeError) as refused:
        check(str(path), syntax=True)
    told = str(refused.value)
    assert f":12:{column}: " in told
    assert says in told
    assert "more)" not in told
    assert "constrained" not in told


def test_a_parameter_reads_in_the_unit_it_was_set_in(tmp_path) -> None:
    path = tmp_path / "crank.yaml"
    path.write_text(MODEL)
    changed = kempe.load(path).with_parameters({"rod": "0.2 m"})
    assert changed.parameters["rod"] == "0.2 m"
    again = kempe.load(changed.save(tmp_path / "again.yaml"))
    assert again.parameters["rod"] == "0.2 m"
    assert again.assemble()["crank.end"] == pytest.approx([0.2, 0.0])


def test_the_table_swings_as_often_as_its_parameter_says() -> None:
    table = kempe.load("examples/models/swinging_table.yaml")
    for frequency in (0.5, 2.0):
        swing = table.with_parameters({"frequency": frequency}).kinematics(until=0.1, steps=2)
        assert swing["table.x"].rate[0] == pytest.approx(2.0 * math.pi * frequency * 0.05)


def test_one_measure_is_held_without_a_tuple() -> None:
    assert Held(Displacement(kempe.X)) == Held((Displacement(kempe.X),))  # type: ignore[arg-type]
    with pytest.raises(kempe.KempeError, match="value is given by name"):
        Held(Displacement(kempe.X), 0.0)  # type: ignore[arg-type]
