"""Events as users see them: kept, reopened, marked, told; in space with whole turns counted."""

import pickle

import numpy as np
import pytest

import kempe
from kempe.events import Crossing, Stop


@pytest.fixture(scope="module")
def fall():
    return kempe.gallery.bouncing_ball(restitution=0.3).simulate(until=1.0, steps=40)


def test_events_are_pickled_and_come_back_from_a_file(fall, tmp_path):
    assert pickle.loads(pickle.dumps(fall)).events == fall.events
    fall.save(tmp_path / "fall.npz")
    kept = kempe.Trajectory.load(tmp_path / "fall.npz")
    assert kept.events == fall.events
    assert np.array_equal(kept["floor.effort"].values, fall["floor.effort"].values)


def test_events_are_marked_in_a_page_and_told_in_words(fall, tmp_path):
    fall.animate(tmp_path / "fall.html")
    assert "impact floor" in (tmp_path / "fall.html").read_text(encoding="utf-8")
    assert "impact 'floor' (low)" in fall.summary()


def test_the_state_of_an_event_is_a_start(fall):
    impact = fall.events[0]
    assert impact.state.v[1] == pytest.approx(-4.42945, rel=1e-5)
    assert impact.state_after.v[1] == pytest.approx(0.3 * 4.42945, rel=1e-5)
    again = kempe.gallery.bouncing_ball(restitution=0.3).simulate(
        until=0.1, start=impact.state_after
    )
    assert again["ball.vy"].values[0] == pytest.approx(0.3 * 4.42945, rel=1e-5)


def test_a_limit_in_space_counts_whole_turns():
    m = kempe.Builder("spin")
    body = m.body("wheel", at=(0, 0, 0), inertia=kempe.Inertia(1.0, (0, 0, 0), np.eye(3)))
    hinge = m.revolute(m.ground.at(0, 0, 0), body.at(0, 0, 0), name="hinge")
    m.rate(hinge.angle, 3.0)
    m.event(Stop(hinge.angle, high=15.0, restitution=1.0), "end")
    nine = Crossing("hinge.angle - 9", name="nine", direction="rising")
    run = m.build().simulate(until=9.0, events=[nine])
    assert [(e.name, e.kind) for e in run.events] == [("nine", "crossing"), ("end", "impact")]
    assert [e.t for e in run.events] == pytest.approx([3.0, 5.0], abs=1e-9)


def test_a_reading_that_needs_reactions_is_watched_too():
    # the thread of a pendulum let go level pulls with 3 m g sin(a): m g at sin(a) = 1 / 3
    pendulum = kempe.gallery.simple_pendulum(start=np.pi / 2)
    weight = 9.81
    swing = pendulum.simulate(
        until=0.9,
        tolerance=1e-11,
        events=[Crossing(f"pivot.force.magnitude - {weight}", name="taut", direction="rising")],
    )
    (event,) = swing.events
    assert np.sin(-event.q[2]) == pytest.approx(1.0 / 3.0, abs=1e-8)
