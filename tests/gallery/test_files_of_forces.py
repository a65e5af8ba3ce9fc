"""Entries that forces move, as files: `kempe simulate FILE` does what the entry does.

A file holds every number to the last digit, so the run is the same to the last bit.
"""

import csv
import json

import numpy as np
import pytest

from kempe.cli import main
from kempe.gallery import COURSES, MECHANISMS

STEPS = 10


@pytest.mark.parametrize("name", COURSES)
def test_a_file_of_an_entry_is_simulated_on_the_command_line(name, tmp_path, capsys):
    mechanism, until = MECHANISMS[name](), 0.05 * COURSES[name].until
    file, table = mechanism.save(tmp_path / f"{name}.yaml"), tmp_path / "out.csv"
    options = ["--until", repr(until), "--steps", str(STEPS), "--json", "-o", str(table)]
    assert main(["simulate", str(file), *options]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["outcome"] == "Done"
    assert facts["samples"] == STEPS + 1
    with table.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    known = mechanism.simulate(until=until, steps=STEPS)
    assert {f"energy.{word}" for word in ("kinetic", "potential", "total")} <= set(rows[0])
    for column, values in known.columns().items():
        read = np.array([float(row[column]) for row in rows])
        assert np.array_equal(read, values, equal_nan=True), column
        body, _, word = column.partition(".")
        told = ~np.isnan(known[f"{body}.angle"].values) if word.startswith("angle") else slice(None)
        assert np.isfinite(read[told]).all(), column
