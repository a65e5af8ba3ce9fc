"""Oldham's coupling."""

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry, polar, xy


@entry
def oldham(*, offset: float = 0.02, radius: float = 0.05, start: float = 0.3) -> Mechanism:
    """Two parallel shafts that are out of line, joined by a disc with two tongues at right angles.

    The driving shaft turns about (0, 0), the driven one about (offset, 0). They turn alike at every
    moment; the disc's middle P runs round the circle over `offset` twice per turn.

    Source: John Oldham, 1821; [Shigley] ch. 1.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.oldham().kinematics(until=1.0)
        >>> bool(abs(turn["driven.angle"].values - turn["driving.angle"].values).max() < 1e-12)
        True
    """
    m = Builder("Oldham's coupling", plane=True)
    across, along = {"a": (-radius, 0.0), "b": (radius, 0.0)}, {"a": (0, -radius), "b": (0, radius)}
    u = polar(1.0, start)
    middle = offset * u.real * u
    first = m.body("driving", points=across, at=(0, 0), angle=start, outline=("a", "b"))
    second = m.body("driven", points=along, at=(offset, 0), angle=start, outline=("a", "b"))
    edge = 0.5 * radius
    corners = {"e": (edge, 0.0), "n": (0.0, edge), "w": (-edge, 0.0), "s": (0.0, -edge)}
    disc = m.body(
        "disc", points={"P": (0, 0), **corners}, at=xy(middle), angle=start, outline=tuple(corners)
    )
    m.revolute(m.ground.at(0, 0), first.at(0, 0), name="A")
    m.revolute(m.ground.at(offset, 0), second.at(0, 0), name="B")
    m.prismatic(first.at(0, 0), disc.at(0, 0), along=(1, 0), name="first_tongue")
    m.prismatic(second.at(0, 0), disc.at(0, 0), along=(0, 1), name="second_tongue")
    m.drive(first.angle, start=start, rpm=60)
    return m.build()
