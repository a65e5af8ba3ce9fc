"""The text report prints what Sung's thesis prints, and says what else one must know."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber, UnknownName

# The thesis prints eight digits; its own iterations end about a digit before that.
PRINTED = 1e-7
# From the second time on its iterations start from the last one and end earlier.
PRINTED_LATER = 1e-6

# Body: (x, y, angle), (vx, vy, w), (ax, ay, alpha), as printed on pages 38 and 39, by time.
SUNG = json.loads((Path(__file__).parents[1] / "known" / "sung.json").read_text(encoding="utf-8"))
FOUR_BAR = {float(t): table["printed"] for t, table in SUNG["sung_four_bar"].items()}
# Of page 39: point P of body 3 at t = 0, as far as its digits can be read there.
POINT = [(2.6633146, 4.126499), (None, 6.6924166), (None, -42.499944)]
# Pages 43 and 49, at t = 0.
SLIDER = {
    "body2": [(-86.623206, 49.964188, 5.76), (59.957026, 103.94785, -1.2)],
    "body3": [(-467.19395, 39.971351, 2.0121172e-1), (145.35697, 83.158278, 4.2435265e-1)],
    "body4": [(-663.15898, 0.0, 0.0), (162.31892, 0.0, 0.0), (312.01541, 0.0, 0.0)],
}
COMBINED = {
    "body5": [
        (5.4159581, 9.0938377e-1, 1.1418002),
        (-6.0006053, 2.7447164, 6.5985401),
        (-42.716733, -28.340466, 27.057456),
    ],
    "body6": [
        (7.0248208, 9.0938377e-1, 5.6318412),
        (-14.093583, 2.7447164, -2.3008685),
        (-73.814036, -28.340466, 19.721773),
    ],
    "body7": [(8.2177253, 0.0, 0.0), (-16.185955, 0.0, 0.0), (-62.194607, 0.0, 0.0)],
    "body8": [
        (4.4947387, 1.2984271, 5.8835924),
        (-5.822066, 3.1674813, -4.5891879e-1),
        (-37.709265, -17.02458, -12.372536),
    ],
}


def section(report: str, title: str) -> str:
    """What stands under a title."""
    pattern = rf"^{re.escape(title)}[^\n]*\n-+\n(.*?)(?=\n\n[^\n]+\n-+\n|\Z)"
    found = re.search(pattern, report, re.MULTILINE | re.DOTALL)
    assert found, report
    return found[1]


def rows(text: str, name: str) -> list[list[float]]:
    """The numbers of every line that starts with a name."""
    lines = [line.split() for line in text.splitlines() if line.startswith(f"{name} ")]
    return [[float(cell) for cell in line[1:]] for line in lines]


def check(report: str, time: str, printed: dict[str, list[tuple[float, ...]]], tol: float) -> None:
    at = section(report, f"TIME = {time} s")
    for body, tables in printed.items():
        for ours, theirs in zip(rows(at, body), tables, strict=False):
            np.testing.assert_allclose(ours, theirs, rtol=tol, atol=0.0, err_msg=body)


@pytest.fixture(scope="module")
def four_bar() -> kempe.Trajectory:
    return kempe.gallery.sung_four_bar().kinematics(until=1.0, steps=40)


def test_the_four_bar_s_report_shows_the_printed_figures(four_bar: kempe.Trajectory) -> None:
    report = four_bar.report(at=[0, "25 ms"])
    check(report, "0", FOUR_BAR[0.0], PRINTED)
    check(report, "0.025", FOUR_BAR[0.025], PRINTED_LATER)


def test_the_point_of_interest_shows_the_printed_figures(four_bar: kempe.Trajectory) -> None:
    found = rows(section(four_bar.report(), "TIME = 0 s"), "body3.P")
    for ours, theirs in zip(found, POINT, strict=True):
        for a, b in zip(ours, theirs, strict=True):
            assert b is None or a == pytest.approx(b, rel=PRINTED)


def test_the_slider_crank_s_report_shows_the_printed_figures() -> None:
    report = kempe.gallery.sung_slider_crank().kinematics(until=1.0, steps=10).report()
    check(report, "0", SLIDER, PRINTED)


def test_the_combined_mechanism_s_report_shows_the_printed_figures(
    stuck: kempe.Trajectory,
) -> None:
    check(stuck.report(), "0", COMBINED, PRINTED)


@pytest.mark.row("E6")
def test_the_count_has_a_line_for_every_joint_and_drive(four_bar: kempe.Trajectory) -> None:
    count = section(four_bar.report(), "DEGREES OF FREEDOM")
    lines = {line[:34].strip(): line[34:].strip() for line in count.splitlines() if line}
    assert lines["3 bodies x 3"] == "9"
    assert [lines[f"revolute joint{k}"] for k in (1, 2, 3, 4)] == ["-2"] * 4
    assert lines["drive body2.angle"] == "-1"
    assert lines["degrees of freedom left"] == "0"


def test_the_estimates_are_those_that_were_given(four_bar: kempe.Trajectory) -> None:
    given = section(four_bar.report(), "INITIAL ESTIMATES")
    assert rows(given, "body2") == [[0.5, 0.8, 1.047]]
    assert rows(given, "body3") == [[2.6, 2.6, 0.524]]


def test_bodies_without_an_estimate_are_named() -> None:
    m = kempe.Builder("crank", plane=True)
    crank = m.bar("crank", 1.0)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.drive(crank.angle, rpm=60)
    report = m.build().kinematics(until=1.0, steps=2).report()
    assert "Placed by kempe, joint by joint: crank." in section(report, "INITIAL ESTIMATES")


def test_rounding_is_printed_as_nought() -> None:
    report = kempe.gallery.sung_slider_crank().kinematics(until=1.0, steps=10).report()
    slider = rows(section(report, "TIME = 0 s"), "body4")
    assert [row[1:] for row in slider] == [[0.0, 0.0]] * 3


def test_an_early_end_is_told_in_the_heading(stuck: kempe.Trajectory) -> None:
    heading = stuck.report().split("\n\n")[0]
    assert "DeadPoint: body2.angle cannot go beyond" in heading
    assert stuck.provenance.model[:16] in heading


def test_units_change_heads_and_numbers(turn: kempe.Trajectory) -> None:
    plain = section(turn.report(), "TIME = 0 s")
    shown = section(turn.report(units=("m", "deg")), "TIME = 0 s")
    assert "x [mm]" in plain  # the unit of the mechanism
    assert "angle [rad]" in plain
    assert "vx [m/s]" in shown
    assert "w [deg/s]" in shown
    for a, b in zip(rows(plain, "crank"), rows(shown, "crank"), strict=True):
        np.testing.assert_allclose(b, a * np.array([1e-3, 1e-3, 180 / np.pi]), rtol=1e-7)


def test_the_nearest_sample_is_taken_and_said_to_be(turn: kempe.Trajectory) -> None:
    report = turn.report(at=[0.26])
    assert "TIME = 0.266666667 s (the sample nearest to 0.26 s)" in report


@pytest.mark.parametrize("time", [-1.0, 1.2, "3 s"])
def test_a_time_outside_the_motion_is_refused(turn: kempe.Trajectory, time: float | str) -> None:
    with pytest.raises(BadNumber, match="from 0 s to 1 s"):
        turn.report(at=[time])


def test_points_are_those_nothing_holds_or_those_asked_for(turn: kempe.Trajectory) -> None:
    assert "coupler.P" in turn.report()
    assert "crank.end" not in turn.report()
    chosen = turn.report(points=["crank.end"])
    assert "crank.end" in chosen
    assert "coupler.P" not in chosen
    with pytest.raises(UnknownName, match=r"coupler\.P"):
        turn.report(points=["coupler.Q"])


def test_forces_are_printed_and_doubtful_ones_marked(heavy: kempe.Trajectory) -> None:
    at = section(heavy.report(), "TIME = 0 s")
    force = heavy["A.force"].values[0]
    line = next(x for x in at.splitlines() if x.startswith("A "))
    size = 2 if heavy.subject.plane else 3
    printed, rounding = [float(c) for c in line.split()[-size:]], 1e-12 * np.abs(force).max()
    np.testing.assert_allclose(printed, force, rtol=PRINTED, atol=rounding)
    assert ("(one of many)" in at) is not heavy.subject.plane
    assert "effort [N m]" in at


def test_space_prints_quaternions_and_body_axes() -> None:
    turn = kempe.gallery.four_bar(plane=False).kinematics(until=1.0, steps=4)
    report = turn.report(at=[0.25])
    at = rows(section(report, "TIME = 0.25 s"), "crank")
    np.testing.assert_allclose(at[0], turn.motion.q[1, :7], atol=1e-7)
    np.testing.assert_allclose(at[1], turn.motion.v[1, :6], atol=1e-7)
    assert "unit quaternion (scalar first)" in report


def test_a_simulation_says_what_it_is_and_what_it_took() -> None:
    m = kempe.Builder("pendulum", plane=True, gravity=(0, -9.81))
    bob = kempe.Inertia(1.0, (0.5, 0, 0), [[0, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
    rod = m.bar("rod", 1.0, inertia=bob, angle=0.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    swing = m.build().simulate(until=1.0, steps=2)
    report = swing.report()
    assert report.startswith("DYNAMIC ANALYSIS of pendulum")
    assert f"Steps: {swing.motion.counts['steps']}, 0 rejected," in report
