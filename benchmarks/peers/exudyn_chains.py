"""Chains of hinges in Exudyn: in redundant coordinates, and as a kinematic tree."""

import math
from typing import Any

import exudyn
import numpy as np
from exudyn import itemInterface as item  # noqa: N813
from exudyn.utilities import RigidBodyInertia
from yardsticks.trials import CHAINS, LINK, PULL, SEEN_LINK, chain_axis

from peers.exudyn_machine import POSITION, Machine, alpha


def chain(case: str, h: float) -> tuple[float, Any]:
    machine, n = Machine(), CHAINS[case]
    before, seen = machine.ground, -1
    inertia = RigidBodyInertia(mass=1.0, inertiaTensor=np.diag(LINK))
    for k in range(n):
        link = machine.system.CreateRigidBody(
            referencePosition=[k + 0.5, 0, 0], inertia=inertia, gravity=list(PULL)
        )
        machine.system.CreateRevoluteJoint(
            itemNumbers=[before, link],
            position=[k, 0, 0],
            axis=list(chain_axis(k)),
            useGlobalFrame=True,
        )
        before, seen = link, link if k == SEEN_LINK else seen
    machine.system.Assemble()
    seconds = machine.solve(case, h, alpha(0.9, bodies=n))
    return seconds, machine.system.GetObjectOutputBody(seen, POSITION, [-0.5, 0, 0])


def tree(case: str, h: float) -> tuple[float, Any]:
    machine, n = Machine(), CHAINS[case]
    zeros, kinds = [0.0] * n, (exudyn.JointType.RevoluteY, exudyn.JointType.RevoluteZ)
    node = machine.system.AddNode(
        item.NodeGenericODE2(
            referenceCoordinates=zeros,
            initialCoordinates=zeros,
            initialCoordinates_t=zeros,
            numberOfODE2Coordinates=n,
        )
    )
    rest = exudyn.Vector3DList([[0.0] * 3] * n)
    machine.system.AddObject(
        item.ObjectKinematicTree(
            nodeNumber=node,
            jointTypes=[kinds[k % 2] for k in range(n)],
            linkParents=list(range(-1, n - 1)),
            jointTransformations=exudyn.Matrix3DList([np.eye(3)] * n),
            jointOffsets=exudyn.Vector3DList([[1.0 if k else 0.0, 0, 0] for k in range(n)]),
            linkInertiasCOM=exudyn.Matrix3DList([np.diag(LINK)] * n),
            linkCOMs=exudyn.Vector3DList([[0.5, 0, 0]] * n),
            linkMasses=[1.0] * n,
            linkForces=rest,
            linkTorques=rest,
            gravity=list(PULL),
        )
    )
    machine.system.Assemble()
    seconds = machine.solve(case, h, alpha(0.9, bodies=n), solverType=exudyn.DynamicSolverType.RK44)
    return seconds, _hinge(machine.coordinates())


def _hinge(angles: Any) -> Any:
    """Where the hinge of the link that is looked at stands, from the angles of the hinges."""
    place, R = np.zeros(3), np.eye(3)
    for k in range(SEEN_LINK):
        c, s = math.cos(angles[k]), math.sin(angles[k])
        y, z = [[c, 0, s], [0, 1, 0], [-s, 0, c]], [[c, -s, 0], [s, c, 0], [0, 0, 1]]
        R = R @ np.array(y if k % 2 == 0 else z)
        place = place + R[:, 0]
    return place
