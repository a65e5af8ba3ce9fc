"""Reports of benchmarks are printed, also where a peer did not get to the error that was asked."""

from kempe.cli.bench import _show


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
