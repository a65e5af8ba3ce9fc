"""Whitworth's quick return."""

from cmath import phase

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, entry, polar, root, xy
from kempe.joints import PinInSlot


@entry
def whitworth(
    *,
    crank: float = 0.1,
    distance: float = 0.05,
    arm: float = 0.08,
    link: float = 0.25,
    start: float = 0.0,
) -> Mechanism:
    """A crank longer than the pivots' distance turns a slotted lever unevenly; it drives a ram.

    The lever turns all the way round about (0, 0), the crank about (0, distance). The lever's short
    arm, on the far side, drives the ram along x by a link: stroke 2 arm, and the times of its two
    strokes are as pi + 2 b to pi - 2 b with sin b = distance / crank: 2 to 1 here.

    Source: Joseph Whitworth, about 1849; [Shigley] ch. 1.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.whitworth().kinematics(until=1.0, steps=3600)["ram.x"].ptp("mm"))
        160 mm
    """
    m = Builder("Whitworth's quick return", plane=True)
    pivot = complex(0.0, distance)
    pin = pivot + polar(crank, start)
    along = pin / (abs(pin) or 1.0)
    tip = -arm * along
    ram = complex(tip.real - root(link * link - tip.imag**2))
    a = m.bar("crank", crank, at=xy(pivot), angle=start)
    points = {"back": (-arm, 0.0), "front": (1.1 * (crank + distance), 0.0)}
    b = m.body("lever", points=points, at=(0, 0), angle=phase(along), outline=("back", "front"))
    c = bar(m, "link", tip, ram, link)
    d = m.body("ram", at=xy(ram))
    m.revolute(m.ground.at(*xy(pivot)), a.start, name="A")
    m.revolute(m.ground.at(0, 0), b.at(0, 0), name="O")
    m.add(PinInSlot(b.at(0, 0).facing((1, 0)), a.end), "slot")
    m.revolute(b.back, c.start, name="B")
    m.revolute(c.end, d.at(0, 0), name="C")
    m.prismatic(m.ground.at(0, 0), d.at(0, 0), name="guide")
    m.drive(a.angle, start=start, rpm=60)
    return m.build()
