"""The questions: all assemblies (no freedom left) and all motions (one or two freedoms left)."""

import itertools
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NoReturn, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.errors import UnsolvableKind
from kempe.motion.equations.system import POINTS, contradiction, spoken
from kempe.motion.reduction.blocks import Block, RowsLeft, System
from kempe.motion.reduction.folding import Fold, folded
from kempe.motion.reduction.lifting import without_roots
from kempe.motion.reduction.reduction import loosened
from kempe.motion.search.cut_surfaces import cut_surfaces, nearest_holding
from kempe.motion.search.mixtures import by_mixtures, is_mixable
from kempe.motion.search.search import Effort, EndKind, Found, FoundCurve, search
from kempe.motion.search.sifting import Sifting, sifted, verdict
from kempe.motion.search.singular_places import freedoms_at, outside, own_movers, singular_places
from kempe.results.maps.assemblies import Assemblies, CertifiedState
from kempe.results.maps.certificate import Cover, Promise
from kempe.results.maps.component import Component, ComponentEnd, Readings
from kempe.results.maps.motion_map import MotionMap, SingularPlace, Unsearched
from kempe.results.maps.surface import Surface
from kempe.results.maps.surface_map import SurfaceMap

# A place of a search with this singular value or more is none: a box in which a curve that goes on
# was not seen. Boxes of a finer search, by this factor, seldom lie so.
REGULAR, FINER = 0.1, 16.0
POLE_STEP = 0.5  # in unknowns: between positions that are compared
STILL = 1e-9  # of the largest coordinate: bodies that do not move


def refuse_freedom(system: System, name: str, wanted: int, bodies: Sequence[str] = ()) -> None:
    """Say what to hold, or what to ask instead, where the freedom is not the one wanted.

    Of points in space a coordinate can be held: `bodies` are their names.
    """
    if system.contradiction:
        return
    for block in system.blocks:
        if block.freedom < 0:
            raise UnsolvableKind(
                f"{name!r} has {len(block.equations)} equations for {len(block.unknowns)} unknowns:"
                f" more than it needs, by {spoken(block.equations)}. Take out a"
                " joint that repeats what others say.",
                block=block.equations,
            )
    free = [b for b in system.blocks if b.freedom > 0]
    freedom = sum(b.freedom for b in free)
    if freedom == wanted:
        return
    names = [u.name for b in free for u in b.unknowns]
    parts = list(dict.fromkeys(name.partition(".")[0] for name in names))
    told = ", ".join(repr(part) for part in parts[:4])
    turning = [name.partition(".")[0] for name in names if name.endswith((".c", ".s", ".angle"))]
    example = f"{{'{turning[0]}.angle': '60 deg'}}" if turning else f"{{{names[0]!r}: '10 mm'}}"
    if freedom > wanted:
        question = "motions" if wanted == 1 else "assemblies"
        left, fewest = f"{wanted}", f"{freedom - wanted}"
        if wanted == 1 and freedom > 2:  # motions of two freedoms are surfaces
            left, fewest = "1 or 2", f"{freedom - 1} or {freedom - 2}"
        hint = f"for example held={example}"
        if system.form == POINTS and bodies:
            hint = f"for example held={{'{bodies[0]}.x': '10 mm'}}"
        elif system.form:  # unknowns in space are no measures
            hint = "such as held={'hinge.angle': '60 deg'} of a joint"
        raise UnsolvableKind(
            f"{name!r} can move in {freedom} independent way{'s' * (freedom != 1)} (near {told}),"
            f" and its {question} can be listed with {left} left: hold {fewest} more of its"
            f" measures, {hint}.",
            freedom=freedom,
        )
    refuse_unproved(name)


def refuse_motion(name: str, positions: int) -> NoReturn:
    """Say that nothing moves, where a search of all positions has proved it."""
    each = (
        "its one position stands" if positions == 1 else f"each of its {positions} positions stands"
    )
    raise UnsolvableKind(
        f"{name!r} cannot move: {each} alone, which is proved. Ask for its assemblies instead.",
        freedom=0,
    )


def refuse_unproved(name: str) -> NoReturn:
    """Say that no motion was found, and that this is all that is known."""
    raise UnsolvableKind(
        f"{name!r} has as many equations as unknowns, and no motion of it was found; that it has"
        " none is not proved. Ask for its assemblies, which list where it may move.",
        freedom=0,
    )


FloatArray = NDArray[np.float64]

TWICE = 1e-6  # of an unknown in which x and -x are one position: nearer to 0 both may be listed
MOST_COMBINATIONS = 100_000
MOST_STARTS = 64  # boxes of a place that are looked into for a motion
SURFACE_CHARTS = ("x", "radius", "A", "C", "h", "w", "star_h", "star_w", "star_lean", "proved")
LONG_LIST = 100  # components, after which a search that did not end is said to have much to list


def assemblies(system: System, name: str, bodies: Sequence[str], effort: Effort) -> Assemblies:
    """Every solution of a system without freedom."""
    solved = _solved(system, name, bodies, effort, wanted=0)
    (x, radius), readings = solved.still_points(), solved.readings
    values, off = readings.of(x, radius)
    others = {name: column.tolist() for name, column in readings.others(values).items()}
    q, bounds = readings.coordinates(values, is_curve=False), off.tolist()
    states = [
        CertifiedState(
            0.0,
            q[k],
            x=x[k],
            x_radius=radius[k],
            radius=bounds[k],
            others={name: column[k] for name, column in others.items()},
        )
        for k in _in_order(x)
    ]
    kept = Assemblies(
        states=tuple(states), covers=solved.covers(), steps=system.steps, **solved.facts()
    )
    return _doubted(system, kept)


def _doubted(system: System, found: Assemblies) -> Assemblies:
    """The list, said to be numerical where a state may stand for two, or is not bounded."""
    halves = [k for k, u in enumerate(system.unknowns) if u.name in system.halves]
    near = [s for s in found.states if any(s.x[k] <= TWICE for k in halves)]
    loose = [s for s in found.states if not math.isfinite(s.radius)]
    if not near and not loose:
        return found
    said = (
        f"{len(near)} may be listed twice."
        if near
        else f"In {len(loose)} a rod lies along the arm of its cross, and may turn freely."
    )
    message = f"{said} {found.message}".rstrip()
    return replace(found, outcome=Promise.NUMERICAL, message=message)


def motions(system: System, name: str, bodies: Sequence[str], effort: Effort) -> MotionMap:
    """Every connected curve of solutions of a system with one freedom."""
    solved = _solved(system, name, bodies, effort, wanted=1)
    found = MotionMap(
        components=tuple(solved.components()),
        covers=solved.covers(),
        steps=system.steps,
        **solved.facts(),
    )
    poles = _standing_still(found)
    if not poles:
        return found
    return replace(found, message=f"{found.message} {poles}".lstrip())


def _standing_still(found: MotionMap) -> str:
    """What to say of components along which parameters go round and no body moves."""
    read = found.readings
    own = [n.rpartition(".")[0] for n in read.names[read.of_body * len(read.bodies) :]]
    still = []
    for component in found.components if own else ():
        q = component.sample(POLE_STEP).q
        if np.ptp(q, axis=0).max(initial=0.0) <= STILL * np.abs(q).max(initial=1.0):
            still.append(component.number)
    if not still:
        return ""
    places = " or ".join(dict.fromkeys(own))
    listed = ", ".join(str(number) for number in still)
    return (
        f"Along component{'s' * (len(still) > 1)} {listed} no body moves: at a pole of {places} one"
        " position has many parameters, so each of these is a single position."
    )


def surfaces(system: System, name: str, bodies: Sequence[str], effort: Effort) -> SurfaceMap:
    """Every connected surface of solutions of a system with two freedoms."""
    began = time.monotonic()
    whole, folds = _with_one_surface(system)
    solved = _Solved(whole, name, bodies, effort)
    left = effort.after(time.monotonic() - began)
    facts, found = solved.facts(), tuple(solved.surfaces(folds, system.left, left))
    facts["outcome"], facts["message"] = _shaped(found, solved, facts["outcome"], facts["message"])
    return SurfaceMap(components=found, covers=solved.covers(), steps=system.steps, **facts)


def has_surfaces(system: System) -> bool:
    """Whether a system has two freedoms and nothing that repeats: its solutions are surfaces."""
    plain = all(b.surplus is None and b.freedom >= 0 for b in system.blocks)
    return plain and not system.contradiction and system.freedom == 2


def _with_one_surface(system: System) -> tuple[System, tuple[Fold, ...]]:
    """The system with its two freedoms in one block: two curves make one surface, all pairs.

    Limits of what moves are folded away; the folds tell how.
    """
    moving = {p for block in system.blocks if block.freedom > 0 for p in block.places}
    still = [b for b in system.blocks if b.freedom == 0]
    left, folds, gone = folded(system.left, moving, in_space=system.form not in ("", POINTS))
    left = without_roots(left)
    others = (set(range(len(system.unknowns))) - moving) | gone
    places = [k for k in range(len(left.unknowns)) if k not in others]
    whole = replace(
        system, unknowns=tuple(left.unknowns), blocks=(*still, left.block(places)), left=left
    )
    return whole, folds


def _shaped(
    found: tuple[Surface, ...], solved: "_Solved", outcome: Promise, message: str
) -> tuple[Promise, str]:
    """The outcome, no more than partial where the shape of a surface could not be proved."""
    open_ = sum(surface.euler is None for surface in found)
    alone = sum(int((f.mesh.component < 0).sum()) for f in solved.found if f.mesh is not None)
    charts = sum(len(f.mesh.h) for f in solved.found if f.mesh is not None)
    if outcome is Promise.COMPLETE_EXCEPT and charts > solved.listed_charts:
        said = "Not all charts were joined to surfaces: allow more time, or a finer resolution."
        return Promise.CERTIFIED_PARTIAL, f"{said} {message}".rstrip()
    if outcome is not Promise.COMPLETE or not (open_ or alone):
        return outcome, message
    said = f"The shape of {open_ or 'some'} of the surfaces is not proved: try a finer resolution."
    return Promise.CERTIFIED_PARTIAL, f"{said} {message}".rstrip()


def _solved(
    system: System, name: str, bodies: Sequence[str], effort: Effort, *, wanted: int
) -> "_Solved":
    """The system, searched, if it has the freedom that is wanted or no solution at all."""
    has_surplus = any(b.surplus is not None for b in system.blocks)
    began = time.monotonic()
    if system.freedom != wanted and 0 <= system.freedom < (2 if has_surplus else wanted):
        solved = _Solved(system, name, bodies, effort)
        if solved.empty:
            return solved
        if wanted == 1 and system.freedom == 0 and all(b.freedom == 0 for b in system.blocks):
            solved.refuse_stillness()
            system = loosened(system, solved.open_places())
            if system.freedom != wanted:
                refuse_unproved(name)
    refuse_freedom(system, name, wanted, bodies)
    return _Solved(system, name, bodies, effort.after(time.monotonic() - began))


@final
class _Solved:
    """All blocks of a system, searched, and how their solutions combine."""

    def __init__(self, system: System, name: str, bodies: Sequence[str], effort: Effort) -> None:
        began = time.monotonic()
        self.system, self.name, self.effort = system, name, effort
        plane, names = not system.form, system.readings
        self.readings = Readings(system.tape, names, tuple(bodies), plane, system.loose)
        self.found: list[Found] = []
        self.siftings: list[Sifting] = []
        self.blocks = {block: block.certified for block in system.blocks}
        self.places: list[tuple[Found, SingularPlace]] = []  # of every block
        self.empty = bool(system.contradiction)
        self.listed_charts = 0  # of surfaces
        for block in sorted(system.blocks, key=lambda b: len(b.unknowns)):
            if self.empty:
                break
            found, sifting = self._searched(block, began)
            self.found.append(found)
            self.siftings.append(sifting)
            self.empty = (
                found.ended == "complete"
                and not (found.components or sifting.crossed)
                and not (found.mesh is not None and len(found.mesh.h))
                and not (len(found.unresolved[0]) or len(found.sheets[0]))
            )
        self.places = [
            (found, place)
            for found in self.found
            for place in singular_places(found, effort.resolution)
        ]

    def _searched(self, block: Block, began: float) -> tuple[Found, Sifting]:
        """A block searched and sifted, in sums of its rows where they repeat each other."""
        left = self.effort.after(time.monotonic() - began)
        mixed = by_mixtures(self.system, block, left) if is_mixable(self.system, block) else None
        if mixed is not None:  # takes the place of the block
            new = mixed[0].block
            own = [new if b is block else b for b in self.blocks]
            self.blocks = {b: b.certified for b in own}
            return mixed
        left = self.effort.after(time.monotonic() - began)
        searched = search(block, left, self._early(block))
        if self._has_crumbs(searched):  # which shorter steps leave none of, more often than not
            left = self.effort.after(time.monotonic() - began)
            again = search(block, replace(left, resolution=left.resolution / FINER), None)
            if again.ended == "complete" and not len(again.unresolved[0]):
                searched = again
        return sifted(searched, self.effort.seconds - (time.monotonic() - began))

    def _has_crumbs(self, found: Found) -> bool:
        """Whether all that is left of a search are boxes where curves neither end nor cross."""
        if found.ended != "complete" or not len(found.unresolved[0]) or len(found.sheets[0]):
            return False
        if found.block.freedom != 1 or found.block.surplus is not None:
            return False
        places = singular_places(found, self.effort.resolution)
        return all(not p.branches and p.singular_value > REGULAR for p in places)

    def _early(self, block: Block) -> Callable[[FoundCurve], None] | None:
        """What makes components of the curves of a block as they come, where nothing is left out.

        The numbers are those that `components` will give them.
        """
        found, others = self.effort.found, len(self.blocks) - 1
        if found is None or block.freedom != 1 or block.surplus is not None:
            return None
        if len(self.found) < others:
            return None
        numbers = itertools.count()

        def tell(curve: FoundCurve) -> None:
            for x, radius in zip(*self.still_points(), strict=True):
                made = self._component(next(numbers), block, curve, x.copy(), radius.copy())
                found(made)

        return tell

    def covers(self) -> tuple[Cover | None, ...]:
        """How the domains of all blocks were cut up; None where one was not searched."""
        known = {found.block: found.cover for found in self.found}
        return tuple(known.get(block) for block in self.blocks)

    def refuse_stillness(self) -> None:
        """Say that nothing moves where that is proved: every position stands alone."""
        ended = all(found.ended == "complete" for found in self.found)
        if ended and not self.places and not self.system.undecided:
            refuse_motion(self.name, len(self.still_points()[0]))

    def open_places(self) -> dict[Block, FloatArray]:
        """Middles (k, n) of the boxes that the search of a block could not settle."""
        middles: dict[Block, FloatArray] = {}
        for found in self.found:
            boxes = [0.5 * (low + high) for low, high in (found.sheets, found.unresolved)]
            every = np.vstack(boxes)
            if len(every):
                middles[found.block] = every[:: max(1, len(every) // MOST_STARTS)]
        return middles

    @property
    def _still(self) -> list[Found]:
        return [f for f in self.found if f.block.freedom == 0]

    @property
    def _moving(self) -> Found | None:
        return next((f for f in self.found if f.block.freedom == 1), None)

    def still_points(self) -> tuple[FloatArray, FloatArray]:
        """All combinations of the blocks that stand still: x and radius, other unknowns at 0."""
        still = [] if self.empty else self._still
        counts = [len(f.components) for f in still]
        count = 0 if self.empty else math.prod(counts)
        if count > MOST_COMBINATIONS:
            raise UnsolvableKind(
                f"{self.name!r} has {count} assemblies, too many to list: hold more of its"
                " measures, or take it apart.",
                count=count,
            )
        x = np.zeros((count, len(self.system.unknowns)))
        radius = np.zeros(x.shape)
        repeats = count
        for found, own in zip(still if count else (), counts, strict=False):
            repeats //= own  # the last block changes fastest
            starts = np.array([c.start for c in found.components])
            off = np.array([[c.start_radius] for c in found.components])
            if own < count:
                which = np.arange(count) // repeats % own
                starts, off = starts[which], off[which]
            x[:, found.block.columns] = starts
            radius[:, found.block.columns] = off
        return x, radius

    def components(self) -> list[Component]:
        """All curves, each with every combination of what stands still."""
        moving = self._moving
        if moving is None:
            return []
        made: list[Component] = []
        still = list(zip(*self.still_points(), strict=True))
        for curve, (x, radius) in itertools.product(moving.components, still):
            made.append(self._component(len(made), moving.block, curve, x.copy(), radius.copy()))
        return made

    def surfaces(self, folds: Sequence[Fold], plain: RowsLeft, effort: Effort) -> list[Surface]:
        """All surfaces, each with every combination of what stands still.

        `folds` are its limits, and `plain` its rows before these were folded away.
        """
        moving = next((f for f in self.found if f.mesh is not None), None)
        if moving is None or moving.mesh is None or self.empty:
            return []
        made: list[Surface] = []
        pieces, rows = _pieces(moving.mesh, moving.block), self.system.left
        self.listed_charts = sum(len(piece["h"]) for piece in pieces)
        cuts = cut_surfaces(pieces, moving.block, folds, rows, plain, effort)
        for cut, (x, radius) in itertools.product(cuts, zip(*self.still_points(), strict=True)):
            made.append(
                Surface(
                    number=len(made),
                    euler=cut.euler,
                    charts=cut.piece,
                    block=self.blocks[moving.block],
                    x=x.copy(),
                    radius=radius.copy(),
                    readings=self.readings,
                    rims=cut.rims,
                    cut=cut.mesh,
                )
            )
        return made

    def _component(
        self, number: int, block: Block, curve: FoundCurve, x: FloatArray, radius: FloatArray
    ) -> Component:
        places = list(block.places)
        x[places] = curve.start
        radius[places] = curve.start_radius
        return Component(
            number=number,
            closed=curve.closed,
            ends=tuple(self._end(block, e, x, radius) for e in curve.ends if not curve.closed),
            charts=curve.charts,
            block=self.blocks[block],
            x=x,
            radius=radius,
            readings=self.readings,
        )

    def _end(
        self, block: Block, end: "core.CurveEnd", x: FloatArray, radius: FloatArray
    ) -> ComponentEnd:
        at, off = x.copy(), radius.copy()
        at[list(block.places)] = end.x
        off[list(block.places)] = end.radius
        values, bound = self.readings.of(at[None, :], off[None, :])
        q = self.readings.coordinates(values)[0]
        limit, place = "", -1
        if end.kind is EndKind.limit:
            unknown = block.unknowns[end.unknown].name.removeprefix("limit of ")
            limit = f"{unknown} at {'most' if end.side > 0 else 'least'}"
        else:
            near = self._places_near(block, end.x)
            place = next((k for k in near if self.places[k][1].holds(end.x)), -1)
        known = end.kind in (EndKind.limit, EndKind.unfinished)
        kind = end.kind.name if known else "singular"
        return ComponentEnd(kind, q, at, float(bound[0]), limit, place)

    def _places_near(self, block: Block, x: FloatArray) -> list[int]:
        """The places of a block whose bounds hold a point."""
        numbers, lows, highs = self._bounds_of_places[block]
        return [int(k) for k in numbers[((lows <= x) & (x <= highs)).all(axis=1)]]

    @cached_property
    def _bounds_of_places(self) -> dict[Block, tuple[Any, FloatArray, FloatArray]]:
        """Numbers and bounds of the places of every block."""
        made = {}
        for block in self.blocks:
            own = [(k, p) for k, (found, p) in enumerate(self.places) if found.block is block]
            n = len(block.unknowns)
            lows, highs = (
                np.array([getattr(p, name) for _, p in own]).reshape(-1, n)
                for name in ("low", "high")
            )
            made[block] = np.array([k for k, _ in own], dtype=int), lows, highs
        return made

    def facts(self) -> dict[str, Any]:
        """Name, outcome and costs, for either kind of answer."""
        outcome, message = self._verdict()
        message = " ".join([message, *self.system.notes] if not self.empty else [message]).strip()
        counts: dict[str, int] = {}
        for found in self.found:
            for key, value in found.counts.items():
                counts[key] = counts.get(key, 0) + int(value)
        share = max((f.pending_share for f in self.found), default=0.0)
        return {
            "name": self.name,
            "singular": self.singular,
            "outcome": outcome,
            "message": message,
            "unknowns": tuple(u.name for u in self.system.unknowns),
            "blocks": tuple(self.blocks.values()),
            "readings": self.readings,
            "counts": counts,
            "unsearched": Unsearched(sum(f.pending for f in self.found), share),
            "form": self.system.form,
            "within": max([self.system.off, *(s.within for s in self.siftings)]),
        }

    @cached_property
    def singular(self) -> tuple[SingularPlace, ...]:
        """All places, with the bodies in their middle."""
        return tuple(self._placed(*p) for p in self.places)

    def _placed(self, found: Found, place: SingularPlace) -> SingularPlace:
        still, _ = self.still_points()
        x = still[0] if len(still) else np.zeros(len(self.system.unknowns))
        x[list(found.block.places)] = place.middle
        values, _ = self.readings.of(x[None, :], np.zeros((1, len(x))))
        q, movers = self.readings.coordinates(values)[0], list[str]()
        if place.is_sheet:
            free = freedoms_at(found.block, place.middle)
            movers = own_movers(found.block, self.readings, x, free)
        block = list(self.blocks).index(found.block)
        return replace(place, q=q, movers=tuple(movers), block=block)

    def _verdict(self) -> tuple[Promise, str]:
        if self.system.contradiction:
            return Promise.COMPLETE, contradiction(self.system.contradiction)
        if self.empty:
            return Promise.COMPLETE, "It cannot be put together."
        stopped = [f for f in self.found if f.ended != "complete"]
        left_out = [text for text in (self._undecided(), verdict(self.siftings)) if text]
        if left_out:
            return Promise.NUMERICAL, " ".join([*left_out, *(_stopped(f) for f in stopped[:1])])
        if stopped:
            return Promise.CERTIFIED_PARTIAL, _stopped(stopped[0])
        if self.places:
            return Promise.COMPLETE_EXCEPT, outside(self.singular)
        return Promise.COMPLETE, ""

    def _undecided(self) -> str:
        names = spoken(self.system.undecided)
        if not names:
            return ""
        off = self.system.off
        by = f" (within {off:.1g} of the machine's size)" if off > 0.0 else ""
        return (
            f"{names} repeats the other joints to the last digits{by}; that it does so exactly is"
            " not proved."
        )


def _pieces(mesh: "core.SurfaceMesh", block: Block) -> list[dict[str, Any]]:
    """The charts and triangles of every component of a mesh, its corners numbered from 0."""
    component, triangles = _joined(mesh, block.certified.period), mesh.triangles.reshape(-1, 3)
    pieces = []
    for k in range(len(mesh.once)):
        own = np.flatnonzero(component == k)
        number = np.full(len(component), -1)
        number[own] = np.arange(len(own))
        piece: dict[str, Any] = {name: getattr(mesh, name)[own] for name in SURFACE_CHARTS}
        piece["triangles"] = number[triangles[component[triangles[:, 0]] == k]]
        piece["once"] = bool(mesh.once[k])
        pieces.append(piece)
    return pieces


def _joined(mesh: "core.SurfaceMesh", period: FloatArray) -> Any:
    """The component (v,) of every chart; of one without triangles that of a chart that holds it."""
    component = mesh.component.copy()
    lone = np.flatnonzero(component < 0)
    while len(lone) and (component >= 0).any():
        held = nearest_holding(
            {name: getattr(mesh, name) for name in ("x", "A", "h", "w")},
            np.flatnonzero(component >= 0),
            lone,
            period,
        )
        if not (held >= 0).any():
            break
        component[lone[held >= 0]] = component[held[held >= 0]]
        lone = np.flatnonzero(component < 0)
    return component


def _stopped(found: Found) -> str:
    reason = {
        "out_of_time": "The time was up",
        "out_of_boxes": "As many boxes as allowed were looked at",
        "out_of_charts": "As many charts as allowed were tried",
        "out_of_memory": "The memory allowed was full",
        "interrupted": "It was interrupted",
    }[found.ended]
    count = len(found.components)
    long_list = f" The list is a long one, {count} so far." if count >= LONG_LIST else ""
    return (
        f"{reason} with {found.pending} boxes ({found.pending_share:.2g} of the volume) unsearched:"
        f" there may be more.{long_list} Allow more, hold a measure, set limits, or give up smaller"
        " places with a coarser resolution."
    )


def _in_order(x: FloatArray) -> list[int]:
    """The places of points sorted by their unknowns: independent of how they were found."""
    rows = np.round(x, 9).tolist()
    return sorted(range(len(rows)), key=rows.__getitem__)
