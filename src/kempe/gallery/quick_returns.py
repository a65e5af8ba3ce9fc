"""Quick returns: a crank pin in a slotted lever, whose link drives a ram."""

from cmath import phase

from kempe.front import Builder, Mechanism
from kempe.front.parts import BodyPart
from kempe.gallery.sketch import bar, entry, polar, root, share, xy
from kempe.geometry import Marker
from kempe.joints import PinInSlot


@entry
def quick_return(
    *, crank: float = 0.5, distance: float = 1.2, lever: float = 2.0, link: float = 0.6,
    start: float = 0.0,
) -> Mechanism:  # fmt: skip
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
    _join(m, pivot, (a, b, c, d), b.end, guide)
    m.drive(a.angle, start=start, rpm=60)
    return m.build()


@entry
def whitworth(
    *, crank: float = 0.1, distance: float = 0.05, arm: float = 0.08, link: float = 0.25,
    start: float = 0.0,
) -> Mechanism:  # fmt: skip
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
    _join(m, pivot, (a, b, c, d), b.back, 0.0)
    m.drive(a.angle, start=start, rpm=60)
    return m.build()


def _join(
    m: Builder,
    pivot: complex,
    parts: tuple[BodyPart, BodyPart, BodyPart, BodyPart],
    end: Marker,
    height: float,
) -> None:
    """Crank at the pivot, its pin in the lever's slot, a link from the lever's end to the ram."""
    crank, lever, link, ram = parts
    m.revolute(m.ground.at(*xy(pivot)), crank.start, name="A")
    m.revolute(m.ground.at(0, 0), lever.at(0, 0), name="O")
    m.add(PinInSlot(lever.at(0, 0).facing((1, 0)), crank.end), "slot")
    m.revolute(end, link.start, name="B")
    m.revolute(link.end, ram.at(0, 0), name="C")
    m.prismatic(m.ground.at(0, height), ram.at(0, 0), name="guide")
