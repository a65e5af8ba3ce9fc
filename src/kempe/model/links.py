"""Loops of hinges as polygons: the lengths of their links, and what those say at once."""

import math
from dataclasses import dataclass
from typing import final

from kempe.geometry import Marker
from kempe.joints import Revolute
from kempe.model.topology import Loop


@final
@dataclass(frozen=True, slots=True)
class Link:
    """The stretch of one body between two neighbouring hinges of a loop."""

    body: str
    length: float  # m


def pinned_links(loop: Loop) -> tuple[Link, ...] | None:
    """The links of a loop whose joints are all hinges; None for any other loop."""
    if not all(isinstance(j, Revolute) for j in loop.joints):
        return None
    links = []
    for k, body in enumerate(loop.bodies):
        before, after = loop.joints[k - 1], loop.joints[k]
        a, b = (_end(j.markers, body) for j in (before, after))
        links.append(Link(body, math.dist(a.position, b.position)))
    return tuple(links)


def _end(markers: tuple[Marker, ...], body: str) -> Marker:
    return next(m for m in markers if m.body == body)


def reach_gap(links: tuple[Link, ...]) -> tuple[Link, float]:
    """The longest link, and how far the others together fall short of it (negative: enough)."""
    longest = max(links, key=lambda link: link.length)
    others = sum(link.length for link in links) - longest.length
    return longest, longest.length - others


def grashof(links: tuple[Link, ...], ground: str, crank: str) -> str | None:
    """The class of a planar four-bar by its lengths; None where it is no four-bar.

    s + l < p + q: the shortest link can turn fully (Grashof). Which link is shortest says what
    the mechanism is: the crank a crank-rocker, the ground a double crank, the coupler a double
    rocker that turns its coupler.

    Source: [Grashof]
    """
    if len(links) != 4:
        return None
    lengths = sorted(link.length for link in links)
    margin = lengths[1] + lengths[2] - lengths[0] - lengths[3]
    size = lengths[3]
    names = [link.body for link in links]
    if abs(margin) <= 1e-12 * size:
        return "change point (Grashof's limit: it can fold flat)"
    if margin < 0.0:
        return "triple rocker (not Grashof)"
    shortest = min(links, key=lambda link: link.length).body
    if shortest == ground:
        return "double crank (Grashof)"
    opposite = names[(names.index(ground) + 2) % 4]
    if shortest == opposite:
        return "double rocker (Grashof)"
    return "crank-rocker (Grashof)" if shortest == crank else "rocker-crank (Grashof)"
