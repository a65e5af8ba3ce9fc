"""A mechanism as a tree of bodies and the joints that close its loops, as robots' files want it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

from kempe.couplers import AbstractCoupler
from kempe.errors import KempeError
from kempe.geometry import GROUND
from kempe.joints import AbstractJoint, Kind, Ways
from kempe.model import Model

LINEAR = 1e-9  # of a row: rounding
# What a robot's file can close a loop with comes last, so that the rest is in the tree.
ORDER = (Kind.SLIDER, Kind.SLEEVE, Kind.SLOT, Kind.WELD, Kind.HINGE, Kind.BALL)


@final
@dataclass(frozen=True, slots=True)
class Branch:
    """A joint of the tree: the body it hangs on, the one that hangs on it, and its freedoms."""

    parent: str
    child: str
    joint: AbstractJoint | None  # None for a body that hangs on nothing
    ways: Ways

    @property
    def is_reversed(self) -> bool:
        """Whether marker J is on the parent."""
        return self.joint is not None and self.joint.J.body == self.parent


@final
@dataclass(frozen=True, slots=True)
class Spanning:
    """Branches from the ground on, and the joints that are in none of them."""

    branches: tuple[Branch, ...]
    closing: tuple[tuple[AbstractJoint, Ways], ...]


def spanning_of(model: Model, in_tree: tuple[Kind, ...] = ORDER) -> Spanning:
    """The tree of a model, made of joints of these kinds only, sliders before hinges."""
    ways = {joint.name: joint.ways(plane=model.plane) for joint in model.joints}
    able = [j for j in model.joints if ways[j.name].kind in in_tree and len(j.markers) == 2]
    able.sort(key=lambda joint: ORDER.index(ways[joint.name].kind or Kind.BALL))
    root = {body.name: body.name for body in model.moving} | {GROUND: GROUND}
    beside: dict[str, list[AbstractJoint]] = {name: [] for name in root}
    for joint in able:
        a, b = (_root(root, marker.body) for marker in (joint.I, joint.J))
        if a != b:
            root[a] = b
            for marker in (joint.I, joint.J):
                beside[marker.body].append(joint)
    branches = _hung(model, beside, ways)
    used = {branch.joint.name for branch in branches if branch.joint is not None}
    closing = tuple((j, ways[j.name]) for j in model.joints if j.name not in used)
    return Spanning(tuple(branches), closing)


def _root(root: dict[str, str], name: str) -> str:
    while root[name] != name:
        name = root[name]
    return name


def _hung(
    model: Model, beside: Mapping[str, list[AbstractJoint]], ways: Mapping[str, Ways]
) -> list[Branch]:
    """Branches, each after that of its parent; bodies of parts without ground hang on nothing."""
    branches: list[Branch] = []
    done, waiting = {GROUND}, [GROUND]
    starts = iter(body.name for body in model.moving)
    while True:
        while waiting:
            parent = waiting.pop()
            for joint in beside[parent]:
                (child,) = {joint.I.body, joint.J.body} - {parent}
                if child not in done:
                    done.add(child)
                    branches.append(Branch(parent, child, joint, ways[joint.name]))
                    waiting.append(child)
        loose = next((name for name in starts if name not in done), None)
        if loose is None:
            return branches
        done.add(loose)
        waiting.append(loose)
        branches.append(Branch(GROUND, loose, None, Ways()))


def linear_row(coupler: AbstractCoupler) -> tuple[float, tuple[float, ...]] | None:
    """The row of a coupler where its measures are 0, and its slopes; None where it is not linear.

    A constant that is taken from where the bodies lie counts as 0.
    """
    n = len(coupler.gauges)
    still = coupler if coupler.constant is not None else replace(coupler, constant=0.0)

    def row(*values: float) -> float:
        return float(still.phi(list(values)))

    try:
        rest = row(*[0.0] * n)
        slopes = tuple(row(*(float(j == k) for j in range(n))) - rest for k in range(n))
        for size in (0.37, -2.9):  # elsewhere
            wanted = rest + size * math.fsum(slopes)
            if not abs(row(*[size] * n) - wanted) <= LINEAR * max(1.0, abs(wanted)):
                return None
    except (KempeError, ArithmeticError):
        return None
    return rest, slopes
