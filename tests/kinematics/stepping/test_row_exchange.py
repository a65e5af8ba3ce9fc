"""Redundant mechanisms are swept through positions where their first choice of rows fails."""

import math

import numpy as np
import pytest

import kempe
from kempe.compile.program.program import PROGRAMS
from kempe.equations.rank import steadied_rows
from kempe.geometry import Marker, Rotation
from kempe.joints import Cylindrical, Revolute
from tests.campaigns._crank_rockers import CrankRocker

# Closed forms and sweeps that converge to 1e-13: what a few rows that are nearly dependent cost.
EXACT = 1e-10
CRANK, ROD = 0.8, 1.3  # m


def slider_crank(start: float = 0.0) -> kempe.Mechanism:
    """In space, of hinges and a cylindrical joint along y: two rows are redundant."""
    m = kempe.Builder("slider-crank in space")
    upright = Rotation.with_z((0.0, 1.0, 0.0))
    across, along = CRANK * math.cos(start), CRANK * math.sin(start)
    crank = m.bar("crank", CRANK, at=(0, 0), angle=start)
    rod = m.bar("rod", ROD, at=(across, along), angle=math.acos(-across / ROD))
    piston = m.body("piston", at=(0, along + math.sqrt(ROD**2 - across**2), 0))
    m.revolute(m.ground.at(0, 0), crank.start, name="A")
    m.revolute(crank.end, rod.start, name="B")
    m.revolute(rod.end, piston.at(0, 0), name="C")
    guide = Marker("ground", (0.0, 0.0, 0.0), upright)
    m.add(Cylindrical(guide, Marker("piston", (0.0, 0.0, 0.0), upright)), "D")
    m.drive(crank.angle, start=start, speed=2.0 * math.pi)
    return m.build()


def four_bar(*, table: bool) -> kempe.Mechanism:
    """Hinges in space, upright on the ground or on a table that turns once about y."""
    m = kempe.Builder("four-bar in space")
    base = m.body("table", at=(0, 0)) if table else m.ground
    crank = m.bar("crank", 1.0, at=(0, 0), angle=0.7)
    coupler, rocker = m.bar("coupler", 3.0), m.bar("rocker", 2.5)
    hinge = m.revolute(base.at(0, 0), crank.start, name="A")
    m.revolute(crank.end, coupler.start, name="B")
    m.revolute(coupler.end, rocker.end, name="C")
    m.revolute(rocker.start, base.at(3.5, 0), name="D")
    m.drive(hinge.angle, start=0.7, speed=0.5)
    if table:
        upright = Rotation.with_z((0.0, 1.0, 0.0))
        ends = (Marker(body, (0.0, 0.0, 0.0), upright) for body in ("ground", "table"))
        m.drive(m.add(Revolute(*ends), "axle").angle, speed=2.0 * math.pi)
    return m.build()


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("steps", [7, 100, 360])
def test_a_slider_crank_of_redundant_joints_goes_all_the_way_round(plan: str, steps: int) -> None:
    turn = slider_crank().kinematics(until=1.0, steps=steps, plan=plan)
    assert turn.outcome.name == "Done"
    a, w = 2.0 * math.pi * turn.t, 2.0 * math.pi
    across, along = CRANK * np.cos(a), CRANK * np.sin(a)
    leg = np.sqrt(ROD**2 - across**2)
    leg_rate = across * along * w / leg
    np.testing.assert_allclose(turn["piston.y"].values, along + leg, atol=EXACT)
    np.testing.assert_allclose(turn["piston.y"].rate, across * w + leg_rate, atol=EXACT)
    curving = (along**2 - across**2) * -(w**2) / leg - leg_rate**2 / leg
    np.testing.assert_allclose(turn["piston.y"].acceleration, curving - along * w**2, atol=1e-8)


def test_a_mechanism_on_a_turntable_moves_as_it_does_on_the_ground() -> None:
    still = four_bar(table=False).kinematics(until=1.0, steps=90)
    turned = four_bar(table=True).kinematics(until=1.0, steps=90)
    assert turned.outcome.name == "Done"
    for joint in "BCD":
        there, here = (t[f"{joint}.angle"] for t in (turned, still))
        whole = np.round((there.values[0] - here.values[0]) / math.tau) * math.tau
        np.testing.assert_allclose(there.values - whole, here.values, atol=EXACT)
        np.testing.assert_allclose(there.rate, here.rate, atol=EXACT)
        np.testing.assert_allclose(there.acceleration, here.acceleration, atol=1e-8)


def test_the_live_solver_passes_the_same_positions() -> None:
    solver = slider_crank().solver()
    for angle in np.linspace(0.0, 2.0 * math.pi, 9)[1:]:
        now = solver.update({"crank.angle": float(angle)})
        assert now.outcome.name == "Done"
        leg = math.sqrt(ROD**2 - (CRANK * math.cos(angle)) ** 2)
        assert now["piston.y"] == pytest.approx(CRANK * math.sin(angle) + leg, abs=EXACT)


@pytest.mark.parametrize("plane", [True, False])
def test_a_dead_point_of_redundant_hinges_is_still_a_dead_point(plane: bool) -> None:
    rocking = kempe.gallery.four_bar(crank=3, coupler=2, rocker=2, ground=2, plane=plane, start=0.5)
    end = rocking.kinematics(until=1.0)
    assert end.outcome.name == "DeadPoint"
    last = math.acos((2**2 + 3**2 - 4**2) / (2 * 2 * 3))  # the diagonal is coupler + rocker
    assert end.outcome.facts["value"] == pytest.approx(last, abs=1e-8)


def test_rows_are_exchanged_until_they_do_in_every_position() -> None:
    first = np.array([[1.0, 0.0], [0.0, 1.0], [0.7, 0.7]])
    second = np.array([[1.0, 0.0], [1.0, 1e-6], [0.7, 0.7]])
    assert 2 in steadied_rows(np.array([first, second]), [0, 1], 0)


def test_rows_that_are_dependent_somewhere_are_exchanged_too() -> None:
    first = np.array([[1.0, 0.0], [0.0, 1.0], [0.7, 0.7]])
    second = np.array([[1.0, 0.0], [1.0, 0.0], [0.7, 0.7]])
    assert 2 in steadied_rows(np.array([first, second]), [0, 1], 0)


def test_the_rows_of_drives_stay() -> None:
    first = np.array([[1.0, 0.0], [0.0, 1.0], [0.1, 5.0]])
    assert steadied_rows(np.array([first]), [0, 1], 1) == [0, 1]


@pytest.mark.parametrize("plan", ["small", "large"])
def test_every_run_gives_the_same_bits(tmp_path, monkeypatch, plan: str) -> None:
    monkeypatch.setenv("KEMPE_CACHE", str(tmp_path))
    PROGRAMS.clear()
    mechanism = slider_crank()
    first, second = (mechanism.kinematics(until=1.0, steps=50, plan=plan) for _ in range(2))
    PROGRAMS.clear()  # as in another process, which finds programs on the disk
    third = slider_crank().kinematics(until=1.0, steps=50, plan=plan)
    for again in (second, third):
        assert again.motion.counts == first.motion.counts
        for here, there in zip(_samples(again), _samples(first), strict=True):
            assert here.tobytes() == there.tobytes()


def _samples(turn: kempe.Trajectory) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return turn.motion.q, turn.motion.v, turn.motion.a


@pytest.mark.parametrize("first", [0.5 * math.pi, math.pi, 1.0])
def test_a_program_made_elsewhere_sweeps_from_where_one_of_its_pivots_vanishes(first) -> None:
    PROGRAMS.clear()
    slider_crank(first).kinematics(until=0.1, steps=2)
    for start in (0.0, 0.5 * math.pi, math.pi, 2.0):
        assert slider_crank(start).kinematics(until=1.0, steps=100).outcome.name == "Done"


@pytest.mark.parametrize("steps", [1, 3, 10, 40])
def test_a_four_bar_of_hinges_in_space_goes_round_however_far_apart_its_samples_are(
    steps: int,
) -> None:
    # Rows that determine its motion at one sample do not at places before the next.
    turns, lengths = 30.4, (8.328067934535476, 25.376376096258223, 42.391368925815854)
    linkage = CrankRocker(lengths, 33.677029116651475, (1.0, 1.0, 1.0), -1.260940137705361)
    m = kempe.Builder("four-bar in space")
    bars = linkage.built(m)
    m.drive(bars.crank.angle, start=linkage.first, speed=math.tau * turns)
    turn = m.build().kinematics(until=1.0, steps=steps)
    assert turn.outcome.name == "Done"
    due = linkage.angles(linkage.first + math.tau * turns * turn.t)[1]
    assert np.abs(turn["rocker.angle"].values - due).max() < EXACT
