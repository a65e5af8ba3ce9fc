"""What joints with friction carry: their loads N, traced, from coordinates and multipliers.

The rows phi of a joint act on the body of its marker J by the wrench -lam . d phi / d V_J. Seen in
the axes of marker I and about the place of J, that is what the law of friction makes a load of.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, record_formula, sparse_jacobian
from kempe.algebra.native import core, native_tape
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.layout.dynamic_layout import DynamicLayout
from kempe.compile.layout.elements import JointElement, all_numbers
from kempe.compile.layout.layout import GROUND_INDEX
from kempe.compile.layout.numbers import is_literal, marker_numbers, marker_pose
from kempe.compile.trace.force_tracing import moving_bodies
from kempe.compile.trace.inputs import Inputs
from kempe.compile.trace.moving_bodies import MovingBody
from kempe.compile.trace.tracing import element_rows
from kempe.equations.equations import DynamicEquations
from kempe.equations.rank import REDUNDANT
from kempe.errors import BadConnection, ModelError
from kempe.forces import JointFriction
from kempe.geometry import Pose, Vector, X, Y, Z
from kempe.joints import AbstractJoint
from kempe.joints.ways import Kind
from kempe.kinematics.reactions.loads import frictions_of
from kempe.measures import CROSS, SLIDES, Back, Displacement, Turn
from kempe.model import Model

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int32]
BY_LOAD = (Kind.HINGE, Kind.SLIDER, Kind.SLEEVE, Kind.SLOT)
FOOT = (*SLIDES[:2], Turn(Z))  # what a planar joint leaves free
SCREWED = (Displacement(Z), Turn(Z))  # what a screw holds together
UNIQUE = 1e-8  # of a unit combination of rows that does nothing: a smaller part is rounding


def joint_of(model: Model, friction: JointFriction) -> AbstractJoint:
    """The joint that a friction belongs to: a BadConnection where its load says too little."""
    gauge, who = friction.gauge, f"friction {friction.name!r}"
    for joint in model.joints:
        if (joint.I, joint.J) == (gauge.I, gauge.J) and gauge.measure in joint.freedom:
            refusal = _refusal(joint, friction, plane=model.plane)
            if refusal:
                raise BadConnection(
                    f"{who} sits on joint {joint.name!r}, {refusal}", joint=joint.name
                )
            return joint
    raise BadConnection(
        f"{who} is on {gauge.name!r}, which is not what a joint leaves free: use the measure of a"
        " hinge or a slider, such as hinge.angle, or DryFriction with a size that you know.",
        measure=gauge.name,
    )


def _refusal(joint: AbstractJoint, friction: JointFriction, *, plane: bool) -> str:
    """Why what a joint carries says too little about this friction; nothing where it does not."""
    screws = [held for held in joint.held if held.measures == SCREWED]
    if screws:
        lead = -screws[0].coefficients[1] / screws[0].coefficients[0] * math.tau
        if friction.lead is None or not math.isclose(friction.lead, lead, rel_tol=1e-9):
            given = "no lead" if friction.lead is None else f"a lead of {friction.lead:g} m"
            return (
                f"a screw with a lead of {lead:g} m, and has {given}: give lead={lead:g}, and the"
                " radius of the thread."
            )
        return ""
    if friction.lead is not None:
        return "which is no screw: leave its lead out."
    is_cross = not joint.held and joint.freedom == CROSS
    kind = joint.ways(plane=plane).kind
    is_foot = not joint.held and not plane and joint.freedom == FOOT
    surface = "ball" if kind is Kind.BALL else "plane" if is_foot else None
    if surface != friction.surface:
        return _other_surface(surface, friction.surface)
    if surface is not None:
        return ""
    if (kind not in BY_LOAD or joint.held) and not is_cross:
        return (
            "which is neither a hinge nor a slider, nor a sleeve, a pin in a slot, a cross or a"
            " screw: what it carries says nothing about one direction of sliding. Use DryFriction"
            " with a size that you know, or a contact with friction."
        )
    if kind is Kind.SLOT and friction.length is not None and friction.gauge.unit == "rad":
        return "a pin in a slot: its pin has no length, only a radius."
    return ""


def _other_surface(due: str | None, given: str | None) -> str:
    """What is said of a friction whose surface is not that of its joint."""
    if due is None:
        return f"which is no {'ball' if given == 'ball' else 'planar'} joint: leave surface out."
    slides = "turns" if due == "ball" else "slides on a plane"
    word = "ball.angle" if due == "ball" else "foot.x"
    return (
        f"which {slides} in several directions at once: give surface={due!r}, and one measure of"
        f" the joint, such as {word}."
    )


@final
@dataclass(frozen=True, eq=False)
class JointLoads:
    """The loads of all joints with friction, as a native tape of coordinates and multipliers."""

    frictions: tuple[JointFriction, ...]
    tape: Any
    q: IntArray  # places of the coordinates that it sees
    lam: IntArray  # places of the multipliers, among those of the program
    outputs: IntArray  # N (k,)
    derivatives: IntArray  # dN/dlam (k, lam), by rows
    moved: IntArray  # places of the velocities along which they change
    along: IntArray  # dN/dq along those (k, moved), by rows
    numbers: FloatArray
    places: IntArray  # of the loads among the parameters
    counts: tuple[int, ...]  # multipliers of each
    ways: FloatArray = field(default_factory=lambda: np.zeros(0))  # (k,): +1, -1, or 0

    def system(self, inner: "core.DynamicSystem") -> "core.FrictionDynamics":
        """The native system with friction."""
        return core.FrictionDynamics(
            inner,
            tape=self.tape,
            q=self.q,
            lam=self.lam,
            outputs=self.outputs,
            derivatives=self.derivatives,
            moved=self.moved,
            along=self.along,
            numbers=self.numbers,
            places=self.places,
            ways=self.ways,
        )

    def sliding(self, ways: Mapping[str, float]) -> "JointLoads":
        """These loads with joints that slide in the senses of `ways`; what is not named sticks."""
        found = [ways.get(f.name, 0.0) if f.sticks else 1.0 for f in self.frictions]
        return replace(self, ways=np.array(found, dtype=np.float64))

    def at(self, q: FloatArray, lam: FloatArray) -> FloatArray:
        """N (n, k) at samples of coordinates q (n, n_q) and multipliers lam (n, rows)."""
        numbers = np.tile(self.numbers, (len(q), 1))
        rows = np.hstack([q[:, self.q], lam[:, self.lam], numbers])
        return np.asarray(self.tape.evaluate(np.ascontiguousarray(rows), self.outputs))

    def slopes(self, q: FloatArray, lam: FloatArray) -> tuple[FloatArray, FloatArray]:
        """dN/dlam (k, multipliers) and dN/dq (k, moved) at coordinates q and all multipliers."""
        row = np.concatenate([q[self.q], lam[self.lam], self.numbers])[None, :]
        by = (self.tape.evaluate(row, places)[0] for places in (self.derivatives, self.along))
        by_lam, by_q = (np.asarray(found).reshape(len(self.frictions), -1) for found in by)
        return by_lam, by_q

    def rubbed(self, model: Model, q: FloatArray, lam: FloatArray) -> FloatArray:
        """Loads (n, frictions of the model), negative where joints slide backwards, 0 where none.

        `model` may have more of them than act.
        """
        names = [friction.name for friction in frictions_of(model)]
        found = np.zeros((len(q), len(names)))
        mine = [names.index(friction.name) for friction in self.frictions]
        found[:, mine] = self.ways * self.at(q, lam)
        return found


def joint_loads(equations: DynamicEquations) -> JointLoads | None:
    """The loads of a model's joints with friction; None where it has none."""
    layout, rows = equations.layout, equations.program.shape.rows
    flat = layout.layout
    frictions = frictions_of(flat.model)
    if not frictions:
        return None
    joints = [joint_of(flat.model, friction) for friction in frictions]
    elements = [flat.elements[flat.model.joints.index(joint)] for joint in joints]
    riding = [flat.markers_of(element) for element in elements]
    bodies = sorted({b for places in riding for b in places} - {GROUND_INDEX})
    mine = Coordinates(flat.chart, len(bodies))
    inputs = Inputs.of_bodies(mine)
    moving = dict(zip(bodies, moving_bodies(mine, inputs), strict=True))
    tracer = _Tracer(flat.chart, inputs, moving)
    numbers: list[float] = []
    loads: list[Expression] = []
    places: list[int] = []
    counts: list[int] = []
    for friction, element, on in zip(frictions, elements, riding, strict=True):
        number = flat.elements.index(element)
        live = {row.place: k for k, row in enumerate(rows) if row.element == number}
        lam = {place: tracer.multiplier() for place in live}
        loads.append(tracer.load(friction, element, on, lam))
        numbers += [x for x in all_numbers(element) if not is_literal(x)]
        places += [*live.values()]
        counts.append(len(live))
    along = tracer.along(loads, [moving[b] for b in bodies])
    slopes = [*tracer.slopes(loads), *along]
    ins = [*inputs.q, *tracer.lam, *inputs.p]
    tape = record_formula(ins, [*loads, *slopes])
    outputs = np.asarray(tape.outputs, dtype=np.int32)
    by_lam, by_place = np.split(outputs[len(loads) :], [len(slopes) - len(along)])
    return JointLoads(
        frictions,
        native_tape(tape),
        np.asarray(_numbered(mine.all_q_of(bodies), flat.n_q), dtype=np.int32),
        np.array(places, dtype=np.int32),
        outputs[: len(loads)],
        by_lam,
        np.asarray(_numbered(mine.all_v_of(bodies), flat.n_v), dtype=np.int32),
        by_place,
        np.array(numbers, dtype=np.float64),
        np.array(_load_places(layout), dtype=np.int32),
        tuple(counts),
        np.array([0.0 if f.sticks else 1.0 for f in frictions]),
    )


def refuse_open_loads(loads: JointLoads, equations: DynamicEquations, entries: FloatArray) -> None:
    """A ModelError where redundant rows leave open what a joint with friction carries."""
    shape = equations.program.shape
    if not shape.n_spare:
        return
    J = equations.program.dense_jacobian(entries)
    weights, steps = equations.row_weights, equations.layout.layout.step_weights
    idle = np.atleast_2d(
        core.null_space(np.ascontiguousarray((weights[:, None] * J / steps).T), REDUNDANT)
    ).reshape(-1, len(weights))
    open_ = np.abs(idle).max(axis=0, initial=0.0) > UNIQUE
    first = 0
    for friction, count in zip(loads.frictions, loads.counts, strict=True):
        if open_[loads.lam[first : first + count]].any():
            raise ModelError(
                f"friction {friction.name!r} rubs by what its joint carries, and that is not"
                " determined: joints are redundant, and share loads as their clearances happen to"
                " be. Remove what is redundant (`check` names it), build a planar mechanism in the"
                " plane, or use DryFriction with a size that you know.",
                force=friction.name,
            )
        first += count


def _numbered(places: Any, count: int) -> NDArray[np.int64]:
    """Places of coordinates, a slice or numbers, as numbers."""
    return np.asarray(np.arange(count)[places])


def _load_places(layout: DynamicLayout) -> list[int]:
    """Where the loads of frictions stand among the parameters: the last numbers of each."""
    place, found = len(layout.layout.parameters), []
    for numbers, element in zip(layout.force_numbers, layout.forces, strict=True):
        place += sum(1 for x in numbers if not is_literal(x))
        if isinstance(element.force, JointFriction):
            found.append(place - 1)
    return found


@final
class _Tracer:
    """Traces loads on the bodies of one graph."""

    def __init__(self, chart: Any, inputs: Inputs, moving: dict[int, MovingBody]) -> None:
        self.chart, self.inputs, self.moving = chart, inputs, moving
        self.lam: list[Expression] = []
        self.zero = Expression(inputs.graph, inputs.graph.constant(0.0))
        self.one = Expression(inputs.graph, inputs.graph.constant(1.0))

    def multiplier(self) -> Expression:
        """The next multiplier."""
        graph = self.inputs.graph
        self.lam.append(Expression(graph, graph.input(f"lam{len(self.lam)}")))
        return self.lam[-1]

    def load(
        self,
        friction: JointFriction,
        element: Any,
        on: Sequence[int],
        lam: dict[int, Expression],
    ) -> Expression:
        """N of one joint, whose markers ride on these bodies, with the multipliers of its rows."""
        assert isinstance(element, JointElement)
        poses = [self._pose(b) for b in on]
        first = len(self.inputs.p)
        phi, _ = element_rows(element, poses, self.inputs)
        numbers = iter(self.inputs.p[first:])
        ends = [self._again(marker, numbers) for marker in element.markers]
        X_WI, X_WJ = (X_WB @ X_BM for X_WB, X_BM in zip(poses, ends, strict=True))
        body, sign = (on[1], 1.0) if on[1] != GROUND_INDEX else (on[0], -1.0)
        force, moment = self._wrench(phi, lam, body, sign, X_WJ.position)
        # the axis of what is read from J to I is that of J, as of the second fork of a cross
        seen = X_WJ if isinstance(friction.gauge.measure, Back) else X_WI
        axes = [seen.axis(axis) for axis in (X, Y, Z)]
        F = Vector(*(self.zero + force @ axis for axis in axes))
        M = Vector(*(self.zero + moment @ axis for axis in axes))
        found: Expression = self.zero + friction.pressed(F, M)
        return found

    def slopes(self, loads: Sequence[Expression]) -> list[Expression]:
        """dN/dlam of all loads, by rows."""
        seeds = {x.node: {k: self.one} for k, x in enumerate(self.lam)}
        found = sparse_jacobian(loads, seeds)
        return [row.get(k, self.zero) for row in found for k in range(len(self.lam))]

    def along(self, loads: Sequence[Expression], moving: Sequence[MovingBody]) -> list[Expression]:
        """dN/dq of all loads along the velocities of the bodies, multipliers held, by rows."""
        seeds: dict[int, Any] = {}
        for body in moving:
            seeds |= self.chart.seeds(body.frame, body.first)
        found = sparse_jacobian(loads, seeds)
        wide = Coordinates(self.chart, len(moving)).bodies_v.stop
        return [row.get(k, self.zero) for row in found for k in range(wide)]

    def _pose(self, body: int) -> Pose:
        return Pose.identity() if body == GROUND_INDEX else self.chart.pose(self.moving[body].frame)

    def _again(self, marker: Any, numbers: Any) -> Pose:
        """X_BM of a marker, of the parameters that its rows have taken."""
        return marker_pose(
            marker, [x if is_literal(x) else next(numbers) for x in marker_numbers(marker)]
        )

    def _wrench(
        self,
        phi: Sequence[Expression],
        lam: dict[int, Expression],
        body: int,
        sign: float,
        about: Vector,
    ) -> tuple[Vector, Vector]:
        """Force and moment (world axes) of the rows on a body, about a place."""
        at = self.moving[body]
        X_WB = self.chart.pose(at.frame)
        slopes = sparse_jacobian([phi[k] for k in lam], self.chart.seeds(at.frame, 0))
        pushed = [self.zero for _ in at.v]
        for row, multiplier in zip(slopes, lam.values(), strict=True):
            for column, slope in row.items():
                pushed[column] = pushed[column] + sign * multiplier * slope
        wrench = self.chart.twist(at.frame, pushed)  # loads turn into world axes as velocities do
        force, torque = wrench.v, wrench.w
        return force, torque - (about - X_WB.position).cross(force)
