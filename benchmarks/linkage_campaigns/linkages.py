"""Random four-bars and six-bars: drawn in closed form, built as mechanisms."""

import cmath
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

import kempe
from linkage_campaigns.dyads import SixBar

#: Which bodies the second dyad of a six-bar hangs on.
KINDS = {
    "Watt I": ("coupler", "rocker"),  # two three-hinged links side by side, neither the ground
    "Watt II": ("rocker", "ground"),
    "Stephenson I": ("crank", "rocker"),
    "Stephenson III": ("coupler", "ground"),
}
STARTS = 64  # tried for a position where the lengths reach


def four_bars(rng: np.random.Generator) -> Iterator[SixBar]:
    """Four-bars with lengths between 0.2 and 2 m and a ground in any direction."""
    while True:
        crank, coupler, rocker, ground = rng.uniform(0.2, 2.0, 4).tolist()
        heading = rng.uniform(0.0, math.tau)
        side = int(rng.choice((-1, 1)))
        for start in rng.uniform(0.0, math.tau, STARTS):
            linkage = SixBar(
                crank, coupler, rocker, cmath.rect(ground, heading), float(start), side
            )
            if linkage.rooms(np.array([start]))[0][0] > 0.0:
                yield linkage
                break


def six_bars(rng: np.random.Generator, kind: str) -> Iterator[SixBar]:
    """Six-bars of a kind on such four-bars."""
    bodies = KINDS[kind]
    for base in four_bars(rng):
        places = tuple(complex(*rng.uniform(-1.5, 1.5, 2)) for _ in bodies)
        links = tuple(float(x) for x in rng.uniform(0.2, 2.0, 2))
        linkage = SixBar(
            base.crank,
            base.coupler,
            base.rocker,
            base.D,
            base.start,
            base.side,
            bodies,
            (places[0], places[1]),
            (links[0], links[1]),
            int(rng.choice((-1, 1))),
        )
        if linkage.rooms(np.array([base.start]))[1][0] > 0.0:
            yield linkage


def built(linkage: SixBar, *, plane: bool = True) -> kempe.Mechanism:
    """The linkage as a mechanism, put together as it stands at the start; one turn a second."""
    at = {name: complex(p[0]) for name, p in linkage.at(np.array([linkage.start])).items()}
    m = kempe.Builder("linkage", plane=plane)
    O, B, C, D = 0j, at["B"], at["C"], at["D"]
    tails = {"crank": (O, B), "coupler": (B, C), "rocker": (D, C)}
    lengths = {
        "crank": linkage.crank,
        "coupler": linkage.coupler,
        "rocker": linkage.rocker,
    }
    extra: dict[str, dict[str, tuple[float, float]]] = {name: {} for name in tails}
    for name, body, factor in zip("PQ", linkage.bodies or (), linkage.places, strict=False):
        if body != "ground":
            p = factor * lengths[body]
            extra[body][name] = (p.real, p.imag)
    angles = {name: cmath.phase(tip - tail) for name, (tail, tip) in tails.items()}
    angles["crank"] = linkage.start  # with the whole turns that the drive counts from
    bars = {
        name: _bar(m, name, tails[name][0], angles[name], lengths[name], extra[name])
        for name in tails
    }
    m.revolute(m.ground.at(0, 0), bars["crank"].start)
    m.revolute(bars["crank"].end, bars["coupler"].start)
    m.revolute(bars["coupler"].end, bars["rocker"].end)
    m.revolute(m.ground.at(D.real, D.imag), bars["rocker"].start)
    if linkage.bodies is not None:
        for name, body, length in zip("PQ", linkage.bodies, linkage.links, strict=True):
            angle = cmath.phase(at["E"] - at[name])
            link = _bar(m, f"link {name}", at[name], angle, length, {})
            p = at[name]
            place = m.ground.at(p.real, p.imag) if body == "ground" else bars[body].point(name)
            m.revolute(place, link.start)
            bars[name] = link
        m.revolute(bars["P"].end, bars["Q"].end)
    m.drive(bars["crank"].angle, start=linkage.start, speed=math.tau)
    return m.build()


def _bar(
    m: kempe.Builder,
    name: str,
    tail: complex,
    angle: float,
    length: float,
    points: dict[str, tuple[float, float]],
) -> Any:
    return m.bar(name, length, at=(tail.real, tail.imag), angle=angle, points=points)
