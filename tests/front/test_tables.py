"""A trajectory as a table: names, units, and files that lose nothing."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas
import pyarrow.parquet as parquet
import pytest
import xarray

import kempe
from kempe.errors import FileError, MissingPart, ModelError, UnitError, UnknownName
from kempe.results import Provenance

# Multiplying by a unit's factor rounds once.
ROUNDING = 1e-15


def test_columns_are_named_after_what_they_hold(turn: kempe.Trajectory) -> None:
    table = turn.columns()
    assert next(iter(table)) == "t"
    for name in ("coupler.P.x", "coupler.P.vy", "coupler.P.ax", "rocker.angle.rate", "A.angle"):
        assert table[name].shape == turn.t.shape
    np.testing.assert_array_equal(table["coupler.P.vy"], turn["coupler.P"].velocity[:, 1])
    np.testing.assert_array_equal(table["rocker.angle.rate"], turn["rocker.angle"].rate)


def test_a_body_s_coordinates_come_once(turn: kempe.Trajectory) -> None:
    table = turn.columns()
    assert "crank.x" in table
    assert "crank.vx" in table
    assert "crank.x.rate" not in table


def test_names_choose_channels_and_single_columns(turn: kempe.Trajectory) -> None:
    table = turn.columns("coupler.P.vx", "rocker.angle", "coupler.P.speed", "t")
    assert list(table) == [
        "t",
        "coupler.P.vx",
        "rocker.angle",
        "rocker.angle.rate",
        "rocker.angle.acceleration",
        "coupler.P.speed",
    ]
    np.testing.assert_array_equal(table["coupler.P.speed"], turn["coupler.P"].speed.values)


def test_units_reach_values_and_their_derivatives(turn: kempe.Trajectory) -> None:
    plain = turn.columns()
    shown = turn.columns(units=("mm", "deg", "ms"))
    factors = {
        "t": 1e3,
        "coupler.P.x": 1e3,
        "coupler.P.ay": 1e3,
        "rocker.angle": 180 / np.pi,
        "rocker.angle.acceleration": 180 / np.pi,
    }
    for name, factor in factors.items():
        np.testing.assert_allclose(shown[name], plain[name] * factor, rtol=ROUNDING)


def test_a_unit_may_be_meant_for_a_rate_alone(turn: kempe.Trajectory) -> None:
    shown = turn.columns("crank.angle", units=("rpm",))
    np.testing.assert_allclose(shown["crank.angle.rate"], 60.0, rtol=1e-12)
    np.testing.assert_array_equal(shown["crank.angle"], turn["crank.angle"].values)


@pytest.mark.parametrize(
    ("units", "said"),
    [
        (("kg",), "no unit of anything that a motion has"),
        (("furlongg",), "furlongg"),
        (("Hz",), "Hz"),
        (("5 mm",), "5 mm"),
        (("",), "''"),
        (("mm", "inch"), "same thing"),
    ],
)
def test_units_that_fit_nothing_are_refused(
    turn: kempe.Trajectory, units: tuple[str, ...], said: str
) -> None:
    with pytest.raises(UnitError, match=said):
        turn.columns(units=units)


def test_an_unknown_name_is_answered_with_near_ones(turn: kempe.Trajectory) -> None:
    with pytest.raises(UnknownName, match=r"rocker\.angle"):
        turn.columns("rocker.angel")


def test_forces_without_masses_say_what_is_missing(turn: kempe.Trajectory) -> None:
    with pytest.raises(ModelError, match="give its bodies an inertia"):
        turn.columns("A.force")


def test_forces_are_columns_where_there_are_masses(heavy: kempe.Trajectory) -> None:
    table = heavy.columns()
    np.testing.assert_array_equal(table["A.force.x"], heavy["A.force"].values[:, 0])
    np.testing.assert_array_equal(table["A.torque.z"], heavy["A.torque"].values[:, -1])
    np.testing.assert_array_equal(table["crank.angle.effort"], heavy["crank.angle.effort"].values)
    size = heavy.columns("A.force.magnitude")["A.force.magnitude"]
    np.testing.assert_array_equal(size, heavy["A.force"].magnitude.values)


def test_what_is_read_cannot_be_changed(turn: kempe.Trajectory, heavy: kempe.Trajectory) -> None:
    arrays = [turn.t, turn.motion.q, turn["rocker.angle"].rate, turn["coupler.P"].position]
    arrays += [*turn.columns().values(), heavy["A.force"].values]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    with pytest.raises(AttributeError):
        turn.t = turn.t  # type: ignore[misc]


def test_a_data_frame_knows_its_units_and_where_it_comes_from(stuck: kempe.Trajectory) -> None:
    frame = stuck.to_dataframe(units=("deg",))
    assert frame.index.name == "t"
    np.testing.assert_array_equal(frame.index, stuck.t)
    np.testing.assert_array_equal(frame["body5.angle"], np.degrees(stuck["body5.angle"].values))
    assert frame.attrs["units"]["body5.angle.rate"] == "deg/s"
    assert frame.attrs["outcome"]["name"] == "DeadPoint"
    assert frame.attrs["provenance"]["model"] == stuck.provenance.model
    json.dumps(frame.attrs)  # pandas writes them as JSON


def test_a_dataset_has_points_over_time_and_axis(heavy: kempe.Trajectory) -> None:
    data = heavy.to_xarray(units=("mm",))
    axes = ["x", "y"] if heavy.subject.plane else ["x", "y", "z"]
    assert isinstance(data, xarray.Dataset)
    assert data["axis"].values.tolist() == axes
    P = data["coupler.P.velocity"]
    assert P.dims == ("t", "axis")
    assert P.attrs["units"] == "mm/s"
    np.testing.assert_array_equal(P.values, heavy["coupler.P"].velocity * 1e3)
    assert data["rocker.angle"].dims == ("t",)
    assert data["A.force"].dims == ("t", "axis")
    torque = data["A.torque.z"] if heavy.subject.plane else data["A.torque"].sel(axis="z")
    np.testing.assert_array_equal(torque.values, heavy["A.torque"].values[:, -1])
    assert json.loads(data.attrs["provenance"])["version"] == kempe.__version__


def test_csv_gives_back_every_bit(stuck: kempe.Trajectory, tmp_path: Path) -> None:
    path = stuck.to_csv(tmp_path / "motion.csv")
    with path.open(newline="") as file:
        head, *rows = csv.reader(file)
    table = stuck.columns()
    assert head == list(table)
    for name, column in zip(head, zip(*rows, strict=True), strict=True):
        assert np.array(column, dtype=float).tobytes() == table[name].tobytes()


def test_csv_in_chosen_units_says_them(turn: kempe.Trajectory, tmp_path: Path) -> None:
    path = turn.to_csv(tmp_path / "motion.csv", "coupler.P", units=("mm", "ms"))
    frame = pandas.read_csv(path)
    assert list(frame.columns[:3]) == ["t [ms]", "coupler.P.x [mm]", "coupler.P.vx [mm/s]"]
    assert frame["t [ms]"].iloc[-1] == 1000.0


def test_parquet_gives_back_every_bit_with_units_and_facts(
    stuck: kempe.Trajectory, tmp_path: Path
) -> None:
    path = stuck.to_parquet(tmp_path / "motion.parquet")
    table, expected = parquet.read_table(path), stuck.columns()
    assert table.column_names == list(expected)
    for name, column in expected.items():
        assert table[name].to_numpy().tobytes() == np.ascontiguousarray(column).tobytes()
    assert table.schema.field("body5.angle.rate").metadata[b"unit"] == b"rad/s"
    facts = json.loads(table.schema.metadata[b"kempe"])
    assert facts["outcome"]["facts"] == stuck.outcome.facts
    assert facts["provenance"]["executor"] == stuck.provenance.executor


@pytest.mark.parametrize("method", ["to_csv", "to_parquet"])
def test_a_folder_that_is_not_there_is_named(
    turn: kempe.Trajectory, tmp_path: Path, method: str
) -> None:
    with pytest.raises(FileError, match="nowhere"):
        getattr(turn, method)(tmp_path / "nowhere" / "motion.x")


@pytest.mark.parametrize(
    ("package", "extra", "ask"),
    [
        ("pandas", "data", lambda turn, path: turn.to_dataframe()),
        ("xarray", "data", lambda turn, path: turn.to_xarray()),
        ("pyarrow", "data", lambda turn, path: turn.to_parquet(path)),
        ("matplotlib", "plot", lambda turn, path: turn.plot("rocker.angle")),
    ],
)
def test_a_missing_package_is_named_with_the_line_that_installs_it(
    turn: kempe.Trajectory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    package: str,
    extra: str,
    ask: object,
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPart, match=rf"{package}.*pip install 'kempe\[{extra}\]'") as raised:
        ask(turn, tmp_path / "motion.parquet")  # type: ignore[operator]
    assert raised.value.facts == {"package": package, "extra": extra}
    assert not list(tmp_path.iterdir())


def test_nothing_optional_is_imported_before_it_is_asked_for(tmp_path: Path) -> None:
    program = """
import sys, kempe
turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=4)
turn.columns(units=("mm", "deg")), turn.report(), turn.save("turn.npz"), turn.to_csv("turn.csv")
turn = kempe.Trajectory.load("turn.npz")
found = {"matplotlib", "pandas", "xarray", "pyarrow"} & set(sys.modules)
assert not found, found
"""
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)


def test_provenance_tells_models_and_ways_of_solving_apart() -> None:
    def of(crank: float, executor: str = "auto", plan: str = "auto") -> Provenance:
        mechanism = kempe.gallery.four_bar(crank=crank)
        return mechanism.kinematics(until=1.0, steps=4, executor=executor, plan=plan).provenance

    a, b, vm, large = of(1.1), of(1.2), of(1.1, "vm"), of(1.1, plan="large")
    assert a.version == kempe.__version__
    assert a.structure == b.structure  # one program for both
    assert a.parameters != b.parameters
    assert a.model != b.model
    assert (vm.model, vm.executor, vm.plan) == (a.model, "vm", "small")
    assert large.plan == "large"
    assert a.tolerances["converged"] > 0.0
    assert a.counts["iterations"] > 0
    assert not a.has_own_formulas


def test_provenance_admits_formulas_that_its_hash_does_not_cover() -> None:
    m = kempe.Builder("crank", plane=True)
    crank = m.bar("crank", 1.0)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.drive(crank.angle, lambda t: 0.5 * kempe.sin(3 * t))
    provenance = m.build().kinematics(until=1.0, steps=2).provenance
    assert provenance.has_own_formulas
    assert "own formulas not in the hash" in str(provenance)


def test_a_formula_in_a_table_of_other_units_says_that_it_is_in_si(tmp_path):
    """The double of a speed in mm/s looked smaller than the speed."""
    turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=2)
    ratio = "d(rocker.angle)/d(crank.angle)"
    names = ("coupler.P.speed", "2 * coupler.P.speed", ratio)
    path = turn.to_csv(tmp_path / "a.csv", *names, units=("mm",))
    head = path.read_text().splitlines()[0]
    assert head.startswith("t [s],coupler.P.speed [mm/s],2 * coupler.P.speed [SI],")
    assert head.endswith(ratio)
    assert "[SI]" not in turn.to_csv(tmp_path / "b.csv", *names).read_text().splitlines()[0]


def test_a_table_is_not_written_under_the_ending_of_another_kind(tmp_path):
    turn = kempe.gallery.four_bar().kinematics(until=0.1, steps=2)
    for write, name in (
        (turn.to_csv, "a.npz"),
        (turn.to_csv, "a.PARQUET"),
        (turn.to_parquet, "a.csv"),
    ):
        with pytest.raises(FileError, match="is no such"):
            write(tmp_path / name)
    assert not list(tmp_path.iterdir())
    for name in ("a.csv", "a.txt", "a.dat", "a"):
        assert turn.to_csv(tmp_path / name).read_text().startswith("t,")
