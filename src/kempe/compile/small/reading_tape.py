"""The tape of readings: points and measures with their rates, as formulas of the coordinates.

Inputs, in order: q, v, a (the rates of v), p (numbers of the markers that are read). Where a
measure is an angle it is known up to whole turns; who runs the tape counts them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, final

from kempe.algebra import Expression, Part, Tape, record_parts, tangent
from kempe.algebra.tape import IntArray
from kempe.compile.layout.elements import value_of
from kempe.compile.layout.layout import GROUND_INDEX, Layout
from kempe.compile.layout.numbers import marker_numbers, own_numbers, with_numbers, word
from kempe.compile.trace.inputs import Inputs, motion_along
from kempe.geometry import Marker, Pose
from kempe.measures import Gauge, Wrapped

Read: TypeAlias = Marker | Gauge  # a point, which is the origin of a marker, or a measure
ORDERS = ("values", "rates", "accelerations")


@final
@dataclass(frozen=True, slots=True, eq=False)
class ReadingTape:
    """A tape and where its results are: of every scalar that is read its value and two rates."""

    tape: Tape
    n_q: int
    n_v: int
    n_parameters: int
    values: IntArray
    rates: IntArray
    accelerations: IntArray
    wrapped: tuple[bool, ...]  # which scalars are angles, known up to whole turns


def numbers_read(readings: Sequence[Read]) -> list[float]:
    """All numbers of what is read; those that do not fold are the last inputs of the tape."""
    return [x for one in readings for x in _numbers(one)]


def skeleton_read(readings: Sequence[Read]) -> str:
    """What the tape depends on besides the layout, but for which numbers fold."""
    words = []
    for one in readings:
        kind = "point" if isinstance(one, Marker) else word(one.measure)
        bodies = ",".join(m.body for m in _markers(one))
        turned = [m.rotation.angle is not None for m in _markers(one)]
        words.append(f"{kind}@{bodies};{turned}")
    return "\n".join(words)


def reading_tape(layout: Layout, readings: Sequence[Read]) -> ReadingTape:
    """The tape of these readings of a layout: x, y (and z) of a point, one number of a measure."""
    chart, at = layout.chart, layout.coordinates
    inputs = Inputs.fresh(layout.n_q, layout.n_v)
    frames = [chart.frame(inputs.q[at.q_of(k)]) for k in range(layout.n_bodies)]
    values, wrapped = traced_readings(layout, readings, frames, inputs)
    seeds: dict[int, dict[int, Expression]] = {}
    for k, frame in enumerate(frames):
        seeds |= chart.seeds(frame, at.v_of(k).start)
    along = motion_along(seeds, inputs.v)
    rates = tangent(values, along)
    faster = {v.node: a for v, a in zip(inputs.v, inputs.delta, strict=True)}
    outputs = {
        "values": values,
        "rates": rates,
        "accelerations": tangent(rates, along | faster),
    }
    given = [*inputs.q, *inputs.v, *inputs.delta, *inputs.p]
    recording = record_parts(inputs.graph, given, [Part("read", outputs)])
    return ReadingTape(
        tape=recording.tape,
        n_q=layout.n_q,
        n_v=layout.n_v,
        n_parameters=len(inputs.p),
        wrapped=tuple(wrapped),
        **{name: recording.registers[name] for name in ORDERS},
    )


def traced_readings(
    layout: Layout, readings: Sequence[Read], frames: Sequence[list[Expression]], inputs: Inputs
) -> tuple[list[Expression], list[bool]]:
    """The scalars of readings where bodies have these frames, and which of them are angles."""
    poses = {k: layout.chart.pose(frame) for k, frame in enumerate(frames)}
    poses[GROUND_INDEX] = Pose.identity()
    zero = Expression(inputs.graph, inputs.graph.constant(0.0))
    values: list[Expression] = []
    wrapped: list[bool] = []
    for one in readings:
        found, is_angle = _traced(layout, one, poses, inputs)
        values += [zero + e for e in found]
        wrapped += [is_angle] * len(found)
    return values, wrapped


def _traced(
    layout: Layout, one: Read, poses: dict[int, Pose], inputs: Inputs
) -> tuple[list[Any], bool]:
    """The scalars of a reading, and whether they are angles."""
    X = [poses[layout.body_index[m.body]] @ inputs.pose(m) for m in _markers(one)]
    if isinstance(one, Marker):
        return list(X[0].position)[: 2 if layout.model.plane else 3], False
    measure = with_numbers(one.measure, iter([inputs.number(x) for x in own_numbers(one.measure)]))
    value = value_of(lambda: measure.value(*X), one.name)
    return ([value.angle], True) if isinstance(value, Wrapped) else ([value], False)


def _markers(one: Read) -> tuple[Marker, ...]:
    return (one,) if isinstance(one, Marker) else (one.I, one.J)


def _numbers(one: Read) -> list[float]:
    numbers = [x for marker in _markers(one) for x in marker_numbers(marker)]
    return numbers if isinstance(one, Marker) else numbers + own_numbers(one.measure)
