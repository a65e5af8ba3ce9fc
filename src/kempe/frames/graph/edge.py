"""Edges: what joins two frames, and how the states along a path are put together."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from kempe.errors import BadNumber, EdgeFailed, FrameMismatch, KempeError
from kempe.frames.motions.motion import AbstractMotion, Rigid
from kempe.frames.states.arrays import TOO_FAR, FloatArray, Parts, composed, is_in_reach
from kempe.frames.states.state import KinematicState
from kempe.geometry.number import floats

Edge = AbstractMotion | KinematicState | Any  # Any: a Pose or a function of t


@final
@dataclass(frozen=True, slots=True, eq=False)
class Closing:
    """An edge beyond the tree: the state of `frame` seen from `reference`."""

    frame: str
    reference: str
    motion: AbstractMotion


def closing_parts(edge: Closing, t: float | ArrayLike) -> Parts:
    """The parts of a closing edge's state."""
    return motion_parts(edge.motion, edge.frame, edge.reference, times_of(t))


def motion_parts(motion: AbstractMotion, frame: str, reference: str, t: FloatArray) -> Parts:
    """A motion's parts, all in reach; where it fails the mistake says which edge it was."""
    try:
        parts = motion.parts(t)
    except KempeError as mistake:
        said = f"the edge from {reference!r} to {frame!r}: {mistake.message}"
        facts = {**mistake.facts, "frame": frame, "reference": reference}
        raise type(mistake)(said, **facts) from mistake.__cause__
    if not isinstance(motion, Rigid) and not all(map(is_in_reach, parts)):
        when = f"t = {t:g} s" if t.ndim == 0 else f"one of {len(t)} times up to {t.max():g} s"
        raise EdgeFailed(
            f"the edge from {reference!r} to {frame!r} has, at {when}, {TOO_FAR}",
            frame=frame,
            reference=reference,
        )
    return parts


def fixed_pose(motion: AbstractMotion) -> tuple[FloatArray, FloatArray] | None:
    """Position and rotation of a motion that never changes; None of any other."""
    return (motion.position, motion.rotation) if isinstance(motion, Rigid) else None


def checked_motion(motion: AbstractMotion, frame: str, parent: str, edge: Edge) -> AbstractMotion:
    """Refuse a state that is of other frames than the edge, and a pose that is out of reach."""
    if isinstance(edge, KinematicState) and (edge.frame, edge.reference) != (frame, parent):
        raise FrameMismatch(
            f"the edge from {parent!r} to {frame!r} was given the state of {edge.frame!r} seen from"
            f" {edge.reference!r}: give that of {frame!r} seen from {parent!r}.",
            first=frame,
            second=edge.frame,
        )
    if isinstance(motion, Rigid) and not is_in_reach(motion.position):
        raise BadNumber(f"the edge from {parent!r} to {frame!r} has {TOO_FAR}", frame=frame)
    return motion


def times_of(t: float | ArrayLike) -> FloatArray:
    """A time or times as an array, () or (n,), finite."""
    times = floats(t, "times")
    if times.ndim > 1 or not np.isfinite(times).all():
        raise BadNumber(f"a time is one finite number or (n,) of them, not {t!r}.")
    return times


def product(links: list[Parts]) -> Parts:
    """All links one after the other; neighbours are put together pair by pair, many at once."""
    if len(links) > 64 and all(link[1].ndim == 2 for link in links):
        many: Any = tuple(np.stack(part) for part in zip(*links, strict=True))
        while len(many[0]) > 1:
            odd = len(many[0]) % 2
            even: Any = tuple(x[: len(x) - odd : 2] for x in many)
            pairs = composed(even, tuple(x[1::2] for x in many))
            many = tuple(
                np.concatenate([x, y[-1:]]) if odd else x for x, y in zip(pairs, many, strict=True)
            )
        p, R, v, w, a, alpha = (x[0] for x in many)
        return p, R, v, w, a, alpha
    product = links[0]
    for link in links[1:]:
        product = composed(product, link)
    return product


def spread(parts: Parts, t: FloatArray) -> Parts:
    """As many instants as times."""
    if t.ndim == 0 or parts[1].ndim == 3:
        return parts
    p, R, v, w, a, alpha = (np.broadcast_to(x, (*t.shape, *x.shape)) for x in parts)
    return p, R, v, w, a, alpha
