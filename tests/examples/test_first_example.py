"""The first example that anybody sees, as it is printed, and the numbers printed beside it."""

import contextlib
import io

import pytest

PRINTED = """
import kempe as kp

m = kp.Builder("four-bar", plane=True, units="mm")
crank, rocker = m.bar("crank", 30), m.bar("rocker", 70)
coupler = m.bar("coupler", 90, points={"P": (45, 40)})
m.revolute(m.ground.at(0, 0), crank.start)
m.revolute(crank.end, coupler.start)
m.revolute(coupler.end, rocker.end)
m.revolute(rocker.start, m.ground.at(100, 0))
m.drive(crank.angle, rpm=60)
fourbar = m.build()

print(fourbar.check())
turn = fourbar.kinematics(until=1.0)
print(turn["rocker.angle"].ptp("deg"))
print(turn["coupler.P"].speed.max())
turn.animate("fourbar.html", trace="coupler.P")
ways = fourbar.assemblies({"crank.angle": "60 deg"})
every = fourbar.motions()
"""
LARGEST = 1_000_000  # bytes of the page: one file that a mail carries


def test_the_first_example_runs_as_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(PRINTED, names)
    verdict, swing, speed = said.getvalue().splitlines()
    for word in (
        "DOF 1",
        "the drive 0",
        "crank-rocker (Grashof)",
        "2 assemblies",
        "nothing redundant",
    ):
        assert word in verdict
    assert swing.endswith(" deg")
    assert float(swing.split()[0]) == pytest.approx(51.8, abs=0.05)
    assert speed.endswith(" mm/s")
    assert float(speed.split()[0]) == pytest.approx(272.0, abs=0.5)
    angles = sorted(float(way["rocker.angle"]) * 57.29577951308232 for way in names["ways"])
    assert angles == pytest.approx([-129.2, 95.2], abs=0.05)
    assert (len(names["every"]), names["every"].outcome) == (2, "complete")
    assert [path.name for path in tmp_path.iterdir()] == ["fourbar.html"]
    assert (tmp_path / "fourbar.html").stat().st_size < LARGEST
