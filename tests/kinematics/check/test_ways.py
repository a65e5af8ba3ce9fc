"""In how many ways a driven four-bar goes together, beside the search that proves it."""

import pytest

import kempe
from kempe.events import Stop

SHAPES = [(1, 3, 3, 3.5), (3, 3.5, 3, 1), (3, 1, 3.2, 3.5), (2, 3, 2.2, 4)]


def four_bar(lengths, driven="crank", *, plane=True):
    a, b, c, d = lengths
    m = kempe.Builder("four-bar", plane=plane)
    bars = {
        "crank": m.bar("crank", a),
        "coupler": m.bar("coupler", b),
        "rocker": m.bar("rocker", c),
    }
    m.revolute(bars["crank"].start, m.ground.at(0, 0))
    m.revolute(bars["crank"].end, bars["coupler"].start)
    m.revolute(bars["coupler"].end, bars["rocker"].end)
    m.revolute(m.ground.at(d, 0), bars["rocker"].start)
    start = m.build().assemble()
    if driven is not None:
        name = f"{driven}.angle"
        m.drive(bars[driven].angle, start=float(start[name]), speed=1.0)
    return m


@pytest.mark.parametrize("lengths", SHAPES)
@pytest.mark.parametrize("driven", ["crank", "rocker"])
def test_lengths_say_what_the_search_proves(lengths, driven):
    made = four_bar(lengths, driven).build()
    found = made.assemblies(at=0)
    assert found.outcome == "complete"
    assert made.check().ways == len(found) == 2
    assert "- 2 assemblies -" in str(made.check())


def test_hinges_in_space_go_together_as_in_the_plane():
    assert four_bar(SHAPES[0], plane=False).build().check().ways == 2


@pytest.mark.parametrize("driven", [None, "coupler"])
def test_nothing_is_said_where_lengths_do_not_tell(driven):
    report = four_bar(SHAPES[0], driven).build().check()
    assert report.ways is None
    assert "assemblies" not in str(report)
    assert kempe.gallery.slider_crank().check().ways is None
    assert kempe.gallery.jansen().check().ways is None


def test_nothing_is_said_at_a_dead_point_or_where_an_event_may_forbid_one():
    lengths = (1.0, 3.0, 2.0, 4.0)  # crank 180 degrees: coupler and rocker in line, 5 = 3 + 2
    m = kempe.Builder("stretched", plane=True)
    crank, coupler, rocker = (m.bar(n, x) for n, x in zip("abc", lengths, strict=False))
    m.revolute(crank.start, m.ground.at(0, 0))
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(m.ground.at(lengths[3], 0), rocker.start)
    m.drive(crank.angle, start="180 deg", speed=1.0)
    assert m.build().check().ways is None
    stopped = four_bar(SHAPES[0])
    stopped.event(Stop(crank_of(stopped), high=9.0), "never")
    assert stopped.build().check().ways is None


def crank_of(m):
    """The angle that the crank of a builder is driven by."""
    return m.build().model.drives[0].gauge
