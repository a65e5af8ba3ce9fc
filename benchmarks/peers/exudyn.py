"""The four-bar in Exudyn: python -m peers.exudyn STEPS REPEATS. Prints one JSON line.

Three planar bodies, four hinges, a prescribed crank angle that is evaluated in Exudyn's core; the
dynamic solver gives position, velocity and acceleration. Of full and modified Newton the faster
one counts. Only a thousand samples are written.
"""

import json
import sys
import time
from importlib.metadata import version
from typing import Any

import exudyn
import numpy as np
from exudyn.itemInterface import (
    CoordinateConstraint,
    MarkerBodyPosition,
    MarkerNodeCoordinate,
    NodePointGround,
    NodeRigidBody2D,
    ObjectGround,
    RevoluteJoint2D,
    RigidBody2D,
    SensorBody,
)
from exudyn.utilities import CreateSymbolicUserFunction
from yardsticks.closed_form import COUPLER, CRANK, GROUND, RATE, ROCKER, hinges, worst_error

WRITTEN = 1000


def four_bar() -> tuple[Any, Any, list[int]]:
    """The container, the system, and the sensors of hinge C."""
    container = exudyn.SystemContainer()
    system = container.AddSystem()
    ground = system.AddObject(ObjectGround())
    B, C = hinges(np.zeros(1))
    w2, w3 = B.turn(C)[1][0], _rocker_rate(C)
    a2, a3 = (float(np.arctan2(*(r[::-1]))) for r in (C.p[0] - B.p[0], C.p[0] - [GROUND, 0.0]))
    bars = [
        (0.5 * B.p[0], 0.0, CRANK, [*(0.5 * B.v[0]), RATE]),
        (0.5 * (B.p[0] + C.p[0]), a2, COUPLER, [*(0.5 * (B.v[0] + C.v[0])), w2]),
        (0.5 * (C.p[0] + [GROUND, 0.0]), a3, ROCKER, [*(0.5 * C.v[0]), w3]),
    ]
    starts, ends, nodes, bodies = [], [], [], []
    for middle, angle, length, velocity in bars:
        node = NodeRigidBody2D(referenceCoordinates=[*middle, angle], initialVelocities=velocity)
        nodes.append(system.AddNode(node))
        body = RigidBody2D(nodeNumber=nodes[-1], mass=1.0, inertia=length**2 / 12.0)
        bodies.append(system.AddObject(body))
        for side, markers in ((-0.5, starts), (0.5, ends)):
            markers.append(_marker(system, bodies[-1], side * length))
    A, D = _marker(system, ground, 0.0), _marker(system, ground, GROUND)
    for pair in ((A, starts[0]), (ends[0], starts[1]), (ends[1], ends[2]), (D, starts[2])):
        system.AddObject(RevoluteJoint2D(markerNumbers=list(pair)))
    _drive(system, nodes[0])
    kinds = exudyn.OutputVariableType
    sensors = [
        system.AddSensor(
            SensorBody(
                bodyNumber=bodies[2],
                localPosition=[0.5 * ROCKER, 0.0, 0.0],
                storeInternal=True,
                outputVariableType=kind,
            )
        )
        for kind in (kinds.Position, kinds.Velocity, kinds.Acceleration)
    ]
    system.Assemble()
    return container, system, sensors


def _rocker_rate(C: Any) -> float:
    r = C.p[0] - [GROUND, 0.0]
    return float((r[0] * C.v[0][1] - r[1] * C.v[0][0]) / (r @ r))


def _marker(system: Any, body: int, x: float) -> int:
    marker = MarkerBodyPosition(bodyNumber=body, localPosition=[x, 0.0, 0.0])
    return int(system.AddMarker(marker))


def _drive(system: Any, node: int) -> None:
    fixed = system.AddNode(NodePointGround())
    markers = [
        system.AddMarker(MarkerNodeCoordinate(nodeNumber=n, coordinate=c))
        for n, c in ((fixed, 0), (node, 2))
    ]
    drive = system.AddObject(CoordinateConstraint(markerNumbers=markers, offset=0.0))

    def offset(mbs: Any, t: Any, itemNumber: Any, lOffset: Any) -> Any:
        return t * 6.283185307179586

    def rate(mbs: Any, t: Any, itemNumber: Any, lOffset: Any) -> Any:
        return 6.283185307179586 + 0.0 * t

    for function, name in ((offset, "offsetUserFunction"), (rate, "offsetUserFunction_t")):
        symbolic = CreateSymbolicUserFunction(system, function, name, drive)
        system.SetObjectParameter(drive, name, symbolic)


def sweep(steps: int, *, modified: bool) -> tuple[float, float]:
    """CPU seconds and error of one turn."""
    container, system, sensors = four_bar()
    settings = exudyn.SimulationSettings()
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = 1.0 / min(steps, WRITTEN)
    integration = settings.timeIntegration
    integration.numberOfSteps, integration.endTime, integration.verboseMode = steps, 1.0, 0
    integration.newton.useModifiedNewton = modified
    integration.generalizedAlpha.spectralRadius = 0.8
    integration.generalizedAlpha.computeInitialAccelerations = True
    began = time.process_time()
    system.SolveDynamic(settings)
    seconds = time.process_time() - began
    p, v, a = (system.GetSensorStoredData(sensor) for sensor in sensors)
    error = worst_error(p[:, 0], p[:, 1:3], v[:, 1:3], a[:, 1:3])
    del container
    return seconds, error


def main(steps: int, repeats: int) -> None:
    runs = [sweep(steps, modified=m) for m in (False, True) for _ in range(repeats)]
    seconds, error = min(runs)
    measured = {
        "who": f"Exudyn {version('exudyn')}",
        "seconds": seconds / steps,
        "error": error,
    }
    print(json.dumps(measured))


main(*map(int, sys.argv[1:3]))
