"""The trials of dynamics in MuJoCo: python -m peers.mujoco_forces < exact.json.

Trees of hinges; loops are closed by soft `connect` constraints, as stiff as MuJoCo recommends: with
a time constant of two steps.
"""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import mujoco
import numpy as np
from yardsticks import trials

from peers.work import Run, cannot, clocked, measure

STIFF = 'solimp=".9999 .9999 .001 .5 2"'


def words(*numbers: Any) -> str:
    """Numbers as XML attributes have them."""
    return " ".join(repr(float(x)) for x in numbers)


def inertial(centre: Any, mass: float, moments: Any) -> str:
    """The mass of a body."""
    return f'<inertial pos="{words(*centre)}" mass="{mass}" diaginertia="{words(*moments)}"/>'


def model(h: float, method: str, gravity: Any, world: str, rest: str = "") -> Any:
    """The compiled model and its state."""
    text = (
        f'<mujoco><compiler boundinertia="0"/><option timestep="{h}" gravity="{words(*gravity)}"'
        f' integrator="{method}" tolerance="1e-13" iterations="100"/>'
        f"<worldbody>{world}</worldbody>{rest}</mujoco>"
    )
    made = mujoco.MjModel.from_xml_string(text)
    return made, mujoco.MjData(made)


def advance(made: Any, data: Any, case: str, h: float, look: Any) -> tuple[float, Any]:
    """Steps to the end, with looks between."""
    trial = trials.TRIALS[case]
    each = round(trial.until / h) // trial.looks

    def solve() -> list[Any]:
        seen = []
        for _ in range(trial.looks):
            mujoco.mj_step(made, data, each)
            seen.append(look())
        return seen

    return clocked(solve)


def pendulum(h: float) -> tuple[float, Any]:
    world = f'<body><joint axis="0 0 1"/>{inertial((1, 0, 0), 1.0, (1e-12,) * 3)}</body>'
    made, data = model(h, "RK4", (0, -trials.G, 0), world)

    def look() -> Any:
        return [math.cos(data.qpos[0]), math.sin(data.qpos[0])]

    return advance(made, data, "D1", h, look)


def four_bars(case: str, h: float) -> tuple[float, Any]:
    n, world, joined = trials.FOUR_BARS[case], "", ""
    for k in range(n + 1):
        bar = ""
        if k < n:
            held = inertial((0.5, 0, 0), 1.0, (trials.THIN, trials.ROD, trials.ROD))
            bar = f'<body name="bar{k}" pos="0 1 0"><joint axis="0 0 1"/>{held}</body>'
            joined += (
                f'<connect body1="bar{k}" body2="crank{k + 1}" anchor="1 0 0"'
                f' solref="{2 * h} 1" {STIFF}/>'
            )
        held = inertial((0, 0.5, 0), 1.0, (trials.ROD, trials.THIN, trials.ROD))
        world += f'<body name="crank{k}" pos="{k} 0 0"><joint name="turn{k}" axis="0 0 1"/>'
        world += f"{held}{bar}</body>"
    made, data = model(
        h, "implicitfast", (0, -trials.G, 0), world, f"<equality>{joined}</equality>"
    )
    for k in range(n + 1):
        at = made.joint(f"turn{k}").dofadr[0]
        data.qvel[at] = -1.0
        if k < n:
            data.qvel[at + 1] = 1.0

    def look() -> Any:
        return [-math.sin(data.qpos[0]), math.cos(data.qpos[0])]

    return advance(made, data, case, h, look)


def squeezer(h: float) -> tuple[float, Any]:
    def body(name: str) -> str:
        mass, moment, _, joint, centre, _ = trials.SQUEEZER[name]
        inside = "".join(body(k) for k, part in trials.SQUEEZER.items() if part[2] == name)
        if name in trials.MEETING:
            inside += f'<site name="E{name}" pos="{words(*trials.MEETING[name], 0)}"/>'
        if name == "3":
            inside += f'<site name="coil" pos="{words(*trials.COIL_ENDS[1], 0)}"/>'
        held = inertial((*centre, 0), mass, (moment,) * 3)
        hinge = f'<joint name="turn{name}" axis="0 0 1"/>'
        return f'<body pos="{words(*joint, 0)}">{hinge}{held}{inside}</body>'

    world = f'<site name="fixed" pos="{words(*trials.COIL_ENDS[0], 0)}"/>'
    world += "".join(body(k) for k, part in trials.SQUEEZER.items() if part[2] is None)
    joined = "".join(
        f'<connect site1="E2" site2="E{k}" solref="{2 * h} 1" {STIFF}/>' for k in ("3", "4", "6")
    )
    spring = (
        f'<tendon><spatial stiffness="{trials.COIL[0]}" springlength="{trials.COIL[1]}">'
        '<site site="fixed"/><site site="coil"/></spatial></tendon>'
    )
    rest = f"<equality>{joined}</equality>{spring}"
    made, data = model(h, "RK4", (0, 0, 0), world, rest)
    places = [made.joint(f"turn{k}").qposadr[0] for k in trials.SQUEEZER]
    data.qpos[places] = [part[5] for part in trials.SQUEEZER.values()]
    data.qfrc_applied[places[0]] = trials.TORQUE
    return advance(made, data, "D3", h, lambda: data.qpos[places].copy())


def bricard(h: float) -> tuple[float, Any]:
    world = ""
    for k in range(5):
        at = trials.BRICARD[k] - (trials.BRICARD[k - 1] if k else 0.0)
        middle = (trials.BRICARD[k + 1] - trials.BRICARD[k]) / 2
        world += f'<body name="rod{k}" pos="{words(*at)}">'
        world += f'<joint axis="{words(*np.eye(3)[trials.BRICARD_AXES[k]])}"/>'
        world += inertial(middle, 1.0, np.diag(trials.bricard_tensor(k)))
        world += '<site name="seen" pos="0 0 1"/>' if k == 2 else ""
    end = trials.BRICARD[5] - trials.BRICARD[4]
    joined = "".join(
        f'<connect body1="rod4" body2="world" anchor="{words(*(end + np.array([side, 0, 0])))}"'
        f' solref="{2 * h} 1" {STIFF}/>'
        for side in (-0.25, 0.25)
    )
    closed = f"<equality>{joined}</equality>"
    made, data = model(h, "RK4", (0, -trials.G, 0), world + "</body>" * 5, closed)

    def look() -> Any:
        mujoco.mj_kinematics(made, data)
        return data.site("seen").xpos.copy()

    return advance(made, data, "D4", h, look)


def chain(case: str, h: float) -> tuple[float, Any]:
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.gravity = h, trials.PULL
    spec.option.integrator, spec.memory = mujoco.mjtIntegrator.mjINT_RK4, 4000 << 20
    body = spec.worldbody
    for k in range(trials.CHAINS[case]):
        body = body.add_body(
            name=f"link{k}",
            pos=[1.0 if k else 0.0, 0, 0],
            mass=1.0,
            ipos=[0.5, 0, 0],
            inertia=trials.LINK,
            explicitinertial=True,
        )
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=trials.chain_axis(k))
    made = spec.compile()
    data = mujoco.MjData(made)
    seen = made.body(f"link{trials.SEEN_LINK}").id

    def look() -> Any:
        mujoco.mj_kinematics(made, data)
        return data.xpos[seen].copy()

    return advance(made, data, case, h, look)


def double_pendulum(h: float) -> tuple[float, Any]:
    arm = inertial((0, -0.5, 0), 1.0, (trials.ARM, trials.ARM_SELF, trials.ARM))
    world = f'<body><joint axis="0 0 1" stiffness="{trials.TORSION}"/>{arm}'
    world += f'<body pos="0 -1 0"><joint axis="0 0 1"/>{arm}</body></body>'
    made, data = model(h, "RK4", (0, -trials.G, 0), world)
    data.qvel[:] = trials.SPIN, 0.0
    return advance(made, data, "D7", h, lambda: np.cumsum(data.qpos))


def balls(h: float) -> tuple[float, Any]:
    """Springs that only push are tendons that are loose from where the balls touch on."""
    world, tendons = "", ""
    loose = f'stiffness="{trials.BALL_STIFFNESS}" springlength="{{}} 1000"'
    for k, height in enumerate(trials.BALL_HEIGHTS):
        held = inertial((0, 0, 0), trials.BALL_MASS, (1e-3,) * 3)
        slide = f'<joint name="y{k}" type="slide" axis="0 1 0" ref="{height}"/>'
        world += f'<body pos="0 {height} 0">{slide}{held}</body>'
        reach = trials.BALL * (2.0 if k else 1.0)
        below = f'<joint joint="y{k - 1}" coef="-1"/>' if k else ""
        tendons += f'<fixed {loose.format(reach)}><joint joint="y{k}" coef="1"/>{below}</fixed>'
    made, data = model(h, "RK4", (0, -trials.G, 0), world, f"<tendon>{tendons}</tendon>")
    return advance(made, data, "C1", h, lambda: data.qpos.copy())


def governor(method: str, h: float) -> tuple[float, Any]:
    """Springs with dampers are tendons."""
    along, across = trials.GOVERNOR_ALONG, trials.GOVERNOR_ACROSS
    rods, tendons = "", ""
    stiffness, damping, free = trials.GOVERNOR_SPRING
    spring = f'<spatial stiffness="{stiffness}" damping="{damping}" springlength="{free}">'
    held = inertial(
        (trials.BALL_ROD_CENTRE, 0, 0),
        trials.BALL_ROD,
        (along, trials.BALL_ROD_ACROSS, trials.BALL_ROD_ACROSS),
    )
    cube = inertial((0, 0, 0), trials.GOVERNOR_SLIDER, (trials.GOVERNOR_CUBE,) * 3)
    for k, side in enumerate((1, -1)):
        cube += f'<site name="s{k}" pos="{words(side * trials.GOVERNOR_PIVOT, 0, 0)}"/>'
        rods += f'<body pos="{words(side * trials.GOVERNOR_PIVOT, 0, 1)}"'
        rods += f' xyaxes="{side} 0 0 0 {side} 0"><joint axis="0 1 0"/>{held}'
        rods += f'<site name="m{k}" pos="0.5 0 0"/></body>'
        tendons += f'{spring}<site site="s{k}"/><site site="m{k}"/></spatial>'
    shaft = inertial((0, 0, 0.5), trials.GOVERNOR_ROD, (across, across, along))
    slider = f'<body><joint type="slide" axis="0 0 1"/>{cube}</body>'
    world = f'<body><joint axis="0 0 1"/>{shaft}{slider}{rods}</body>'
    made, data = model(h, method, (0, 0, -trials.G), world, f"<tendon>{tendons}</tendon>")
    data.qpos[:] = trials.GOVERNOR_START
    data.qvel[0] = trials.GOVERNOR_SPIN
    return advance(made, data, "D5", h, lambda: data.qpos[1:2].copy())


def cam(h: float) -> tuple[float, Any]:
    """The contact is a tendon that is loose from where disc and roller touch on."""
    wheel, moving = (
        inertial((0, 0, 0), mass, (moment,) * 3)
        for mass, moment in ((1.0, trials.FLYWHEEL), (trials.FOLLOWER, 1e-3))
    )
    stiffness, free = trials.RETURN_SPRING
    start = trials.FOLLOWER_START
    slide = f'<joint type="slide" axis="1 0 0" ref="{start}" stiffness="{stiffness}"'
    slide += f' springref="{free}"/>'
    world = f'<body><joint axis="0 0 1"/>{wheel}'
    world += f'<site name="disc" pos="{words(trials.ECCENTRICITY, 0, 0)}"/></body>'
    world += f'<body pos="{words(start, 0, 0)}">{slide}{moving}<site name="roller"/></body>'
    touch = f'<tendon><spatial stiffness="{trials.CAM_STIFFNESS}"'
    touch += f' springlength="{trials.CAM + trials.ROLLER} 1000">'
    touch += '<site site="disc"/><site site="roller"/></spatial></tendon>'
    made, data = model(h, "RK4", (-trials.G, 0, 0), world, touch)
    data.qvel[0] = trials.CAM_SPIN
    return advance(made, data, "C2", h, lambda: data.qpos[1:2].copy())


def runs() -> Iterator[tuple[str, str, Run]]:
    """Cases, settings and what runs them."""
    simple = (
        ("D1", pendulum, (1e-2,)),
        ("D3", squeezer, (1e-4, 2e-5)),
        ("D4", bricard, (1e-2, 1e-3)),
        ("D7", double_pendulum, (1e-2, 2e-3)),
        ("C1", balls, (1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5)),
        ("C2", cam, (1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5)),
    )
    for case, run, steps in simple:
        for h in steps:
            yield case, f"RK4, h = {h:g} s", partial(run, h)
    for method, h in (("RK4", 2e-4), ("Euler", 1e-4), ("implicitfast", 1e-3)):
        yield "D5", f"{method}, h = {h:g} s", partial(governor, method, h)
    yield "E1", "cannot: limits of joints are soft, without restitution or times of impacts", cannot
    for case in trials.FOUR_BARS:
        for h in (1e-3, 1e-4) if trials.FOUR_BARS[case] <= 10 else (1e-3,):
            yield case, f"implicitfast, h = {h:g} s", partial(four_bars, case, h)
    for case, n in trials.CHAINS.items():
        h = 1e-2 if n < 1000 else 2e-2
        yield case, f"RK4, h = {h:g} s", partial(chain, case, h)


measure(f"MuJoCo {mujoco.__version__}", runs())
