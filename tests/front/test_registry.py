"""Names are listed where they can be read, and stand for the same in every table and plot."""

import json

import pytest

import kempe
from kempe.cli.main import main
from kempe.errors import KempeError, ModelError, UnknownName


def weightless() -> kempe.Builder:
    m = kempe.Builder("weightless", plane=True)
    rod = m.bar("rod", 1.0)
    hinge = m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
    m.drive(hinge.angle, speed=1.0, name="motor")
    return m


def test_a_drive_with_a_name_and_nothing_to_move_tells_no_torque(tmp_path):
    turn = weightless().build().kinematics(until=1.0, steps=3)
    assert "motor.torque" not in turn.names
    assert "hinge.angle" in turn.columns()
    again = kempe.Trajectory.load(turn.save(tmp_path / "turn.npz"))
    assert again.names == turn.names
    for name in ("motor.torque", "hinge.force", "hinge.angle.power"):
        with pytest.raises(ModelError, match="no masses and no forces"):
            turn[name]


def test_a_body_is_all_that_is_read_off_it_in_tables_and_plots():
    turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=3)
    axes = [f"rocker.{word}{axis}" for axis in "xy" for word in ("", "v", "a")]
    angle = ["rocker.angle", "rocker.angle.rate", "rocker.angle.acceleration"]
    assert list(turn.columns("rocker")) == ["t", *axes, *angle]
    assert len(turn.plot("rocker").axes) == 2  # m and deg
    assert list(turn.columns("A")) == ["t", "A.angle", "A.angle.rate", "A.angle.acceleration"]
    with pytest.raises(UnknownName, match=r"'A' is a part: take one of 'A.angle'"):
        turn["A"]


def test_a_saved_formula_of_an_analysis_is_read_without_the_mechanism(tmp_path):
    m = kempe.gallery.four_bar().edit()
    m.output("2 * transmission.angle", name="twice", unit="rad")
    turn = m.build().kinematics(until=1.0, steps=3)
    again = kempe.Trajectory.load(turn.save(tmp_path / "turn.npz"))
    assert again["twice"].values == pytest.approx(turn["twice"].values, rel=1e-15)
    with pytest.raises(ModelError, match="not the mechanism"):
        again["transmission.angle"]


@pytest.mark.parametrize("name", ["rocker.angle", "coupler.P.vx", "transmission.angle", "t"])
def test_an_output_takes_no_name_that_is_read_anyway(name):
    m = kempe.gallery.four_bar().edit()
    m.output("2 * crank.angle", name=name)
    with pytest.raises(ModelError, match=r"more than one|no output can be"):
        m.build().kinematics(until=0.1, steps=1)


@pytest.mark.parametrize("text", ["rocker.angle.vx", "2 * coupler.P", "rocker.angle.speed"])
def test_what_has_no_single_meaning_is_refused_before_anything_is_computed(text):
    m = kempe.gallery.four_bar().edit()
    m.output(text, **({"name": "own"} if "*" in text else {}))
    with pytest.raises(KempeError, match=r"there is no|no single number"):
        m.build().kinematics(until=0.1, steps=1)


def test_names_are_listed_with_unit_shape_and_words(tmp_path, capsys):
    assert main(["names", "four_bar"]) == 0
    line = next(x for x in capsys.readouterr().out.splitlines() if x.startswith("coupler.P "))
    assert line.split()[1:5] == ["m", "(n,", "2)", "point"]
    assert ".speed" in line
    turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=3)
    path = turn.save(tmp_path / "turn.npz")
    for what in ("four_bar", str(path)):
        assert main(["names", what, "--json"]) == 0
        listed = {one["name"]: one for one in json.loads(capsys.readouterr().out)}
        assert set(turn.names) <= listed.keys()
        assert listed["coupler.P.speed"]["unit"] == "m/s"
        assert listed["coupler.P"]["shape"] == ["n", 2]
    assert main(["names", "four_barr"]) == 2
    assert "four_bar" in capsys.readouterr().err
