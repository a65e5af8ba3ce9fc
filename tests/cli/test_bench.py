"""Reports of benchmarks are printed, also where a peer did not get to the error that was asked."""

import pytest

from kempe.cli.bench import _show, bench
from kempe.errors import BadNumber


def test_who_did_not_get_that_far_has_a_row_without_a_time(capsys):
    rows = [
        {"case": "pendulum", "who": "kempe", "seconds": 2.5e-3, "per": "run", "error": 1e-9},
        {"case": "pendulum", "who": "a peer", "seconds": None, "per": "run", "error": None},
    ]
    goals = [{"goal": "times as fast", "wanted": ">= 15", "got": None, "met": None}]
    _show({"rows": rows, "goals": goals})
    said = capsys.readouterr().out
    assert "2.5 ms" in said
    assert "a peer" in said
    assert "not measured" in said


def test_hours_are_refused_where_a_benchmark_takes_as_long_as_it_takes():
    with pytest.raises(BadNumber, match="leave out --hours"):
        bench("kinematics", hours=2.0)


@pytest.mark.parametrize("hours", [0.0, -1.0, float("nan"), float("inf")])
def test_hours_that_are_no_length_of_time_are_refused(hours):
    with pytest.raises(BadNumber, match="give a positive number"):
        bench("studio", hours=hours)
