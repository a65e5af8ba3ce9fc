"""Joints with friction where they come to rest: which of them stick, and which way others slide.

With f the efforts of friction along the measures g of the joints, and masses, rows and all other
forces as they are,

    g'' = g''_0 + A f,   lam = lam_0 + L f,   N = N(q, lam)

a joint that slides has f = -mu(g') N r sign(g'); one that is at rest |f| <= mu_s N r, and either it
stays, g'' = 0, or f opposes g'' with all it has. For given loads N that is the minimum of a convex
function, so there is an answer even where several joints hold one motion; loads and motion are
found in turns. A ball and a foot on a plane have several g each, and |f| and sign(g') are those of
vectors: they slip as one. Their direction is watched along the one in which they slid where a leg
began: where that is none any more they have stopped, or have turned aside and are looked at anew.

Source: [PfeifferGlocker] for friction as a complementarity. Own: loads of joints that hold both
ways, several joints that hold one motion.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.dynamic_layout import to_origins
from kempe.compile.layout.layout import Layout
from kempe.dynamics.events.contacts import masses_of, motion_at, rows_at
from kempe.dynamics.events.efforts import IntArray, box_efforts, norms
from kempe.dynamics.events.event_ending import jammed_at_rest
from kempe.dynamics.events.grips import foot_gauges, orientation
from kempe.dynamics.events.impacts import HELD, solved
from kempe.dynamics.events.legs import LegStart
from kempe.dynamics.events.modes import Mode, Modes, Running
from kempe.dynamics.events.watched_gauges import Measured, Slipping
from kempe.dynamics.events.watches import Watches
from kempe.dynamics.preparation.joint_loads import JointLoads
from kempe.forces import JointFriction
from kempe.outcome import Outcome
from kempe.results import Event

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

STILL = 1e-11  # of all speeds: what moves no faster is at rest
STARTS = 1e-9  # of all accelerations: what would move no faster stays at rest
TOGETHER = 1e-3  # of the fastest of joints that begin to slide: others that do so with it
FITS = 1e-13  # of the largest load: loads that fit the motion
MOST_ROUNDS, EASED = 500, 60  # of loads and motion in turns; from which on half of a change is made
AHEAD = 0.5  # of a slip where none was found along its direction: what is left is an error of steps
SETS_OUT = 1e-6  # of speeds at a ball or a foot: the slip with which it sets out, and has stopped
ELSEWHERE = 1e-7  # of speeds anywhere, by which steps err: that slip is no smaller
FULL = 1.0 - 1e-6  # of what friction can hold: where a ball or a foot that was let go slips
TINY = 1e-200  # of an acceleration: more than none
EMPTY: Mapping[str, float] = {}


@final
@dataclass(frozen=True, slots=True, eq=False)
class Rubbing:
    """Joints with friction at one place: how motion and loads answer to their efforts."""

    loads: JointLoads
    q: FloatArray
    owners: IntArray  # (k,) the joints, by number, to which the k measures belong
    rates: FloatArray  # g' (k,)
    spread: FloatArray  # (k,) what g' is made of: the sum of sizes, and a little more
    free: FloatArray  # g''_0 (k,)
    matrix: FloatArray  # A (k, k)
    answers: FloatArray  # (n_v, k) velocities by an impulse of 1 along each g
    is_held: BoolArray  # (k,) by other joints: nothing can move them
    lam: FloatArray  # lam_0 (rows,)
    responses: FloatArray  # L (rows, k)

    @property
    def frictions(self) -> tuple[JointFriction, ...]:
        """Whose joints they are."""
        return self.loads.frictions

    @property
    def speeds(self) -> FloatArray:
        """|g'| of every joint."""
        return self.of_joints(self.rates)

    def of_joints(self, x: FloatArray) -> FloatArray:
        """The sizes of the parts of x (k,) that belong to each joint."""
        return norms(x, self.owners, len(self.frictions))

    def balance(
        self, is_still: BoolArray, ways: FloatArray, is_let_go: BoolArray
    ) -> "Balanced | None":
        """What joints do of which some are at rest and others slide; None where nothing fits.

        `ways` (k,) are senses of sliding, unit vectors of balls and feet. Those that are let go
        hold no more than they do while they slide.
        """
        N, pairs = self._pressed(np.zeros(len(ways))), enumerate(self.frictions)
        given = self.rates if len(ways) else np.zeros(0)
        first = {k: int(np.argmax(self.owners == k)) for k in range(len(self.frictions))}
        moving = [
            float(f.share(self.speeds[k] if f.surface else given[first[k]])) for k, f in pairs
        ]
        signs = np.array(
            [1.0 if f.surface is None and not f.sticks else np.nan for f in self.frictions]
        )
        senses = np.where(np.isnan(signs[self.owners]), ways, 1.0)
        holds = np.array([f.static_share for f in self.frictions])
        slides = np.array([float(f.share(0.0)) if f.sticks else 0.0 for f in self.frictions])
        holds = np.where(is_let_go, slides, holds)
        still, mine = is_still[self.owners], np.flatnonzero(is_still)
        places = np.searchsorted(mine, self.owners[still])
        inner, f = self.matrix[np.ix_(still, still)], np.zeros(len(ways))
        for k in range(MOST_ROUNDS):
            f = np.where(still, f, -senses * (np.array(moving) * N)[self.owners])
            moved = self.free + self.matrix @ np.where(still, 0.0, f)
            f[still] = box_efforts(inner, moved[still], (holds * N)[mine], places)
            new = self._pressed(f)
            if not np.isfinite(new).all():
                return None
            if np.abs(new - N).max(initial=0.0) <= FITS * new.max(initial=0.0):
                noise = TINY + np.abs(self.free) + np.abs(self.matrix) @ np.abs(f)
                return Balanced(self.free + self.matrix @ f, STARTS * noise, f, holds * N)
            N = new if k < EASED else 0.5 * (N + new)
        return None

    def stilled(
        self, v: FloatArray, at_rest: BoolArray, rates: FloatArray | float = 0.0
    ) -> FloatArray:
        """The nearest velocities to v, by mass, with which measures at rest change at `rates`."""
        inner, change = self.matrix[np.ix_(at_rest, at_rest)], (self.rates - rates)[at_rest]
        return v - self.answers[:, at_rest] @ np.linalg.lstsq(inner, change)[0]

    def _pressed(self, f: FloatArray) -> FloatArray:
        """N (k,) of the efforts f."""
        lam = self.lam + self.responses @ f
        return np.asarray(self.loads.at(self.q[None, :], lam[None, :])[0])


@final
@dataclass(frozen=True, slots=True, eq=False)
class Balanced:
    """Accelerations g'' (k,) of joints with friction, what of them is rounding, efforts, limits."""

    g2: FloatArray
    noise: FloatArray
    efforts: FloatArray  # (k,)
    limits: FloatArray  # (joints,)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """What joints with friction do from a place on."""

    mode: Mode
    events: tuple[Event, ...] = ()
    trouble: Outcome | None = None
    setting_out: frozenset[str] = frozenset()  # joints that were at rest and begin to slide
    v: FloatArray | None = None  # velocities, where balls and feet have stopped or set out


@final
class StickSlip:
    """The joints of a model with friction that can stick."""

    def __init__(self, modes: Modes, watches: Watches, layout: Layout) -> None:
        self.model, self.modes, self.watches = modes.base, modes, watches
        self.layout = layout
        self.given = {friction.name: friction for friction in watches.rubbed}

    def settled(
        self,
        place: LegStart,
        mode: Mode,
        before: Mode | None,
        met: frozenset[str] = frozenset(),
        slipping: Mapping[str, float] = EMPTY,
    ) -> Settled:
        """Which joints stick at a place, and which way others slide.

        Those of `met` have come to rest; those of `slipping` can no longer be held, and leave in
        the sense given. `before` is the mode that was: None where the run begins, and nothing is
        listed.
        """
        none = replace(mode, stuck=(), ways=(), is_shared=False)
        if all(mode.is_off(f.name) for f in self.watches.frictions):
            return Settled(none)
        rubbing = self._rubbing(place, none)
        names, whose = [f.name for f in rubbing.frictions], rubbing.owners
        sticks = np.array([f.sticks for f in rubbing.frictions])
        is_wide = np.array([f.surface is not None for f in rubbing.frictions])
        leaving = np.array([slipping.get(name, 0.0) for name in names])
        is_met = np.array([name in met for name in names])
        speeds, spread = rubbing.speeds, rubbing.of_joints(rubbing.spread)
        least = np.maximum(SETS_OUT * spread, ELSEWHERE * self._fastest(place, rubbing))
        stopped = is_met & (~is_wide | (speeds <= least))
        if (is_met & ~stopped).any():
            stopped |= is_met & _runs_out(rubbing, _aims(rubbing, mode))
        at_rest = sticks & (stopped | (speeds <= STILL * spread))
        senses = _senses(rubbing, is_wide)
        ways = np.where(at_rest[whose], leaving[whose], senses)
        start = rubbing
        if rubbing.rates[at_rest[whose]].any():  # by rounding, which stiff dampers make forces of
            still = rubbing.stilled(place.v, at_rest[whose])
            rubbing = self._rubbing(replace(place, v=still), none)
        is_still = at_rest & (is_wide | (leaving == 0.0))
        found = rubbing.balance(is_still, ways, leaving != 0.0)
        if found is None:
            return Settled(mode, trouble=jammed_at_rest(names, place.t))
        goes = _goes(rubbing, found, at_rest, leaving, is_wide, is_met)
        if (goes & at_rest & is_wide & (leaving == 0.0)).any():  # they hold less from now on
            found = rubbing.balance(is_still, ways, goes & is_wide) or found
        stays = at_rest & ~goes
        out = at_rest & ~stays
        ways = np.where((at_rest & (leaving == 0.0))[whose], np.sign(found.g2), ways)
        size = np.maximum(rubbing.of_joints(found.efforts), TINY)
        ways = np.where((out & is_wide)[whose], -found.efforts / size[whose], ways)
        now = self._mode(place, mode, rubbing, stays, ways)
        v = None
        if (at_rest & is_wide).any():
            slip = np.maximum(least, speeds)
            rates = np.where((out & is_wide)[whose], slip[whose] * ways, 0.0)
            v = start.stilled(place.v, at_rest[whose], rates)
        told = self._told(place, before, now, rubbing)
        return Settled(now, told, setting_out=frozenset(np.array(names)[out].tolist()), v=v)

    def _mode(
        self, place: LegStart, mode: Mode, rubbing: Rubbing, stays: BoolArray, ways: FloatArray
    ) -> Mode:
        """The mode from a place on, where some joints stay and others slide along `ways` (k,)."""
        rows = _independent(rubbing, stays[rubbing.owners])
        stuck, slides, aims = [], [], []
        for k, friction in enumerate(rubbing.frictions):
            mine = rubbing.owners == k
            if rows[mine].any():
                held = tuple(np.flatnonzero(rows[mine]).tolist())
                stuck.append((friction.name, held, self._place(place, self.given[friction.name])))
            if friction.sticks and not stays[k]:
                along = ways[mine].tolist()
                slides.append((friction.name, 1.0 if friction.surface else along[0]))
                aims.append((friction.name, tuple(along)))
        shared = stays[rubbing.owners] & ~rows & ~rubbing.is_held
        return replace(
            mode,
            stuck=tuple(stuck),
            ways=tuple(slides),
            aims=tuple(aims),
            is_shared=bool(shared.any()),
        )

    def _place(self, place: LegStart, friction: JointFriction) -> tuple[float, ...]:
        """Where the joint of a friction is, as a mode knows it."""
        if friction.surface == "ball":
            q = to_origins(self.model, place.q[None, :])[0]
            return orientation(friction, self.layout, q)
        values, place_of = self.watches.measured(place).values, self.watches.gauges.place
        gauges = foot_gauges(friction) if friction.surface else (friction.rubs,)
        return tuple(float(values[place_of(gauge)]) for gauge in gauges)

    def margins(
        self, running: Running, mode: Mode, place: LegStart, looks: Mapping[str, FloatArray]
    ) -> FloatArray:
        """How far joints that stick are from slipping at n moments t, q, v, lam: (n, watched).

        One by one it is mu_s N r - |f|, over the sum of the two; where several hold one motion, 1
        as long as they do, and -1 from then on.
        """
        t, q, lam = looks["t"], looks["q"], looks["lam"]
        if mode.is_shared:
            moments = zip(t, q, looks["v"], strict=True)
            places = [replace(place, t=float(at), q=here, v=v) for at, here, v in moments]
            return np.array([[self._can_hold(one, mode)] for one in places])
        loads, rows = running.prepared.loads, running.row_places()
        assert loads is not None, "what sticks has friction"
        pressed, named = loads.at(q, lam), {f.name: k for k, f in enumerate(loads.frictions)}
        found = []
        for name, held, _ in mode.stuck:
            friction = loads.frictions[named[name]]
            efforts = [lam[:, rows["friction", name, k]] / friction.arms[k] for k in held]
            size = np.sqrt(np.sum(np.square(efforts), axis=0))
            most = friction.static_share * pressed[:, named[name]]
            found.append((most - size) / (most + size + TINY))
        return np.stack(found, axis=1) if found else np.zeros((len(t), 0))

    def leaving(self, place: LegStart, mode: Mode, names: frozenset[str]) -> dict[str, float]:
        """The senses in which joints leave that can no longer be held: against what held them.

        Of balls and feet 1: their direction follows from the balance.
        """
        running = place.running(self.modes, mode)
        lam, rows = motion_at(running.prepared, place).lam, running.row_places()
        wide = {f.name for f in self.watches.frictions if f.surface is not None}
        return {
            n: 1.0 if n in wide else float(np.sign(lam[rows["friction", n, 0]]))
            for n in names
            if n != "*"
        }

    def _can_hold(self, place: LegStart, mode: Mode) -> float:
        """1 where joints that hold one motion together can do so at a place, -1 where not."""
        rubbing, sliding = self._rubbing(place, mode.unstuck), dict(mode.ways)
        ways = np.array([sliding.get(f.name, 0.0) for f in rubbing.frictions])
        sticks = np.array([f.sticks for f in rubbing.frictions])
        is_still = (ways == 0.0) & sticks
        is_wide = np.array([f.surface is not None for f in rubbing.frictions])
        whose = rubbing.owners
        senses = np.where(is_wide[whose], _senses(rubbing, is_wide), ways[whose])
        found = rubbing.balance(is_still, senses, np.zeros(len(ways), dtype=bool))
        if found is None:
            return -1.0
        moves = np.abs(found.g2) > found.noise
        return -1.0 if moves[is_still[whose] & ~rubbing.is_held].any() else 1.0

    def _rubbing(self, place: LegStart, mode: Mode) -> Rubbing:
        """How the joints answer to friction at a place, in a mode in which none sticks."""
        running = place.running(self.modes, mode.unstuck)
        loads = running.prepared.loads
        assert loads is not None, "a model with friction has loads"
        at = motion_at(replace(running.prepared, loads=None), place)
        owners, rates, G, bias, slowest = self._seen(place, loads)
        J, _ = rows_at(running.prepared, place)
        mass = masses_of(running, self.watches.size)
        X, Y = solved(J, mass, G.T, np.zeros((len(J), len(G))))
        A, sizes = G @ X, mass.sizes
        alone = np.einsum("ki,ki->k", G / sizes, G / sizes)
        return Rubbing(
            loads,
            place.q,
            owners,
            rates,
            np.abs(G) @ np.abs(place.v) + slowest,
            G @ np.asarray(at.a) + bias,
            0.5 * (A + A.T),
            X,
            np.diagonal(A) <= HELD * alone,
            np.asarray(at.lam),
            -Y,
        )

    def _fastest(self, place: LegStart, rubbing: Rubbing) -> FloatArray:
        """The fastest that any body moves (m/s), of balls over the machine's size (rad/s)."""
        parts, size = place.v.reshape(len(self.model.moving), -1), self.watches.size
        linear = 2 if self.model.plane else 3
        moved, turned = np.abs(parts[:, :linear]), size * np.abs(parts[:, linear:])
        fastest = max(float(moved.max(initial=0.0)), float(turned.max(initial=0.0)))
        units = [size if f.gauge.unit == "rad" else 1.0 for f in rubbing.frictions]
        return fastest / np.array(units)

    def _seen(
        self, place: LegStart, loads: JointLoads
    ) -> tuple[IntArray, FloatArray, FloatArray, FloatArray, FloatArray]:
        """Whose measures they are, rates, gradients, what rates gain by v, and what is slow."""
        gauges, measured = self.watches.gauges, self.watches.measured(place)
        slips = gauges.slipping(place.q, place.v, place.t, place.last) if gauges.rubbing else None
        first = np.cumsum([0, *(len(f.arms) for f in gauges.rubbing)])
        places = dict(zip((f.name for f in gauges.rubbing), first, strict=False))
        owners, rates, gradients, bias, slow = [], [], [], [], []
        for k, friction in enumerate(loads.frictions):
            wide = len(friction.arms)
            source: Measured | Slipping
            if friction.surface is not None and slips is not None:
                source, at = slips, int(places[friction.name])
            else:
                source, at = measured, gauges.place(self.given[friction.name].rubs)
            mine = slice(at, at + wide)
            owners += [k] * wide
            rates.append(source.rates[mine])
            gradients.append(source.gradients[mine])
            bias.append(source.bias[mine])
            slow += [self.watches.slowest(friction.gauge)] * wide
        return (
            np.array(owners, dtype=int),
            np.concatenate(rates),
            np.vstack(gradients),
            np.concatenate(bias),
            np.array(slow),
        )

    def _told(
        self, place: LegStart, before: Mode | None, now: Mode, rubbing: Rubbing
    ) -> tuple[Event, ...]:
        """What is listed: joints that stick, slip, or turn back without sticking."""
        if before is None:
            return ()
        old, new, found = dict(before.ways), dict(now.ways), []
        for friction in rubbing.frictions:
            was, way = old.get(friction.name, 0.0), new.get(friction.name, 0.0)
            if was == way or not friction.sticks or before.is_off(friction.name):
                continue
            kind = "stick" if not way else "slip" if not was else "reversal"
            direction = {1.0: "forward", -1.0: "backward", 0.0: ""}[way]
            direction = "" if friction.surface else direction
            found.append(place.event(self.model, place.v, friction.name, kind, direction))
        return tuple(found)


def _senses(rubbing: Rubbing, is_wide: BoolArray) -> FloatArray:
    """Which way joints slide (k,): signs, and unit vectors of balls and feet."""
    size = np.maximum(rubbing.speeds, TINY)[rubbing.owners]
    return np.where(is_wide[rubbing.owners], rubbing.rates / size, np.sign(rubbing.rates))


def _aims(rubbing: Rubbing, mode: Mode) -> FloatArray:
    """The directions (k,) along which slips of balls and feet were watched; 0 of all others."""
    aims = dict(mode.aims)
    found = [aims.get(f.name, ()) if f.surface is not None else () for f in rubbing.frictions]
    counts = np.bincount(rubbing.owners, minlength=len(found))
    return np.concatenate(
        [np.array(aim if aim else (0.0,) * n) for aim, n in zip(found, counts, strict=True)]
    )


def _runs_out(rubbing: Rubbing, aims: FloatArray) -> BoolArray:
    """Of balls and feet that slide: which ones slow down and still slip along their `aims` (k,).

    Where a slip along its aim was found to be none, that is an error of steps.
    """
    count, whose = len(rubbing.frictions), rubbing.owners
    still, is_wide = np.zeros(count, dtype=bool), [f.surface is not None for f in rubbing.frictions]
    senses = _senses(rubbing, np.array(is_wide))
    found = rubbing.balance(still, senses, still)
    if found is None:
        return still
    ahead = np.bincount(whose, rubbing.rates * aims, minlength=count)
    slows = np.bincount(whose, found.g2 * senses, minlength=count) < 0.0
    return np.asarray(slows & (ahead >= AHEAD * rubbing.speeds) & is_wide)


def _goes(
    rubbing: Rubbing,
    found: Balanced,
    at_rest: BoolArray,
    leaving: FloatArray,
    is_wide: BoolArray,
    is_met: BoolArray,
) -> BoolArray:
    """Which joints begin to slide, of those at rest: of balls and feet also by all they can hold.

    One that has just set out may be met again by an error of steps.
    """
    g2, noise = rubbing.of_joints(found.g2), rubbing.of_joints(found.noise)
    fastest = float((g2 / noise)[at_rest].max(initial=0.0))
    starts = g2 > noise * (TOGETHER * fastest if fastest > 1.0 else 1.0)
    count, whose = len(leaving), rubbing.owners
    onwards = leaving * np.bincount(whose, found.g2, minlength=count) >= -noise
    is_full = rubbing.of_joints(found.efforts) >= FULL * found.limits
    starts |= is_full & is_wide & (is_met | (leaving != 0.0))
    return np.where((leaving == 0.0) | is_wide, starts, onwards)


def _independent(rubbing: Rubbing, stays: BoolArray) -> BoolArray:
    """Of the joints that stay, the first ones that hold them all: rows for these suffice."""
    A, chosen = rubbing.matrix, np.zeros(len(stays), dtype=bool)
    for k in np.flatnonzero(stays & ~rubbing.is_held):
        inner, beside = A[np.ix_(chosen, chosen)], A[chosen, k]
        rest = A[k, k] - beside @ np.linalg.lstsq(inner, beside)[0] if chosen.any() else A[k, k]
        chosen[k] = rest > DEPENDENT * A[k, k]
    return chosen


DEPENDENT = 1e-9  # of how lightly a joint moves by itself: what is left where others hold it
