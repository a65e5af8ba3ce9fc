"""Machines in space whose positions are all sought, with the times that are allowed for it."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe import Builder, gallery
from kempe.front import Mechanism
from kempe.geometry import GROUND, Marker, Rotation
from kempe.joints import Fixed, Rod

FloatArray = NDArray[np.float64]
SEED = 5


@final
@dataclass(frozen=True, slots=True)
class Case:
    """A machine, what is asked of it, and what may come of it.

    `seconds` of CPU are allowed, on the machine where the first solver was timed. `least` are the
    components or assemblies that are known to be there, `most` those that there can be.
    """

    name: str
    make: Callable[[], Mechanism]
    freedom: int
    seconds: float
    least: int
    most: int


def cases() -> list[Case]:
    """Those of the list of goals, in its order."""
    return [
        Case("figure 5, surface (6)", gallery.barton_surface_five_bars, 1, 0.20, 2, 2),
        Case("figure 6, tracks (4)", gallery.barton_triangle_on_tracks, 1, 0.035, 1, 1),
        Case("figure 7, surface (6)", gallery.barton_triangle_on_surface, 1, 0.20, 2, 2),
        Case("octahedral platform", gallery.octahedral_platform, 0, 0.020, 8, 8),
        Case("Delta robot, arms held", delta, 0, 0.020, 2, 40),
        Case("planar 6-6 platform", lambda: platform(6, is_flat=True), 0, 0.020, 1, 40),
        Case("general 6-6 platform", lambda: platform(6), 0, 0.2, 1, 40),
        Case("platform of 40 positions", forty_positions, 0, 1.0, 40, 40),
        Case("six hinges, general", lambda: arm(6), 0, 0.2, 1, 16),
        Case("six hinges, gallery", gallery.six_r_arm, 0, 0.2, 8, 16),
        Case("six hinges, PUMA-like", puma_like, 0, 0.010, 8, 8),
        Case("RSSR", gallery.rssr, 1, 0.005, 2, 2),
        Case("spherical four-bar", gallery.spherical_four_bar, 1, 0.005, 2, 2),
        Case("Bennett", gallery.bennett, 1, 0.050, 1, 1),
        Case("Bricard", gallery.bricard, 1, 1.0, 1, 1),
        Case("five legs", lambda: platform(5), 1, 0.5, 1, 20),
        Case("seven hinges", lambda: arm(7), 1, 10.0, 1, 16),
    ]


def platform(legs: int, *, is_flat: bool = False) -> Mechanism:
    """A body on rods from anywhere to anywhere, heads in a plane or not, that goes together."""
    chance = np.random.default_rng(SEED)
    feet, heads = chance.uniform(-1, 1, (legs, 3)), chance.uniform(-1, 1, (legs, 3))
    if is_flat:
        heads[:, 2] = 0.0
    turn, _ = np.linalg.qr(chance.normal(size=(3, 3)))
    turn *= np.sign(np.linalg.det(turn))
    return _on_rods(feet, heads, chance.uniform(-1, 1, 3) + heads @ turn.T)


# Feet, heads and lengths, in six digits. Source: [Dietmaier].
FORTY = (
    ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0),
    ((1.107915, 0.0, 0.0), (0.542805, 0.0, 0.0), 0.645275),
    ((0.549094, 0.756063, 0.0), (0.956919, -0.528915, 0.0), 1.086284),
    ((0.735077, -0.223935, 0.525991), (0.665885, -0.353482, 1.402538), 1.503439),
    ((0.514188, -0.526063, -0.368418), (0.478359, 1.158742, 0.107672), 1.281933),
    ((0.590473, 0.094733, -0.205018), (-0.137087, -0.235121, 0.353913), 0.771071),
)


def forty_positions() -> Mechanism:
    """A platform on six rods that goes together in as many ways as there can be, which is 40."""
    m = Builder("platform of 40 positions")
    plate = m.body("plate", points={f"head{k}": head for k, (_, head, _) in enumerate(FORTY)})
    for k, (foot, _, length) in enumerate(FORTY):
        m.add(Rod(m.ground.at(*foot), plate.point(f"head{k}"), length=length))
    return m.build()


def delta() -> Mechanism:
    """A Delta robot whose arms are held: a plate on three pairs of parallel rods."""
    feet, heads = [], []
    for k in range(3):
        angle = math.tau * k / 3.0
        out = np.array([math.cos(angle), math.sin(angle), 0.0])
        along = np.array([-math.sin(angle), math.cos(angle), 0.0])
        for side in (-0.05, 0.05):
            feet.append(0.35 * out + side * along - np.array([0.0, 0.0, 0.05 * k]))
            heads.append(0.08 * out + side * along)
    there = np.array(heads) + np.array([0.03, 0.02, -0.6])
    return _on_rods(np.array(feet), np.array(heads), there)


def _on_rods(feet: FloatArray, heads: FloatArray, there: FloatArray) -> Mechanism:
    m = Builder("platform")
    points = {f"head{k}": _triple(p) for k, p in enumerate(heads)}
    plate = m.body("plate", points=points)
    for k, (foot, head) in enumerate(zip(feet, there, strict=True)):
        length = float(np.linalg.norm(head - foot))
        m.add(Rod(m.ground.at(*_triple(foot)), plate.point(f"head{k}"), length=length))
    return m.build()


def arm(hinges: int) -> Mechanism:
    """Hinges in a row whose hand is held where it can be: six have no freedom, seven have one."""
    chance = np.random.default_rng(SEED)
    m = Builder("arm")
    before, here = Marker(GROUND), np.eye(4)
    for k in range(hinges):
        a, d = float(chance.uniform(0.2, 1)), float(chance.uniform(-0.6, 0.6))
        twist = float(chance.uniform(0.5, 2.6) * chance.choice([-1, 1]))
        body = m.body(f"link{k + 1}", points={"start": (0, 0, 0)})
        m.revolute(before, body.start, name=f"hinge{k + 1}")
        turn = Rotation.about((1, 0, 0), twist)
        before = Marker(body.name, (a, 0.0, d), turn)
        about = Rotation.planar(float(chance.uniform(-3, 3)))
        here = here @ _moved(about, (0.0, 0.0, 0.0)) @ _moved(turn, (a, 0.0, d))
    hand = Marker(GROUND, _triple(here[:3, 3]), Rotation.from_matrix(here[:3, :3]))
    m.add(Fixed(hand, before), "hand")
    return m.build()


def puma_like() -> Mechanism:
    """An arm whose second and third axes are parallel and whose last three meet in one point."""
    twists = (-90.0, 0.0, -90.0, 90.0, -90.0, 0.0)
    return gallery.six_r_arm(
        lengths=(0.0, 0.6, 0.1, 0.0, 0.0, 0.0),
        offsets=(0.4, 0.1, 0.0, 0.5, 0.0, 0.15),
        twists=tuple(math.radians(angle) for angle in twists),
    )


def _moved(turn: Rotation, at: tuple[float, float, float]) -> FloatArray:
    made = np.eye(4)
    made[:3, :3], made[:3, 3] = turn.matrix(), at
    return made


def _triple(p: FloatArray) -> tuple[float, float, float]:
    x, y, z = (float(c) for c in p)
    return x, y, z
