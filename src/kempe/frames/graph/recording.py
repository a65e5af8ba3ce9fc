"""A buffer that grows: states recorded as they arrive, the oldest forgotten."""

import math
from itertools import pairwise

import numpy as np

from kempe.errors import BadNumber, FrameError, OutsideBuffer, TwoParents
from kempe.frames.graph.graph import FrameGraph
from kempe.frames.motions.sampled_motion import POSES, Sampled
from kempe.frames.states.arrays import six
from kempe.frames.states.state import KinematicState, made


def record(
    graph: FrameGraph,
    t: float,
    state: KinematicState,
    *,
    keep: float = 10.0,
    extrapolate: float = 0.0,
    order: int = POSES,
) -> None:
    """Take the state of a frame at the time t (s) into its buffer; a new frame is hung first.

    Samples older than `keep` seconds before the newest are forgotten. They may come in any order;
    a second one for the same time replaces the first. What the samples know (`order`) and how far
    the buffer may `extrapolate` (s) is settled by a frame's first sample.

    Examples:
        >>> from kempe.frames import FrameGraph, KinematicState, record
        >>> graph = FrameGraph("map")
        >>> for t in (0.0, 0.1):
        ...     record(graph, t, KinematicState("base", "map", [5 * t, 0, 0]))
        >>> graph.state("base", "map", t=0.05).position.tolist()
        [0.25, 0.0, 0.0]
    """
    if not math.isfinite(t) or not keep > 0.0:
        raise BadNumber(f"a sample needs a finite time and `keep` > 0 s, not {t} and {keep}.")
    if state.position.ndim != 1:
        raise BadNumber(f"one instant is recorded at a time, this state has {len(state)}.")
    s = state.resolved()
    one = made(s.frame, s.reference, six(x[None] for x in s.parts), known=s.known)
    if s.frame not in graph:
        start = Sampled([t], one, order=order, extrapolate=extrapolate)
        graph.add(s.frame, s.reference, start)
        return
    buffer, parent = graph.edge(s.frame), graph.parent(s.frame)
    if parent != s.reference:
        raise TwoParents(
            f"{s.frame!r} hangs on {parent!r}, and this sample is seen from {s.reference!r}: record"
            " what its parent sees, or reparent it.",
            frame=s.frame,
            parents=(parent, s.reference),
        )
    if not isinstance(buffer, Sampled):
        raise FrameError(
            f"the edge from {parent!r} to {s.frame!r} is {type(buffer).__name__} and takes no"
            " samples.",
            frame=s.frame,
        )
    graph.change(s.frame, _grown(buffer, t, one, keep))


def common_times(graph: FrameGraph, frame: str, seen_from: str) -> tuple[float, float]:
    """The first and last time (s) at which a frame can be seen from another without extrapolation.

    Infinite where no buffer lies on the way.
    """
    first, last = -math.inf, math.inf
    way = graph.path(frame, seen_from)
    for here, there in pairwise(way):
        edge = graph.edge(here if graph.parent(here) == there else there)
        if isinstance(edge, Sampled):
            first, last = max(first, float(edge.t[0])), min(last, float(edge.t[-1]))
    if first > last:
        raise OutsideBuffer(
            f"there is no time at which {frame!r} can be seen from {seen_from!r}: one buffer on the"
            f" way begins at {first:g} s, when another has ended at {last:g} s.",
            first=first,
            last=last,
        )
    return first, last


def _grown(buffer: Sampled, t: float, one: KinematicState, keep: float) -> Sampled:
    newest = max(t, float(buffer.t[-1]))
    if t < newest - keep:
        raise OutsideBuffer(
            f"the sample at {t:g} s of {one.frame!r} is older than the {keep:g} s that are kept"
            f" before the newest, at {newest:g} s.",
            t=t,
            last=newest,
        )
    before = (buffer.t >= newest - keep) & (buffer.t < t)
    after = buffer.t > t
    times = np.concatenate([buffer.t[before], [t], buffer.t[after]])
    pairs = zip(buffer.states.parts, one.parts, strict=True)
    parts = six(np.concatenate([old[before], new, old[after]]) for old, new in pairs)
    known = min(one.known, buffer.states.known)
    states = made(one.frame, one.reference, parts, known=known)
    return Sampled(times, states, order=buffer.order, extrapolate=buffer.extrapolate)
