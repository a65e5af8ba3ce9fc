"""Arrays that do not fit each other are refused where they enter the core, and nowhere later.

Real calls are taken down as they are made; then each array of each call is given too short, too
long, empty, or with places outside. Under the sanitizer nothing may reach beyond an array.
"""

import numpy as np
import pytest

import kempe
from kempe.algebra.native import core
from kempe.compile.program.program import DYNAMIC_PROGRAMS, PROGRAMS

pytestmark = pytest.mark.core

REFUSED = (ValueError, TypeError)
CLASSES = ("TapeSystem", "TileSystem", "TapeDynamics", "TileDynamics")
PARTS = (
    *("SystemSize", "TapeRegisters", "TileMemory", "TileGroup"),
    *("DynamicSize", "DynamicRegisters", "DynamicMemory", "DynamicEntries", "Saddle"),
)
FAR = 1_000_000  # a place outside every array here
MEMORY = ("q", "v", "delta", "t", "last", "p", "phi", "spare", "turns", "jacobian", "gamma")


class Call:
    """A call of the core: what was called, and with what."""

    def __init__(self, function, args):
        self.function, self.args = function, list(args)

    def made(self, value):
        """The value as the core takes it: parts are made now, and refused now."""
        if isinstance(value, list):
            return [self.made(inner) for inner in value]
        return value.made() if isinstance(value, Part) else value

    def with_arg(self, k, value):
        return self.function(*map(self.made, [*self.args[:k], value, *self.args[k + 1 :]]))

    def again(self):
        return self.function(*map(self.made, self.args))


class Part:
    """What one argument is made of, by name."""

    def __init__(self, kind, fields):
        self.kind, self.fields = kind, fields

    def made(self):
        return self.kind(**self.fields)

    def __or__(self, changed):
        return Part(self.kind, self.fields | changed)

    def less(self, name):
        return Part(self.kind, {key: self.fields[key] for key in self.fields if key != name})


@pytest.fixture(scope="module")
def calls():
    """One call of each constructor, in both plans, and of what is done with the systems."""
    taken, parts, kept = {}, {}, []

    def spy(name):
        real = getattr(core, name)

        def recorded(value):
            if isinstance(value, list):
                return [recorded(inner) for inner in value]
            return parts.get(id(value), value)

        def made(*args):
            taken[name] = Call(real, map(recorded, args))
            return real(*args)

        return made

    def spy_on_part(name):
        real = getattr(core, name)

        def made(**fields):
            part = real(**fields)
            kept.append(part)  # or another one could have its id
            parts[id(part)] = Part(real, fields)
            return part

        return made

    PROGRAMS.clear()
    DYNAMIC_PROGRAMS.clear()
    with pytest.MonkeyPatch.context() as patch:
        for name in CLASSES:
            patch.setattr(core, name, spy(name))
        for name in PARTS:
            patch.setattr(core, name, spy_on_part(name))
        for plan in ("small", "large"):
            kempe.gallery.bennett().kinematics(until=0.1, steps=2, plan=plan, executor="vm")
            kempe.gallery.falling_bricard().simulate(until=0.01, steps=2, plan=plan, executor="vm")
    PROGRAMS.clear()
    DYNAMIC_PROGRAMS.clear()
    return taken


def wrong_arrays(array):
    """The same array with a number less, one more, none: whatever is not as long."""
    whole = np.ascontiguousarray(array)
    if whole.ndim == 1:
        others = [whole[:-1], np.append(whole, np.ones(1, whole.dtype)), whole[:0]]
    else:
        others = [whole[:-1], whole[:, :-1]]
    yield from (np.ascontiguousarray(x) for x in others if x.shape != whole.shape)


def outside(array):
    """The same list of places with one of them outside."""
    for place in (-1, FAR):
        changed = np.array(array)
        changed[len(changed) // 2] = place
        yield changed


def wrong_values(value):
    """What may be given in place of a list, or of a part made of lists or of numbers."""
    if isinstance(value, np.ndarray) and value.size:
        yield from wrong_arrays(value)
        if np.issubdtype(value.dtype, np.integer):
            yield from outside(value)
    elif isinstance(value, Part):
        near = value.kind in (core.SystemSize, core.DynamicSize)  # or a system of them is made
        for key, inner in value.fields.items():
            if isinstance(inner, (int, np.integer)) and not isinstance(inner, bool):
                if key != "compiled":
                    yield value | {key: int(inner) + (1 if near else FAR)}
            else:
                for wrong in wrong_values(inner):
                    yield value | {key: wrong}
        for key in value.fields:
            yield value.less(key)
    elif isinstance(value, list) and value:
        yield value[:-1]
        for k, phase in enumerate(value):
            for j, group in enumerate(phase):
                for wrong in wrong_values(group):
                    yield [*value[:k], [*phase[:j], wrong, *phase[j + 1 :]], *value[k + 1 :]]


@pytest.mark.parametrize("name", CLASSES)
def test_a_system_of_lists_that_do_not_fit_is_refused_or_sound(calls, name):
    """A list may by chance make another sound system; then that can be copied."""
    call = calls[name]
    refused = 0
    for k, arg in enumerate(call.args):
        for wrong in wrong_values(arg):
            try:
                made = call.with_arg(k, wrong)
            except REFUSED:
                refused += 1
            else:
                made.clone()
    assert refused > 40


@pytest.mark.parametrize("name", ["TapeSystem", "TileSystem"])
def test_places_outside_the_memory_are_refused(calls, name):
    call = calls[name]
    for k, arg in enumerate(call.args):
        if isinstance(arg, Part):
            for key, inner in arg.fields.items():
                if isinstance(inner, np.ndarray) and inner.size:
                    for wrong in outside(inner):
                        with pytest.raises(ValueError, match=r"outside|block"):
                            call.with_arg(k, arg | {key: wrong})
                elif arg.kind is core.TileMemory and key in MEMORY:
                    with pytest.raises(ValueError, match="outside"):
                        call.with_arg(k, arg | {key: int(inner) + FAR})


def refused_everywhere(function, args, lawful=()):
    function(*args)
    for k, arg in enumerate(args):
        if isinstance(arg, np.ndarray) and k not in lawful:
            for wrong in wrong_arrays(arg):
                with pytest.raises(REFUSED):
                    function(*args[:k], wrong, *args[k + 1 :])


@pytest.mark.parametrize("name", ["TapeSystem", "TileSystem"])
def test_numbers_of_a_mechanism_that_do_not_fit_are_refused(calls, name):
    call = calls[name]
    system = call.again()
    sizes = call.args[1 if name == "TapeSystem" else 0].fields
    p, q, v, last = (np.full(sizes[n], 0.5) for n in ("parameters", "q", "v", "turns"))
    refused_everywhere(lambda p, q, last: system.evaluate(p, q, 0.0, last), [p, q, last])
    refused_everywhere(lambda p, q, v: system.right_hand(p, q, 0.0, v), [p, q, v])
    refused_everywhere(system.retract, [q, v])


@pytest.mark.parametrize("name", ["TapeDynamics", "TileDynamics"])
def test_masses_and_states_that_do_not_fit_are_refused(calls, name):
    """Too few masses were read beyond their end."""
    call = calls[name]
    system = call.again()
    sizes = call.args[1 if name == "TapeDynamics" else 0].fields
    n_q, n_v, n_rows, n_spare = (sizes[n] for n in ("q", "v", "rows", "spare"))
    n_turns, n_p, n_switches = (sizes[n] for n in ("turns", "parameters", "switches"))
    n_states = len(sizes.get("states", ()))
    mass = np.concatenate([np.eye(6).reshape(-1)] * (n_v // 6))
    p, q, v, last = (np.full(n, 0.5) for n in (n_p, n_q, n_v, n_turns))
    for method in (system.motion, system.equations):
        refused_everywhere(
            lambda p, mass, q, v, last, method=method: method(p, mass, q, v, 0.0, last),
            [p, mass, q, v, last],
        )
    times, guards = np.array([0.0, 1e-6]), np.full(n_switches, -1, dtype=np.int32)

    def integrate(p, mass, q, v, last, rows, *outputs, followed=()):
        limits = core.IntegratorLimits(
            tolerance=1e-3,
            length=1.0,
            mass=1.0,
            rows=rows,
            guards=guards,
            guard_sides=guards,
            clocks=np.zeros_like(guards),
            stops=np.zeros(0),
            followed=followed,
        )
        return system.integrate(p, mass, q, v, last, times, False, "tsit5", limits, *outputs)

    outputs = [np.zeros((2, n)) for n in (n_q, n_v, n_v, n_rows + n_spare, 6, 1)]
    outputs += [np.zeros(n_states), np.zeros((2, n_states))]
    fit = [p, mass, q, v, last, np.ones(n_rows + n_spare), *outputs]
    refused_everywhere(integrate, fit)
    for beyond in ((n_q, 0, 0.0, 1.0), (0, n_v, 0.0, 1.0), (-1, 0, 0.0, 1.0), (0, 0, 1.0, 0.0)):
        with pytest.raises(ValueError, match="what is followed"):
            integrate(*fit, followed=[beyond])


@pytest.mark.parametrize("plan", ["small", "large"])
def test_samples_of_a_sweep_that_do_not_fit_are_refused(plan):
    layout = kempe.gallery.bennett().layout
    from kempe.kinematics.stepping.preparation import prepare

    prepared = prepare(layout, 0.0, "vm", plan)
    program, start = prepared.equations.program, prepared.start
    shape = program.shape
    times = np.linspace(0.0, 0.01, 3)
    sweeper = core.Sweeper(program.prototype.clone())
    out = [np.zeros((3, n)) for n in (shape.n_q, shape.n_v, shape.n_v)]
    limits = [np.ones(shape.n_rows), np.ones(shape.n_spare), np.ones(shape.n_v)]
    floors = 1e-5 * prepared.pivots

    def run(p, q, last, times, q_out, v_out, a_out, rows, spare, steps):
        arrays = (p, q, last, times, q_out, v_out, a_out, rows, spare, steps)
        return sweeper.run(*arrays, floors, 20, 0)

    refused_everywhere(run, [layout.parameters, start.q, start.turns, times, *out, *limits])
    if plan == "small":
        for wrong in wrong_arrays(floors):
            with pytest.raises(REFUSED):
                sweeper.run(
                    layout.parameters, start.q, start.turns, times, *out, *limits, wrong, 20, 0
                )
