"""What is said of a mechanism clears no screen, whatever the mechanism is called."""

import pytest

import kempe as kp
from kempe.errors import BadConnection

ESCAPE = "\x1b"


@pytest.fixture(scope="module")
def parts():
    m = kp.Builder(f"a{ESCAPE}[2J", plane=True)
    bars = [m.bar(name, length) for name, length in zip("abc", (1.0, 2.6, 2.2), strict=True)]
    a, b, c = bars
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(c.start, m.ground.at(2.4, 0))
    m.drive(a.angle, start=0.9, speed=1.0)
    return m, a, b


SAID = {
    "check": lambda m: m.check(),
    "text": lambda m: m.check().text(),
    "summary": lambda m: m.kinematics(until=1.0, steps=4).summary(),
    "assemblies": lambda m: m.assemblies(held={"a.angle": 1.0}),
    "motions": lambda m: m.motions(),
    "circuits": lambda m: m.circuits(),
    "count": lambda m: m.count(),
}


@pytest.mark.parametrize("what", SAID)
def test_no_escape_sequence_of_a_name_is_said(parts, what):
    said = SAID[what](parts[0].build())
    assert "a\\x1b[2J" in str(said)
    assert ESCAPE not in str(said)


def test_a_part_that_is_added_as_another_kind_is_refused_in_words(parts):
    m, a, b = parts
    gears = kp.couplers.GearPair((a.angle, b.angle), teeth=(1, 2))
    with pytest.raises(BadConnection, match=r"a joint is a thing such as .* couple\(\)"):
        m.add(gears)
    for wrong in (3, kp.joints.Revolute(m.ground.at(0, 0), a.start)):
        with pytest.raises(BadConnection, match="a coupler is a thing such as GearPair"):
            m.couple(wrong)
