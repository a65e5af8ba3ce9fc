"""What is asked about rest and small motions: names, units and starts, checked before anything."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import measure_named
from kempe.drives import Ramp
from kempe.errors import BadNumber, ModelError, UnknownName, nearest_name
from kempe.front.equilibrium import Equilibrium, EquilibriumPath, Preload
from kempe.front.linearization import Linearization
from kempe.front.requests.every_assembly import searchable
from kempe.front.requests.start import Start, Started, started
from kempe.front.requests.sweep import MOST_STEPS, Over, driven_over
from kempe.front.trajectory import Trajectory
from kempe.geometry.number import finite
from kempe.kinematics.closing.placement import Given
from kempe.model import Model
from kempe.names import names_in
from kempe.outcome import DONE
from kempe.readings.inverse_dynamics import refuse_repeated
from kempe.readings.part_readings import has_loads
from kempe.results import Motion
from kempe.results.state import State
from kempe.statics import Asked, equilibrium_path, linearized, preloaded, statics
from kempe.statics.path import THROUGH
from kempe.units import in_si, quantity

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism

FloatArray = NDArray[np.float64]
Number = float | str


def _given(layout: Layout, begun: Started | None) -> Given | None:
    return None if begun is None else begun.given(layout)


def _time(at: Number | None, start: Any) -> float:
    """The time (s) that drives are held at: `at`, or that of the state to start from, or 0."""
    if at is not None:
        return in_si(at, "s")
    if isinstance(start, Trajectory) and len(start):
        return float(start.t[-1])
    state = getattr(start, "state", start)
    return float(state.t) if isinstance(state, State) else 0.0


def equilibrium_of(
    layout: Layout, start: Start | Equilibrium | None, at: Number | None, seek: str
) -> Equilibrium:
    """Where a mechanism rests, from a start."""
    begun: Any = started(layout, start)
    t = _time(at, start)
    angles = {} if begun is None else begun.undriven(layout, t)
    found = statics(layout, t, seek=seek, given=_given(layout, begun), angles=angles)
    return Equilibrium.of(layout, found)


# -- parameters ------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """A number of a mechanism by name, and how to make the mechanism with another value."""

    name: str
    value: float
    changed: "Callable[[Mechanism, float], Mechanism]"


def parameter_of(mechanism: "Mechanism", name: str) -> Parameter:
    """The number a name means: a field of a force, as spring.preload, or a named parameter."""
    model = mechanism.model
    fields = {
        f"{force.name}.{field.name}": (force.name, field.name)
        for force in model.forces
        for field in dataclasses.fields(force)
        if isinstance(getattr(force, field.name), float)
    }
    if name in fields:
        force_name, field_name = fields[name]
        force = next(f for f in model.forces if f.name == force_name)
        return Parameter(name, getattr(force, field_name), _with_field(force_name, field_name))
    given = mechanism.parameters
    if name in given:
        number = _number(name, given[name])
        return Parameter(name, number, lambda made, value: made.with_parameters({name: value}))
    near = nearest_name(str(name), [*fields, *given])
    raise UnknownName(
        f"there is no parameter {name!r}: take a number of a force, such as 'spring.preload', or a"
        f" named parameter of the mechanism.{near}",
        name=name,
    )


def _number(name: str, value: Any) -> float:
    """A parameter as a number in its own unit."""
    if isinstance(value, str):
        parts = quantity(value)
        if parts is not None:
            return float(parts[0])
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadNumber(f"parameter {name!r} is no number, but {value!r}.", name=name)
    return float(value)


def _with_field(force: str, field: str) -> "Callable[[Mechanism, float], Mechanism]":
    def changed(mechanism: "Mechanism", value: float) -> "Mechanism":
        forces: list[Any] = list(mechanism.model.forces)
        mine = [replace(f, **{field: value}) if f.name == force else f for f in forces]
        return type(mechanism)(replace(mechanism.model, forces=tuple(mine)))

    return changed


# -- paths -----------------------------------------------------------------------------------


def path_of(
    mechanism: "Mechanism", over: Over, steps: int, start: Start | None, through: str
) -> EquilibriumPath:
    """Equilibria as a parameter, or a measure that is held, goes from one value to another."""
    if through not in THROUGH:
        raise BadNumber(f'through={through!r} is not known here: leave it out, or take "snap".')
    if isinstance(steps, bool) or steps not in range(1, MOST_STEPS + 1):
        raise BadNumber(f"`steps` is a whole number from 1 on, not {steps!r}.")
    given: Any = over
    if not isinstance(given, (tuple, list)) or len(given) != 3 or not isinstance(given[0], str):
        raise BadNumber(
            "equilibria are asked for over=(parameter or measure, from, to), such as"
            f' ("spring.preload", 0, 10), not {over!r}.'
        )
    name = given[0]
    snap = through == "snap"
    begun = started(mechanism.layout, start)
    if _is_measure(mechanism, name):
        model = driven_over(mechanism.model, over)
        layout = searchable(model)
        drive = next(d for d in model.drives if d.gauge.name == name)
        ends = [float(drive.law.value(t)) for t in (0.0, 1.0)]
        values = np.linspace(ends[0], ends[1], steps + 1)

        def held(value: float) -> tuple[Layout, float]:
            return layout, (value - ends[0]) / (ends[1] - ends[0])

        return EquilibriumPath.of(
            name, equilibrium_path(held, values, _given(layout, begun), name, snap=snap)
        )
    parameter = parameter_of(mechanism, name)
    low, high = (finite(x, f"an end of {name!r}") for x in given[1:])
    if low == high:
        raise BadNumber(f"a path over {name!r} needs two different ends, both are {low:g}.")

    def changed(value: float) -> tuple[Layout, float]:
        return parameter.changed(mechanism, value).layout, 0.0

    layout = changed(low)[0]
    values = np.linspace(low, high, steps + 1)
    return EquilibriumPath.of(
        name, equilibrium_path(changed, values, _given(layout, begun), name, snap=snap)
    )


def _is_measure(mechanism: "Mechanism", name: str) -> bool:
    try:
        measure_named(mechanism.model, name)
    except UnknownName:
        parameter_of(mechanism, name)  # refuses what is neither
        return False
    return True


def preload_of(
    mechanism: "Mechanism", parameters: str | Sequence[str], start: Start | None, at: Number | None
) -> Preload:
    """Values of parameters that hold a mechanism where the start has it."""
    names = names_in(parameters)
    if not names or len(set(names)) != len(names):
        raise BadNumber("name the parameters that are free, each once: preload('spring.preload').")
    found = [parameter_of(mechanism, name) for name in names]
    begun = started(mechanism.layout, start)

    def with_values(p: FloatArray) -> "Mechanism":
        made = mechanism
        for one, value in zip(found, p, strict=True):
            made = one.changed(made, float(value))
        return made

    first = np.array([one.value for one in found])
    given = _given(mechanism.layout, begun)
    end = preloaded(lambda p: with_values(p).layout, first, names, _time(at, start), given)
    values = dict(zip(names, map(float, end.values), strict=True))
    return Preload(values, with_values(end.values), Equilibrium.of(end.layout, end.found))


# -- small motions ---------------------------------------------------------------------------


def linearization_of(
    layout: Layout,
    state: Start | Equilibrium | None,
    at: Number | None,
    names: Mapping[str, Sequence[str]],
) -> Linearization:
    """A mechanism for small motions about a state, or about where it rests."""
    model = layout.model
    if not any(body.inertia is not None for body in model.moving):
        raise ModelError(
            f"{model.name!r} has no masses, so it has no small motions in time: give its bodies an"
            " inertia."
        )
    asked = {word: _gauges(model, given, word) for word, given in names.items()}
    if state is None:
        state = _setting_out(layout, at) if layout.rolls else _rest(layout, at)
    begun: Any = started(layout, state)
    t = _time(at, state)
    moving = begun.v is not None
    held = layout if moving else Layout(stopped(model, t), layout.complete_search)
    found = linearized(
        held,
        t,
        begun.v,
        Asked(**asked),
        given=begun.given(held),
        angles=dict(begun.undriven(layout, t)),
        states=begun.states,
    )
    return Linearization.about(_position(layout, state, begun, t), found)


def stopped(model: Model, t: float) -> Model:
    """The model with its drives held where they are at a time (s)."""
    drives = tuple(
        replace(drive, law=Ramp(float(drive.law.value(t)), 0.0)) for drive in model.drives
    )
    return replace(model, drives=drives) if drives else model


def _setting_out(layout: Layout, at: Number | None) -> Trajectory:
    """The motion of a mechanism that rolls, as its bodies set out: it has no place of rest."""
    from kempe.dynamics import simulate

    return Trajectory(layout, simulate(layout, np.array([_time(at, None)])))


def _rest(layout: Layout, at: Number | None) -> Equilibrium:
    found = equilibrium_of(layout, None, at, "stable")
    if not found.outcome.is_done:
        raise ModelError(
            f"{layout.model.name!r} has no equilibrium to swing about: {found.outcome.message} Give"
            " the state to linearise about."
        )
    return found


def _gauges(model: Model, names: Sequence[str], word: str) -> tuple[Any, ...]:
    if isinstance(names, str):
        raise BadNumber(f"`{word}` are several names: write {word}=({names!r},).")
    gauges = tuple(measure_named(model, name, "linearise by") for name in names)
    refuse_repeated(gauges)
    return gauges


def _position(layout: Layout, state: Any, begun: Started, t: float) -> Any:
    """The state by name."""
    inner = getattr(state, "state", state)
    if isinstance(inner, State) and len(inner.q) == layout.n_q:
        v = begun.v if begun.v is not None else np.zeros(layout.n_v)
        rest = np.zeros((1, layout.n_v))
        motion = Motion(np.array([t]), inner.q[None], v[None], rest, DONE, angles=inner.angles)
        return Trajectory(layout, motion).state(0)
    from kempe.front.requests.assembling import Request, assembled

    return assembled(layout, Request(begun.poses, {}, {}, (), {}, {}, t))


def refuse_nothing_to_rest(model: Model) -> None:
    """A ModelError where neither weights nor forces act."""
    if not has_loads(model):
        raise ModelError(
            f"{model.name!r} has no masses and no forces: it rests wherever it is put. Give it"
            " some."
        )
