"""The trials of dynamics in Exudyn: python -m peers.exudyn_forces < exact.json.

Redundant coordinates with joints and generalized-alpha; short chains also as a kinematic tree with
an explicit method of order four.
"""

import math
from collections.abc import Iterator
from functools import partial
from importlib.metadata import version
from typing import Any

import exudyn
import numpy as np
from exudyn import itemInterface as item  # noqa: N813
from exudyn.utilities import RigidBodyInertia
from yardsticks.trials import (
    ARM,
    BRICARD,
    BRICARD_AXES,
    CHAINS,
    COIL,
    COIL_ENDS,
    FOUR_BARS,
    MEETING,
    ROD,
    SPIN,
    SQUEEZER,
    TORQUE,
    TORSION,
    G,
    bricard_tensor,
)

from peers.exudyn_chains import chain, tree
from peers.exudyn_machine import Machine, alpha
from peers.exudyn_touching import balls, cam, governor
from peers.work import Run, cannot, measure


def pendulum(h: float) -> tuple[float, Any]:
    machine = Machine()
    system = machine.system
    node = system.AddNode(item.NodePoint2D(referenceCoordinates=[1, 0]))
    bob = system.AddObject(item.MassPoint2D(mass=1.0, nodeNumber=node))
    ends = [machine.point(machine.ground, 0.0), machine.point(bob, 0.0)]
    system.AddObject(item.DistanceConstraint(markerNumbers=ends, distance=1.0))
    system.AddLoad(item.Force(markerNumber=ends[1], loadVector=[0, -G, 0]))
    system.Assemble()
    seconds = machine.solve("D1", h, alpha(0.9))
    return seconds, machine.coordinates() + np.array([1.0, 0.0])


def four_bars(case: str, h: float) -> tuple[float, Any]:
    machine, n = Machine(), FOUR_BARS[case]
    first = before = -1
    for k in range(n + 1):
        crank = machine.bar([k, 0.5, math.pi / 2], 1.0, ROD, [0.5, 0, -1.0], G)
        machine.hinge(machine.point(machine.ground, k), machine.point(crank, -0.5))
        if k == 0:
            first = crank
        else:
            bar = machine.bar([k - 0.5, 1, 0], 1.0, ROD, [1.0, 0, 0], G)
            machine.hinge(machine.point(before, 0.5), machine.point(bar, -0.5))
            machine.hinge(machine.point(bar, 0.5), machine.point(crank, 0.5))
        before = crank
    seen = machine.sensor(first, [0.5, 0, 0])
    machine.system.Assemble()
    seconds = machine.solve(case, h, alpha(0.9, bodies=2 * n + 1))
    return seconds, machine.system.GetSensorStoredData(seen)[1:, 1:3]


def _angles() -> dict[str, float]:
    """Where the bodies of the squeezer stand, from the ground."""
    found: dict[str, float] = {}
    for name, part in SQUEEZER.items():
        found[name] = part[5] + (found[part[2]] if part[2] is not None else 0.0)
    return found


def squeezer(h: float) -> tuple[float, Any]:
    machine, angles, origins, bodies = Machine(), _angles(), {}, {}

    def turned(name: str, p: Any) -> Any:
        c, s = math.cos(angles[name]), math.sin(angles[name])
        return np.array([[c, -s], [s, c]]) @ p

    def point(name: str | None, p: Any) -> int:
        if name is None:
            return machine.point(machine.ground, *p)
        centre = SQUEEZER[name][4]
        return machine.point(bodies[name], p[0] - centre[0], p[1] - centre[1])

    for name, (mass, moment, parent, joint, centre, _) in SQUEEZER.items():
        base = np.array(joint, float)
        origins[name] = base if parent is None else origins[parent] + turned(parent, base)
        place = [*(origins[name] + turned(name, centre)), angles[name]]
        bodies[name] = machine.bar(place, mass, moment, [0.0] * 3, 0.0)
    for name, (_, _, parent, joint, _, _) in SQUEEZER.items():
        machine.hinge(point(parent, joint), point(name, (0, 0)))
    for name in ("3", "4", "6"):
        machine.hinge(point("2", MEETING["2"]), point(name, MEETING[name]))
    ends = [point(None, COIL_ENDS[0]), point("3", COIL_ENDS[1])]
    spring = item.SpringDamper(
        markerNumbers=ends, stiffness=COIL[0], damping=0.0, referenceLength=COIL[1]
    )
    machine.system.AddObject(spring)
    turning = machine.system.AddMarker(item.MarkerBodyRigid(bodyNumber=bodies["1"]))
    machine.system.AddLoad(item.Torque(markerNumber=turning, loadVector=[0, 0, TORQUE]))
    machine.system.Assemble()
    seconds = machine.solve("D3", h, alpha(1.0, index2=True))
    changes = machine.coordinates().reshape(-1, 3)[:, 2]
    now = {name: angles[name] + change for name, change in zip(SQUEEZER, changes, strict=True)}
    return seconds, [
        now[name] - (now[part[2]] if part[2] is not None else 0.0)
        for name, part in SQUEEZER.items()
    ]


def bricard(h: float) -> tuple[float, Any]:
    machine = Machine()
    system, before, seen = machine.system, machine.ground, -1
    for k in range(5):
        tensor = RigidBodyInertia(mass=1.0, inertiaTensor=bricard_tensor(k))
        middle = (BRICARD[k] + BRICARD[k + 1]) / 2
        rod = system.CreateRigidBody(
            referencePosition=list(middle), inertia=tensor, gravity=[0, -G, 0]
        )
        axis = list(np.eye(3)[BRICARD_AXES[k]])
        system.CreateRevoluteJoint(
            itemNumbers=[before, rod], position=list(BRICARD[k]), axis=axis, useGlobalFrame=True
        )
        if k == 2:
            seen = machine.sensor(rod, list((BRICARD[3] - BRICARD[2]) / 2))
        before = rod
    system.CreateGenericJoint(
        itemNumbers=[before, machine.ground],
        position=list(BRICARD[5]),
        constrainedAxes=[1, 1, 1, 0, 1, 1],
        useGlobalFrame=True,
    )
    system.Assemble()
    settings = alpha(0.9)
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.linearSolver.solverType = exudyn.LinearSolverType.EigenDense
    settings.linearSolver.ignoreSingularJacobian = True  # one row is redundant
    seconds = machine.solve("D4", h, settings)
    return seconds, system.GetSensorStoredData(seen)[1:, 1:4]


def double_pendulum(h: float) -> tuple[float, Any]:
    machine = Machine()
    before, nodes = machine.point(machine.ground, 0.0), []
    for k in range(2):
        rod = machine.bar([0, -0.5 - k, 0], 1.0, ARM, [SPIN * (0.5 + k), 0, SPIN], G)
        nodes.append(k)
        machine.hinge(before, machine.point(rod, 0.0, 0.5))
        before = machine.point(rod, 0.0, -0.5)
    system = machine.system
    fixed = system.AddNode(item.NodePointGround())
    ends = [
        system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=node, coordinate=c))
        for node, c in ((fixed, 0), (nodes[0], 2))
    ]
    system.AddObject(item.CoordinateSpringDamper(markerNumbers=ends, stiffness=TORSION))
    system.Assemble()
    seconds = machine.solve("D7", h, alpha(1.0, index2=True))
    return seconds, machine.coordinates()[[2, 5]]


def runs() -> Iterator[tuple[str, str, Run]]:
    """Cases, settings and what runs them."""
    for case, run, steps in (
        ("D1", pendulum, (2e-3,)),
        ("D3", squeezer, (2e-5, 5e-6)),
        ("D4", bricard, (1e-2, 5e-4)),
        ("D7", double_pendulum, (2e-3, 1e-4)),
        ("D5", governor, (1e-2, 2e-3, 5e-4)),
        ("C1", balls, (5e-5, 5e-6)),
        ("C2", cam, (1e-4, 5e-5, 5e-6)),
    ):
        for h in steps:
            yield case, f"generalized-alpha, h = {h:g} s", partial(run, h)
    yield "E1", "cannot: stops are springs, without restitution or times of impacts", cannot
    for case, n in FOUR_BARS.items():
        for h in (2e-3, 5e-4) if n < 40 else (2e-3,):
            yield case, f"generalized-alpha, h = {h:g} s", partial(four_bars, case, h)
    for case, n in CHAINS.items():
        if n < 1000:
            yield case, "kinematic tree, RK44, h = 0.01 s", partial(tree, case, 1e-2)
        for h in (1e-2, 2e-3) if n >= 1000 else ():
            yield case, f"generalized-alpha, h = {h:g} s", partial(chain, case, h)


measure(f"Exudyn {version('exudyn')}", runs())
