"""Promise: steps of one length have their order, and a live simulation is a simulation.

A pendulum or a slider with a spring that stiffens, a damper and a motor that swings, in the plane
and in space, of any size and mass, by `FixedStep(order=3)`, `FixedStep(order=5)` and `Gear` of the
orders 1 to 6. Errors at two lengths of step are compared: they fall by 2^order. `dynamic_solver`,
stepped by lengths that are no multiples of its own, by every method it has, through snapshots,
copies and a reset, is at the same place.

Oracle: the one equation of motion, by SciPy's DOP853 at 1e-13.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import kempe as kp
from kempe.drives import TextFormula
from kempe.dynamics import FixedStep, Gear
from kempe.forces import Actuator, NonlinearSpring, SpringDamper
from tests.campaigns._round_trip import perhaps_reread

Array = NDArray[np.float64]

CASES = 10
UNTIL = 1.5
LENGTH = 0.01  # of the longer steps, in units of the machine's own time
SLACK = 0.6  # an order is judged by the ratio of two errors
ROUNDING = 1e-10
ANY = 1e6  # most_error: what is looked at is the error itself


def attempt(rng: np.random.Generator) -> list[str]:
    """One freedom, one method."""
    size, mass, time = (float(10.0**p) for p in int(rng.integers(0, 2)) * rng.uniform(-2, 2, 3))
    turns, space = bool(rng.random() < 0.6), bool(rng.random() < 0.4)
    mechanism, exact = machine(rng, (size, mass, time), turns=turns, space=space)
    mechanism = perhaps_reread(rng, mechanism)
    x, unit = ("j.angle", 1.0) if turns else ("j.displacement", size)
    said = f"{size=} {mass=} {time=} {turns=} {space=}"
    faults = [
        *ordered(rng, mechanism, lambda t: exact(t / time), x, (unit, time)),
        *stepped(rng, mechanism, lambda t: exact(t / time), x, (unit, time)),
    ]
    return [f"{fault}; {said}" for fault in faults]


def machine(
    rng: np.random.Generator, units: tuple[float, float, float], *, turns: bool, space: bool
) -> tuple[kp.Mechanism, Callable[[float], Array]]:
    """A mechanism, and its (x, x') over time in the machine's own units."""
    size, mass, time = units
    g, k, k3, c, a, w = (float(p) for p in rng.uniform((0, 0, 0, 0, 0, 1), (5, 8, 5, 0.5, 2, 4)))
    arm, moment = (float(p) for p in rng.uniform((0.3, 0.05), (1, 0.5)))
    x0, v0 = (float(p) for p in rng.uniform(-1, 1, 2))
    if not turns:
        arm = 0.0
    inert = moment + arm * arm if turns else 1.0

    def rates(t: float, y: Array) -> list[float]:
        push = -g * arm * np.cos(y[0]) if turns else g
        push += -k * y[0] - k3 * y[0] ** 3 - c * y[1] + a * np.sin(w * t)
        return [y[1], push / inert]

    told = solve_ivp(
        rates, (0, 2 * UNTIL), [x0, v0], method="DOP853", rtol=1e-13, atol=1e-14, dense_output=True
    )
    pull = g * size / time**2
    down = (0.0, -pull) if turns else (pull, 0.0)
    m = kp.Builder("one", plane=not space, gravity=(*down, 0.0) if space else down)
    tensor = moment * mass * size**2 * np.eye(3)
    inertia = kp.Inertia(mass, (arm * size, 0, 0), tensor)
    at = (0.0, 0.0) if turns else (x0 * size, 0.0)
    turned: dict[str, Any] = {"angle": x0 if turns else 0.0}
    if space:
        turned = {"rotation": kp.Rotation.about((0, 0, 1), x0 if turns else 0.0)}
    b = m.body(
        "b", at=(*at, 0.0) if space else at, points={"P": (size, 0)}, inertia=inertia, **turned
    )
    I, J = m.ground.at(0, 0), b.at(0, 0)
    if space and not turns:
        I, J = I.facing((1, 0, 0)), J.facing((1, 0, 0))
    j = m.revolute(I, J, name="j") if turns else m.prismatic(I, J, name="j")
    gauge = j.angle if turns else j.displacement
    unit = 1.0 if turns else size
    effort = mass * (size / time) ** 2 / unit
    m.rate(gauge, v0 * unit / time)
    m.force(SpringDamper(gauge, stiffness=k * effort / unit, damping=c * effort / unit * time), "s")
    law = TextFormula("k * t^3", ("k",), (k3 * effort / unit**3,))
    m.force(NonlinearSpring(gauge, law), "stiffens")
    swing = TextFormula("a * sin(w * t)", ("a", "w"), (a * effort, w / time))
    m.force(Actuator(gauge, swing), "motor")
    return m.build(), told.sol


def ordered(
    rng: np.random.Generator,
    mechanism: kp.Mechanism,
    exact: Callable[[float], Array],
    x: str,
    units: tuple[float, float],
) -> list[str]:
    """Errors at two lengths of step."""
    unit, time = units
    order = int(rng.integers(1, 7))
    gears = bool(rng.random() < 0.5)
    if not gears:
        order = 3 if order <= 3 else 5

    def method(h: float) -> Gear | FixedStep:
        if gears:
            return Gear(order=order, step=h)
        return FixedStep(step=h, order=order, most_error=ANY)

    errors = []
    for h in (LENGTH, LENGTH / 2):
        run = mechanism.simulate(until=UNTIL * time, steps=5, method=method(h * time))
        if run.outcome.name != "Done":
            return [f"{method(h * time)}: {run.outcome}"]
        due = np.array([exact(float(t))[0] for t in run.t])
        errors.append(float(np.max(np.abs(run[x].values / unit - due))))
    seen = np.log2(errors[0] / max(errors[1], 1e-300))
    if errors[1] < ROUNDING or seen > order - SLACK:
        return []
    return [f"{method(LENGTH * time)} has errors {errors}: order {seen:.2f}, not {order}"]


def stepped(
    rng: np.random.Generator,
    mechanism: kp.Mechanism,
    exact: Callable[[float], Array],
    x: str,
    units: tuple[float, float],
) -> list[str]:
    """A live simulation, by steps of any length, with a detour that is taken back."""
    unit, time = units
    kinds: tuple[Any, ...] = (
        None,
        "dop853",
        "tsit5",
        "rodas5p",
        FixedStep(step=2e-3 * time, order=5, most_error=ANY),
    )
    kind = kinds[int(rng.integers(0, len(kinds)))]
    if kind is None:
        kind = FixedStep(step=2e-3 * time, most_error=ANY)
    solver = mechanism.dynamic_solver(method=kind)
    faults = []
    for _ in range(int(rng.integers(3, 12))):
        dt = float(rng.uniform(0.001, 0.1)) * time
        if rng.random() < 0.3:
            before = solver.snapshot()
            solver.copy().step(dt / 3)
            solver.step(dt / 2)
            solver.restore(before)
        outcome = solver.step(dt)
        if not outcome.is_done:
            return [f"dynamic_solver by {kind}: {outcome}"]
    due = exact(solver.t)
    got = np.array([solver[x] / unit, solver.rate(x) * time / unit])
    off = float(np.max(np.abs(got - due)))
    if off > 1e-5:
        faults.append(f"dynamic_solver by {kind} is off by {off:.1e} at {solver.t} s")
    solver.reset()
    if solver.t != 0.0 or abs(solver[x] / unit - exact(0.0)[0]) > ROUNDING:
        faults.append(f"after its reset it is at {solver.t} s, {solver[x]}")
    return faults
