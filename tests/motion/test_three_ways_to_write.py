"""One linkage as points and bars, as bodies in the plane and as bodies in space: one answer."""

import numpy as np
import pytest

import kempe

CASES = range(8)
STEP = 0.02
CLOSE = 2e-3  # m: of extents that are read from samples


def drawn(case):
    """Lengths of a four-bar, and of every third a dyad on its rocker: its place and lengths."""
    rng = np.random.default_rng([case, 7])
    lengths = rng.uniform(0.5, 3.0, 4)
    dyad = (rng.uniform(-2, 4), rng.uniform(-2, 2), *rng.uniform(0.5, 3.0, 2))
    return lengths, dyad if case % 3 == 0 else None


def by_points(lengths, dyad):
    a, c, r, g = lengths
    m = kempe.Builder("bars", plane=True)
    P, Q = m.point("P"), m.point("Q")
    m.stick("crank", m.ground.at(0, 0), P, a)
    m.stick("coupler", P, Q, c)
    m.stick("rocker", Q, m.ground.at(g, 0), r)
    if dyad:
        x, y, e, f = dyad
        R = m.point("R")
        m.stick("first", Q, R, e)
        m.stick("second", R, m.ground.at(x, y), f)
    return m.build()


def by_bodies(lengths, dyad, *, plane=True):
    a, c, r, g = lengths
    m = kempe.Builder("bodies", plane=plane)

    def bar(name, length):
        ends = {
            "start": (0.0, 0.0, 0.0)[: 2 + (not plane)],
            "end": (length, 0.0, 0.0)[: 2 + (not plane)],
        }
        return m.body(name, points=ends)

    def still(x, y):
        return m.ground.at(x, y) if plane else m.ground.at(x, y, 0.0)

    crank, coupler, rocker = bar("crank", a), bar("P", c), bar("rocker", r)
    joints = [
        (still(0, 0), crank.start),
        (crank.end, coupler.start),
        (coupler.end, rocker.end),
        (still(g, 0), rocker.start),
    ]
    if dyad:
        x, y, e, f = dyad
        first, second = bar("first", e), bar("second", f)
        joints += [
            (coupler.end, first.start),
            (first.end, second.end),
            (still(x, y), second.start),
        ]
    for k, (I, J) in enumerate(joints):
        m.revolute(I, J, name=f"hinge{k}")
    return m.build()


def answer(mechanism):
    """Outcome, and of every component whether it closes and where P gets to."""
    found = mechanism.motions()
    place = [body.name for body in mechanism.layout.model.moving].index("P")
    each = 3 if mechanism.layout.model.plane else 7
    parts = []
    for component in found.components:
        p = component.sample(STEP).q[:, each * place : each * place + 2]
        parts.append((component.closed, *p.min(axis=0), *p.max(axis=0)))
    return str(found.outcome), np.array(parts, dtype=float)


def are_alike(parts, others):
    """Whether every component has its like among the others, one each."""
    left = list(others)
    for part in parts:
        like = [k for k, other in enumerate(left) if np.allclose(part, other, atol=CLOSE)]
        if not like:
            return False
        del left[like[0]]
    return not left


@pytest.mark.parametrize("case", CASES)
def test_points_bodies_and_bodies_in_space_move_alike(case):
    lengths, dyad = drawn(case)
    first, *others = (
        answer(by_points(lengths, dyad)),
        answer(by_bodies(lengths, dyad)),
        answer(by_bodies(lengths, dyad, plane=False)),
    )
    for other in others:
        assert other[0] == first[0]
        assert are_alike(first[1], other[1])
