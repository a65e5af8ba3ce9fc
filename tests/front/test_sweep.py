"""A sweep as a table: of pandas, of xarray, in files, in pictures."""

import csv

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber, FileError, ModelError, UnknownName
from kempe.sweeps import Kinematics

FOUR_BAR = kempe.gallery.four_bar()
GRID = {"crank": "0.8..1.2 in 4", "coupler": "3..3.2 in 3"}


@pytest.fixture(scope="module")
def found():
    asked = Kinematics(["range(rocker.angle)", "rocker.angle"], until=1.0, steps=20)
    return kempe.sweep(FOUR_BAR, over=GRID, analysis=asked, executor="serial")


def test_pandas_has_a_row_for_each_variant(found):
    table = found.to_dataframe()
    assert table.index.tolist() == list(range(12))
    assert table.shape == (12, 6)
    assert table["rocker.angle"][3].shape == (21,)
    assert table["outcome"].eq("Done").all()


def test_xarray_has_a_dimension_for_each_parameter_of_a_grid(found):
    data = found.to_xarray()
    assert data["range(rocker.angle)"].dims == ("crank", "coupler")
    at = data["range(rocker.angle)"].sel(crank=0.8, coupler=3.1)
    assert float(at) == found["range(rocker.angle)"][1]
    assert data["rocker.angle"].shape == (4, 3, 21)


def test_a_csv_reads_back_and_a_curve_needs_another_file(found, tmp_path):
    with pytest.raises(ModelError, match="is a curve of 21 samples"):
        found.write(tmp_path / "t.csv")
    asked = Kinematics(["range(rocker.angle)"], until=1.0, steps=20)
    plain = kempe.sweep(FOUR_BAR, over=GRID, analysis=asked, executor="serial")
    with plain.write(tmp_path / "t.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["range(rocker.angle)"]) for row in rows] == plain[
        "range(rocker.angle)"
    ].tolist()
    import pandas

    again = pandas.read_parquet(found.write(tmp_path / "t.parquet"))
    assert np.array_equal(again["range(rocker.angle)"], found["range(rocker.angle)"])
    with pytest.raises(FileError, match="a sweep is written to"):
        found.write(tmp_path / "t.exe")


def test_pictures_are_drawn_and_refuse_what_is_no_number(found, tmp_path):
    for name in ("a.png", "a.svg"):
        assert found.write(tmp_path / name).stat().st_size > 1000
    assert len(found.plot_parallel().axes) == 2  # and the bar of colours
    assert len(found.plot_scatter("crank", "range(rocker.angle)").axes) == 5
    with pytest.raises(BadNumber, match="no column of numbers"):
        found.plot_parallel("rocker.angle")
    with pytest.raises(BadNumber, match="must be one of the columns drawn"):
        found.plot_scatter("crank", by="coupler")
    with pytest.raises(BadNumber, match="Sobol' indices need"):
        found.sobol_indices("range(rocker.angle)")


def test_sobol_indices_of_a_sweep_are_drawn():
    def product(mechanism):
        return mechanism.parameters["crank"] * mechanism.parameters["coupler"]

    over = {"crank": "0.9..1.1", "coupler": "3..3.1"}
    found = kempe.sweep(
        FOUR_BAR, over=over, analysis=product, sampling="saltelli", count=64, executor="serial"
    )
    indices = found.sobol_indices("value")
    assert len(found) == 64 * 4
    assert indices.first[0] > 0.9 > 0.2 > indices.first[1]
    assert len(found.plot_sobol().axes) == 1


def test_a_column_that_there_is_not(found):
    with pytest.raises(UnknownName, match=r"Did you mean 'rocker\.angle'"):
        found["rocker.angel"]
