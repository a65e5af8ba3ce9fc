"""Pins held by bars pulled straight, one upon the other: each level is stopped an order later."""

import math

import pytest

import kempe as kp


def _bar(m, name, a, b):
    angle = math.atan2(b[1] - a[1], b[0] - a[0])
    if m.plane:
        return m.bar(name, math.dist(a, b), at=a, angle=angle)
    return m.bar(name, math.dist(a, b), at=(*a, 0.0), angle=angle)


def _hinged(m, base, bars):
    """Bars between places of the plane on a base, hinged where their ends meet."""
    first = {}
    for place in base:
        spot = place if m.plane else (*place, 0.0)
        first[place] = base[place].at(*spot)
    for number, (a, b) in enumerate(bars):
        bar = _bar(m, f"bar{number}", a, b)
        for place, end in ((a, bar.start), (b, bar.end)):
            if place in first:
                m.revolute(first[place], end)
            else:
                first[place] = end
    return first


def _tower(levels):
    """Straight pairs, each from the middle of the one before; the first between two fixed pins.

    The middle of the first cannot leave its place: each half has its length. So the pair above it
    has two fixed ends as well, just as far apart as its halves are long; and so on.
    """
    fixed, bars, middle = [(0.0, 0.0), (2.0, 0.0)], [], (1.0, 0.0)
    bars += [((0.0, 0.0), middle), (middle, (2.0, 0.0))]
    for level in range(1, levels):
        up = (0.0, 1.0) if level % 2 else (1.0, 0.0)
        above = (middle[0] + up[0], middle[1] + up[1])
        end = (middle[0] + 2 * up[0], middle[1] + 2 * up[1])
        bars += [(middle, above), (above, end)]
        fixed.append(end)
        middle = above
    return fixed, bars, middle


@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize("levels", [1, 2, 3])
def test_a_bar_swings_on_a_tower_of_straight_pairs_and_nothing_else_moves(levels, plane):
    fixed, bars, top = _tower(levels)
    m = kp.Builder("tower", plane=plane)
    swing = (top, (top[0] + 0.6, top[1] - 0.7))
    _hinged(m, dict.fromkeys(fixed, m.ground), [*bars, swing])
    assert m.build().check().mobility == 1


@pytest.mark.parametrize("levels", [1, 2, 3])
def test_a_tower_on_a_plate_that_turns_moves_with_it(levels):
    fixed, bars, top = _tower(levels)
    m = kp.Builder("tower on a plate", plane=True)
    plate = m.body("plate")
    m.revolute(m.ground.at(0.3, -1.0), plate.at(0.3, -1.0))
    swing = (top, (top[0] + 0.6, top[1] - 0.7))
    _hinged(m, dict.fromkeys(fixed, plate), [*bars, swing])
    assert m.build().check().mobility == 2


def test_two_pairs_that_hold_a_pin_from_either_side_leave_the_bars_that_hang():
    """Pin (0, 2) turns about (1, 1), which a straight pair holds. One more pair, from (0, 0), lets
    it go one way only, the other, from (2, 2), the other way only: two hanging bars are left."""
    m = kp.Builder("lattice", plane=True)
    place = [(float(x), float(y)) for y in range(3) for x in range(3)]
    numbers = ["01", "03", "04", "12", "14", "15", "36", "46", "48", "67", "78"]
    bars = [(place[int(a)], place[int(b)]) for a, b in numbers]
    _hinged(m, {place[0]: m.ground, place[8]: m.ground}, bars)
    assert m.build().check().mobility == 2
