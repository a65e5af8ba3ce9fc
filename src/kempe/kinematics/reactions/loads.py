"""What forces do to bodies along a motion."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, record_formula
from kempe.algebra.native import native_tape
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.layout.dynamic_layout import on_its_body
from kempe.compile.layout.elements import asking
from kempe.compile.layout.force_elements import ForceElement
from kempe.compile.layout.layout import GROUND_INDEX, Layout
from kempe.compile.layout.numbers import is_literal, marker_numbers
from kempe.compile.trace.force_tracing import ForceTracer, moving_bodies, sight_of
from kempe.compile.trace.inputs import Inputs
from kempe.errors import FormulaError, ModelError
from kempe.forces import AbstractForce, Callback, JointFriction, MassFlow
from kempe.kinematics.observe.observation import observe_gauge
from kempe.model import Model
from kempe.results import Motion

FloatArray = NDArray[np.float64]


def frictions_of(model: Model) -> tuple[JointFriction, ...]:
    """The friction in the joints of a model: columns of `Motion.rubbed`."""
    return tuple(force for force in model.forces if isinstance(force, JointFriction))


def lifted_numbers(layout: Layout, motion: Motion, element: ForceElement) -> FloatArray:
    """(n, k) in the order in which they are traced; a callback is asked at every sample."""
    own = [x for m in element.markers for x in marker_numbers(m)] + element.numbers
    numbers = np.array([x for x in own if not is_literal(x)], dtype=np.float64)
    rows = np.tile(numbers, (len(motion), 1))
    if isinstance(element.force, Callback) and len(motion):
        rows[:, -len(element.force.given) :] = _answers(layout, motion, element)
    if isinstance(element.force, JointFriction) and len(motion):
        rows[:, -1] = _rubbed(layout.model, motion, element.name)
    if element.force.states:
        rows[:, -len(element.force.states) :] = states_of(layout.model, motion, element.force)
    return rows


def _rubbed(model: Model, motion: Motion, name: str) -> FloatArray:
    """The loads (n,) of a joint with friction, as a simulation has found them."""
    if not len(motion.rubbed):
        raise ModelError(
            f"friction {name!r} follows from what its joint carries, which is found by simulate:"
            " of a motion that drives prescribe it is not known. Simulate with the same drives, or"
            " use DryFriction with a size that you know.",
            force=name,
        )
    return np.asarray(motion.rubbed[:, [f.name for f in frictions_of(model)].index(name)])


def states_of(model: Model, motion: Motion, force: AbstractForce) -> FloatArray:
    """The states (n, k) of a force along a motion; of one that was not simulated, the first."""
    if not len(motion.states):
        return np.tile(np.array(force.first_states), (len(motion), 1))
    names = [one.name for one in model.forces]
    counts = [len(one.states) for one in model.forces]
    first = sum(counts[: names.index(force.name)])
    return motion.states[:, first : first + len(force.states)]


def mass_shares(model: Model, motion: Motion, body: str) -> FloatArray:
    """The mass (n, 1) of a body along a motion beside that at the start."""
    inertia = model.body(body).inertia
    gained = np.zeros((len(motion), 1))
    for force in model.forces:
        if isinstance(force, MassFlow) and force.at.body == body:
            gained += states_of(model, motion, force)
    return 1.0 + gained / inertia.mass if inertia is not None and inertia.mass else 1.0 + gained


def _answers(layout: Layout, motion: Motion, element: ForceElement) -> FloatArray:
    places = [layout.body_index[m.body] for m in element.markers]
    sight = sight_of(layout.chart, element, places)
    force, who = sight.force, f"the function of force {element.name!r}"
    turns = [observe_gauge(layout, motion, force.gauges[k])[0] for k in sight.turned]
    counted = np.array(turns).reshape(len(turns), len(motion)).T
    with asking(who):
        instants = sight.instants(motion.q, motion.v, motion.t, counted)
        answers = np.array([force.numbers(now) for now in instants])
    if not np.isfinite(answers).all():
        raise FormulaError(f"{who} returned what is no finite number.", force=element.name)
    return answers


@final
@dataclass(frozen=True, slots=True, eq=False)
class AppliedForce:
    """What one force does: wrenches on its markers, efforts along its gauges.

    Wrenches are (n, 6): force and torque at the marker, world axes; efforts (n,); the load (n, n_v)
    is what all of it does along the velocities of the layout's bodies.
    """

    wrenches: tuple[FloatArray, ...]
    efforts: tuple[FloatArray, ...]
    load: FloatArray
    energy: FloatArray | None = None  # (n,), J, where it stores any


def applied_force(layout: Layout, motion: Motion, force: AbstractForce) -> AppliedForce:
    """The history of one force along a motion."""
    element, at = ForceElement(force), layout.coordinates
    places = [layout.body_index[m.body] for m in element.markers]
    bodies = sorted(set(places) - {GROUND_INDEX})
    mine = Coordinates(layout.chart, len(bodies))
    inputs = Inputs.of_bodies(mine)
    moving = dict(zip(bodies, moving_bodies(mine, inputs), strict=True))
    tracer = ForceTracer(layout.chart, inputs, list(moving.values()))
    found = tracer.trace(element, [moving.get(b) for b in places])
    zero = tracer.zero
    wrenches = [[*w.force, *w.torque] for w in found.action.wrenches]
    columns = range(len(inputs.v))
    outputs = [zero + e for wrench in wrenches for e in wrench]
    outputs += [zero + e for e in found.action.efforts]
    outputs += [found.load.get(c, zero) for c in columns]
    outputs += [] if found.energy is None else [found.energy]
    values = _evaluated(layout, motion, element, inputs, bodies, outputs, list(found.turned))
    n, w, e = len(motion), len(wrenches), len(found.action.efforts)
    load = np.zeros((n, layout.n_v))
    load[:, at.all_v_of(bodies)] = values[:, 6 * w + e :][:, mine.bodies_v]
    return AppliedForce(
        tuple(values[:, 6 * k : 6 * k + 6] for k in range(w)),
        tuple(values[:, 6 * w + k] for k in range(e)),
        load,
        None if found.energy is None else values[:, -1],
    )


def _evaluated(
    layout: Layout,
    motion: Motion,
    element: ForceElement,
    inputs: Inputs,
    bodies: Sequence[int],
    outputs: Sequence[Expression],
    turned: Sequence[int],
) -> FloatArray:
    at = layout.coordinates
    ins = [*inputs.q, *inputs.v, inputs.t, *inputs.last, *inputs.p]
    tape = record_formula(ins, outputs)
    columns = [motion.q[:, at.all_q_of(bodies)], motion.v[:, at.all_v_of(bodies)]]
    columns.append(motion.t[:, None])
    for reading in turned:  # whole turns as they are counted along the motion
        columns.append(observe_gauge(layout, motion, element.force.gauges[reading])[0][:, None])
    columns.append(lifted_numbers(layout, motion, element))
    rows = np.ascontiguousarray(np.hstack(columns))
    return native_tape(tape).evaluate_lanes(rows, tape.outputs)


def applied_loads(layout: Layout, motion: Motion) -> FloatArray:
    """Generalised forces (n, n_v) of the model's forces: world axes, torques in body axes."""
    loads = np.zeros((len(motion), layout.n_v))
    if len(motion):
        for force in layout.model.forces:
            loads += applied_force(layout, motion, on_its_body(layout.model, force)).load
    return loads
