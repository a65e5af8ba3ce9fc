"""The crank and slotted lever."""

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, entry, polar, root, share, xy
from kempe.joints import PinInSlot


@entry
def quick_return(
    *,
    crank: float = 0.5,
    distance: float = 1.2,
    lever: float = 2.0,
    link: float = 0.6,
    start: float = 0.0,
) -> Mechanism:
    """The shaping machine: a crank pin in a slotted lever drives a ram, slowly out, quickly back.

    The lever turns about (0, 0), the crank about (0, distance); a link joins the lever's end to the
    ram, which moves along x halfway between the lever's greatest and least height. The ram's stroke
    is 2 lever crank / distance, and the times of its two strokes are as pi + 2 b to pi - 2 b with
    sin b = crank / distance: 1.753 for 5 : 12.

    Source: [Shigley] ch. 1, the crank-shaper quick-return mechanism.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.quick_return().kinematics(until=1.0, steps=3600)["ram.x"].ptp())
        1.667 m
    """
    m = Builder("crank and slotted lever", plane=True)
    pivot = complex(0.0, distance)
    pin = pivot + polar(crank, start)
    guide = 0.5 * lever * (1.0 + root(1.0 - min(1.0, share(crank, distance)) ** 2))
    tip = pin / (abs(pin) or 1.0) * lever
    ram = complex(tip.real + root(link * link - (guide - tip.imag) ** 2), guide)
    a = m.bar("crank", crank, at=xy(pivot), angle=start)
    b = bar(m, "lever", 0, tip, lever)
    c = bar(m, "link", tip, ram, link)
    d = m.body("ram", at=xy(ram))
    m.revolute(m.ground.at(*xy(pivot)), a.start, name="A")
    m.revolute(m.ground.at(0, 0), b.start, name="O")
    m.add(PinInSlot(b.at(0, 0).facing((1, 0)), a.end), "slot")
    m.revolute(b.end, c.start, name="B")
    m.revolute(c.end, d.at(0, 0), name="C")
    m.prismatic(m.ground.at(0, guide), d.at(0, 0), name="guide")
    m.drive(a.angle, start=start, rpm=60)
    return m.build()
