"""Whether the energies of a run add up, and whether every force is what its energy says.

They add up as far as the tolerance of the run lets them. A force is minus the gradient of its
energy, where everything is at rest.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import record_formula
from kempe.algebra.native import native_tape
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.layout.dynamic_layout import DynamicLayout
from kempe.compile.layout.elements import all_numbers
from kempe.compile.layout.force_elements import ForceElement
from kempe.compile.layout.layout import GROUND_INDEX
from kempe.compile.layout.numbers import is_literal
from kempe.compile.trace.force_tracing import ForceTracer, moving_bodies
from kempe.compile.trace.inputs import Inputs
from kempe.errors import FormulaError
from kempe.outcome import Ending, Outcome

FloatArray = NDArray[np.float64]

# A step errs by the tolerance in speeds beside the largest, and in energies by as much, beside the
# largest, a few times over. Errors of all steps add up at worst; some for a start that is sudden.
# In places it errs by the tolerance beside the length of the machine, under whatever pushes there:
# that counts once, or a stiff stop that is met for a moment would hide the errors of a whole run.
PER_STEP = 10.0
STEPS_AT_LEAST = 10
# Rounding of sums of energies that are measured from far away.
ROUNDING = 1e-11
TOLD = 0.05  # of the energy that was moved: a rough tolerance may allow more, but not in silence


@final
@dataclass(frozen=True, slots=True)
class Imbalance:
    """The first sample at which energy has come from nowhere or gone nowhere."""

    sample: int
    off: float  # J
    scale: float  # J, the energies that were moved until then


def imbalance(
    energy: FloatArray,
    steps: int,
    tolerance: float,
    largest_kinetic: FloatArray | float = 0.0,
    pushed: FloatArray | float = 0.0,
    held: float = 0.0,
) -> Imbalance | None:
    """Where kinetic + stored + dissipated - driven (n, 4) leaves its first value by too much.

    Too much is more than the tolerance of every step, beside the energies that have been moved:
    those of the samples, and the largest kinetic energy (n,) that steps between them have had; and
    what forces make over the length of the machine, `pushed` (n,), which counts less. Of what loads
    would make there that are `held` and move nothing, only rounding counts.
    """
    off, moved = _off_and_moved(energy, largest_kinetic)
    scale = np.maximum.accumulate(moved)
    size = np.maximum.accumulate(np.abs(energy).sum(axis=1))
    per_step = PER_STEP * scale + pushed
    allowed = tolerance * (steps + STEPS_AT_LEAST) * per_step + ROUNDING * (size + held)
    wrong = np.flatnonzero(~(off <= allowed))
    if not len(wrong):
        return None
    k = int(wrong[0])
    return Imbalance(k, float(off[k]), float(scale[k]))


def _off_and_moved(
    energy: FloatArray, largest_kinetic: FloatArray | float
) -> tuple[FloatArray, FloatArray]:
    kinetic, stored, dissipated, driven = energy.T
    off = np.abs((kinetic + stored + dissipated - driven) - (energy[:1] @ (1, 1, 1, -1)))
    moved = (
        np.maximum(kinetic, largest_kinetic)
        + np.abs(stored - stored[:1])
        + np.abs(dissipated)
        + np.abs(driven)
    )
    return off, moved


def told_roughness(
    energy: FloatArray, tolerance: float, largest_kinetic: FloatArray | float, held: float
) -> tuple[str, ...]:
    """A note on energies (n, 4) that are far off though the tolerance allows it; else nothing.

    The arguments are those of `imbalance`. Off is beside all that is moved in the whole run.
    """
    sums = (*_off_and_moved(energy, largest_kinetic), np.abs(energy).sum(axis=1))
    off, scale, size = (float(x.max(initial=0.0)) for x in sums)
    if not off > TOLD * scale + ROUNDING * (size + held):
        return ()
    return (
        f"{off:.3g} J of {scale:.3g} J that were moved have come from nowhere, or gone: a tolerance"
        f" of {tolerance:g} is too rough for this motion; ask for {1e-3 * tolerance:.1g}, say",
    )


def unbalanced(
    found: Imbalance, t: float, tolerance: float, damped: int, suspects: Sequence[str] = ()
) -> Outcome:
    """What is said of a run whose energies do not add up from time t on.

    `suspects` are the names of forces and driven measures that may have jumped there.
    """
    shown = ", ".join(repr(name) for name in suspects[:3])
    more = " and others" if len(suspects) > 3 else ""
    of = f" ({shown}{more})" if suspects else ""
    advice = (
        "It came too near a singular position to be followed: start it elsewhere, or change a"
        " length a little."
        if damped
        else f"Look for a force or a drive{of} that jumps there, or ask for a smaller tolerance."
    )
    return Outcome(
        Ending.DIVERGED,
        f"before t = {t:.9g} s {found.off:.3g} J have come from nowhere, or gone, of"
        f" {found.scale:.3g} J that were moved: more than a tolerance of {tolerance:g} allows.",
        f"{advice} The samples before are kept.",
        {"t": t, "off": found.off, "energy": found.scale, "damped": damped},
    )


# Exact derivatives of two formulas of the same thing agree to rounding, and a few digits less
# where large terms cancel.
AGREES = 1e-8
CANCELLED = (
    1e-12  # of what acts at markers: more than that is left where it cancels on their bodies
)
SCATTER = 0.1  # m and rad: positions around the start that are looked at
LOOKS = 4


def check_energies(layout: DynamicLayout, q: FloatArray, t: float) -> None:
    """A FormulaError where a force of the user's is not the gradient of its energy.

    The start is judged by itself, and all places around it together. kempe's own forces are checked
    by a law over every exported member.
    """
    for force in promising(layout):
        misfit, size, whole = _misfits(layout, force, _around(layout, force, q), np.full(LOOKS, t))
        for off, beside in ((misfit[0], size[0]), (misfit.max(), size.max())):
            if not off <= AGREES * beside + CANCELLED * whole.max():
                raise FormulaError(
                    f"the energy of force {force.name!r} is not what its action stores: at rest"
                    f" they differ by {off:.3g} of {beside:.3g}. Correct one of the formulas, or"
                    " leave the energy out.",
                    force=force.name,
                    difference=float(off),
                )


def promising(layout: DynamicLayout) -> Iterator[ForceElement]:
    """The forces whose energy is somebody's word, rather than held to their action by a law.

    They come without what they do by speeds alone, which may be something at rest too.
    """
    some = (f for f in layout.forces if f.force.promises or not f.is_built_in)
    return (ForceElement(f.force.undamped) for f in some)


@final
@dataclass(frozen=True, slots=True)
class BrokenPromise:
    """The first sample at which a force does not store what its energy says."""

    sample: int
    force: str
    misfit: float  # N or N m
    size: float  # the largest load until then


def broken_promise(layout: DynamicLayout, q: FloatArray, t: FloatArray) -> BrokenPromise | None:
    """Where along the samples q (n, n_q) at times t (n,) the first force breaks its promise."""
    found = None
    for force in promising(layout) if len(t) else ():
        own = layout.layout.coordinates.all_q_of(_riding(layout, force))
        misfit, size, whole = _misfits(layout, force, q[:, own], t)
        near = _misfits(layout, force, _around(layout, force, q[0]), np.full(LOOKS, t[0]))[2].max()
        size = np.maximum.accumulate(size)
        rounding = CANCELLED * np.maximum(near, np.maximum.accumulate(whole))
        broken = np.flatnonzero(~(misfit <= AGREES * size + rounding))
        if len(broken) and (found is None or broken[0] < found.sample):
            k = int(broken[0])
            found = BrokenPromise(k, force.name, float(misfit[k]), float(size[k]))
    return found


def promise_broken(found: BrokenPromise, t: float) -> Outcome:
    """What is said of a run in which a force breaks its promise from time t on."""
    return Outcome(
        Ending.DIVERGED,
        f"before t = {t:.9g} s the energy of force {found.force!r} is no longer what its action"
        f" stores: at rest they differ by {found.misfit:.3g} of {found.size:.3g}.",
        "Correct one of the formulas, or leave the energy out. The samples before are kept.",
        {"t": t, "force": found.force, "difference": found.misfit},
    )


def energy_misfit(
    layout: DynamicLayout, force: ForceElement, q: FloatArray, t: float
) -> tuple[float, float]:
    """The largest |load + gradient of the energy| at rest around q, and the largest of either.

    (0, 0) where the force has no energy.
    """
    misfit, size, _ = _misfits(layout, force, _around(layout, force, q), np.full(LOOKS, t))
    return float(misfit.max()), float(size.max())


def _misfits(
    layout: DynamicLayout, force: ForceElement, q: FloatArray, t: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """|load + gradient of the energy| at rest, the larger of both, and that with markers apart.

    q (n, ...) are coordinates of the bodies it rides on, t (n,) the times. What acts at markers of
    one body adds up to its load and may cancel: with every marker on a body of its own it does not.
    """
    if not force.force.stores:
        return np.zeros(len(t)), np.zeros(len(t)), np.zeros(len(t))
    riding = _riding(layout, force)
    places = [
        riding.index(b) if b != GROUND_INDEX else None for b in layout.layout.markers_of(force)
    ]
    load, slope = _loads(layout, force, places, q, t)
    size = whole = _largest(load, slope)
    ridden = [place for place in places if place is not None]
    if len(ridden) > len(riding):
        own = layout.layout.coordinates.all_q_of(ridden)
        numbers = iter(range(len(ridden)))
        apart = [None if place is None else next(numbers) for place in places]
        whole = np.maximum(size, _largest(*_loads(layout, force, apart, q[:, own], t)))
    return np.abs(load + slope).max(axis=1, initial=0.0), size, whole


def _largest(load: FloatArray, slope: FloatArray) -> FloatArray:
    return np.asarray(np.maximum(np.abs(load), np.abs(slope)).max(axis=1, initial=0.0))


def _loads(
    layout: DynamicLayout,
    force: ForceElement,
    places: list[int | None],
    q: FloatArray,
    t: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Load and gradient of the energy (n, velocities), its markers on bodies of these numbers.

    The ground has none. q (n, ...) are the coordinates of the bodies.
    """
    at = Coordinates(layout.layout.chart, len(set(places) - {None}))
    inputs = Inputs.of_bodies(at)
    bodies = moving_bodies(at, inputs)
    tracer = ForceTracer(at.chart, inputs, bodies)
    found = tracer.trace(force, [None if place is None else bodies[place] for place in places])
    columns = range(len(inputs.v))
    if found.energy is None:
        return np.zeros((len(t), len(columns))), np.zeros((len(t), len(columns)))
    gradient = tracer.energy_gradient(found.energy)
    outputs = [found.load.get(c, tracer.zero) for c in columns]
    outputs += [gradient.get(c, tracer.zero) for c in columns]
    ins = [*inputs.q, *inputs.v, inputs.t, *inputs.last, *inputs.p]
    tape = record_formula(ins, outputs)
    rows = np.zeros((len(t), len(ins)))
    rows[:, : len(inputs.q)] = q
    rows[:, len(inputs.q) + len(inputs.v)] = t
    numbers = [x for x in all_numbers(force) if not is_literal(x)]
    rows[:, len(ins) - len(inputs.p) :] = np.array(numbers, dtype=np.float64)
    values = native_tape(tape).evaluate(rows, tape.outputs)
    return values[:, : len(columns)], values[:, len(columns) :]


def _riding(layout: DynamicLayout, force: ForceElement) -> list[int]:
    return sorted(set(layout.layout.markers_of(force)) - {GROUND_INDEX})


def _around(layout: DynamicLayout, force: ForceElement, q: FloatArray) -> FloatArray:
    """Coordinates of the bodies of a force at the start and around it, (LOOKS, ...)."""
    bodies, random = _riding(layout, force), np.random.default_rng(0)
    rows = np.tile(q[layout.layout.coordinates.all_q_of(bodies)], (LOOKS, 1))
    rows[1:] += SCATTER * random.normal(size=rows[1:].shape)
    if not layout.model.plane:
        for k in range(len(bodies)):
            quaternion = rows[:, layout.layout.coordinates.turn_of(k)]
            quaternion /= np.linalg.norm(quaternion, axis=1)[:, None]
    return rows
