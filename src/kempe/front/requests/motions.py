"""Asking a mechanism for all its assemblies and motions, following one, and proving them again."""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import gauges_by_name, measure_named
from kempe.drives import AbstractLaw
from kempe.errors import BadNumber, ExpressionError, FileError, KempeError
from kempe.files.documents.writer import model_text
from kempe.front.parts import by_name, two_ends
from kempe.front.position import CertifiedAssembly
from kempe.front.requests.rolling import SEARCH, refuse_rolling
from kempe.front.trajectory import Trajectory
from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.vector import Scalar
from kempe.interruption import keeps_what_is_done
from kempe.measures import Gauge, Wrapped
from kempe.model import Model
from kempe.motion import (
    Effort,
    Holding,
    Limited,
    System,
    counted_in_space,
    freedom_count,
    has_surfaces,
    is_writable,
    planar_equations,
    reduced,
    spatial_equations,
)
from kempe.motion import assemblies as all_assemblies
from kempe.motion import motions as all_motions
from kempe.motion import surfaces as all_surfaces
from kempe.motion.equations.question import TIME, Clock, machine_size
from kempe.motion.equations.system import FullSystem
from kempe.motion.reduction.turning import turning_equations
from kempe.motion.search.nearest_on_curve import nearest_assemblies, nearest_motions
from kempe.motion.search.search import Progress
from kempe.notebook import told
from kempe.outcome import DONE
from kempe.readings.part_readings import measured_in_si
from kempe.results import Motion
from kempe.results.maps.assemblies import Assemblies, CertifiedState
from kempe.results.maps.certificate import Origin, Promise
from kempe.results.maps.component import Component
from kempe.results.maps.motion_map import MotionMap
from kempe.results.maps.surface_map import SurfaceMap
from kempe.results.reports.freedom_count import FreedomCount
from kempe.units import in_si

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism
    from kempe.motion.verify.verification import Verification

Number = float | str
Range = tuple[Number, Number]
FloatArray = NDArray[np.float64]
MANY_TURNS = 1e4  # rad
TURN = Fraction("6.28318530717958647692528676655900576839433879875021")  # rad
HELD = "hold or limit"  # what measures are named for
SAME = 1e-9  # cosines, sines and metres: positions nearer than this are one


def count_of(layout: Layout) -> FreedomCount:
    """Unknowns and equations of a mechanism without its drives, counted."""
    if not is_writable(layout.model):
        return counted_in_space(layout)
    elements = layout.elements
    domains = {f"{elements[k].name}.{u.name}": u.domain for k, u in layout.own_unknowns}
    equations = planar_equations(layout, with_directions=False)
    return freedom_count(equations, layout.model.name, domains)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A mechanism of which everything is sought, with measures held or kept between limits."""

    layout: Layout
    holdings: Sequence[Holding]
    stops: Sequence[Limited]
    clock: Clock | None = None

    @classmethod
    def of(
        cls,
        layout: Layout,
        held: Mapping[str, Number] | None,
        limits: Mapping[str, Range] | None,
        at: Number | None,
        during: Range | None = None,
    ) -> "Question":
        """Measures `held` and their `limits` by name; drives hold too where `at` is a time (s).

        Over a span of time `during` (s) they follow their laws instead.
        """
        refuse_rolling(layout.model, "map of all its motions", SEARCH)
        if at is not None and during is not None:
            raise BadNumber("either `at` one time or `during` a span of it: give one of the two.")
        holdings, stops = _holdings(layout, held or {}, at), _stops(layout, limits or {})
        clock = None if during is None else _clock(layout, holdings, stops, during)
        return cls(layout, holdings, stops, clock)

    def system(self, freedom: int) -> System:
        """The equations of the mechanism, small enough to be searched for what has that freedom.

        The layout keeps its systems for the last few questions, and with them what a search
        prepares.
        """
        key = (
            "system",
            freedom,
            *((h.gauge.name, h.value.hex()) for h in self.holdings),
            *((s.gauge.name, s.low.hex(), s.high.hex()) for s in self.stops),
            *((self.clock.start.hex(), self.clock.stop.hex()) if self.clock else ()),
        )
        kept = self.layout.prepared(key, System)
        if kept is not None:
            return kept
        return self.layout.keep(key, reduced(self._written(freedom), freedom))

    def _written(self, freedom: int, read: Sequence[Gauge] = ()) -> FullSystem:
        """The rows of the mechanism, with gauges that are to be read."""
        asked = (self.layout, self.holdings, self.stops, read)
        if is_writable(self.layout.model):
            return planar_equations(*asked, clock=self.clock)
        return spatial_equations(*asked, freedom=freedom, clock=self.clock)

    def assemblies(self, effort: Effort | None) -> Assemblies:
        """Every way to put the mechanism together."""
        layout, found = self.layout, self._assemblies(lambda: self.system(0), effort)
        found = nearest_assemblies(layout, replace(found, origin=self._origin))
        return replace(found, states=tuple(CertifiedAssembly.of(layout, at) for at in found.states))

    def motions(self, effort: Effort | None) -> MotionMap | SurfaceMap:
        """Every way the mechanism can move, with one freedom left or two."""
        began, model = time.monotonic(), self.layout.model
        system = self.system(1)
        left = (effort or Effort()).after(time.monotonic() - began)
        if not has_surfaces(system):
            return self._curves(system, left)
        with _seen(left) as seen:
            found = all_surfaces(system, model.name, _bodies(self.layout), seen)
        return replace(found, origin=self._origin)

    def curves(self, effort: Effort | None) -> MotionMap:
        """Every way the mechanism can move, with one freedom left."""
        began = time.monotonic()
        system = self.system(1)
        return self._curves(system, (effort or Effort()).after(time.monotonic() - began))

    def _curves(self, system: System, effort: Effort) -> MotionMap:
        with _seen(effort) as seen:
            found = all_motions(system, self.layout.model.name, _bodies(self.layout), seen)
        return nearest_motions(self.layout, replace(found, origin=self._origin))

    @property
    def _origin(self) -> Origin:
        return Origin(
            {h.gauge.name: h.value for h in self.holdings},
            {s.gauge.name: (s.low, s.high) for s in self.stops},
            self.layout.model,
            model_text,
            during=(self.clock.start, self.clock.stop) if self.clock else None,
        )

    def turning_points(self, measure: str, effort: Effort | None) -> Assemblies:
        """Every position in which a measure turns back while the mechanism moves."""
        is_time = self.clock is not None and measure == TIME
        read = [] if is_time else [measure_named(self.layout.model, measure, HELD)]

        def system() -> System:
            return reduced(turning_equations(self._written(1, read), measure), 0)

        found = self._assemblies(system, effort)
        states = _without_doubles(self.layout, found.states)
        sought = f"turning point{'s' * (len(states) > 1)} of {measure!r}"
        is_none = not states and found.outcome is Promise.COMPLETE
        message = f"{measure!r} turns back nowhere, which is proved." if is_none else found.message
        return replace(found, states=states, sought=sought, message=message)

    def _assemblies(self, system: Callable[[], System], effort: Effort | None) -> Assemblies:
        """All solutions of a system, the time to make it counted as effort."""
        began, sought = time.monotonic(), system()
        left = (effort or Effort()).after(time.monotonic() - began)
        with _seen(left) as seen:
            return all_assemblies(sought, self.layout.model.name, _bodies(self.layout), seen)


@contextmanager
def _seen(effort: Effort) -> Iterator[Effort]:
    """The effort, and in a notebook a bar that says how far the search is."""
    with told(effort.progress, _found_so_far) as tell:
        yield replace(effort, progress=tell)


def _found_so_far(far: Progress) -> tuple[None, str]:
    return None, f"{far.components} found, {far.boxes:,} boxes looked at"


def _without_doubles(
    layout: Layout, states: tuple[CertifiedState, ...]
) -> tuple[CertifiedState, ...]:
    """Each position once, of the two that differ in the way it is passed."""
    kept: list[CertifiedState] = []
    for state in states:
        near = 4.0 * state.radius + SAME
        here = _poses(layout, state)
        if not any(np.abs(here - _poses(layout, k)).max() < near for k in kept):
            kept.append(state)
    return tuple(kept)


def _poses(layout: Layout, state: CertifiedState) -> FloatArray:
    """Places of all bodies, how they are turned in numbers that no turn changes, what is read."""
    at, others = layout.coordinates, list((state.others or {}).values())
    if not at.chart.is_flat:
        q = at.turns(state.q)
        products = (q[:, :, None] * q[:, None, :]).reshape(len(q), -1)  # of q and -q alike
        numbers = np.column_stack([at.places(state.q), products])
    else:
        angles = state.q[at.angles]
        numbers = np.column_stack([at.places(state.q), np.cos(angles), np.sin(angles)])
    return np.append(numbers.reshape(-1), others)


def _bodies(layout: Layout) -> list[str]:
    return [body.name for body in layout.model.moving]


def _holdings(layout: Layout, held: Mapping[str, Number], at: Number | None) -> list[Holding]:
    """What is held: the measures given, and at a time the drives as well."""
    model, holdings = layout.model, []
    for name, value in by_name(held, "what is held").items():
        gauge = measure_named(model, name, HELD)
        holdings.append(_holding(gauge, measured_in_si(model, gauge, value)))
    if at is not None:
        t, drives = in_si(at, "s"), [d for d in model.drives if d.gauge.name not in held]
        holdings += [_holding(drive.gauge, float(drive.law.value(t))) for drive in drives]
    return holdings


def _holding(gauge: Gauge, value: float) -> Holding:
    """What a gauge is held at: an angle beyond many turns less these turns, to the last digit.

    Intervals tell no sine of so many turns, so nothing could be listed.
    """
    if abs(value) > MANY_TURNS and _is_angle(gauge):
        value = math.atan2(math.sin(value), math.cos(value))
    return Holding(gauge, value)


def _is_angle(gauge: Gauge) -> bool:
    """Whether whole turns of what it measures make no difference."""
    here = Pose(Vector(0.0, 0.0, 0.0), Rotation.from_quaternion((1.0, 0.0, 0.0, 0.0)))
    return isinstance(gauge.measure.value(here, here), Wrapped)


def _clock(
    layout: Layout, held: Sequence[Holding], stops: Sequence[Limited], during: Range
) -> Clock:
    """Time as an unknown, and the drives whose measures are not held."""
    names = {h.gauge.name for h in held}
    drives = [(d.gauge, d.law) for d in layout.model.drives if d.gauge.name not in names]
    start, stop = (in_si(end, "s") for end in during)
    drives = [(gauge, _less_turns(gauge, law, start)) for gauge, law in drives]
    return Clock.of(start, stop, drives, machine_size(layout, held, stops))


@final
@dataclass(frozen=True, slots=True)
class LessTurns(AbstractLaw):
    """A law of an angle less whole turns: f - 2 pi n, n the whole turns that it starts beyond.

    2 pi n is taken off in two parts, so that nothing of it is rounded.
    """

    law: AbstractLaw
    turns: int

    def value(self, t: Scalar) -> Scalar:
        whole = self.turns * TURN
        return self.law.value(t) - float(whole) - float(whole - Fraction(float(whole)))

    def corners(self, start: float, stop: float) -> list[float]:
        return self.law.corners(start, stop)

    def between(self, start: float, stop: float) -> AbstractLaw:
        return replace(self, law=self.law.between(start, stop))


def _less_turns(gauge: Gauge, law: AbstractLaw, start: float) -> AbstractLaw:
    """The law of an angle that starts many turns on less these, as what is held is; else itself."""
    try:
        with np.errstate(all="ignore"):
            begins = float(law.value(start))
    except (ArithmeticError, ValueError, ExpressionError):  # the clock says so
        return law
    if not MANY_TURNS < abs(begins) < math.inf or not _is_angle(gauge):
        return law
    return LessTurns(law, round(begins / math.tau))


def _stops(layout: Layout, limits: Mapping[str, Range]) -> list[Limited]:
    stops = []
    for name, given in by_name(limits, "limits", "(low, high)").items():
        gauge = measure_named(layout.model, name, HELD)
        ends = two_ends(name, given)
        low, high = (measured_in_si(layout.model, gauge, end) for end in ends)
        if not low < high:
            raise BadNumber(f"the limits of {name!r}, {ends[0]} ... {ends[1]}, leave no room.")
        if max(abs(low), abs(high)) > MANY_TURNS and _is_angle(gauge):  # less their whole turns
            room, low = high - low, math.atan2(math.sin(low), math.cos(low))
            high = low + room
        stops.append(Limited(gauge, low, high))
    return stops


def follow(layout: Layout, component: Component, step: float) -> Trajectory:
    """Samples of a component over its length; a loop comes back to where it began.

    Velocities are those of unit speed along the curve, by differences of neighbouring samples.
    """
    if component.readings.bodies != tuple(b.name for b in layout.model.moving):
        raise BadNumber(
            f"this component is of another mechanism than {layout.model.name!r}: its bodies are"
            f" {', '.join(component.readings.bodies)}."
        )
    samples = component.sample(step)
    t, q = samples.length, samples.q
    if component.closed:
        q = np.vstack([q, _home(layout, q)])
        t = np.append(t, component.length)
    return along(layout, t, q)


def along(layout: Layout, t: FloatArray, q: FloatArray) -> Trajectory:
    """Positions q (k, n_q) at lengths t (k,) along a way, with velocities by differences."""
    v = _velocities(layout, q, _rates(q, t))
    return Trajectory(layout, Motion(t, np.ascontiguousarray(q), v, _rates(v, t), DONE))


def _rates(values: FloatArray, t: FloatArray) -> FloatArray:
    """Rates of values (k, n) at times (k,), by differences of neighbours."""
    if len(t) < 2:
        return np.zeros_like(values)
    return np.asarray(np.gradient(values, t, axis=0, edge_order=1))


def _velocities(layout: Layout, q: FloatArray, rates: FloatArray) -> FloatArray:
    """v of all bodies from the rates of q; in space w = 2 conj(q) q', the vector part of it."""
    at = layout.coordinates
    if at.chart.is_flat:
        return rates
    turns, turning = at.turns(q), at.turns(rates)
    s, u = turns[..., :1], turns[..., 1:]
    spin = 2.0 * (s * turning[..., 1:] - turning[..., :1] * u - np.cross(u, turning[..., 1:]))
    return np.concatenate([at.places(rates), spin], axis=-1).reshape(len(q), -1)


def _home(layout: Layout, q: FloatArray) -> FloatArray:
    """The first position again, its angles counted on from the last."""
    at = layout.coordinates
    home: FloatArray = q[0].copy()
    if at.chart.is_flat:
        home[at.angles] += 2.0 * np.pi * np.round((q[-1, at.angles] - home[at.angles]) / math.tau)
        return home
    turns = at.turns(home)  # a view
    turns[(turns * at.turns(q[-1])).sum(axis=-1) < 0.0] *= -1.0
    return home


@keeps_what_is_done
def verify(
    motions: MotionMap | SurfaceMap | Assemblies,
    mechanism: "Mechanism | None" = None,
    tell: Callable[[int, int], None] | None = None,
    *,
    seconds: float = math.inf,
) -> "Verification":
    """Prove the map `motions`, of curves or of surfaces, or a list of assemblies, from its model.

    It is done by other ways than those of the search.

    With a `mechanism`, the map must be one of that very mechanism; else it is proved for the model
    that it carries. `tell` hears how many charts of how many are done, and then, while it is proved
    that nothing is missing, how many parts of a saved cover. After so many `seconds` it ends with
    what was proved until then, and says what was not.

    Examples:
        >>> import kempe
        >>> print(kempe.verify(kempe.gallery.four_bar().motions()))
        All 14 charts and 14 links hold, and nothing is missing.
    """
    from kempe.motion.verify.verification import Verification
    from kempe.motion.verify.verification import verify as prove
    from kempe.motion.verify.written.planar_rows import Asked, gauges_asked

    if not isinstance(motions, (MotionMap, SurfaceMap, Assemblies)):
        raise BadNumber(
            f"what is proved is a map of motions or a list of assemblies, not {motions!r:.80}. Read"
            " a file with kempe.MotionMap.load(path), or prove it with `kempe verify`."
        )
    origin = motions.origin or Origin()
    model = origin.model or _model(origin)
    if mechanism is not None:
        given = mechanism.layout.model
        if model is not None and model_text(given) != model_text(model):
            return Verification(0, 0, (f"the map is not one of {given.name!r}: its model differs",))
        model = given
    from kempe.motion.verify.positions import verify_assemblies
    from kempe.motion.verify.surfaces import verify_surfaces

    def proved(layout: Layout | None, asked: Asked) -> "Verification":
        if isinstance(motions, Assemblies):
            return verify_assemblies(motions, layout, asked, tell, seconds)
        if isinstance(motions, SurfaceMap):
            return verify_surfaces(motions, layout, asked, tell, seconds)
        return prove(motions, layout, asked, tell, seconds)

    if model is None:
        return proved(None, Asked())
    try:
        known = {d.gauge.name: d.gauge for d in model.drives} | dict(gauges_by_name(model))
        asked = gauges_asked(known, dict(origin.held), dict(origin.limits))
        if origin.during is not None:
            held = [Holding(gauge, value) for gauge, value in asked.held]
            stops = [Limited(gauge, low, high) for gauge, low, high in asked.limits]
            asked = replace(asked, clock=_clock(Layout(model), held, stops, origin.during))
    except KempeError as trouble:
        return Verification(0, 0, (str(trouble).rstrip("."),))
    return proved(Layout(model), asked)


def _model(origin: Origin) -> Model | None:
    """The model that a saved map carries."""
    if not origin.document:
        return None
    from kempe.files.documents.document import document_from

    try:
        return document_from(origin.document.encode(), "model.json").model
    except KempeError as trouble:
        raise FileError(f"the model in this map cannot be read: {trouble}", path="") from None
