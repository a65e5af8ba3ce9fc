"""A map in space proved again: that its equations are those of the joints, and its positions.

The rows of the map must be, exactly, those that are written from its model today. These are held
against what the joints say, written once more in places and rotation matrices (`agreement`), and
the way from all unknowns to those of the map is gone once more by another elimination. Directions
of markers are rounded, so the two writings differ in last digits: by how much at most is proved.
With these rows charts, links, ends and cover are proved in other arithmetic; and the joints' own
formulas must hold at positions of every component.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from kempe.compile.layout.elements import JointElement
from kempe.compile.layout.layout import Layout
from kempe.errors import KempeError
from kempe.geometry import GROUND, Pose
from kempe.measures import Gauge
from kempe.motion.equations.bodies import is_writable, planar_equations
from kempe.motion.equations.gears import linear_law, whole_ratios
from kempe.motion.equations.question import Holding, Limited, machine_size
from kempe.motion.equations.spatial import spatial_equations
from kempe.motion.equations.system import FullSystem, SystemRow, spoken
from kempe.motion.reduction.blocks import System
from kempe.motion.reduction.reduction import reduced
from kempe.motion.verify.written.agreement import agreement
from kempe.motion.verify.written.derivation import derived
from kempe.motion.verify.written.matching import (
    BlockRows,
    FromModel,
    are_sums_of,
    matched,
    outputs_of,
    same_sign,
)
from kempe.motion.verify.written.planar_rows import Asked, Bounds, WrittenRow, WrittenSystem
from kempe.motion.verify.written.polynomial import Ring, are_proportional, of_graph
from kempe.results.maps.certificate import CertifiedBlock, Promise
from kempe.results.maps.component import Component
from kempe.results.maps.motion_map import MotionMap

STEP = 0.25  # in unknowns: between the positions at which joints are asked
HOLDS = 1e-9  # of the machine's size, or a cosine: far more than rounded directions explain
UNPROVED = "that its equations are what the joints say"


def compare_in_space(
    motions: MotionMap, layout: Layout, asked: Asked, found: FromModel, freedom: int
) -> None:
    """Put into `found` what a map in space says otherwise than its model, and rows to prove by."""
    model = layout.model
    if motions.name != model.name:
        found.failures.append(f"the map is called {motions.name!r}, its model {model.name!r}")
    full = _written(layout, asked, freedom)
    system = reduced(full, freedom)
    names = tuple(u.name for u in system.unknowns)
    if motions.unknowns != names or motions.readings.names != system.readings:
        found.failures.append("its unknowns or readings are not those of the model")
        return
    if motions.readings.bodies != tuple(body.name for body in model.moving):
        found.failures.append("the bodies that are read are not those of the model")
        return
    if system.contradiction:
        found.unproved.append(UNPROVED)
        return
    ring = Ring(names)
    bounds = {u.name: (u.low, u.high, u.period, u.is_limit) for u in system.unknowns}
    places = sorted(p for block in motions.blocks for p in block.places)
    if places != list(range(len(names))):
        found.failures.append("the blocks do not share out the unknowns: one is missing or twice")
        return
    rows, sides = (_read(ring, system, some) for some in (system.left.rows, system.left.sides))
    for k, block in enumerate(motions.blocks):
        who = f"block {k}"
        for j, p in enumerate(block.places):
            told = block.low[j], block.high[j], block.period[j], bool(block.limited[j])
            if told != bounds[names[p]]:
                found.failures.append(f"{who}: {names[p]} has other bounds than in the model")
        found.blocks.append(_block(motions, block, who, ring, rows, sides, found))
    inside = [frozenset(b.unknowns) for b in found.blocks]
    if any(not any(r.value.unknowns <= mine for mine in inside) for r in (*rows, *sides)):
        found.failures.append("an equation connects blocks that are listed apart")
    read = [ring.of(ring.numbers[name]) for name in names]
    pair = (outputs_of(tape, read) for tape in (motions.readings.tape, system.tape))
    for name, one, other in zip(system.readings, *pair, strict=False):
        if not (one - other).is_zero:
            found.failures.append(f"the reading {name} is not what the model says")
            break
    for component in motions.components:
        found.failures += _joints_at(layout, component)
    if not found.failures:
        found.unproved += _as_joints_say(full, layout, asked) or _eliminated(full, system)


def _eliminated(full: FullSystem, system: System) -> list[str]:
    """Rows, sides and readings in fewer unknowns that another elimination does not give too."""
    names = [u.name for u in full.unknowns]
    ring, rows = Ring(names), [(r.value, r.source) for r in full.equations]
    rows += [(d.unknown - d.value, d.source) for d in full.definitions]
    kinds = [rows, [(s.value, s.source) for s in full.sides]]
    kinds.append([(value, name) for name, value in full.readings.items()])
    told = iter(of_graph(ring, full.graph, [e.node for kind in kinds for e, _ in kind]))
    made = [[WrittenRow(next(told), source) for _, source in kind] for kind in kinds]
    written = WrittenSystem(
        ring,
        {u.name: Bounds(u.low, u.high, u.period, u.is_limit) for u in full.unknowns},
        [row for row in made[0] if not row.value.is_zero],
        made[1],
        {row.source: row.value for row in made[2]},
    )
    kept = [u.name for u in system.unknowns]
    small = derived(written, kept, system.steps)
    read = [ring.of(ring.numbers[name]) for name in kept]
    same = not (small.stuck or small.contradiction)
    left, sides = (_read(ring, system, some) for some in (system.left.rows, system.left.sides))
    for said, other, fits in (
        (left, small.rows, are_proportional),
        (sides, small.sides, same_sign),
    ):
        same = same and all(any(fits(a.value, b.value) for b in other) for a in said)
        same = same and all(any(fits(a.value, b.value) for b in said) for a in other)
    values = outputs_of(system.tape, read) if kept else []
    pairs = zip(system.readings, values, strict=False)
    same = same and all((small.readings[name] - value).is_zero for name, value in pairs)
    return [] if same else [f"{UNPROVED} (that unknowns were eliminated as another way does)"]


def _as_joints_say(full: FullSystem, layout: Layout, asked: Asked) -> list[str]:
    """What could not be proved of the rows being those of the joints, written once more."""
    try:
        compared = agreement(full, layout, asked)
    except (KempeError, ArithmeticError, ValueError, RecursionError, MemoryError) as trouble:
        said = str(trouble).splitlines()[0] if str(trouble) else type(trouble).__name__
        return [f"{UNPROVED} ({said})"]
    return [f"{UNPROVED} ({told})" for told in compared.unproved[:1]]


def _written(layout: Layout, asked: Asked, freedom: int) -> FullSystem:
    held = [Holding(gauge, value) for gauge, value in asked.held]
    stops = [Limited(gauge, low, high) for gauge, low, high in asked.limits]
    if is_writable(layout.model):
        return planar_equations(layout, held, stops, clock=asked.clock)
    return spatial_equations(layout, held, stops, freedom=freedom, clock=asked.clock)


def _read(ring: Ring, system: System, rows: Sequence[SystemRow]) -> list[WrittenRow]:
    values = of_graph(ring, system.left.graph, [r.value.node for r in rows])
    return [WrittenRow(v, r.source) for v, r in zip(values, rows, strict=True) if not v.is_zero]


def _block(
    motions: MotionMap,
    block: CertifiedBlock,
    who: str,
    ring: Ring,
    all_rows: Sequence[WrittenRow],
    all_sides: Sequence[WrittenRow],
    found: FromModel,
) -> BlockRows:
    """Rows and sides of one block, which must be those of the model, each once."""
    made = BlockRows([ring.numbers[motions.unknowns[p]] for p in block.places])
    mine = frozenset(made.unknowns)
    rows = [r for r in all_rows if r.value.unknowns <= mine]
    sides = [r for r in all_sides if r.value.unknowns <= mine]
    counts = block.n_equations, block.n_redundant, block.n_sides
    if min(counts) < 0 or sum(counts) != len(block.tape.outputs):
        found.failures.append(f"{who}: its counts of rows and sides do not fit its tape")
        return made
    stored = outputs_of(block.tape, [ring.of(j) for j in made.unknowns])
    m = block.n_equations
    if motions.outcome is Promise.NUMERICAL and are_sums_of(stored[:m], rows):
        made.rows = list(stored[:m])
        missed = list[int]()
        made.implied = [r.value for r in rows]  # what is listed solves those, all but exactly
    else:
        made.rows, missed = matched(stored[:m], rows, are_proportional)
    found.failures += [
        f"{who}: its equation {i + 1} of {m}, that of {spoken([block.sources[i]])}, is not what"
        " the model says"
        for i in missed
    ]
    rows = [r for r in rows if not any(are_proportional(r.value, one) for one in made.rows)]
    if rows and motions.outcome is not Promise.NUMERICAL:
        said = spoken(r.source for r in rows)
        found.failures.append(f"{who}: {len(rows)} of its equations are missing, of {said}")
    made.left_out = rows
    made.sides, missed = matched(stored[m + block.n_redundant :], sides, same_sign)
    if missed or sides:
        found.failures.append(f"{who}: its sides are not those of the model")
    return made


def _positions(component: Component) -> np.ndarray[Any, np.dtype[np.float64]]:
    """q at samples (k, n_q) of a curve, or of a position that stands."""
    if len(component.charts["h"]):
        return component.sample(STEP).q
    read = component.readings
    return read.coordinates(read.values(component.x[None, :]), is_curve=False)


def _joints_at(layout: Layout, component: Component) -> list[str]:
    """Joints whose own formulas do not hold at some position of a component."""
    size, chart, at = machine_size(layout, (), ()), layout.chart, layout.coordinates
    elements = layout.elements[: layout.first_drive]
    joints = [e.joint for e in elements if isinstance(e, JointElement) and not e.joint.unknowns]
    coupled = _laws(elements)
    for q in _positions(component):
        bodies = at.q_by_body(q)
        poses = {b.name: chart.placed(bodies[k]) for k, b in enumerate(layout.model.moving)}
        poses[GROUND] = Pose.identity()
        for joint in joints:
            X = [poses[m.body] @ m.pose for m in joint.markers]
            units = [size if unit == "m" else 1.0 for c in joint.constraints for unit in c.rows]
            rows = np.array([float(row) for row in joint.phi(*X)])
            off = float(np.abs(rows / np.array(units)).max(initial=0.0))
            is_turned = any(float(side.value(*X)) <= 0.0 for side in joint.sides)
            if is_turned or not off <= HOLDS:
                said = "is the wrong way round" if is_turned else f"is off by {off:.2g}"
                return [f"component {component.number}: joint {joint.name!r} {said}"]
        for gauges, shares, constant, name in coupled:
            read = [g.measure.number(*(poses[m.body] @ m.pose for m in (g.I, g.J))) for g in gauges]
            off = _uncoupled(gauges, read, shares, constant, name, size)
            if not off <= HOLDS:
                return [f"component {component.number}: {name!r} is off by {off:.2g}"]
    return []


Law = tuple[tuple[Gauge, ...], list[Fraction], Fraction, str]  # sum of shares times gauges


def _laws(elements: Sequence[Any]) -> list[Law]:
    """What couplers say, and joints of several of their measures."""
    laws: list[Law] = []
    for element in elements:
        if not isinstance(element, JointElement):
            laws.append(
                (element.coupler.gauges, *linear_law(element.coupler, element.name), element.name)
            )
            continue
        I, J = element.joint.markers[:2] if element.held else (None, None)
        for held in element.held:
            gauges = tuple(Gauge(element.name, m, I, J) for m in held.measures)  # type: ignore[arg-type]
            shares = [Fraction(c) for c in held.coefficients]
            laws.append((gauges, shares, Fraction(held.value or 0.0), element.name))
    return laws


def _uncoupled(
    gauges: Sequence[Gauge],
    read: Sequence[float],
    shares: Sequence[Fraction],
    constant: Fraction,
    name: str,
    size: float,
) -> float:
    """By how much a law does not hold, of the machine's size or in radians, whole turns aside."""
    total = math.fsum([float(c) * x for c, x in zip(shares, read, strict=True)] + [-constant])
    turns = [c for c, gauge in zip(shares, gauges, strict=True) if gauge.unit == "rad"]
    if not turns:
        return abs(total) / size
    _, unit = whole_ratios(turns, name)
    angle = total / float(unit)
    return abs(math.remainder(angle, math.tau)) / max(1.0, size / abs(float(unit)))
