"""Machines that turn a shaft in steps: a Geneva drive and a ratchet."""

import math
from typing import Any

import numpy as np

from kempe.drives import Ramp
from kempe.errors import BadNumber
from kempe.events import Direction, Latch, Release, Stop, Switch
from kempe.forces import Actuator, Control
from kempe.front import Builder, Mechanism
from kempe.front.parts import BodyPart
from kempe.gallery.sketch_of_masses import arc, let_go, toothed
from kempe.geometry import Inertia, Y
from kempe.geometry.number import positive
from kempe.geometry.solids import Cylinder, Plate
from kempe.measures import Displacement

ROUNDS = 2  # turns of a ratchet that have teeth
FEWEST = 3  # slots or teeth
PAWL = ((0.297, -0.002), (0.26, -0.004), (0.38, -0.13), (0.41, -0.12))  # m: on a tooth
CLEARANCE = 0.02  # of a tooth: what it must pass by before the pawl falls in


@let_go(8.0, "driver.pin")
def geneva_drive(
    *, slots: int = 4, distance: float = 0.1, rpm: float = 30.0, inertia: float = 2e-4
) -> Mechanism:
    """A Geneva drive: a pin turns a slotted wheel by one slot each turn, and a disc locks it.

    With the share l = sin(pi / n) of the distance of the shafts as the radius of the pin, which
    then enters along the slot, and the driver at an angle a from the line of the shafts,

        tan b = l sin a / (1 - l cos a),   |a| <= pi / 2 - pi / n

    The wheel turns by 2 pi / n, l / (1 - l) times as fast as the driver in the middle, and at the
    ends it is accelerated by tan(pi / n) times the square of the driver's speed at once. The pin
    and the disc are latches that let go: each holds a measure of the wheel while it is in contact.

    Own: the triangle of the two shafts and the pin.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.geneva_drive().simulate(until=2.0)
        >>> round(float(turn["wheel.angle"].ptp("deg")), 9)
        90.0
    """
    _refuse_few(slots, "slots of a Geneva wheel")
    positive(distance, "the distance of the shafts")
    radius = distance * math.sin(math.pi / slots)
    enters = math.pi / 2 - math.pi / slots  # angle of the driver, before the line of the shafts
    turned = positive(inertia, "the inertia")
    m = Builder("geneva drive", plane=True)
    plate = Inertia(0.2, np.zeros(3), np.diag([turned / 2, turned / 2, turned]))
    driver = m.body(
        "driver",
        points={"hub": (0, 0), "pin": (radius, 0)},
        at=(0, 0),
        angle=-math.pi,
        inertia=plate,
    )
    ways = [math.pi + 2.0 * math.pi * k / slots for k in range(slots)]
    # the pin comes from below to slot 0, and the wheel turns the other way round to the next
    wheel = m.body("wheel", at=(distance, 0), angle=math.pi / slots, inertia=plate)
    _geneva_shapes(m, driver, wheel, slots, distance)
    m.revolute(m.ground.at(0, 0), driver.at(0, 0), name="shaft")
    hub = m.revolute(m.ground.at(distance, 0), wheel.at(0, 0), name="hub")
    m.drive(driver.angle, start=-math.pi, rpm=rpm)
    for k, way in enumerate(ways):
        across = m.gauge(f"across{k}", Displacement(Y), wheel.at(0, 0).turned(way), driver.pin)
        # above 0 while the pin is in slot k: once in n turns of the driver
        when = f"cos((driver.angle - {2.0 * math.pi * k!r}) / {slots})"
        when += f" - {math.cos(enters / slots)!r}"
        enter, leave = Direction.RISING, Direction.FALLING
        m.event(Release(when, parts=_locks(slots), direction=enter), f"open{k}")
        m.event(Latch(when, held=(across,), direction=enter), f"pin{k}")
        m.event(Release(when, parts=(f"pin{k}",), direction=leave), f"out{k}")
        m.event(Latch(when, held=(hub.angle,), direction=leave), f"lock{k}")
    return m.build()


def _geneva_shapes(
    m: Builder, driver: BodyPart, wheel: BodyPart, slots: int, distance: float
) -> None:
    """The driver with its pin and its locking disc, and the wheel with slots and hollows."""
    across, along = math.sin(math.pi / slots), math.cos(math.pi / slots)
    radius, rim = distance * across, distance * along
    pin, lock, thick = 0.08 * radius, 0.7 * radius, 0.1 * distance
    half = 1.1 * pin  # of a slot
    # where the hollow, round the driver's shaft, meets the rim; and where the slot does
    hollow = math.acos((along**2 + 1.0 - (0.7 * across) ** 2) / (2.0 * along))
    ends = math.atan2(rim * math.sin(hollow), rim * math.cos(hollow) - distance)
    wide = math.asin(half / rim)
    side = math.pi / slots
    sector = [(distance - radius - half, half * s) for s in (-1.0, 1.0)]
    sector = [_turned(point, -side) for point in sector[1:]]
    sector += arc(rim, -side + wide, -hollow, corners=4)
    sector += arc(lock, -ends, ends - math.tau, centre=distance, corners=16)
    sector += arc(rim, hollow, side - wide, corners=4)
    sector += [_turned((distance - radius - half, -half), side)]
    outline = [_turned(point, k * 2.0 * side) for k in range(slots) for point in sector]
    m.shape(wheel, Plate(tuple(outline), thick), angle=math.pi - side, name="star")
    cut = math.acos(((0.7 * across) ** 2 + 1.0 - along**2) / (1.4 * across))
    over = math.atan2(lock * math.sin(cut), lock * math.cos(cut) - distance)
    moon = arc(0.98 * lock, cut, math.tau - cut)
    moon += arc(rim, math.tau - over, over, centre=distance, corners=12)
    m.shape(driver, Plate(tuple(moon), thick), name="lock")
    arm = ((0.0, -1.5 * pin), (radius, -1.5 * pin), (radius, 1.5 * pin), (0.0, 1.5 * pin))
    m.shape(driver, Plate(arm, thick), at=(0.0, 0.0, -1.5 * thick), name="arm")
    m.shape(driver, Cylinder(pin, thick), at=(radius, 0.0), name="pin")


def _turned(point: tuple[float, float], by: float) -> tuple[float, float]:
    x, y = point
    return x * math.cos(by) - y * math.sin(by), x * math.sin(by) + y * math.cos(by)


def _refuse_few(count: Any, what: str) -> None:
    if isinstance(count, bool) or not isinstance(count, int) or count < FEWEST:
        raise BadNumber(
            f"the {what} are a whole number of at least {FEWEST}, not {count!r}: give more."
        )


def _locks(slots: int) -> tuple[str, ...]:
    return tuple(f"lock{k}" for k in range(slots))


@let_go(6.0, "drum.mark")
def ratchet(
    *,
    teeth: int = 12,
    load: float = 4.0,
    pull: float = 9.0,
    inertia: float = 0.5,
    beat: float = 1.0,
) -> Mechanism:
    """A ratchet: a lever pulls a loaded drum on, beat after beat, and a pawl catches its teeth.

    A torque `load` (N m) turns the drum back, and a pull every `beat` (s), half a wave of a sine
    `pull` high, turns it on. The drum cannot come back behind the last tooth that has passed the
    pawl: each tooth is a stop that is armed as it goes by, and what the pawl catches is lost in an
    impact.

    Own: masses and sizes.

    Examples:
        >>> import kempe
        >>> winch = kempe.gallery.ratchet().simulate(until=3.0)
        >>> [event.name for event in winch.events if event.kind == "impact"]
        ['tooth1', 'tooth2']
    """
    _refuse_few(teeth, "teeth of a ratchet")
    pitch = 2.0 * math.pi / teeth
    turned = positive(inertia, "the inertia")
    m = Builder("ratchet", plane=True)
    wheel = Inertia(10.0, np.zeros(3), np.diag([turned / 2, turned / 2, turned]))
    drum = m.body("drum", points={"mark": (0.3, 0.0)}, at=(0, 0), angle=0.0, inertia=wheel)
    m.shape(drum, Plate(toothed(teeth, (0.25, 0.0), (0.3, 0.0), (0.275, 0.5)), 0.05), name="teeth")
    m.shape(m.ground, Plate(PAWL, 0.05), name="pawl")
    hub = m.revolute(m.ground.at(0, 0), drum.at(0, 0), name="hub")
    m.force(Actuator(hub.angle, Ramp(-positive(load, "the load"))), "weight")
    wave = f"sin({2.0 * math.pi / positive(beat, 'the beat')!r} * t)"
    m.force(Control(hub.angle, f"{0.5 * pull!r} * ({wave} + abs({wave}))"), "lever")
    m.event(Stop(hub.angle, low=0.0), "tooth0")
    for k in range(1, ROUNDS * teeth + 1):
        m.event(Stop(hub.angle, low=k * pitch), f"tooth{k}")
        passed = f"hub.angle - {(k + CLEARANCE) * pitch!r}"
        m.event(Switch(passed, on=(f"tooth{k}",), direction=Direction.RISING), f"pawl{k}")
    return m.build()
