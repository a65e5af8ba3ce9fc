"""Trials with contact, and the stiff governor, in Exudyn."""

from typing import Any

import numpy as np
from exudyn import itemInterface as item  # noqa: N813
from exudyn.utilities import RigidBodyInertia
from yardsticks import trials

from peers.exudyn_machine import Machine, alpha


def balls(h: float) -> tuple[float, Any]:
    """Limits of springs of no stiffness are springs that only push."""
    machine = Machine()
    system = machine.system
    fixed = system.AddNode(item.NodePointGround())
    below = system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=fixed, coordinate=0))
    for k, height in enumerate(trials.BALL_HEIGHTS):
        node = system.AddNode(item.Node1D(referenceCoordinates=[height]))
        system.AddObject(item.Mass1D(nodeNumber=node, physicsMass=trials.BALL_MASS))
        here = system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
        weight = -trials.BALL_MASS * trials.G
        system.AddLoad(item.LoadCoordinate(markerNumber=here, load=weight))
        apart = height - (trials.BALL_HEIGHTS[k - 1] if k else 0.0)  # coordinates are changes
        state = item.NodeGenericData(initialCoordinates=[0] * 3, numberOfDataCoordinates=3)
        stop = item.CoordinateSpringDamperExt(
            markerNumbers=[below, here],
            nodeNumber=system.AddNode(state),
            useLimitStops=True,
            limitStopsLower=trials.BALL * (2.0 if k else 1.0) - apart,
            limitStopsUpper=1000.0,
            limitStopsStiffness=trials.BALL_STIFFNESS,
        )
        system.AddObject(stop)
        below = here
    seen = system.AddSensor(
        item.SensorUserFunction(
            sensorNumbers=[],
            storeInternal=True,
            sensorUserFunction=lambda mbs, *_: mbs.systemData.GetODE2Coordinates(),
        )
    )
    system.Assemble()
    seconds = machine.solve("C1", h, alpha(1.0))
    changes = system.GetSensorStoredData(seen)[1:, 1:]
    return seconds, np.array(trials.BALL_HEIGHTS) + changes


def cam(h: float) -> tuple[float, Any]:
    machine = Machine()
    system, start = machine.system, trials.FOLLOWER_START
    disc = machine.bar([0, 0, 0], 1.0, trials.FLYWHEEL, [0, 0, trials.CAM_SPIN], 0.0)
    machine.hinge(machine.point(machine.ground, 0.0), machine.point(disc, 0.0))
    node = system.AddNode(item.NodePoint2D(referenceCoordinates=[start, 0]))
    follower = system.AddObject(item.MassPoint2D(nodeNumber=node, physicsMass=trials.FOLLOWER))
    fixed = system.AddNode(item.NodePointGround())
    ground, along, across = (
        system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=n, coordinate=c))
        for n, c in ((fixed, 0), (node, 0), (node, 1))
    )
    system.AddObject(item.CoordinateConstraint(markerNumbers=[ground, across]))
    stiffness, free = trials.RETURN_SPRING
    spring = item.CoordinateSpringDamper(
        markerNumbers=[ground, along], stiffness=stiffness, offset=free - start
    )
    system.AddObject(spring)
    system.AddLoad(item.LoadCoordinate(markerNumber=along, load=-trials.FOLLOWER * trials.G))
    state = system.AddNode(
        item.NodeGenericData(initialCoordinates=[0.1, 0, 0, 0], numberOfDataCoordinates=4)
    )
    touch = item.ObjectContactSphereSphere(
        markerNumbers=[machine.rigid(disc, trials.ECCENTRICITY), machine.point(follower, 0.0)],
        nodeNumber=state,
        spheresRadii=[trials.CAM, trials.ROLLER],
        contactStiffness=trials.CAM_STIFFNESS,
    )
    system.AddObject(touch)
    seen = machine.sensor(follower, [0, 0, 0])
    system.Assemble()
    seconds = machine.solve("C2", h, alpha(1.0))
    return seconds, system.GetSensorStoredData(seen)[1:, 1:2]


def governor(h: float) -> tuple[float, Any]:
    machine = Machine()
    system, spin = machine.system, [0, 0, trials.GOVERNOR_SPIN]

    def body(place: Any, mass: float, moments: Any, turned: Any) -> int:
        inertia = RigidBodyInertia(mass=mass, inertiaTensor=np.diag(moments))
        return int(
            system.CreateRigidBody(
                referencePosition=list(place),
                referenceRotationMatrix=turned,
                inertia=inertia,
                initialVelocity=list(np.cross(spin, place)),
                initialAngularVelocity=spin,
                gravity=[0, 0, -trials.G],
            )
        )

    along, across = trials.GOVERNOR_ALONG, trials.GOVERNOR_ACROSS
    shaft = body([0, 0, 0.5], trials.GOVERNOR_ROD, [across, across, along], np.eye(3))
    start = [0, 0, trials.GOVERNOR_START[1]]
    slider = body(start, trials.GOVERNOR_SLIDER, [trials.GOVERNOR_CUBE] * 3, np.eye(3))
    where = {"axis": [0, 0, 1], "useGlobalFrame": True}
    ground = machine.ground
    system.CreateRevoluteJoint(itemNumbers=[ground, shaft], position=[0, 0, 0], **where)
    system.CreatePrismaticJoint(itemNumbers=[shaft, slider], position=start, **where)
    c, s = np.cos(trials.GOVERNOR_START[2]), np.sin(trials.GOVERNOR_START[2])
    stiffness, damping, free = trials.GOVERNOR_SPRING
    for side in (1.0, -1.0):
        R = np.diag([side, side, 1.0]) @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
        pivot = np.array([side * trials.GOVERNOR_PIVOT, 0, 1])
        centre = pivot + R @ [trials.BALL_ROD_CENTRE, 0, 0]
        moments = [along, trials.BALL_ROD_ACROSS, trials.BALL_ROD_ACROSS]
        rod = body(centre, trials.BALL_ROD, moments, R)
        system.CreateRevoluteJoint(
            itemNumbers=[shaft, rod], position=list(pivot), axis=[0, 1, 0], useGlobalFrame=True
        )
        ends = [
            machine.point(slider, side * trials.GOVERNOR_PIVOT),
            machine.point(rod, 0.5 - trials.BALL_ROD_CENTRE),
        ]
        spring = item.SpringDamper(
            markerNumbers=ends, stiffness=stiffness, damping=damping, referenceLength=free
        )
        system.AddObject(spring)
    seen = machine.sensor(slider, [0, 0, 0])
    system.Assemble()
    seconds = machine.solve("D5", h, alpha(0.9))
    return seconds, system.GetSensorStoredData(seen)[1:, 3:4]
