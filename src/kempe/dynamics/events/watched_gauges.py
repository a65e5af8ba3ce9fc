"""What events look at, traced: measures with their rates and gradients, and formulas of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, record_formula, sparse_jacobian, tangent
from kempe.algebra.native import native_tape
from kempe.algebra.text.grammar import WrittenFormula
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.layout.dynamic_layout import DynamicLayout, centred
from kempe.compile.layout.force_elements import ForceElement
from kempe.compile.layout.layout import GROUND_INDEX
from kempe.compile.layout.numbers import is_literal, marker_numbers
from kempe.compile.trace.force_tracing import ForceTracer, moving_bodies
from kempe.compile.trace.inputs import Inputs
from kempe.compile.trace.part_names import gauges_by_name, points_by_name
from kempe.forces import AbstractForce, Action, Instant, JointFriction
from kempe.geometry import GROUND, Marker, X, Y, Z
from kempe.measures import Coordinate, Gauge
from kempe.model import Model

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int32]
RATE = ".rate"
AIM = 0.5  # room for a direction among the numbers: neither 0 nor 1, so that it stays an input
AXES = {"x": X, "y": Y, "z": Z}


@final
@dataclass(frozen=True)
class Watching(AbstractForce):
    """A force that does nothing: it only sees measures, and how balls and feet slip."""

    seen: tuple[Gauge, ...]
    rubbing: tuple[JointFriction, ...] = ()

    @property
    def markers(self) -> tuple[Marker, ...]:
        return tuple(marker for friction in self.rubbing for marker in friction.markers)

    def action(self, now: Instant) -> Action:
        return Action()


@final
@dataclass(frozen=True, slots=True)
class Seen:
    """A measure, or its rate."""

    gauge: Gauge
    is_rate: bool = False


def seen_by_name(model: Model, name: str) -> Seen | None:
    """What a readable name is that is a measure, a coordinate or the rate of one; None for others.

    Names are those of the registry of readings: "hinge.angle", "hinge.angle.rate", "rod.P.vy".
    """
    gauges = gauges_by_name(model)
    if name in gauges:
        return Seen(gauges[name])
    if name.endswith(RATE) and name.removesuffix(RATE) in gauges:
        return Seen(gauges[name.removesuffix(RATE)], is_rate=True)
    point, _, word = name.rpartition(".")
    marker = points_by_name(model).get(point)
    if marker is None or word.removeprefix("v") not in AXES:
        return None
    axis = AXES[word.removeprefix("v")]
    gauge = Gauge(f"{point}.{word.removeprefix('v')}", Coordinate(axis), Marker(GROUND), marker)
    return Seen(gauge, is_rate=word.startswith("v"))


@final
@dataclass(frozen=True, slots=True)
class Written:
    """A formula of traced names: the words in it, and what they are; t is the time."""

    formula: WrittenFormula
    names: Mapping[str, Seen | None]  # None: the time


@final
@dataclass(frozen=True, slots=True)
class Measured:
    """The measures at one place: values, rates, gradients (k, n_v), and what rates gain by v."""

    values: FloatArray
    rates: FloatArray
    gradients: FloatArray
    bias: FloatArray  # m'' = G a + bias


@final
@dataclass(frozen=True, slots=True)
class Slipping:
    """The slips of balls and feet at one place: s, ds/dv (k, n_v), and what s gains by v."""

    rates: FloatArray
    gradients: FloatArray
    bias: FloatArray  # s' = G a + bias


@final
class WatchedGauges:
    """Measures and formulas of one model on a native tape of coordinates of the centres of mass."""

    def __init__(
        self,
        dynamic: DynamicLayout,
        gauges: Sequence[Gauge],
        formulas: Sequence[Written],
        rubbing: Sequence[JointFriction] = (),
    ) -> None:
        layout = dynamic.layout
        used = [one.gauge for f in formulas for one in f.names.values() if one is not None]
        self.gauges = tuple(dict.fromkeys([*gauges, *used]))
        self.n_gauges, self.n_v = len(self.gauges), layout.n_v
        self.rubbing = tuple(rubbing)
        model = replace(dynamic.model, gauges=self.gauges, forces=self.rubbing)
        moved = centred(replace(model, events=(), outputs=()))
        seen_by = (moved.gauges, tuple(f for f in moved.forces if isinstance(f, JointFriction)))
        element = ForceElement(Watching(*seen_by)) if any(seen_by) else None
        markers = element.markers if element else ()
        places = [layout.body_index[m.body] for m in markers]
        bodies = sorted(set(places) - {GROUND_INDEX})
        mine = Coordinates(layout.chart, len(bodies))
        inputs = Inputs.of_bodies(mine)
        moving = dict(zip(bodies, moving_bodies(mine, inputs), strict=True))
        tracer = ForceTracer(layout.chart, inputs, list(moving.values()))
        values: list[Expression] = []
        rates: list[Expression] = []
        turned: dict[int, Expression] = {}
        slips: list[Expression] = []
        if element:
            seen = tracer.see(element, [moving.get(b) for b in places])
            values = [tracer.zero + one.value for one in seen.now.gauges]
            rates = [tracer.zero + one.rate for one in seen.now.gauges]
            turned = seen.turned
            slips = [tracer.zero + x for x in _slips(moved.forces, seen.now)]
        bias = [tracer.zero + x for x in tangent(rates, tracer.along)]
        slopes = sparse_jacobian(values, tracer.seeds)
        written = [tracer.zero + self._value(f, values, rates, inputs) for f in formulas]
        entries = [e for row in slopes for e in row.values()]
        aims = [inputs.number(AIM) for _ in slips]
        slipping = [*self._aimed(slips, aims), *slips, *tangent(slips, tracer.along)]
        slipping += self._by_velocities(slips, inputs)
        outputs = [*values, *rates, *bias, *written, *slipping, *entries, *turned.values()]
        self.n_slips, self.n_slipping = len(slips), len(slipping)
        ins = [*inputs.q, *inputs.v, inputs.t, *inputs.last, *inputs.p]
        tape = record_formula(ins, [tracer.zero + e for e in outputs])
        self.tape = native_tape(tape)
        self._outputs: IntArray = np.asarray(tape.outputs, dtype=np.int32)
        whole = np.arange(layout.n_v)
        self._q = _places(mine.all_q_of(bodies))
        self._v = _places(mine.all_v_of(bodies))
        columns = whole[self._v]
        self._rows = np.array([k for k, row in enumerate(slopes) for _ in row], dtype=int)
        self._columns = np.array([columns[c] for row in slopes for c in row], dtype=int)
        numbers = [x for m in markers for x in marker_numbers(m)]
        numbers += element.numbers if element else []
        numbers += [AIM] * len(aims)
        self._numbers = np.array([x for x in numbers if not is_literal(x)], dtype=np.float64)
        self.turned = tuple(turned)
        self.n_formulas = len(written)

    def _aimed(self, slips: Sequence[Any], aims: Sequence[Any]) -> list[Any]:
        """s . d of every ball and foot, d the direction that it is told to look along."""
        found, first = [], 0
        for friction in self.rubbing:
            mine = slice(first, first := first + len(friction.arms))
            found.append(sum(s * d for s, d in zip(slips[mine], aims[mine], strict=True)))
        return found

    @staticmethod
    def _by_velocities(slips: Sequence[Expression], inputs: Inputs) -> list[Any]:
        """ds/dv, by rows: slips are linear in velocities."""
        graph = inputs.graph
        zero, one = (Expression(graph, graph.constant(x)) for x in (0.0, 1.0))
        seeds = {v.node: {k: one} for k, v in enumerate(inputs.v)}
        rows = sparse_jacobian(slips, seeds)
        return [row.get(k, zero) for row in rows for k in range(len(inputs.v))]

    def _value(
        self, one: Written, values: Sequence[Any], rates: Sequence[Any], inputs: Inputs
    ) -> Any:
        said: dict[str, Any] = {}
        for word, seen in one.names.items():
            if seen is None:
                said[word] = inputs.t
            else:
                place = self.gauges.index(seen.gauge)
                said[word] = (rates if seen.is_rate else values)[place]
        return one.formula.value(said)

    def place(self, gauge: Gauge) -> int:
        """The output of the tape that is a measure's value."""
        return self.gauges.index(gauge)

    def rate_place(self, gauge: Gauge) -> int:
        """The output of the tape that is a measure's rate."""
        return self.n_gauges + self.place(gauge)

    def formula_place(self, k: int) -> int:
        """The output of the tape that is a formula's value."""
        return 3 * self.n_gauges + k

    def aim_place(self, name: str) -> int:
        """The output of the tape that is the slip of a ball or a foot along its aim."""
        names = [friction.name for friction in self.rubbing]
        return 3 * self.n_gauges + self.n_formulas + names.index(name)

    def slipping(self, q: FloatArray, v: FloatArray, t: float, last: FloatArray) -> Slipping:
        """The slips of all balls and feet, one after the other, at one place and time."""
        row = np.concatenate([q[self._q], v[self._v], [t], last, self._numbers])
        found = self.tape.evaluate(row[None], self._outputs)[0]
        first, n = 3 * self.n_gauges + self.n_formulas + len(self.rubbing), self.n_slips
        s, bias, G = np.split(
            found[first : first + self.n_slipping - len(self.rubbing)], [n, 2 * n]
        )
        gradients = np.zeros((n, self.n_v))
        gradients[:, self._v] = G.reshape(n, -1)
        return Slipping(s, gradients, bias)

    def measured(self, q: FloatArray, v: FloatArray, t: float, last: FloatArray) -> Measured:
        """Everything at one place and time of the centres of mass."""
        row = np.concatenate([q[self._q], v[self._v], [t], last, self._numbers])
        found = self.tape.evaluate(row[None], self._outputs)[0]
        n, first = self.n_gauges, 3 * self.n_gauges + self.n_formulas + self.n_slipping
        gradients = np.zeros((n, self.n_v))
        gradients[self._rows, self._columns] = found[first : first + len(self._rows)]
        return Measured(found[:n], found[n : 2 * n], gradients, found[2 * n : 3 * n])

    def formulas(self, q: FloatArray, v: FloatArray, t: float, last: FloatArray) -> FloatArray:
        """The formulas at one place and time of the centres of mass."""
        row = np.concatenate([q[self._q], v[self._v], [t], last, self._numbers])
        found = self.tape.evaluate(row[None], self._outputs)[0]
        first = 3 * self.n_gauges
        return np.asarray(found[first : first + self.n_formulas])

    def parts(self, last: FloatArray, aims: FloatArray) -> dict[str, Any]:
        """What a native list of watches needs of the tape; balls and feet look along `aims`."""
        counted = len(self._outputs) - len(self.turned)
        numbers = self._numbers.copy()
        numbers[len(numbers) - len(aims) :] = aims
        return {
            "tape": self.tape,
            "q": self._q.astype(np.int32),
            "v": self._v.astype(np.int32),
            "outputs": self._outputs,
            "turned": self._outputs[counted:],
            "last": last,
            "numbers": numbers,
        }


def watched_gauges(
    dynamic: DynamicLayout,
    gauges: Sequence[Gauge],
    formulas: Sequence[Written],
    rubbing: Sequence[JointFriction] = (),
) -> WatchedGauges:
    """What `dynamic` watches, on one tape: `gauges`, `formulas` of names, slips of `rubbing`.

    Measures alone are traced once: their tape is kept as long as the layout lives.
    """
    if formulas or rubbing:
        return WatchedGauges(dynamic, gauges, formulas, rubbing)
    layout, key = dynamic.layout, ("watched gauges", *gauges)
    kept = layout.prepared(key, WatchedGauges)
    return kept or layout.keep(key, WatchedGauges(dynamic, gauges, ()))


def _slips(frictions: Sequence[AbstractForce], now: Instant) -> Iterator[Any]:
    """The slips of balls and feet whose markers are seen at `now`, two each."""
    for k, friction in enumerate(frictions):
        assert isinstance(friction, JointFriction)
        mine = slice(2 * k, 2 * k + 2)
        yield from friction.slip(replace(now, X=now.X[mine], V=now.V[mine]))


def _places(places: Any) -> NDArray[np.int64]:
    """Places of coordinates, as numbers."""
    if isinstance(places, slice):
        return np.arange(places.start, places.stop)
    return np.asarray(places, dtype=np.int64)
