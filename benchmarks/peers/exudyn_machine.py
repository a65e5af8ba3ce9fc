"""A machine in Exudyn: bodies, markers and hinges, and the solve call."""

from typing import Any

import exudyn
import numpy as np
from exudyn import itemInterface as item  # noqa: N813
from yardsticks.trials import TRIALS

from peers.work import clocked

MANY_BODIES = 20  # beyond, sparse matrices are quicker
POSITION = exudyn.OutputVariableType.Position


class Machine:
    """A system of bodies and markers."""

    def __init__(self) -> None:
        self.container = exudyn.SystemContainer()
        self.system = self.container.AddSystem()
        self.ground = self.system.AddObject(item.ObjectGround())

    def bar(self, place: Any, mass: float, moment: float, velocity: Any, gravity: float) -> int:
        """A body in the plane; the place is of its centre, with its angle."""
        node = item.NodeRigidBody2D(referenceCoordinates=place, initialVelocities=velocity)
        held = item.RigidBody2D(nodeNumber=self.system.AddNode(node), mass=mass, inertia=moment)
        body = self.system.AddObject(held)
        if gravity:
            marker = self.system.AddMarker(item.MarkerBodyMass(bodyNumber=body))
            load = item.LoadMassProportional(markerNumber=marker, loadVector=[0, -gravity, 0])
            self.system.AddLoad(load)
        return int(body)

    def point(self, body: int, x: float, y: float = 0.0) -> int:
        """A marker on a body, from its centre."""
        marker = item.MarkerBodyPosition(bodyNumber=body, localPosition=[x, y, 0])
        return int(self.system.AddMarker(marker))

    def rigid(self, body: int, x: float) -> int:
        """A marker that turns with a body, from its centre."""
        marker = item.MarkerBodyRigid(bodyNumber=body, localPosition=[x, 0, 0])
        return int(self.system.AddMarker(marker))

    def hinge(self, first: int, second: int) -> None:
        """A hinge in the plane between two markers."""
        self.system.AddObject(item.RevoluteJoint2D(markerNumbers=[first, second]))

    def sensor(self, body: int, place: Any) -> int:
        """Stores where a point of a body is."""
        seen = item.SensorBody(
            bodyNumber=body, localPosition=place, storeInternal=True, outputVariableType=POSITION
        )
        return int(self.system.AddSensor(seen))

    def solve(self, case: str, h: float, settings: Any, **more: Any) -> float:
        """CPU seconds of the solve call."""
        trial, integration = TRIALS[case], settings.timeIntegration
        settings.solution.file.write = False
        settings.solution.sensors.writePeriod = trial.until / trial.looks
        integration.numberOfSteps, integration.endTime = round(trial.until / h), trial.until
        integration.verboseMode = 0
        return clocked(lambda: self.system.SolveDynamic(settings, **more))[0]

    def coordinates(self) -> Any:
        """Changes of all coordinates since the start."""
        return np.array(self.system.systemData.GetODE2Coordinates())


def alpha(radius: float, *, index2: bool = False, bodies: int = 1) -> Any:
    """Settings of the generalized-alpha method."""
    settings = exudyn.SimulationSettings()
    method = settings.timeIntegration.generalizedAlpha
    method.spectralRadius, method.computeInitialAccelerations = radius, True
    method.useIndex2Constraints = method.useNewmark = index2
    if bodies > MANY_BODIES:
        settings.linearSolver.solverType = exudyn.LinearSolverType.EigenSparse
    return settings
