"""Tracing a model: rows, Jacobian in twists and acceleration terms of the whole system."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from kempe.algebra import Expression, sparse_jacobian, tangent
from kempe.algebra.derivative import reachable
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.layout.elements import Element, JointElement
from kempe.compile.layout.layout import GROUND_INDEX, Layout
from kempe.compile.layout.velocity_elements import VelocityElement
from kempe.compile.trace.analytic_check import check_jacobian
from kempe.compile.trace.inputs import Inputs, motion_along
from kempe.compile.trace.moving_bodies import MovingBody, marker_motion
from kempe.compile.trace.shape import Row
from kempe.errors import BadConnection, FormulaError
from kempe.geometry import Pose, Twist, Vector

PLANE_ADVICE = "Turn its markers, use a joint that works in the plane, or build with plane=False."


@final
@dataclass(frozen=True, slots=True)
class TracedSystem:
    """phi and all its derivatives, as expressions of the inputs."""

    inputs: Inputs
    rows: list[Row]
    phi: list[Expression]
    jacobian: list[dict[int, Expression]]
    velocity_rhs: list[Expression]  # -phi_t
    gamma: list[Expression]  # J a = gamma
    turns: list[Expression]
    counted: list[tuple[int, int]]  # the turns: element, and which of its readings
    retracted: list[Expression]


def trace(layout: Layout, lifted: frozenset[int] = frozenset()) -> TracedSystem:
    """The whole system of a layout: phi = 0, J v = -phi_t, J a = gamma.

    Numbers of the elements that are `lifted`, counted in their order, are parameters even where
    they are 0.

    gamma = -(d/dt)^2 phi along the motion v with a = 0: the second directional derivative. Rows
    that hold velocities alone, psi = J v + psi_0 = 0, have phi = 0 wherever the bodies are,
    -psi_0 for -phi_t, and gamma = -(d/dt) psi.
    """
    chart, inputs = layout.chart, Inputs.fresh(layout.n_q, layout.n_v, lifted)
    at = layout.coordinates
    frames = [chart.frame(inputs.q[at.q_of(k)]) for k in range(layout.n_bodies)]
    unknowns = inputs.q[at.own_q]
    poses = [chart.pose(frame) for frame in frames]
    rows: list[Row] = []
    phi: list[Expression] = []
    turns: list[Expression] = []
    counted: list[tuple[int, int]] = []
    for index, element in enumerate(layout.elements):
        bodies = [
            Pose.identity() if b == GROUND_INDEX else poses[b] for b in layout.markers_of(element)
        ]
        if isinstance(element, VelocityElement):
            continue
        mine = [u for u, (k, _) in zip(unknowns, layout.own_unknowns, strict=True) if k == index]
        written, turned = element_rows(element, bodies, inputs, mine)
        turns += turned.values()
        counted += [(index, reading) for reading in turned]
        for place in live_rows(layout, element, written):
            rows.append(Row(index, place, element.units[place]))
            phi.append(written[place])
    seeds: dict[int, dict[int, Expression]] = {}
    for k, frame in enumerate(frames):
        seeds |= chart.seeds(frame, at.v_of(k).start)
    one = Expression(inputs.graph, inputs.graph.constant(1.0))
    seeds |= {u.node: {at.own_v.start + k: one} for k, u in enumerate(unknowns)}
    derived = derivatives(inputs, phi, seeds)
    moving = [MovingBody(f, inputs.v[at.v_of(k)], at.v_of(k).start) for k, f in enumerate(frames)]
    for index, element in enumerate(layout.elements):
        if not isinstance(element, VelocityElement):
            continue
        riding = [None if b == GROUND_INDEX else moving[b] for b in layout.markers_of(element)]
        carrier = next(k for k, e in enumerate(layout.elements) if _makes(e, element))
        mine = [u for u, (k, _) in zip(unknowns, layout.own_unknowns, strict=True) if k == carrier]
        held = held_velocities(layout, element, riding, inputs, seeds, mine)
        rows += [Row(index, place, element.units[place]) for place in held.live]
        phi += held.phi
        derived = {word: [*derived[word], *more] for word, more in held.derived.items()}
    for origin, entries in zip(rows, derived["jacobian"], strict=True):
        refuse_idle_row(layout, layout.elements[origin.element], origin.place, entries)
    return TracedSystem(
        inputs=inputs,
        rows=rows,
        phi=phi,
        turns=turns,
        counted=counted,
        retracted=_retracted(at, inputs),
        **derived,
    )


@final
@dataclass(frozen=True, slots=True)
class HeldVelocities:
    """Rows that hold velocities alone: places of those that did not vanish, and what they say."""

    live: list[int]
    phi: list[Expression]  # 0 each: they hold no place
    derived: dict[str, list[Any]]  # as `derivatives` of other rows has them


def held_velocities(
    layout: Layout,
    element: VelocityElement,
    riding: Sequence[MovingBody | None],
    inputs: Inputs,
    seeds: dict[int, dict[int, Expression]],
    unknowns: Sequence[Expression] = (),
) -> HeldVelocities:
    """The rows of psi = J v + psi_0 whose markers ride on these bodies, None for the ground.

    `unknowns` are those of the joint itself, whose rates psi does not see.
    -psi_0 stands for -phi_t, and gamma = -(d/dt) psi along the motion with a = 0.
    """
    one, zero = (Expression(inputs.graph, inputs.graph.constant(x)) for x in (1.0, 0.0))
    markers = [inputs.pose(marker) for marker in element.markers]
    own = [inputs.number(x) for x in element.numbers]
    pairs = zip(markers, riding, strict=True)
    moving = [marker_motion(layout.chart, X_BM, body, zero) for X_BM, body in pairs]
    still = Twist(Vector(zero, zero, zero), Vector(zero, zero, zero))

    def rows(twists: Sequence[Twist]) -> list[Expression]:
        seen = [part for (X, _), V in zip(moving, twists, strict=True) for part in (X, V)]
        found = element.rows([*seen, *unknowns], iter(own), inputs.t, inputs.unwrapping({}))
        return [zero + row for row in found]

    written = rows([V for _, V in moving])
    live = live_rows(layout, element, written)
    psi, at_rest = [written[k] for k in live], rows([still for _ in moving])
    jacobian = sparse_jacobian(psi, {e.node: {k: one} for k, e in enumerate(inputs.v)})
    _refuse_bent(element, live, jacobian, inputs)
    along = motion_along(seeds, inputs.v) | {inputs.t.node: one}
    derived: dict[str, list[Any]] = {
        "jacobian": jacobian,
        "velocity_rhs": [-at_rest[k] for k in live],
        "gamma": [-e for e in tangent(psi, along)],
    }
    return HeldVelocities(live, [zero for _ in live], derived)


def _makes(element: Element, rolling: VelocityElement) -> bool:
    """Whether an element has the places of the joint whose velocities are held."""
    return isinstance(element, JointElement) and element.joint is rolling.joint


def _refuse_bent(
    element: VelocityElement,
    live: Sequence[int],
    jacobian: Sequence[Mapping[int, Expression]],
    inputs: Inputs,
) -> None:
    """A FormulaError where a row of velocities is not linear in them."""
    speeds = {e.node for e in inputs.v}
    for place, row in zip(live, jacobian, strict=True):
        if not speeds.isdisjoint(reachable(inputs.graph, [e.node for e in row.values()])):
            raise FormulaError(
                f"row {place + 1} of psi of {_called(element)} is not linear in the twists: a row"
                " of velocities is a sum of their components, each times a factor of the poses,"
                " and what stands alone. A law that is not linear is a force: see `AbstractForce`.",
                joint=element.name,
                row=place,
            )


def live_rows(layout: Layout, element: Element, rows: Sequence[Expression]) -> list[int]:
    """Places of the rows that say something; in the plane some fold to zero and vanish."""
    for place, row in enumerate(rows):
        if layout.model.plane:
            _refuse_constant(element, place, row)
    live = [place for place, row in enumerate(rows) if not row.is_zero]
    if isinstance(element, VelocityElement) and rows and not live:
        raise BadConnection(
            f"{_called(element)} holds no velocity: what it holds lies across the plane, as of a"
            f" blade that stands on its tip. {PLANE_ADVICE}"
            if layout.model.plane
            else f"{_called(element)} holds no velocity: its psi is 0 whatever the bodies do.",
            joint=element.name,
        )
    return live


def refuse_idle_row(
    layout: Layout, element: Element, place: int, entries: Mapping[int, Expression]
) -> None:
    """A row that did not vanish but that no motion changes is a mistake, whatever its value."""
    if entries:
        return
    if layout.model.plane:
        raise BadConnection(
            f"{_called(element)} cannot hold in the plane: its row {place + 1} is the same"
            f" whatever the bodies do. {PLANE_ADVICE}",
            joint=element.name,
            row=place,
        )
    raise FormulaError(
        f"row {place + 1} of {element.name!r} is the same whatever the bodies do: it holds nothing."
        " Let the formula use the poses it is given.",
        joint=element.name,
        row=place,
    )


def element_rows(
    element: Element,
    bodies: Sequence[Pose],
    inputs: Inputs,
    unknowns: Sequence[Expression] = (),
) -> tuple[list[Expression], dict[int, Expression]]:
    """The rows of one element whose markers ride on bodies with these poses; its own unknowns last.

    Also, by reading, the angles that count whole turns.
    """
    if isinstance(element, JointElement):
        check_jacobian(element.joint)
    held = zip(element.markers, bodies, strict=True)
    X = [*(X_WB @ inputs.pose(marker) for marker, X_WB in held), *unknowns]
    own = iter([inputs.number(x) for x in element.numbers])
    turned: dict[int, Expression] = {}
    zero = Expression(inputs.graph, inputs.graph.constant(0.0))
    rows = element.rows(X, own, inputs.t, inputs.unwrapping(turned))
    return [zero + row for row in rows], turned


def derivatives(
    inputs: Inputs, phi: list[Expression], seeds: dict[int, dict[int, Expression]]
) -> dict[str, Any]:
    """Jacobian, velocity right-hand side and gamma of rows whose frames move as seeded."""
    one = Expression(inputs.graph, inputs.graph.constant(1.0))
    along = motion_along(seeds, inputs.v) | {inputs.t.node: one}
    rate = tangent(phi, along)
    return {
        "jacobian": sparse_jacobian(phi, seeds),
        "velocity_rhs": [-e for e in tangent(phi, {inputs.t.node: one})],
        "gamma": [-e for e in tangent(rate, along)],
    }


def _retracted(at: Coordinates, inputs: Inputs) -> list[Expression]:
    pairs = [(inputs.q[at.q_of(k)], inputs.delta[at.v_of(k)]) for k in range(at.n_bodies)]
    own = zip(inputs.q[at.own_q], inputs.delta[at.own_v], strict=True)
    bodies = [moved for q, d in pairs for moved in at.chart.retract(q, d)]
    return [*bodies, *(u + step for u, step in own)]


def _called(element: Element) -> str:
    is_joint = isinstance(element, (JointElement, VelocityElement))
    return f"joint {element.name!r}" if is_joint else repr(element.name)


def _refuse_constant(element: Element, place: int, row: Expression) -> None:
    value = row.constant
    if value is not None and value != 0.0:
        raise BadConnection(
            f"{_called(element)} cannot hold in the plane: its row {place + 1} is {value:g}"
            f" whatever the bodies do. {PLANE_ADVICE}",
            joint=element.name,
            row=place,
            value=value,
        )
