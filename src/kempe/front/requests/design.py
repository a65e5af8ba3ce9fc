"""What a design is asked for, and the search over batches of variants that answers it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Protocol, final

import numpy as np
from numpy.typing import NDArray

from kempe.design.fitting.apart import Apart, Gaps
from kempe.design.fitting.requirements import Columns
from kempe.design.fitting.search import Advance, Best, Scatter, best_of, led_on
from kempe.design.fitting.targets import Follow, Orders, Trace
from kempe.errors import BadNumber, UnknownName, nearest_name, whole_number
from kempe.front.design import Design
from kempe.front.parts import by_name
from kempe.front.requests.on_branch import on_branch
from kempe.front.requests.sweep import Over, asked_for
from kempe.notebook import told
from kempe.units import quantity

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism
    from kempe.model import Model

FloatArray = NDArray[np.float64]
Target = Trace | Follow
Bounds = Mapping[str, tuple[float, float]]

WEIGHT: Final = 100.0  # of what is not kept, beside distances in extents of the target
HARDER: Final = 3  # times that the weight grows where something is not kept
SLACK: Final = 1e-4  # rad or m that may be missing where a requirement counts as kept
TOUCH: Final = 1e-12  # m: what shapes that just touch are too near
SAME: Final = 1e-3  # of the bounds: two ends of the search as near are one
FEW: Final = 8  # other ends that are told


class Requirement(Protocol):
    """What must hold: slacks that must not be negative."""

    @property
    def names(self) -> tuple[str, ...]:
        """What is read."""
        ...

    def slacks(self, read: Mapping[str, Orders], columns: Columns) -> FloatArray:
        """Slacks (variants, numbers)."""
        ...


Required = Requirement | Apart  # shapes are looked up of each mechanism


@final
@dataclass(frozen=True, slots=True, eq=False)
class DesignWish:
    """Targets, what must hold, and the run in which they are read: until, steps, over."""

    targets: tuple[Target, ...]
    requirements: tuple[Required, ...]
    run: tuple[float | str | None, int, Over | None]
    threads: int | None


def design_of(mechanism: "Mechanism", bounds: Bounds, wish: DesignWish, effort: Scatter) -> Design:
    """The design that `Mechanism.design` is asked for."""
    if not wish.targets:
        raise BadNumber("what is wanted? Give a target, such as Trace('coupler.P', points).")
    for name, count in (("starts", effort.starts), ("keep", effort.keep)):
        whole_number(name, count, 1)
    whole_number("seed", effort.seed, 0)
    if not effort.seconds > 0.0:
        raise BadNumber(f"`seconds` must be positive, it is {effort.seconds!r}.")
    with told(effort.progress, lambda far: _tried_so_far(far, effort)) as tell:
        return _searched(mechanism, bounds, wish, replace(effort, progress=tell))


def _tried_so_far(far: Advance, effort: Scatter) -> tuple[float, str]:
    """What a notebook's bar says of a search."""
    return min(far.seconds / effort.seconds, 1.0), f"{far.tried:,} tried, best {far.best:.3g}"


def _searched(mechanism: "Mechanism", bounds: Bounds, wish: DesignWish, effort: Scatter) -> Design:
    """The best dimensions that the effort finds; harder where something is not kept."""
    space = Space.of(mechanism, bounds)
    measured = _Measured(mechanism, space, wish)
    best = best_of(measured.residuals, space.own, effort)
    found = _told(mechanism, space, measured, best)
    for _ in range(HARDER):
        if not found.broken or found.ended != "settled":
            break
        measured.weight *= 30.0
        measured.aim_further()
        more = led_on(measured.residuals, best.u[: effort.keep], effort)
        best = replace(more, tried=more.tried + best.tried)
        found = _told(mechanism, space, measured, best)
    return found


@final
@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """Parameters as points of the unit cube."""

    names: tuple[str, ...]
    low: FloatArray
    high: FloatArray
    own: FloatArray

    @classmethod
    def of(cls, mechanism: "Mechanism", bounds: Bounds) -> "Space":
        if not bounds:
            raise BadNumber("a design needs parameters and their bounds: {'crank': (10, 50), ...}.")
        known = mechanism.parameters
        for name in by_name(bounds, "a design", "(low, high)"):
            if name not in known:
                said = nearest_name(name, known) if known else ""
                raise UnknownName(f"there is no parameter {name!r}.{said}", name=name)
        pairs = np.array([_pair(name, pair) for name, pair in bounds.items()])
        own = np.array([_number(name, known[name]) for name in bounds])
        u = (own - pairs[:, 0]) / (pairs[:, 1] - pairs[:, 0])
        return cls(tuple(bounds), pairs[:, 0], pairs[:, 1], np.clip(u, 0.0, 1.0))

    def columns(self, u: FloatArray) -> dict[str, FloatArray]:
        """Parameters of points (points, k), by name."""
        values = self.low + u * (self.high - self.low)
        return {name: values[:, k] for k, name in enumerate(self.names)}

    def values(self, u: FloatArray) -> dict[str, float]:
        """Parameters of one point."""
        return {name: float(column[0]) for name, column in self.columns(u[None]).items()}


def _pair(name: str, pair: Any) -> tuple[float, float]:
    try:
        low, high = (float(x) for x in pair)
    except (TypeError, ValueError):
        raise BadNumber(f"the bounds of {name!r} are two numbers, (low, high).") from None
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise BadNumber(f"the bounds of {name!r} are {low!r} and {high!r}: give low < high.")
    return low, high


def _number(name: str, value: Any) -> float:
    parts = quantity(value) if isinstance(value, str) else None
    if parts is not None:
        return float(parts[0])
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise BadNumber(f"parameter {name!r} is {value!r}, no number that could be varied.")
    return float(value)


@final
class _Measured:
    """Residuals of many variants, by one batch."""

    def __init__(self, mechanism: "Mechanism", space: Space, wish: DesignWish) -> None:
        self.mechanism, self.space, self.wish = mechanism, space, wish
        self.weight = WEIGHT
        box = {
            name: (float(a), float(b))
            for name, a, b in zip(space.names, space.low, space.high, strict=True)
        }
        self.requirements: list[Requirement] = [
            Gaps(one, self._model, box) if isinstance(one, Apart) else one
            for one in wish.requirements
        ]
        self.short: dict[str, float] = {}  # m that shapes are too near, swept for itself
        asked = (*wish.targets, *self.requirements)
        self.rated = {name for target in wish.targets for name in target.names}
        self.outputs = list(dict.fromkeys(name for one in asked for name in one.names))

    def _model(self, values: Mapping[str, float]) -> "Model":
        """The model of a variant, as it is moved in the run."""
        until, _, over = self.wish.run
        return asked_for(self.mechanism.with_parameters(values).model, until, over)[0]

    def broken(self, u: FloatArray, variant: "Mechanism") -> dict[str, float]:
        """Requirements that one variant does not keep, and by how much (SI)."""
        read, _, _ = self.read(u[None])
        found = {}
        for one in self.requirements:
            name = " ".join([type(one).__name__, *one.names])
            if isinstance(one, Gaps):
                name = " ".join(["Apart", *one.wish.wanted])
                found[name] = self.short[name] = self._too_near(one, variant)
            else:
                found[name] = -float(one.slacks(read, self.space.columns(u[None])).min())
        least = {name: 0.0 if name in self.short else SLACK for name in found}
        return {name: by for name, by in found.items() if by > least[name]}

    def _too_near(self, gaps: Gaps, variant: "Mechanism") -> float:
        """By how much (m) shapes of a variant come nearer than they may, also between samples."""
        until, steps, over = self.wish.run
        motion = variant.kinematics(until, steps, over=over)
        margin, between = gaps.wish.metres, gaps.wish.wanted
        found = motion.interference(between=between, margin=margin)
        if found.unknown:
            return math.inf
        return max((max(margin - pair.gap, TOUCH) for pair in found.touching), default=0.0)

    def aim_further(self) -> None:
        """Where shapes were too near between samples, ask for more at samples."""
        for one in self.requirements:
            if isinstance(one, Gaps):
                one.harder(self.short.get(" ".join(["Apart", *one.wish.wanted]), 0.0))

    def read(self, u: FloatArray) -> tuple[dict[str, Orders], FloatArray, NDArray[np.bool_]]:
        """What is read of variants, their times, and which came to the end."""
        until, steps, over = self.wish.run
        found = self.mechanism.batch(
            self.space.columns(u), until, steps, over=over, outputs=self.outputs, derivatives=2,
            threads=self.wish.threads,
        )  # fmt: skip
        channels = {name: found[name] for name in self.outputs}
        orders: dict[str, Orders] = {
            name: (c.values, c.rate, c.acceleration) if name in self.rated else c.orders
            for name, c in channels.items()
        }
        return orders, found.t, found.is_done

    def residuals(self, u: FloatArray) -> FloatArray:
        """Weighted residuals (points, numbers), NaN where a variant does not move."""
        read, t, done = self.read(u)
        columns = self.space.columns(u)
        parts = []
        with np.errstate(invalid="ignore"):
            for target in self.wish.targets:
                off = target.residuals(_filled(read, done), t) / target.scale
                parts.append(off / math.sqrt(off.shape[1]))
            for requirement in self.requirements:
                slacks = requirement.slacks(_filled(read, done), columns)
                missing = np.minimum(slacks, 0.0)
                parts.append(self.weight * missing / math.sqrt(slacks.shape[1]))
        r = np.hstack(parts)
        r[~done] = np.nan
        return r


def _filled(read: Mapping[str, Orders], done: NDArray[np.bool_]) -> dict[str, Orders]:
    """Readings with zeros in place of variants that ended early."""
    if done.all():
        return dict(read)

    def filled(x: FloatArray) -> FloatArray:
        return np.asarray(np.where(done.reshape(-1, *(1,) * (x.ndim - 1)), x, 0.0))

    return {name: tuple(filled(x) for x in orders) for name, orders in read.items()}


def _told(mechanism: "Mechanism", space: Space, measured: _Measured, best: Best) -> Design:
    if not len(best.u):
        own = space.values(space.own)
        ended = best.ended if best.ended != "settled" else "nothing"
        return Design(mechanism, own, {}, math.inf, ended, {}, (), best.tried, in_order=False)
    u = best.u[0]
    read, t, _ = measured.read(u[None])
    errors, total, in_order = {}, 0.0, True
    for target in measured.wish.targets:
        off = target.residuals(read, t)[0]
        width = target.places.shape[1] if isinstance(target, Trace) else _width(target)
        distances = np.linalg.norm(off.reshape(-1, width), axis=1)
        rms = float(np.sqrt((distances**2).mean()))
        errors[target.names[0]] = (rms, float(distances.max()))
        total += float((distances**2).sum())
        if isinstance(target, Trace):
            in_order = in_order and _is_in_order(target.when(read, t)[0], float(t[-1]))
    values = space.values(u)
    variant = on_branch(mechanism, values, measured.wish.run)
    broken = measured.broken(u, variant)
    others: list[tuple[Mapping[str, float], float]] = []
    seen = [u]
    for other, square in zip(best.u[1:], best.squares[1:].tolist(), strict=True):
        if len(others) < FEW and min(float(np.abs(other - x).max()) for x in seen) > SAME:
            seen.append(other)
            others.append((space.values(other), square))
    return Design(
        variant, values, errors, total, best.ended, broken,
        tuple(others), best.tried, in_order=in_order,
    )  # fmt: skip


def _width(target: Follow) -> int:
    return int(target.wanted.shape[1]) if target.wanted.ndim == 2 else 1


def _is_in_order(when: FloatArray, period: float) -> bool:
    """Whether times only grow, or only fall, up to one turn of the run."""
    forward = np.mod(np.diff(when), period).sum()
    back = np.mod(-np.diff(when), period).sum()
    return bool(min(forward, back) <= period)
