"""Machines that turn a shaft in steps: a Geneva drive and a ratchet."""

import math
from typing import Any

import numpy as np

from kempe.drives import Ramp
from kempe.errors import BadNumber
from kempe.events import Direction, Latch, Release, Stop, Switch
from kempe.forces import Actuator, Control
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch_of_masses import let_go
from kempe.geometry import Inertia, Y
from kempe.geometry.number import positive
from kempe.measures import Displacement

ROUNDS = 2  # turns of a ratchet that have teeth
FEWEST = 3  # slots or teeth
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
        outline=("hub", "pin"),
        at=(0, 0),
        angle=-math.pi,
        inertia=plate,
    )
    rim = distance * math.cos(math.pi / slots)
    ways = [math.pi + 2.0 * math.pi * k / slots for k in range(slots)]
    ends = {f"slot{k}": (rim * math.cos(w), rim * math.sin(w)) for k, w in enumerate(ways)}
    # the pin comes from below to slot 0, and the wheel turns the other way round to the next
    wheel = m.body(
        "wheel", points={"hub": (0.0, 0.0)} | ends, at=(distance, 0), angle=math.pi / slots,
        outline=tuple(corner for name in ends for corner in ("hub", name)), inertia=plate,
    )  # fmt: skip
    m.revolute(m.ground.at(0, 0), driver.at(0, 0), name="shaft")
    hub = m.revolute(m.ground.at(distance, 0), wheel.at(0, 0), name="hub")
    m.drive(driver.angle, start=-math.pi, rpm=rpm)
    for k, way in enumerate(ways):
        across = m.gauge(f"across{k}", Displacement(Y), wheel.at(0, 0).turned(way), driver.pin)
        # above 0 while the pin is in slot k: once in n turns of the driver
        when = f"cos((driver.angle - {2.0 * math.pi * k!r}) / {slots})"
        when += f" - {math.cos(enters / slots)!r}"
        enter, leave = Direction.RISING, Direction.FALLING
        m.event(Latch(when, held=(across,), direction=enter), f"pin{k}")
        m.event(Release(when, parts=_locks(slots), direction=enter), f"open{k}")
        m.event(Release(when, parts=(f"pin{k}",), direction=leave), f"out{k}")
        m.event(Latch(when, held=(hub.angle,), direction=leave), f"lock{k}")
    return m.build()


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
    spokes = [(math.cos(k * pitch), math.sin(k * pitch)) for k in range(teeth)]
    rim = {f"tooth{k}": (0.3 * x, 0.3 * y) for k, (x, y) in enumerate(spokes)}
    drum = m.body(
        "drum",
        points={"mark": (0.3, 0.0)} | rim,
        outline=(*rim, "tooth0"),
        at=(0, 0),
        angle=0.0,
        inertia=wheel,
    )
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
