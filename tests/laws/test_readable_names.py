"""Every readable name is listed once, and means the same through every door.

The list says unit and shape before anything is computed; what is read then has them.
"""

import csv
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest

from kempe import Trajectory
from kempe.cli.main import main
from kempe.cli.motion import mechanism_of, motion_of
from kempe.errors import DriveError, KempeError
from kempe.gallery import MECHANISMS
from kempe.model import Output
from kempe.readings.channel import PointChannel, kind_of, labels_of, unit_of
from kempe.readings.registry import refuse_unknown_outputs

STEPS = 3  # enough for a motion; what is tried is the doors, not the solver


@cache
def moved(what: str) -> tuple[Trajectory, list[str]]:
    """Its motion, and the command that computes it."""
    try:
        return motion_of(what, None, STEPS, None)[0], ["run", what, "--steps", str(STEPS)]
    except DriveError:
        command = ["simulate", what, "--until", "1 ms", "--steps", str(STEPS)]
        return mechanism_of(what).simulate(until="1 ms", steps=STEPS, tolerance=1e-8), command


def same(a, b) -> bool:
    return np.array_equal(np.asarray(a, float), np.asarray(b, float), equal_nan=True)


@pytest.mark.parametrize("what", MECHANISMS)
def test_every_listed_name_is_read_through_every_door(what: str, tmp_path: Path) -> None:
    turn, command = moved(what)
    names = [reading.name for reading in turn.registry]
    assert len(set(names)) == len(names)
    assert set(turn.names) <= set(names)
    table = turn.columns(*names)
    again = Trajectory.load(turn.save(tmp_path / "motion.npz"))
    kept = {reading.name for reading in again.registry}
    for reading in turn.registry:
        channel = turn[reading.name]
        found = kind_of(channel), unit_of(channel), labels_of(channel)
        assert found == (reading.kind, reading.unit, reading.labels), reading.name
        values = channel.position if isinstance(channel, PointChannel) else channel.values
        assert values.shape == (len(turn), *reading.shape), reading.name
        assert reading.description
        for column in reading.columns():
            assert column.name in table, column.name
            part = turn[column.name]
            assert same(part.values, table[column.name]), column.name
            if reading.name in kept:
                assert same(again.columns(column.name)[column.name], table[column.name])
    out = tmp_path / "motion.csv"
    asked = [word for name in names for word in ("--column", name)]
    assert main([*command, "-o", str(out), *asked]) in (0, 1)
    with out.open(newline="") as lines:
        head, *rows = csv.reader(lines)
    assert head == list(table)
    for name, values in zip(head, np.array(rows, float).T, strict=True):
        assert same(values, table[name]), name


@pytest.mark.parametrize("what", ["four_bar", "bennett", "andrews_squeezer", "double_pendulum"])
def test_a_part_is_the_same_columns_in_python_and_on_the_command_line(what, tmp_path) -> None:
    turn, command = moved(what)
    body, joint = turn.subject.bodies[0].name, turn.layout.model.joints[:1]
    for part in (body, *(one.name for one in joint if len(turn.registry.expanded(one.name)) > 1)):
        out = tmp_path / "part.csv"
        assert main([*command, "-o", str(out), "--column", part]) in (0, 1)
        with out.open(newline="") as lines:
            assert next(csv.reader(lines)) == list(turn.columns(part))


def said(door: Callable[..., object], *given: object) -> str:
    with pytest.raises(KempeError) as refused:
        door(*given)
    return str(refused.value)


@pytest.mark.parametrize("what", MECHANISMS)
def test_a_slip_gets_the_same_suggestion_through_every_door(what: str, capsys) -> None:
    turn, command = moved(what)
    known = [reading.name for reading in turn.registry]
    for name in (turn.names[0], turn.names[-1], known[len(known) // 2], known[-1]):
        slip = name[0] + name  # a letter typed twice
        told = said(turn.__getitem__, slip)
        assert repr(name) in told, (name, told)
        near = told[told.index("Did you mean") :]
        put_out = partial(refuse_unknown_outputs, is_simulated=turn.motion.is_simulated)
        assert said(turn.columns, slip).endswith(near)
        assert said(turn.plot, slip).endswith(near)
        assert said(turn.__getitem__, f"1 + `{slip}`").endswith(near)
        assert said(put_out, turn.layout.model, [Output(slip)]).endswith(near)
        assert said(put_out, turn.layout.model, [Output(f"2 * `{slip}`", "own")]).endswith(near)
        capsys.readouterr()
        assert main([*command, "--column", slip]) == 2
        assert capsys.readouterr().err.strip().endswith(near)
