"""The trials of dynamics in Pinocchio: python -m peers.pinocchio_forces < exact.json.

Trees by the articulated-body algorithm, loops by its proximal constraint solver with Baumgarte
terms; Pinocchio has no integrator, so the steps are a user's in Python, or SciPy's, and so are
events and impacts.
"""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pinocchio as pin
from scipy.integrate import solve_ivp
from yardsticks import trials

from peers.work import Run, clocked, measure, runge_kutta

JOINTS = (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ)


def at(*p: float) -> Any:
    """A place without a turn."""
    return pin.SE3(np.eye(3), np.array(p, float))


def tree(gravity: Any) -> Any:
    """A model with nothing in it."""
    model = pin.Model()
    model.gravity.linear = np.array(gravity, float)
    return model


def hang(model: Any, parent: int, axis: int, place: Any, mass: float, centre: Any, I: Any) -> int:
    """One more body on a hinge."""
    name = f"joint{model.njoints}"
    joint = model.addJoint(parent, JOINTS[axis](), at(*place), name)
    inertia = pin.Inertia(mass, np.array(centre, float), np.array(I, float))
    model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
    return int(joint)


def accelerations(model: Any, data: Any, load: Callable[[Any], Any]) -> Any:
    """f(q, v) of a tree."""
    return lambda q, v: pin.aba(model, data, q, v, load(q)).copy()


def closed(model: Any, points: Any, h: float | None, load: Callable[[Any], Any]) -> Any:
    """f(q, v) of a tree whose points (joint, place, joint, place) stay together."""
    kinds, states = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for first, p, second, r in points:
        kind = pin.RigidConstraintModel(
            pin.ContactType.CONTACT_3D, model, first, at(*p), second, at(*r), pin.LOCAL
        )
        gains = kind.m_baumgarte_parameters
        gains.Kp, gains.Kd = (0.0, 0.0) if h is None else ((0.2 / h) ** 2, 0.4 / h)
        kind.setBaumgarteCorrectorParameters(gains)
        kinds.append(kind)
        states.append(kind.createData())
    data = model.createData()
    pin.initConstraintDynamics(model, data, kinds, states)
    how = pin.ProximalSettings(1e-12, 1e-14, 1e-8, 20)
    return lambda q, v: pin.constraintDynamics(
        model, data, q, v, load(q), kinds, states, how
    ).copy()


def nothing(n: int) -> Callable[[Any], Any]:
    """No load on n joints."""
    zero = np.zeros(n)
    return lambda q: zero


def advance(case: str, h: float, f: Any, q: Any, v: Any) -> tuple[float, list[Any]]:
    """The user's loop to the end."""
    trial = trials.TRIALS[case]
    steps = round(trial.until / h)
    return clocked(lambda: runge_kutta(f, q, v, h, steps, steps // trial.looks))


def pendulum(h: float) -> tuple[float, Any]:
    model = tree((0, -trials.G, 0))
    hang(model, 0, 2, (0, 0, 0), 1.0, (1, 0, 0), np.zeros((3, 3)))
    f = accelerations(model, model.createData(), nothing(1))
    seconds, q = advance("D1", h, f, np.zeros(1), np.zeros(1))
    return seconds, [math.cos(q[-1][0]), math.sin(q[-1][0])]


def four_bars(case: str, h: float) -> tuple[float, Any]:
    n, model = trials.FOUR_BARS[case], tree((0, -trials.G, 0))
    cranks, bars = [], []
    for k in range(n + 1):
        upright = np.diag([trials.ROD, trials.THIN, trials.ROD])
        cranks.append(hang(model, 0, 2, (k, 0, 0), 1.0, (0, 0.5, 0), upright))
        if k < n:
            level = np.diag([trials.THIN, trials.ROD, trials.ROD])
            bars.append(hang(model, cranks[-1], 2, (0, 1, 0), 1.0, (0.5, 0, 0), level))
    points = [(bars[k], (1, 0, 0), cranks[k + 1], (0, 1, 0)) for k in range(n)]
    f = closed(model, points, h, nothing(model.nv))
    v = np.zeros(model.nv)
    v[[model.joints[j].idx_v for j in cranks]] = -1.0
    v[[model.joints[j].idx_v for j in bars]] = 1.0
    seconds, q = advance(case, h, f, np.zeros(model.nq), v)
    turn = np.array(q)[:, 0]
    return seconds, np.stack([-np.sin(turn), np.cos(turn)], axis=1)


def squeezer(tolerance: float) -> tuple[float, Any]:
    model, joints = tree((0, 0, 0)), {None: 0}
    for name, (mass, moment, parent, joint, centre, _) in trials.SQUEEZER.items():
        held = moment * np.eye(3)
        joints[name] = hang(model, joints[parent], 2, (*joint, 0), mass, (*centre, 0), held)
    points = [
        (joints["2"], (*trials.MEETING["2"], 0), joints[k], (*trials.MEETING[k], 0))
        for k in ("3", "4", "6")
    ]
    first, sprung = (list(trials.SQUEEZER).index(k) for k in ("1", "3"))
    pivot, tau = np.array(trials.SQUEEZER["3"][3]), np.zeros(7)
    tau[first] = trials.TORQUE

    def load(q: Any) -> Any:
        c, s = math.cos(q[sprung]), math.sin(q[sprung])
        arm = np.array([[c, -s], [s, c]]) @ trials.COIL_ENDS[1]
        way = pivot + arm - trials.COIL_ENDS[0]
        length = math.hypot(*way)
        push = -trials.COIL[0] * (length - trials.COIL[1]) / length * way
        tau[sprung] = arm[0] * push[1] - arm[1] * push[0]
        return tau

    f = closed(model, points, None, load)
    start = np.concatenate([[part[5] for part in trials.SQUEEZER.values()], np.zeros(7)])

    def solve() -> Any:
        return solve_ivp(
            lambda t, y: np.concatenate([y[7:], f(y[:7], y[7:])]),
            (0.0, trials.TRIALS["D3"].until),
            start,
            method="DOP853",
            rtol=tolerance,
            atol=tolerance,
        )

    seconds, found = clocked(solve)
    return seconds, found.y[:7, -1]


def bricard(h: float) -> tuple[float, Any]:
    model, joint = tree((0, -trials.G, 0)), 0
    for k in range(5):
        place = trials.BRICARD[k] - (trials.BRICARD[k - 1] if k else 0.0)
        middle = (trials.BRICARD[k + 1] - trials.BRICARD[k]) / 2
        joint = hang(
            model, joint, trials.BRICARD_AXES[k], place, 1.0, middle, trials.bricard_tensor(k)
        )
    end = trials.BRICARD[5] - trials.BRICARD[4]
    ends = [np.array([side, 0, 0]) for side in (-0.25, 0.25)]
    points = [(joint, end + side, 0, trials.BRICARD[5] + side) for side in ends]
    f = closed(model, points, h, nothing(5))
    seconds, places = advance("D4", h, f, np.zeros(5), np.zeros(5))
    data, seen = model.createData(), []
    for q in places:
        pin.forwardKinematics(model, data, q)
        seen.append(data.oMi[3].act(trials.BRICARD[3] - trials.BRICARD[2]))
    return seconds, seen


def chain(case: str, h: float) -> tuple[float, Any]:
    n, model, joint = trials.CHAINS[case], tree(trials.PULL), 0
    for k in range(n):
        place = (1.0 if k else 0.0, 0, 0)
        joint = hang(model, joint, 1 + k % 2, place, 1.0, (0.5, 0, 0), np.diag(trials.LINK))
    data = model.createData()
    f = accelerations(model, data, nothing(n))
    seconds, q = advance(case, h, f, np.zeros(n), np.zeros(n))
    pin.forwardKinematics(model, data, q[-1])
    return seconds, data.oMi[trials.SEEN_LINK + 1].translation.copy()


def double_pendulum(h: float) -> tuple[float, Any]:
    model, joint, tau = tree((0, -trials.G, 0)), 0, np.zeros(2)
    for k in range(2):
        arm = np.diag([trials.ARM, trials.ARM_SELF, trials.ARM])
        joint = hang(model, joint, 2, (0, -k, 0), 1.0, (0, -0.5, 0), arm)

    def load(q: Any) -> Any:
        tau[0] = -trials.TORSION * q[0]
        return tau

    f = accelerations(model, model.createData(), load)
    seconds, q = advance("D7", h, f, np.zeros(2), np.array([trials.SPIN, 0.0]))
    return seconds, np.cumsum(q[-1])


def governor(method: str, tolerance: float) -> tuple[float, Any]:
    """The shaft's angle is left out: nothing depends on it."""
    model = tree((0, 0, -trials.G))
    along, across = trials.GOVERNOR_ALONG, trials.GOVERNOR_ACROSS
    upright = np.diag([across, across, along])
    shaft = hang(model, 0, 2, (0, 0, 0), trials.GOVERNOR_ROD, (0, 0, 0.5), upright)
    slider = model.addJoint(shaft, pin.JointModelPZ(), at(0, 0, 0), "slider")
    cube = pin.Inertia(trials.GOVERNOR_SLIDER, np.zeros(3), trials.GOVERNOR_CUBE * np.eye(3))
    model.appendBodyToJoint(slider, cube, pin.SE3.Identity())
    held = np.diag([along, trials.BALL_ROD_ACROSS, trials.BALL_ROD_ACROSS])
    for side in (1.0, -1.0):
        place = np.array([side * trials.GOVERNOR_PIVOT, 0, 1])
        turned = pin.SE3(np.diag([side, side, 1.0]), place)
        rod = model.addJoint(shaft, pin.JointModelRY(), turned, f"rod{side}")
        centre = np.array([trials.BALL_ROD_CENTRE, 0, 0])
        model.appendBodyToJoint(rod, pin.Inertia(trials.BALL_ROD, centre, held), pin.SE3.Identity())
    data, q = model.createData(), np.zeros(4)
    stiffness, damping, free = trials.GOVERNOR_SPRING

    def springs(v: Any) -> Any:
        tau = np.zeros(4)
        for k in (2, 3):
            c, s = math.cos(q[k]), math.sin(q[k])
            x, z = 0.5 * c, 1.0 - 0.5 * s - q[1]
            length = math.hypot(x, z)
            by_slider, by_rod = -z / length, (-0.5 * s * x - 0.5 * c * z) / length
            pull = stiffness * (length - free) + damping * (by_slider * v[1] + by_rod * v[k])
            tau[1] -= pull * by_slider
            tau[k] -= pull * by_rod
        return tau

    def f(t: float, y: Any) -> Any:
        q[1:] = y[:3]
        return np.concatenate([y[4:], pin.aba(model, data, q, y[3:], springs(y[3:]))])

    trial = trials.TRIALS["D5"]
    start = np.array([*trials.GOVERNOR_START[1:], trials.GOVERNOR_SPIN, 0.0, 0.0, 0.0])
    solve = partial(solve_ivp, f, (0.0, trial.until), start, method, trial.times[1:])
    seconds, found = clocked(lambda: solve(rtol=tolerance, atol=1e-2 * tolerance))
    return seconds, found.y[0]


def knee(tolerance: float) -> tuple[float, Any]:
    """SciPy finds where a stop is met; the impact is the user's: a row of the mass matrix."""
    model, joint = tree((0, -trials.G, 0)), 0
    for k in range(2):
        arm = np.diag([trials.ARM_SELF, trials.ARM, trials.ARM])
        joint = hang(model, joint, 2, (k, 0, 0), 1.0, (0.5, 0, 0), arm)
    f = accelerations(model, model.createData(), nothing(2))
    data, until = model.createData(), trials.TRIALS["E1"].until

    def left(side: float) -> Any:
        def way(t: float, y: Any) -> float:
            return float(trials.KNEE - side * y[1])

        way.terminal, way.direction = True, -1.0  # type: ignore[attr-defined]
        return way

    def solve() -> Any:
        t, y, times = 0.0, np.zeros(4), []
        while t < until:
            found = solve_ivp(
                lambda t, y: np.concatenate([y[2:], f(y[:2], y[2:])]),
                (t, until),
                y,
                "DOP853",
                events=(left(1.0), left(-1.0)),
                rtol=tolerance,
                atol=tolerance,
            )
            t, y = float(found.t[-1]), found.y[:, -1].copy()
            if found.status != 1:
                break
            times.append(t)
            M = pin.crba(model, data, y[:2])
            way = np.linalg.solve(np.triu(M) + np.triu(M, 1).T, [0.0, 1.0])
            y[2:] -= (1.0 + trials.RESTITUTION) * y[3] / way[1] * way
        return times

    seconds, times = clocked(solve)
    return seconds, times


def runs() -> Iterator[tuple[str, str, Run]]:
    """Cases, settings and what runs them. The memory of long chains grows with their cube."""
    for case, run, steps in (
        ("D1", pendulum, (2e-2,)),
        ("D4", bricard, (1e-2, 2.5e-3)),
        ("D7", double_pendulum, (1e-2, 2e-3)),
    ):
        for h in steps:
            yield case, f"RK4, h = {h:g} s", partial(run, h)
    for case, n in trials.FOUR_BARS.items():
        for h in (2.5e-2, 1e-2) if n < 40 else (1e-2,):
            yield case, f"RK4, h = {h:g} s", partial(four_bars, case, h)
    for method, tolerance in (("LSODA", 1e-3), ("LSODA", 1e-4), ("LSODA", 1e-5), ("LSODA", 1e-7)):
        yield "D5", f"{method}, tolerance {tolerance:g}", partial(governor, method, tolerance)
    for method, tolerance in (("BDF", 1e-4), ("Radau", 1e-4)):
        yield "D5", f"{method}, tolerance {tolerance:g}", partial(governor, method, tolerance)
    for tolerance in (1e-6, 1e-7, 1e-9, 1e-10, 1e-11):
        yield "E1", f"DOP853 with events, tolerance {tolerance:g}", partial(knee, tolerance)
    for tolerance in (1e-4, 1e-6):
        yield "D3", f"DOP853, tolerance {tolerance:g}", partial(squeezer, tolerance)
    for case, n in trials.CHAINS.items():
        if n < 1000:
            yield case, "RK4, h = 0.01 s", partial(chain, case, 1e-2)


measure(f"Pinocchio {pin.__version__}", runs())
