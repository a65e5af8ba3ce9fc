"""Proving a motion map again, from its file alone, by other ways and in another arithmetic.

The model's equations are written down once more and reduced as exact polynomials (`written`); rows,
sides, bounds and readings of the map must be those, term by term. With them every chart is proved
again, in balls of doubles or in mpmath's intervals; links and ends are refined to 28 digits and
looked for in the charts they join; and the saved cover is walked through until every part of the
domain is empty, on a listed chart or in a listed place.
"""

import itertools
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.errors import KempeError
from kempe.interruption import put_off
from kempe.motion.equations.system import contradiction
from kempe.motion.verify.component_proof import ProvedAgain, standing
from kempe.motion.verify.cover.blocks import BlockProof
from kempe.motion.verify.cover.covering import Watch
from kempe.motion.verify.enclosures.spans import is_positive
from kempe.motion.verify.written.from_model import from_model
from kempe.motion.verify.written.matching import FromModel
from kempe.motion.verify.written.planar_rows import Asked
from kempe.results.maps.certificate import Cover, Promise
from kempe.results.maps.component import Component
from kempe.results.maps.motion_map import MotionMap, SingularPlace

NEARLY = 1e-9  # relative: numbers that were computed again in another order


def self_contradictions(motions: MotionMap) -> list[str]:
    """What in a map contradicts itself."""
    found: list[str] = []
    if [c.number for c in motions.components] != list(range(len(motions.components))):
        found.append("the components are not numbered in order: one is missing or listed twice")
    for component in motions.components:
        who = f"component {component.number}"
        shapes = _shapes(motions, component)
        found += [f"{who}: {trouble}" for trouble in shapes or _ends(motions, component)]
    for k, place in enumerate(motions.singular):
        found += [f"place {k}: {trouble}" for trouble in _place(motions, k, place)]
    if len(motions.covers) != len(motions.blocks):
        found.append(f"there are {len(motions.blocks)} blocks and {len(motions.covers)} covers")
    return found + outcome_contradictions(motions)


def _shapes(motions: MotionMap, c: Component) -> list[str]:
    """Arrays that do not fit each other, or numbers that are none."""
    if not any(c.block is block for block in motions.blocks):
        return ["it is of a block that is none of the map"]
    n, charts = len(c.block.places), c.charts
    if c.block.freedom != 1:
        return ["its block has another freedom than one"]
    count = len(charts["h"])
    for name, shape in c.chart_shapes(count).items():
        if name not in charts or np.shape(charts[name]) != shape:
            return [f"its {name} do not fit {count} charts of {n} unknowns"]
        if not np.isfinite(charts[name]).all():
            return [f"its {name} are not all numbers"]
    if not ((charts["h"] > 0.0).all() and (charts["w"] > 0.0).all()):
        return ["it has charts without size"]
    total = len(motions.unknowns)
    if not (np.isfinite(c.x).all() and np.isfinite(c.radius).all()):
        return ["its start is not all numbers"]
    if c.x.shape != (total,) or c.radius.shape != (total,) or bool(charts["closed"]) != c.closed:
        return ["it says two things about where it starts, or whether it is closed"]
    if count == 0:
        return ["it has no charts"]
    return []


def _ends(motions: MotionMap, c: Component) -> list[str]:
    if len(c.ends) != (0 if c.closed else 2):
        return [f"{'a loop' if c.closed else 'an arc'} has {len(c.ends)} ends"]
    found = []
    for side, end in enumerate(c.ends):
        where = f"its end {side}"
        if not (np.isfinite(end.x).all() and np.isfinite(end.q).all()):
            found.append(f"{where} is nowhere: its numbers are not all finite")
            continue
        if end.kind not in ("limit", "singular", "unfinished"):
            found.append(f"{where} is of no kind that there is, {end.kind!r}")
            continue
        leads = [k for k, p in enumerate(motions.singular) if (c.number, side) in p.branches]
        if end.kind == "limit":
            told = end.limit.removesuffix(" at most").removesuffix(" at least")
            names = [motions.unknowns[p].removeprefix("limit of ") for p in c.block.places]
            if told not in names or told == end.limit or leads or end.place >= 0:
                found.append(f"{where} is at a limit that is none of the model, {end.limit!r}")
        elif end.limit or leads != ([end.place] if end.place >= 0 else []):
            found.append(f"{where} leads into a place that does not list it")
        elif end.kind == "singular" and end.place < 0:
            found.append(f"{where} is called singular and leads into no place")
        elif end.place >= 0 and not motions.singular[end.place].holds(end.x[list(c.block.places)]):
            found.append(f"{where} does not lie in the place that it leads into")
    return found


def _place(motions: MotionMap, number: int, place: SingularPlace) -> list[str]:
    lows, highs = place.lows, place.highs
    if lows.ndim != 2 or lows.shape != highs.shape or not len(lows):
        return ["it has no boxes"]
    if not (np.isfinite(lows).all() and np.isfinite(highs).all() and (lows <= highs).all()):
        return ["its boxes are no boxes"]
    if not 0 <= place.block < len(motions.blocks) or lows.shape[1] != len(
        motions.blocks[place.block].places
    ):
        return ["it is of no block of the map"]
    found = []
    if (place.low != lows.min(axis=0)).any() or (place.high != highs.max(axis=0)).any():
        found.append("its bounds are not those of its boxes")
    size = float((highs.max(axis=0) - lows.min(axis=0)).max())
    width = float((highs - lows).max())
    if not (_nearly(size, place.size) and _nearly(width, place.width)):
        found.append(f"its size is {size:.3g} and its widest box {width:.3g}, it says otherwise")
    if place.boxes + len(place.branches) != len(lows):
        found.append(f"it counts {place.boxes} boxes and has {len(lows) - len(place.branches)}")
    for component, side in place.branches:
        ends = motions.components[component].ends if component < len(motions.components) else ()
        if not side < len(ends) or ends[side].place != number:
            found.append(f"branch {component}, {side} does not lead into it")
    return found


def _nearly(a: float, b: float) -> bool:
    return abs(a - b) <= NEARLY * max(abs(a), abs(b))


def outcome_contradictions(motions: MotionMap) -> list[str]:
    """An outcome that the rest of the map does not bear out."""
    found = []
    is_open = any(c is not None and (c.unknown == Cover.OPEN).any() for c in motions.covers)
    unfinished = any(e.kind == "unfinished" for c in motions.components for e in c.ends)
    outcome = motions.outcome
    if outcome in (Promise.COMPLETE, Promise.COMPLETE_EXCEPT):
        if is_open or motions.unsearched.boxes:
            found.append(f"it says {outcome}, but parts of the domain were not searched")
        if unfinished:
            found.append(f"it says {outcome}, but a component is unfinished")
        if motions.within != 0.0:
            found.append(f"it says {outcome}, but rows hold only within {motions.within:g}")
        if motions.components and any(c is None for c in motions.covers):
            found.append(f"it says {outcome}, but a block was not searched")
    if outcome is Promise.COMPLETE and motions.singular:
        found.append("it says complete, but lists places where nothing is promised")
    if outcome is Promise.COMPLETE_EXCEPT and not motions.singular:
        found.append("it says complete_except, but lists no place that is excepted")
    if outcome is Promise.CERTIFIED_PARTIAL and not (is_open or unfinished):
        found.append("it says certified_partial, but everything was searched")
    if motions.unsearched.boxes and not is_open:
        found.append(f"it counts {motions.unsearched.boxes} boxes unsearched, its cover has none")
    return found


SAME_DIGITS = 9  # of unknowns of the size of 1: what tells positions of a block apart

Tell = Callable[[int, int], None]


class _TimeIsUpError(Exception):
    """The seconds that were given are over."""


@final
@dataclass(frozen=True, slots=True)
class Verification:
    """What was proved again, what is wrong, and what could not be proved.

    `failures` are sentences about what does not hold. `unproved` is what neither holds nor fails:
    nothing of it is confirmed. `left` charts were not looked at. `boxes` of the domain were looked
    at to see that nothing is missing.
    """

    charts: int
    links: int
    failures: tuple[str, ...]
    left: int = 0
    unproved: tuple[str, ...] = ()
    boxes: int = 0
    outcome: str = ""  # what was proved: the outcome that the map gives, where all holds
    positions: int | None = None  # of a list of assemblies, which has no charts
    surfaces: int | None = None  # of a map of surfaces, whose charts have no links

    @property
    def holds(self) -> bool:
        """Whether everything was proved again."""
        return not self.failures and not self.left and not self.unproved

    def __str__(self) -> str:
        listed = f"All {self.charts} charts and {self.links} links hold"
        if self.positions is not None:
            listed = f"All {self.positions} assemblies hold"
        if self.surfaces is not None:
            several = f"{self.surfaces} surface{'s' * (self.surfaces != 1)}"
            listed = f"All {self.charts} charts of {several} hold"
        if self.holds:
            return f"{listed}{OUTCOMES.get(self.outcome, '')}."
        if self.failures:
            count = len(self.failures)
            told = "It fails" if count == 1 else f"It fails in {count} ways, first"
            return f"{told}: {self.failures[0]}"
        if self.left and not self.charts:
            return f"Not proved: {'; '.join(self.unproved)}."
        if self.left:
            whole = self.charts + self.left
            done = f"{self.charts} of {whole} charts hold"
            return f"Not finished: {done}, the others were not looked at."
        return f"{listed}. Not proved: {'; '.join(self.unproved)}."


OUTCOMES: dict[str, str] = {
    Promise.COMPLETE: ", and nothing is missing",
    Promise.COMPLETE_EXCEPT: ", and nothing is missing outside the listed places",
    Promise.CERTIFIED_PARTIAL: "; what was not searched may hold more",
    Promise.NUMERICAL: "; that the rows left out hold exactly is not claimed",
}


def verify(
    motions: MotionMap,
    layout: Layout | None,
    asked: Asked,
    tell: Tell | None = None,
    seconds: float = math.inf,
) -> Verification:
    """Prove a whole map again; `tell` hears how many charts are done, then parts of a cover.

    After so many seconds it ends: what was not looked at is `left` or `unproved`.
    Without a layout, the model of the map, its equations cannot be derived again and that is said.
    At Ctrl-C it ends with what was looked at so far: then it does not hold.
    """
    deadline = time.monotonic() + seconds
    wrong = self_contradictions(motions)
    if wrong:
        return Verification(0, 0, tuple(wrong))
    model = said_of_model(motions, layout, asked)
    failures, unproved = list(model.failures), list(model.unproved)
    if model.derived is not None and model.derived.contradiction:
        if motions.components or motions.outcome is not Promise.COMPLETE:
            said = contradiction(model.derived.contradiction)
            failures.append(f"nothing can be listed, for its model contradicts: {said}")
        return Verification(0, 0, tuple(failures), 0, tuple(unproved))
    if failures:
        return Verification(0, 0, tuple(failures))
    blocks: list[BlockProof] = []
    if model.blocks:
        pairs = zip(motions.blocks, model.blocks, strict=True)
        try:
            blocks = [BlockProof(block, rows, motions.components) for block, rows in pairs]
        except (ArithmeticError, ValueError):
            unproved.append("that nothing is missing: its numbers are too large or too small")
    found = _listed(motions, blocks, Watch(deadline, tell))
    boxes = 0
    if not found.failures and not found.left and (blocks or not motions.blocks):
        try:
            failures, more, boxes = covers_proved(motions, blocks, Watch(deadline, tell))
        except KeyboardInterrupt as stop:
            put_off(stop)
            more = ["that nothing is missing: it was interrupted"]
        unproved += more
    return replace(
        found,
        failures=(*found.failures, *failures),
        unproved=tuple(unproved),
        boxes=boxes,
        outcome=motions.outcome,
    )


def said_of_model(
    motions: MotionMap, layout: Layout | None, asked: Asked, freedom: int = 1
) -> FromModel:
    """What the model says of the map's equations, and what it cannot tell."""
    if layout is None:
        said = "that these are the equations of a mechanism: the map carries no model"
        return FromModel(unproved=[said])
    model = from_model(motions, layout, asked, freedom)
    if model.derived is not None:
        of = model.derived.written
        bounds = {of.ring.numbers[name]: (b.low, b.high) for name, b in of.bounds.items()}
        model.unproved += [
            f"that {row.source} divides by no zero"
            for row in of.divisors
            if not is_positive(row.value, bounds)
        ]
    nearest = any(getattr(joint, "nearest", False) for joint in layout.model.joints)
    is_numerical = motions.outcome is Promise.NUMERICAL and not nearest
    if is_numerical and model.derived is not None and not model.leaves_rows_out:
        model.failures.append("it says numerical, but no row was left out")
    if nearest:
        said = "that the nearest points were kept, which was told by samples"
        model.unproved.insert(0, said)
    return model


def listed(motions: MotionMap, tell: Tell | None = None) -> Verification:
    """Prove every chart, link and end of a map again for the tapes in it; nothing more."""
    return _listed(motions, (), Watch(tell=tell))


def _listed(motions: MotionMap, blocks: Sequence[BlockProof], watch: Watch) -> Verification:
    """Every chart, link and end of a map, as far as the time goes."""
    failures: list[str] = []
    links = 0
    checked = []
    for c in motions.components:
        proof = next((b for b in blocks if b.block is c.block), None)
        checked.append(ProvedAgain(c, proof, motions.unknowns))
    whole = sum(one.count for one in checked)

    def count() -> None:
        if time.monotonic() > watch.deadline:
            raise _TimeIsUpError
        watch.say(sum(one.checked for one in checked), whole)

    try:
        for one in checked:
            failures += one.failures(count)
            links += len(one.component.charts.get("links", ()))
        failures += _same(checked, count)
    except (KeyboardInterrupt, _TimeIsUpError) as stop:
        if isinstance(stop, KeyboardInterrupt):
            put_off(stop)
        done = sum(one.checked for one in checked)
        return Verification(done, links, tuple(failures), max(1, whole - done))
    return Verification(whole, links, tuple(failures))


def covers_proved(
    motions: MotionMap, blocks: Sequence[BlockProof], watch: Watch
) -> tuple[list[str], list[str], int]:
    """(failures, what could not be proved, boxes) of what a map says is all."""
    if motions.outcome in (Promise.CERTIFIED_PARTIAL, Promise.NUMERICAL):
        if motions.outcome is Promise.NUMERICAL:
            within = f"{motions.within:.1g}"
            return [], [f"that nothing else moves, and that rows left out hold within {within}"], 0
        return [], [], 0
    failures: list[str] = _combinations(motions)
    unproved: list[str] = []
    boxes = 0
    covers = list(zip(blocks, motions.covers, strict=False))
    is_empty = not motions.components and not motions.singular
    for k, (block, cover) in enumerate(covers):
        if cover is None:
            continue
        points, wrong = None, list[str]()
        if block.block.freedom == 0 and block.has_points:
            points, wrong = block.points(motions.components)
        places = [p for p in motions.singular if p.block == k]
        try:
            found, failed, more = block.cover(cover, places, points, watch)
        except (KempeError, ArithmeticError, ValueError) as trouble:
            found, failed, more = None, [], [f"that nothing is missing: {trouble}"]
        boxes += 0 if found is None else found.boxes
        if found is not None and found.holes:
            x = (
                motions.components[0].x.copy()
                if motions.components
                else np.zeros(len(motions.unknowns))
            )
            x[list(block.block.places)] = found.holes[0]
            failed = [f"{trouble}, near {standing(motions.readings, x)}" for trouble in failed]
        if is_empty and not (failed or more):  # one block without solutions is enough
            return [], [], boxes
        failures += [f"block {k}: {trouble}" for trouble in (*wrong, *failed)]
        unproved += [f"block {k}: {trouble}" for trouble in more]
    if is_empty and not (failures or unproved):
        unproved.append("that it cannot be put together")
    return failures, unproved, boxes


def _combinations(motions: MotionMap) -> list[str]:
    """Every curve must be listed with every position of what stands still."""
    every = [
        tuple((np.round(c.x[list(b.places)], SAME_DIGITS) + 0.0).tobytes() for b in motions.blocks)
        for c in motions.components
    ]
    kinds = [set(column) for column in zip(*every, strict=True)]
    wanted = math.prod(len(kind) for kind in kinds)
    if every and not len(every) == len(set(every)) == wanted:
        return [f"{len(set(every))} of {wanted} combinations of its blocks are listed"]
    return []


def _same(checked: list[ProvedAgain], count: Callable[[], None]) -> list[str]:
    """Components that are listed twice: a point of the one lies on the other."""
    troubles = []
    for one, other in itertools.combinations(checked, 2):
        count()
        if one.block is not other.block or _stand_apart(one, other):
            continue
        if one.shares_a_point(other):
            a, b = one.component.number, other.component.number
            troubles.append(f"component {a} and component {b} have a point in common")
    return troubles


def _stand_apart(one: ProvedAgain, other: ProvedAgain) -> bool:
    """Whether two components differ in what does not move."""
    a, b = one.component, other.component
    still = np.ones(len(a.x), dtype=bool)
    still[list(one.block.places)] = False
    return bool((np.abs(a.x - b.x) > a.radius + b.radius)[still].any())
