"""Joints with friction where they come to rest: which of them stick, and which way others slide.

With f the efforts of friction along the measures g of the joints, and masses, rows and all other
forces as they are,

    g'' = g''_0 + A f,   lam = lam_0 + L f,   N = N(q, lam)

a joint that slides has f = -mu(g') N r sign(g'); one that is at rest |f| <= mu_s N r, and either it
stays, g'' = 0, or f opposes g'' with all it has. For given loads N that is the minimum of a convex
function, so there is an answer even where several joints hold one motion; loads and motion are
found in turns.

Source: [PfeifferGlocker] for friction as a complementarity. Own: loads of joints that hold both
ways, several joints that hold one motion.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.dynamics.events.contacts import masses_of, motion_at, rows_at
from kempe.dynamics.events.event_ending import jammed_at_rest
from kempe.dynamics.events.impacts import HELD, solved
from kempe.dynamics.events.legs import LegStart
from kempe.dynamics.events.modes import Mode, Modes, Running
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
MOST_SWEEPS = 5000  # over joints that hold one motion
TINY = 1e-200  # of an acceleration: more than none
EMPTY: Mapping[str, float] = {}


@final
@dataclass(frozen=True, slots=True, eq=False)
class Rubbing:
    """Joints with friction at one place: how motion and loads answer to their efforts."""

    loads: JointLoads
    q: FloatArray
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

    def balance(
        self, is_still: BoolArray, ways: FloatArray
    ) -> tuple[FloatArray, FloatArray] | None:
        """g'' (k,) and what of it is rounding, where some are at rest and others slide; or None."""
        N = self._pressed(np.zeros(len(ways)))
        shares = np.array(
            [
                (w if f.sticks else 1.0) * float(f.share(rate))
                for f, w, rate in zip(self.frictions, ways, self.rates, strict=True)
            ]
        )
        static = np.array([f.static_share for f in self.frictions])
        f = np.zeros(len(ways))
        for k in range(MOST_ROUNDS):
            f = np.where(is_still, f, -shares * N)
            moved = self.free + self.matrix @ np.where(is_still, 0.0, f)
            inner = self.matrix[np.ix_(is_still, is_still)]
            f[is_still] = box_efforts(inner, moved[is_still], (static * N)[is_still])
            new = self._pressed(f)
            if not np.isfinite(new).all():
                return None
            if np.abs(new - N).max(initial=0.0) <= FITS * new.max(initial=0.0):
                noise = TINY + np.abs(self.free) + np.abs(self.matrix) @ np.abs(f)
                return self.free + self.matrix @ f, STARTS * noise
            N = new if k < EASED else 0.5 * (N + new)
        return None

    def stilled(self, v: FloatArray, at_rest: BoolArray) -> FloatArray:
        """The nearest velocities to v, by mass, with which joints at rest do not move at all."""
        inner = self.matrix[np.ix_(at_rest, at_rest)]
        return v - self.answers[:, at_rest] @ np.linalg.lstsq(inner, self.rates[at_rest])[0]

    def _pressed(self, f: FloatArray) -> FloatArray:
        """N (k,) of the efforts f."""
        lam = self.lam + self.responses @ f
        return np.asarray(self.loads.at(self.q[None, :], lam[None, :])[0])


def box_efforts(A: FloatArray, b: FloatArray, limits: FloatArray) -> FloatArray:
    """f with |f| <= limits and w = A f + b, f = -limits sign(w) where w is not 0.

    Own: joint after joint by relaxation, then exactly for those that stay, where that fits.
    """
    n = len(b)
    f = np.zeros(n)
    scale = float(np.abs(b).max(initial=0.0))
    for _ in range(MOST_SWEEPS if n and scale else 0):
        before = f.copy()
        for k in range(n):
            if A[k, k] > 0.0:
                f[k] = np.clip(f[k] - (A[k] @ f + b[k]) / A[k, k], -limits[k], limits[k])
        if np.abs(A @ (f - before)).max() <= 1e-15 * scale:
            break
    inside = np.abs(f) < limits
    if inside.any():
        rest = b[inside] + A[np.ix_(inside, ~inside)] @ f[~inside]
        exact = np.linalg.lstsq(A[np.ix_(inside, inside)], -rest)[0]
        if (np.abs(exact) <= limits[inside]).all():
            f[inside] = exact
    return f


@final
@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """What joints with friction do from a place on."""

    mode: Mode
    events: tuple[Event, ...] = ()
    trouble: Outcome | None = None
    setting_out: frozenset[str] = frozenset()  # joints that were at rest and begin to slide


@final
class StickSlip:
    """The joints of a model with friction that can stick."""

    def __init__(self, modes: Modes, watches: Watches) -> None:
        self.model, self.modes, self.watches = modes.base, modes, watches
        self.gauges = {friction.name: friction.rubs for friction in watches.rubbed}

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
        names = [f.name for f in rubbing.frictions]
        sticks = np.array([f.sticks for f in rubbing.frictions])
        leaving = np.array([slipping.get(name, 0.0) for name in names])
        is_met = np.array([name in met for name in names])
        at_rest = sticks & (is_met | (np.abs(rubbing.rates) <= STILL * rubbing.spread))
        ways = np.where(at_rest, leaving, np.sign(rubbing.rates))
        if rubbing.rates[at_rest].any():  # by rounding, which stiff dampers would make forces of
            rubbing = self._rubbing(replace(place, v=rubbing.stilled(place.v, at_rest)), none)
        found = rubbing.balance(at_rest & (leaving == 0.0), ways)
        if found is None:
            return Settled(mode, trouble=jammed_at_rest(names, place.t))
        g2, noise = found
        fastest = float((np.abs(g2) / noise)[at_rest].max(initial=0.0))
        starts = np.abs(g2) > noise * (TOGETHER * fastest if fastest > 1.0 else 1.0)
        goes = np.where(leaving == 0.0, starts, leaving * g2 >= -noise)
        stays = at_rest & ~goes
        ways = np.where(at_rest & (leaving == 0.0), np.sign(g2), ways)
        rows = _independent(rubbing, stays)
        values = self.watches.measured(place).values
        place_of = self.watches.gauges.place
        now = replace(
            mode,
            stuck=tuple(
                (name, float(values[place_of(self.gauges[name])]))
                for name, is_row in zip(names, rows, strict=True)
                if is_row
            ),
            ways=tuple(
                (name, float(way))
                for name, way, slides in zip(names, ways, sticks & ~stays, strict=True)
                if slides
            ),
            is_shared=bool((stays & ~rows & ~rubbing.is_held).any()),
        )
        out = frozenset(np.array(names)[at_rest & ~stays].tolist())
        return Settled(now, self._told(place, before, now, rubbing), setting_out=out)

    def margins(
        self, running: Running, mode: Mode, place: LegStart, looks: Mapping[str, FloatArray]
    ) -> FloatArray:
        """How far joints that stick are from slipping at n moments t, q, v, lam: (n, watched).

        One by one it is mu_s N r - |f|; where several hold one motion, 1 as long as they do, and
        -1 from then on.
        """
        t, q, lam = looks["t"], looks["q"], looks["lam"]
        if mode.is_shared:
            moments = zip(t, q, looks["v"], strict=True)
            places = [replace(place, t=float(at), q=here, v=v) for at, here, v in moments]
            return np.array([[self._can_hold(one, mode)] for one in places])
        loads, rows = running.prepared.loads, running.row_places()
        assert loads is not None, "what sticks has friction"
        pressed, named = loads.at(q, lam), {f.name: k for k, f in enumerate(loads.frictions)}
        found = [
            loads.frictions[named[name]].static_share * pressed[:, named[name]]
            - np.abs(lam[:, rows["friction", name, 0]])
            for name, _ in mode.stuck
        ]
        return np.stack(found, axis=1) if found else np.zeros((len(t), 0))

    def leaving(self, place: LegStart, mode: Mode, names: frozenset[str]) -> dict[str, float]:
        """The senses in which joints leave that can no longer be held: against what held them."""
        running = place.running(self.modes, mode)
        lam, rows = motion_at(running.prepared, place).lam, running.row_places()
        return {n: float(np.sign(lam[rows["friction", n, 0]])) for n in names if n != "*"}

    def _can_hold(self, place: LegStart, mode: Mode) -> float:
        """1 where joints that hold one motion together can do so at a place, -1 where not."""
        rubbing, sliding = self._rubbing(place, mode.unstuck), dict(mode.ways)
        ways = np.array([sliding.get(f.name, 0.0) for f in rubbing.frictions])
        is_still = (ways == 0.0) & np.array([f.sticks for f in rubbing.frictions])
        found = rubbing.balance(is_still, ways)
        if found is None:
            return -1.0
        return -1.0 if (np.abs(found[0]) > found[1])[is_still & ~rubbing.is_held].any() else 1.0

    def _rubbing(self, place: LegStart, mode: Mode) -> Rubbing:
        """How the joints answer to friction at a place, in a mode in which none sticks."""
        running = place.running(self.modes, mode.unstuck)
        loads = running.prepared.loads
        assert loads is not None, "a model with friction has loads"
        at = motion_at(replace(running.prepared, loads=None), place)
        measured = self.watches.measured(place)
        mine = [self.watches.gauges.place(self.gauges[f.name]) for f in loads.frictions]
        G, (J, _) = measured.gradients[mine], rows_at(running.prepared, place)
        mass = masses_of(running, self.watches.size)
        X, Y = solved(J, mass, G.T, np.zeros((len(J), len(G))))
        A, sizes = G @ X, mass.sizes
        alone = np.einsum("ki,ki->k", G / sizes, G / sizes)
        return Rubbing(
            loads,
            place.q,
            measured.rates[mine],
            np.abs(G) @ np.abs(place.v) + [self.watches.slowest(f.rubs) for f in loads.frictions],
            G @ np.asarray(at.a) + measured.bias[mine],
            0.5 * (A + A.T),
            X,
            np.diagonal(A) <= HELD * alone,
            np.asarray(at.lam),
            -Y,
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
            found.append(place.event(self.model, place.v, friction.name, kind, direction))
        return tuple(found)


def _independent(rubbing: Rubbing, stays: BoolArray) -> BoolArray:
    """Of the joints that stay, the first ones that hold them all: rows for these suffice."""
    A, chosen = rubbing.matrix, np.zeros(len(stays), dtype=bool)
    for k in np.flatnonzero(stays & ~rubbing.is_held):
        inner, beside = A[np.ix_(chosen, chosen)], A[chosen, k]
        rest = A[k, k] - beside @ np.linalg.lstsq(inner, beside)[0] if chosen.any() else A[k, k]
        chosen[k] = rest > DEPENDENT * A[k, k]
    return chosen


DEPENDENT = 1e-9  # of how lightly a joint moves by itself: what is left where others hold it
