"""Loops of hinges as polygons: the lengths of their links, and what those say at once."""

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import final

from kempe.geometry import Marker, Vector
from kempe.joints import AbstractJoint, Kind, Ways
from kempe.model.graph import Loop

# 1 - |cosine| of the angle between axes that count as parallel: 1e-6 rad.
PARALLEL = 5e-13


@final
@dataclass(frozen=True, slots=True)
class Link:
    """The stretch of one body between two neighbouring hinges of a loop."""

    body: str
    length: float  # m


def pinned_links(loop: Loop) -> tuple[Link, ...] | None:
    """The links of a loop whose joints are all hinges; None for any other loop."""
    if not all(ways.kind is Kind.HINGE for ways in loop.ways):
        return None
    links = []
    for k, body in enumerate(loop.bodies):
        before, after = loop.joints[k - 1], loop.joints[k]
        a, b = (_end(j.markers, body) for j in (before, after))
        links.append(Link(body, math.dist(a.position, b.position)))
    return tuple(links)


def planar_links(loop: Loop) -> tuple[Link, ...] | None:
    """The links of a loop of hinges with parallel axes, as long as they look along those axes.

    None for any other loop. In the plane every loop of hinges is one.
    """
    if pinned_links(loop) is None:
        return None
    links, pairs = [], list(zip(loop.joints, loop.ways, strict=True))
    for k, body in enumerate(loop.bodies):
        (a, z), (b, other) = (_axis(*pairs[i], body) for i in (k - 1, k))
        if z is None or other is None or abs(abs(float(z @ other)) - 1.0) > PARALLEL:
            return None
        way = Vector(*b.position) - Vector(*a.position)
        across = way - z * float(z @ way)
        links.append(Link(body, math.hypot(*(float(c) for c in across))))
    return tuple(links)


def _end(markers: tuple[Marker, ...], body: str) -> Marker:
    return next(m for m in markers if m.body == body)


def _axis(joint: AbstractJoint, ways: Ways, body: str) -> tuple[Marker, Vector | None]:
    """A hinge's marker on a body, and its axis in that body's frame if the marker has it."""
    marker = _end(joint.markers, body)
    return marker, ways.axes and marker.rotation.axis(ways.axes[marker is joint.J])


def reach_gap(links: tuple[Link, ...]) -> tuple[Link, float]:
    """The longest link, and how far the others together fall short of it (negative: enough)."""
    longest = max(links, key=lambda link: link.length)
    others = sum(link.length for link in links) - longest.length
    return longest, longest.length - others


def unreachable_link(loops: Iterable[Loop]) -> tuple[Loop, Link, float] | None:
    """A link of a loop of hinges that is longer than all others together, and by how much (m).

    Such a loop cannot be closed; None where there is none.
    """
    for loop in loops:
        links = pinned_links(loop)
        if links is not None and len(links) >= 3:
            longest, gap = reach_gap(links)
            if gap > 0.0:
                return loop, longest, gap
    return None


def grashof(links: tuple[Link, ...], ground: str, driven: Collection[str] = ()) -> str | None:
    """The class of a planar four-bar by its lengths; None where it is no four-bar.

    The class is that of the lengths, whatever is `driven`; only of a crank-rocker it is added that
    its rocker is driven, as it then has dead points.

    s + l < p + q: the shortest link can turn fully (Grashof). Which link is shortest says what
    the mechanism is: one beside the ground a crank-rocker, the ground a double crank, the coupler a
    double rocker that turns its coupler.

    Source: [Grashof]
    """
    if len(links) != 4:
        return None
    lengths = sorted(link.length for link in links)
    margin = lengths[1] + lengths[2] - lengths[0] - lengths[3]
    size = lengths[3]
    names = [link.body for link in links]
    if lengths[3] >= (lengths[0] + lengths[1] + lengths[2]) * (1.0 - 1e-12):
        return "stretched flat (its longest link is as long as the others together)"
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
    rocker = next(name for name in names if name not in (shortest, ground, opposite))
    at_rocker = rocker in driven and shortest not in driven
    return f"crank-rocker (Grashof){', driven at its rocker' * at_rocker}"
