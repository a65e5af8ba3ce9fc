"""Asking a mechanism for all its positions over time: branches, and where they begin and end."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import BadNumber, KempeError
from kempe.front.position import CertifiedAssembly
from kempe.front.requests.circuits import WHOLE, in_step, turn_free
from kempe.front.requests.motions import Number, Question, Range
from kempe.motion import Effort
from kempe.motion.equations.question import TIME
from kempe.results.maps.assemblies import CertifiedState
from kempe.results.maps.component import Component
from kempe.results.maps.timeline import TimeBranch, TimeEvent, Timeline
from kempe.units import in_si

FloatArray = NDArray[np.float64]

STEP = 0.02  # between samples, in the space of unknowns
MOST_CORNERS = 64
SAME = 1e-6  # cosines, sines, sizes of the machine: positions at a corner that are one
NEAR = 0.1  # in unknowns: a turning point lies on the samples that pass it
ROUNDING = 1e-9  # of the span: times that are one
TOLD_FROM_SAMPLES = "Births and deaths are told from samples: {reason}"


def timeline_of(
    layout: Layout,
    held: Mapping[str, Number] | None,
    limits: Mapping[str, Range] | None,
    during: Range,
    effort: Effort | None,
) -> Timeline:
    """All branches over a span of time, with births and deaths, joined where laws have corners."""
    began = time.monotonic()
    start, stop = (in_si(end, "s") for end in during)
    own = [d.law for d in layout.model.drives if d.gauge.name not in (held or {})]
    corners = sorted({t for law in own for t in law.corners(start, stop)}) if start < stop else []
    if len(corners) > MOST_CORNERS:
        raise BadNumber(
            f"the laws go over to other formulas {len(corners)} times between {start:g} and"
            f" {stop:g} s, and at most {MOST_CORNERS} are joined: ask for a shorter span."
        )
    parts = []
    for span in pairwise([start, *corners, stop]):
        question = Question.of(layout, held, limits, None, span)
        left = (effort or Effort()).after(time.monotonic() - began)
        parts.append(_Part(question, left))
    branches, events = _joined([part.branches for part in parts], parts, layout)
    reasons = [part.reason for part in parts if part.reason]
    message = TOLD_FROM_SAMPLES.format(reason=reasons[0]) if reasons else ""
    return Timeline(
        layout.model.name,
        tuple(part.motions for part in parts),
        (start, stop),
        branches,
        events,
        not reasons,
        message,
    )


def _joined(
    found: "list[list[TimeBranch]]", parts: "list[_Part]", layout: Layout
) -> tuple[tuple[TimeBranch, ...], tuple[TimeEvent, ...]]:
    """Branches of all parts in the order of time, each going on where one of the next begins."""
    chains: list[list[tuple[int, int]]] = []
    open_: dict[int, list[tuple[int, int]]] = {}  # by the branch that a part ends with
    for k, own in enumerate(found):
        going: dict[int, list[tuple[int, int]]] = {}
        before = [(found[k - 1][b], chain) for b, chain in open_.items()]
        for b, branch in enumerate(own):
            chain = _continued(branch, before, layout) if branch.begins == "start" else None
            if chain is None:
                chain = []
                chains.append(chain)
            chain.append((k, b))
            if branch.ends == "stop":
                going[b] = chain
        open_ = going
    whole = [_whole(chain, found, len(found)) for chain in chains]
    order = sorted(range(len(whole)), key=lambda k: (whole[k].start, whole[k].stop, k))
    number = {link: new for new, old in enumerate(order) for link in chains[old]}
    events = [
        replace(event, branches=(number[k, event.branches[0]], number[k, event.branches[1]]))
        for k, part in enumerate(parts)
        for event in part.events
    ]
    ordered = (replace(whole[k], number=new) for new, k in enumerate(order))
    return tuple(ordered), tuple(sorted(events, key=lambda e: e.t))


def _continued(
    branch: TimeBranch,
    before: list[tuple[TimeBranch, list[tuple[int, int]]]],
    layout: Layout,
) -> list[tuple[int, int]] | None:
    """The chain whose last branch ends where this one begins, taken out of those that wait."""
    p = turn_free(layout, branch.q[:1])
    off = [float(np.abs(turn_free(layout, b.q[-1:]) - p).max()) for b, _ in before]
    if not off or min(off) > SAME:
        return None
    return before.pop(int(np.argmin(off)))[1]


def _whole(chain: list[tuple[int, int]], found: "list[list[TimeBranch]]", count: int) -> TimeBranch:
    """The branches of a chain as one; an end at a corner that nothing goes on from is said so."""
    own = [found[k][b] for k, b in chain]
    begins, ends = own[0].begins, own[-1].ends
    if begins == "start" and chain[0][0] > 0:
        begins = "corner"
    if ends == "stop" and chain[-1][0] < count - 1:
        ends = "corner"
    t = np.concatenate([own[0].t, *(b.t[1:] for b in own[1:])])
    q = np.concatenate([own[0].q, *(b.q[1:] for b in own[1:])])
    places = tuple((k, found[k][b].places[0][1]) for k, b in chain)
    return TimeBranch(0, places, begins, ends, t, q)


@final
class _Part:
    """All motions over a span without corners, cut into branches."""

    def __init__(self, question: Question, effort: Effort) -> None:
        began = time.monotonic()
        self.motions = question.curves(effort)
        lines = [_Line(question, component) for component in self.motions.components]
        self.reason = ""
        if self.motions.outcome not in WHOLE:
            self.reason = "not all motions are certified."
        left = effort.after(time.monotonic() - began)
        self.reason = self.reason or _put_turns(question, lines, left)
        self.branches: list[TimeBranch] = []
        self.events: list[TimeEvent] = []
        for line in lines:
            if self.reason:
                line.turns = line.sampled_turns()
            line.cut(self.branches, self.events)


def _put_turns(question: Question, lines: "list[_Line]", effort: Effort | None) -> str:
    """Give every line the certified places where time turns back; why not, where that fails."""
    try:
        found = question.turning_points(TIME, effort)
    except KempeError as trouble:
        return trouble.message
    if found.outcome not in WHOLE:
        return found.message
    for state in found.states:
        places = [line.nearest(state) for line in lines]
        k = min(range(len(lines)), key=lambda k: places[k][0], default=-1)
        if k < 0 or places[k][0] > NEAR:
            return "a turning point lies on no listed component."
        lines[k].turns.append(_Turn(places[k][1], state.others[TIME], state))
    for line in lines:
        line.turns.sort(key=lambda turn: turn.place)
        if not line.is_monotone():
            return "samples turn back where no turning point is listed."
    return ""


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Turn:
    """Where time turns back on a line: how many samples come before, and the state if certified."""

    place: float
    t: float
    state: CertifiedState | None = None


@final
class _Line:
    """A component as samples in the space of places, turns and time; a loop comes back."""

    def __init__(self, question: Question, component: Component) -> None:
        assert question.clock is not None
        self.question, self.component, self.unit = question, component, question.clock.unit
        samples = component.sample(STEP)
        self.t, self.q = samples.others[TIME].copy(), samples.q
        span = question.clock.stop - question.clock.start
        for end in (question.clock.start, question.clock.stop):
            self.t[np.abs(self.t - end) < ROUNDING * span] = end
        if component.closed:
            self.t, self.q = np.append(self.t, self.t[0]), np.vstack([self.q, self.q[:1]])
        self.points = self._points(self.q, self.t)
        self.turns: list[_Turn] = []

    def _points(self, q: FloatArray, t: FloatArray) -> FloatArray:
        return np.column_stack([turn_free(self.question.layout, q), t / self.unit])

    def nearest(self, state: CertifiedState) -> tuple[float, float]:
        """(how far from it, how many samples come before) of a state."""
        p = self._points(state.q[None], np.array([state.others[TIME]]))[0]
        if len(self.points) < 2:
            return float(np.linalg.norm(p - self.points[0])), 0.0
        start, way = self.points[:-1], np.diff(self.points, axis=0)
        square = np.maximum((way * way).sum(axis=1), 1e-300)
        share = (((p - start) * way).sum(axis=1) / square).clip(0.0, 1.0)
        off = np.linalg.norm(start + share[:, None] * way - p, axis=1)
        k = int(off.argmin())
        return float(off[k]), float(k + share[k])

    def sampled_turns(self) -> list[_Turn]:
        """Where samples turn back."""
        rising = np.sign(np.diff(self.t))
        found = (np.flatnonzero(rising[:-1] * rising[1:] < 0) + 1).tolist()
        if self.component.closed and len(rising) and rising[0] * rising[-1] < 0:
            found = [0, *found]
        return [_Turn(float(k), float(self.t[k])) for k in found]

    def pieces(self) -> list[tuple[FloatArray, FloatArray, "_Turn | None", "_Turn | None"]]:
        """(t, q, turn before, turn behind) from turn to turn, along the line."""
        turns = self.turns
        if not turns:
            return [(self.t, self.q, None, None)]
        if not self.component.closed:
            ends = [None, *turns, None]
            return [self._piece(a, b) for a, b in pairwise(ends)]
        return [self._piece(a, b) for a, b in zip(turns, [*turns[1:], turns[0]], strict=True)]

    def _piece(
        self, a: _Turn | None, b: _Turn | None
    ) -> tuple[FloatArray, FloatArray, _Turn | None, _Turn | None]:
        places = np.arange(len(self.t))
        low, high = -1.0 if a is None else a.place, np.inf if b is None else b.place
        inner = np.flatnonzero((places > low) & (places < high))
        if a is not None and b is not None and low >= high:  # over the beginning of a loop
            after, before = np.flatnonzero(places > low), np.flatnonzero(places < high)
            inner = np.concatenate([after, before[1:]])  # its last sample is the first
        t, q = self.t[inner], self.q[inner]
        for turn, front in ((a, True), (b, False)):
            if turn is not None and turn.state is not None:
                at, there = np.array([turn.t]), turn.state.q[None]
                t = np.concatenate([at, t] if front else [t, at])
                q = np.concatenate([there, q] if front else [q, there])
        return t, in_step(self.question.layout, q), a, b

    def is_monotone(self) -> bool:
        """Whether time only rises or only falls from turn to turn."""
        small = ROUNDING * self.unit
        return all(
            bool((np.diff(t) > -small).all() or (np.diff(t) < small).all())
            for t, _, _, _ in self.pieces()
        )

    def cut(self, branches: list[TimeBranch], events: list[TimeEvent]) -> None:
        """Put its branches and events behind those that are there."""
        first, pieces = len(branches), self.pieces()
        for t, q, a, b in pieces:
            said = [self._said(a, 0, t), self._said(b, -1, t)]
            if t[0] > t[-1]:
                t, q, said = t[::-1], q[::-1], said[::-1]
            begins, ends = said
            place = (0, self.component.number)
            branches.append(TimeBranch(len(branches), (place,), begins, ends, t.copy(), q.copy()))
        for k, turn in enumerate(self.turns):
            before, behind = first + k, first + k + 1
            if self.component.closed:
                before, behind = first + (k - 1) % len(pieces), first + k
            events.append(self._event(turn, before, behind, branches))

    def _said(self, turn: _Turn | None, end: int, t: FloatArray) -> str:
        """What a piece begins or ends with at its `end` (0 or -1)."""
        if turn is not None:
            other = t[-1] if end == 0 else t[0]
            return "birth" if other > turn.t else "death"
        if self.component.closed:
            return "singular"  # time stands still all along it
        found = self.component.ends[end]
        if found.limit.startswith(f"{TIME} at "):
            return "start" if found.limit.endswith("least") else "stop"
        return found.limit or found.kind

    def _event(
        self, turn: _Turn, before: int, behind: int, branches: list[TimeBranch]
    ) -> TimeEvent:
        state = turn.state
        position = None if state is None else CertifiedAssembly.of(self.question.layout, state)
        radius = np.inf if state is None else state.radius
        is_birth = turn.t <= float(branches[behind].t[0])
        return TimeEvent(turn.t, float(radius), is_birth, (before, behind), position)
