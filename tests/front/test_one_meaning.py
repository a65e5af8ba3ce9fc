"""A name means one thing, whichever door it is read through."""

import csv
import math

import numpy as np
import pytest

import kempe
from kempe.cli import main
from kempe.errors import KempeError, UnknownName

SAMPLES = 25
ROUNDING = 1e-12  # the doors run the same numbers; a formula may add them in another order


@pytest.fixture(scope="module")
def four_bar() -> kempe.Mechanism:
    return kempe.gallery.four_bar()


@pytest.fixture(scope="module")
def turn(four_bar: kempe.Mechanism) -> kempe.Trajectory:
    return four_bar.kinematics(until=1.0, steps=SAMPLES - 1)


def ratio_of_angles(turn: kempe.Trajectory) -> np.ndarray:
    with np.errstate(all="ignore"):
        return turn["rocker.angle"].values / turn["crank.angle"].values


@pytest.mark.parametrize(
    "text", ["rocker.angle/crank.angle", "rocker.angle / crank.angle", " rocker.angle /crank.angle"]
)
def test_a_stroke_divides_values_through_every_door(
    text: str, four_bar: kempe.Mechanism, turn: kempe.Trajectory, tmp_path
) -> None:
    expected = ratio_of_angles(turn)
    columns = turn.columns(text)
    (name,) = set(columns) - {"t"}
    chosen = four_bar.edit()
    chosen.output(text, name="q")
    out = tmp_path / "q.csv"
    run = ["run", "four_bar", "--until", "1", "--steps", str(SAMPLES - 1)]
    assert main([*run, "-o", str(out), "--column", text]) == 0
    with out.open(newline="") as lines:
        written = [float(row[1]) for row in list(csv.reader(lines))[1:]]
    outputs = chosen.build().kinematics(until=1.0, steps=SAMPLES - 1)["q"]
    doors = {
        "[]": turn[text].values,
        "columns": columns[name],
        "output": outputs.values,
        "command line": np.array(written),
        "formula": turn[f"1 * ({text})"].values,
    }
    for door, values in doors.items():
        np.testing.assert_allclose(values, expected, rtol=ROUNDING, err_msg=door)


@pytest.mark.parametrize(
    "text", ["d(rocker.angle)/d(crank.angle)", " d( rocker.angle ) / d(`crank.angle`) "]
)
def test_a_velocity_ratio_has_a_name_of_its_own(text: str, turn: kempe.Trajectory) -> None:
    expected = turn["rocker.angle"].rate / turn["crank.angle"].rate
    (name,) = set(turn.columns(text)) - {"t"}
    for values in (turn[text].values, turn.columns(text)[name], 0.5 * turn[f"2 * {text}"].values):
        np.testing.assert_allclose(values, expected, rtol=1e-9)


def test_columns_are_read_by_their_own_names_everywhere(turn: kempe.Trajectory) -> None:
    for name, values in turn.columns().items():
        np.testing.assert_array_equal(turn.columns(name)[name], values, err_msg=name)
        direct = turn[name]
        np.testing.assert_array_equal(getattr(direct, "values", values), values, err_msg=name)
        np.testing.assert_array_equal(turn[f"0 + {name}"].values, values, err_msg=name)
    for name in ("coupler.P.speed", "coupler.P.curvature", "transmission.angle", "t"):
        np.testing.assert_array_equal(turn[name].values, turn.columns(name)[name], err_msg=name)


def test_blanks_around_a_name_change_nothing(turn: kempe.Trajectory) -> None:
    assert turn["  rocker.angle "] is turn["rocker.angle"]
    assert list(turn.columns(" rocker.angle")) == list(turn.columns("rocker.angle"))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("transmission.angel", "transmission.angel"),
        ("2 * coupler.P.speed + nosuch", "nosuch"),
        ("d(nosuch.angle)/d(crank.angle)", "nosuch.angle"),
        ("nobody.centre.x", "nobody.centre.x"),
    ],
)
def test_an_output_that_cannot_be_read_is_refused_by_the_name_that_is_wrong(
    text: str, wrong: str, four_bar: kempe.Mechanism
) -> None:
    chosen = four_bar.edit()
    chosen.output(text, name="q")
    with pytest.raises(UnknownName) as refused:
        chosen.build().kinematics(until=0.1, steps=2)
    assert wrong in str(refused.value)


def test_energies_follow_units_of_energy_and_torques_those_of_torque() -> None:
    swing = kempe.gallery.double_pendulum().simulate(until=0.1, steps=2)
    in_joules = swing["energy.total"].values
    for unit, share in (("kJ", 1e-3), ("W h", 1 / 3600)):
        shown = swing.columns("energy.total", units=(unit,))["energy.total"]
        np.testing.assert_allclose(shown, share * in_joules, rtol=ROUNDING)
    shown = swing.columns("energy.total", units=("N mm",))["energy.total"]
    np.testing.assert_array_equal(shown, in_joules)


def test_curvature_and_pitch_follow_the_units_of_length_and_angle() -> None:
    turn = kempe.gallery.four_bar(units="mm").kinematics(until=1.0, steps=4)
    bend = turn.columns("coupler.P.curvature", units=("mm",))["coupler.P.curvature"]
    np.testing.assert_allclose(bend, 1e-3 * turn["coupler.P.curvature"].values, rtol=ROUNDING)
    bennett = kempe.gallery.bennett().kinematics(until=1.0, steps=4)
    pitch = bennett.columns("link2.pitch", units=("mm", "deg"))["link2.pitch"]
    expected = bennett["link2.pitch"].values * 1000 * math.pi / 180
    np.testing.assert_allclose(pitch, expected, rtol=ROUNDING)


def test_what_is_no_unit_of_a_motion_is_still_refused(turn: kempe.Trajectory) -> None:
    with pytest.raises(KempeError, match="is no unit of anything"):
        turn.columns("crank.angle", units=("Hz",))


DOORS = {
    "columns": lambda turn, name: turn.columns(name),
    "csv": lambda turn, name: turn.to_csv("nowhere.csv", name),
    "efforts": lambda turn, name: turn.efforts(name),
    "plot": lambda turn, name: turn.plot(name),
    "against": lambda turn, name: turn.plot("crank.angle", against=name),
    "solver": lambda turn, name: kempe.gallery.four_bar().solver(name),
    "circuits": lambda turn, name: kempe.gallery.four_bar().circuits(name),
    "part": lambda turn, name: kempe.gallery.four_bar().edit().part(name),
    "remove": lambda turn, name: kempe.gallery.four_bar().edit().remove(name),
}


@pytest.mark.parametrize("door", sorted(DOORS))
def test_a_list_where_names_stand_one_after_another_is_refused_in_words(door, turn):
    with pytest.raises(UnknownName, match=r"'crank\.angle', 'rocker\.angle', not in a list"):
        DOORS[door](turn, ["crank.angle", "rocker.angle"])
    with pytest.raises(UnknownName, match=r"a name is text, such as 'crank\.angle', not 5"):
        DOORS[door](turn, 5)


@pytest.mark.parametrize("name", ["crank.angle", "coupler.P", "coupler.P.speed"])
def test_what_a_name_reads_is_an_array_to_numpy(name, turn):
    read = turn[name]
    values = read.position if hasattr(read, "position") else read.values
    assert np.array_equal(np.asarray(read), values)
    own = np.array(read)  # a copy, which may be changed
    own[0] = 7.0
    assert not np.array_equal(own, np.asarray(read))


def test_a_number_in_the_place_of_a_name_is_refused_in_words(four_bar):
    with pytest.raises(KempeError, match="a name is text"):
        four_bar.drag().to(5, (0.0, 0.0))
