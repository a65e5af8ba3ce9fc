"""Promise: `motions` in space lists every loop of a mechanism, each once, and how far it goes.

Oracle: closed forms. Of spherical four-bars the cosine rule, and Grashof's rule of arcs; of the
RSSR the quadratic in its output angle, whose discriminant tells where the crank can stand; of
planar four-bars posed in space the same in the plane; of platforms on five rods and of chains of
hinges, balls, sleeves and crosses, Newton's method from many starts: what it finds lies on a loop.
"""

import math
from collections.abc import Collection

import numpy as np

import kempe as kp
from tests.motion import _loops_in_space as loops
from tests.motion import _machines_in_space as machines

CASES = 12
ROWS = 1e-9  # of joints, in machines of the size of 1
CHAINS = ("RSCR", "RCSR", "RSUR", "RUSR", "RRSC", "URSR")
NEAR = 5e-3  # rad, of ends of ranges: samples are 0.01 apart


def attempt(rng: np.random.Generator) -> list[str]:
    """One machine of a random kind."""
    kinds = (_rssr, _rssr, _limited, _spherical, _spherical, _spherical, _planar, _platform, _loop)
    return kinds[int(rng.integers(len(kinds)))](rng)


def _rssr(rng: np.random.Generator) -> list[str]:
    crank, rocker, rod = rng.uniform(0.3, 2.0, 3)
    at, turn = rng.uniform(-1.5, 1.5, 3), machines.random_turn(rng)
    numbers = (crank, rocker, rod, at, turn)
    mechanism = loops.rssr(*numbers)
    # seen from the rocker, the crank is the rocker
    back = (rocker, crank, rod, -turn.T @ at, turn.T)
    wanted = {
        "first.angle": loops.pieces(loops.turn_of_rssr(*numbers)),
        "second.angle": loops.pieces(loops.turn_of_rssr(*back)),
    }
    return _compared(mechanism, wanted)


def _limited(rng: np.random.Generator) -> list[str]:
    """Loops cut into arcs by limits of the crank's angle."""
    crank, rocker, rod = rng.uniform(0.3, 2.0, 3)
    numbers = (crank, rocker, rod, rng.uniform(-1.5, 1.5, 3), machines.random_turn(rng))
    low = float(rng.uniform(-2.0, 0.0))
    limits = (low, low + float(rng.uniform(0.3, 4.0)))
    counts = loops.within(loops.turn_of_rssr(*numbers), *limits)
    if counts is None:
        return []
    found = loops.rssr(*numbers).motions(limits={"first.angle": limits})
    closed = sum(c.closed for c in found.components)
    if str(found.outcome) != "complete" or (closed, len(found) - closed) != counts:
        return [f"within {limits} {found}: instead of {counts} loops and arcs"]
    return []


def _spherical(rng: np.random.Generator) -> list[str]:
    sides = rng.uniform(0.3, 1.5, 4)
    mechanism = machines.spherical_four_bar(tuple(sides), rng.normal(size=3))
    arcs = loops.pieces(loops.turn_of_crank(sides))
    wrong = _compared(mechanism, {"crank_hinge.angle": arcs})
    if arcs and (loops.loops(arcs) == 2) != loops.spherical_grashof(sides):
        wrong.append(f"the cosine rule and Grashof's differ for {sides}")
    return wrong


def _planar(rng: np.random.Generator) -> list[str]:
    crank, rocker, coupler, ground = rng.uniform(0.5, 3.0, 4)
    turn = machines.random_turn(rng)
    mechanism = loops.four_bar(crank, rocker, coupler, ground, turn)
    angles = math.tau * np.arange(20_000) / 20_000
    square = crank**2 + ground**2 - 2.0 * crank * ground * np.cos(angles)
    spare = ((coupler + rocker) ** 2 - square) * (square - (coupler - rocker) ** 2)
    return _compared(mechanism, {"first.angle": loops.pieces(spare)}, ("numerical",))


def _platform(rng: np.random.Generator) -> list[str]:
    a, b, lengths = machines.random_platform(rng, flat=True)
    mechanism = machines.platform(a[:5], b[:5], lengths[:5])
    found = mechanism.motions()
    wrong = _off(mechanism, found)
    if str(found.outcome) != "complete":
        return [*wrong, f"a platform on five rods: {found}"]
    # every assembly with a sixth rod lies on one of the loops
    for x in machines.platforms_by_newton(a, b, lengths, rng, starts=300):
        pose = np.array([*x[:3], *loops.quaternion(x[3:].reshape(3, 3))])
        if found.component_of(pose) is None:
            wrong.append(f"on no component: {pose}")
    return wrong


def _loop(rng: np.random.Generator) -> list[str]:
    """Closed chains of hinges, balls, sleeves and crosses, each with one freedom."""
    mechanism = loops.random_loop(rng, CHAINS[int(rng.integers(len(CHAINS)))])
    found = mechanism.motions()
    wrong = _off(mechanism, found)
    if str(found.outcome) != "complete":
        return [*wrong, str(found)]
    for q in loops.positions_by_newton(mechanism, rng, starts=6):
        if found.component_of(q) is None:
            wrong.append(f"{found}: on no component: {q}")
    return wrong


def _compared(
    mechanism: kp.Mechanism,
    wanted: dict[str, list[tuple[float, float]] | None],
    outcomes: Collection[str] = ("complete",),
) -> list[str]:
    """Loops and ranges of angles as listed, against the arcs that a closed form gives."""
    if any(arcs is None for arcs in wanted.values()):
        return []  # nearly singular
    found = mechanism.motions()
    counts = {loops.loops(arcs) for arcs in wanted.values() if arcs is not None}
    is_as_sure = str(found.outcome) in outcomes or counts == {0}
    if not is_as_sure or {len(found)} != counts:
        return [f"{found}: instead of {counts} loops"]
    wrong = _off(mechanism, found)
    for measure, arcs in wanted.items():
        assert arcs is not None
        each = arcs * 2 if loops.loops(arcs) > len(arcs) else arcs
        listed = loops.ranges(mechanism, found, measure)
        if loops.unlike(listed, each, NEAR):
            wrong.append(f"{measure} goes over {listed} instead of {each}")
    return wrong


def _off(mechanism: kp.Mechanism, found: kp.MotionMap) -> list[str]:
    off = max((machines.residual_along(mechanism, c) for c in found.components), default=0.0)
    return [f"rows are off by {off}"] if off > ROWS else []
