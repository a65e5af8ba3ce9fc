"""How much a search may cost: one limit for the whole question."""

import pytest

import kempe
from kempe.front.requests import motions as requests
from kempe.motion import Effort
from kempe.motion.search import solution


def two_parts():
    """Two four-bars that do not touch: their unknowns are searched apart."""
    m = kempe.Builder("two", plane=True)
    for k, x in enumerate((0.0, 10.0)):
        a, b, c = (m.bar(f"{n}{k}", r) for n, r in (("a", 1.0), ("b", 2.5), ("c", 2.0)))
        m.revolute(m.ground.at(x, 0), a.start)
        m.revolute(a.end, b.start)
        m.revolute(b.end, c.end)
        m.revolute(c.start, m.ground.at(x + 2.0, 0))
    return m.build()


def test_all_parts_of_a_mechanism_share_the_seconds(monkeypatch):
    now, given = [0.0], []
    search = solution.search

    def slow(block, effort, tell):
        given.append(effort.seconds)
        now[0] += 4.0
        return search(block, Effort())

    monkeypatch.setattr(solution, "search", slow)
    monkeypatch.setattr(solution.time, "monotonic", lambda: now[0])
    found = two_parts().assemblies({"a0.angle": 1.0, "a1.angle": 1.2}, effort=Effort(seconds=10.0))
    assert len(found) == 4
    assert given == [10.0, pytest.approx(6.0)]


@pytest.mark.parametrize("question", ["assemblies", "motions", "turning_points"])
def test_the_time_that_equations_take_is_part_of_the_seconds(monkeypatch, question):
    now, given = [0.0], []
    search, write = solution.search, requests.planar_equations

    def slow_writing(*args, **words):
        now[0] += 3.0
        return write(*args, **words)

    def noted(block, effort, tell):
        given.append(effort.seconds)
        return search(block, Effort())

    monkeypatch.setattr(requests, "planar_equations", slow_writing)
    monkeypatch.setattr(solution, "search", noted)
    monkeypatch.setattr(solution.time, "monotonic", lambda: now[0])
    mechanism, effort = kempe.gallery.four_bar(), Effort(seconds=10.0)
    if question == "turning_points":
        mechanism.turning_points("rocker.angle", effort=effort)
    else:
        at = {"at": 0.0} if question == "assemblies" else {}
        getattr(mechanism, question)(effort=effort, **at)
    assert given == [pytest.approx(7.0)] * len(given) != []


def test_what_is_left_of_an_effort_is_never_nothing():
    assert 0.0 < Effort(seconds=1.0).after(5.0).seconds < 0.01
    assert Effort(seconds=1.0, threads=2).after(0.25) == Effort(seconds=0.75, threads=2)


@pytest.mark.parametrize("name", ["klann", "hart", "wobble_plate"])
def test_every_component_is_told_as_it_is_found_with_the_number_that_it_keeps(name):
    early = []
    found = kempe.gallery.MECHANISMS[name]().motions(effort=Effort(found=early.append))
    assert len(early) == len(found.components) > 1
    for told, listed in zip(early, found.components, strict=True):
        assert told.number == listed.number
        assert told.closed == listed.closed
        assert (told.x == listed.x).all()


def test_nothing_is_told_early_of_equations_that_repeat_each_other():
    early = []
    found = kempe.gallery.bennett().motions(effort=Effort(found=early.append))
    assert (len(early), len(found.components)) == (0, 1)
