"""The trammel of Archimedes."""

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry, polar


@entry
def elliptic_trammel(*, from_x: float = 1.2, from_y: float = 0.7, start: float = 0.4) -> Mechanism:
    """A bar whose ends slide along x and y; its point P draws an ellipse exactly.

    P lies `from_x` from the end on the x axis and `from_y` from the end on the y axis, which are
    then the half axes along y and x. The bar, one turn per second, runs from the y axis to the x
    axis.

    Source: ascribed to Archimedes; the ellipsograph of every drawing office.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.elliptic_trammel().kinematics(until=1.0)
        >>> x, y = turn["bar.P"].position.T
        >>> bool(abs((x / 0.7) ** 2 + (y / 1.2) ** 2 - 1).max() < 1e-12)
        True
    """
    m = Builder("elliptic trammel", plane=True)
    length = from_x + from_y
    along = polar(length, start)
    bar = m.bar("bar", length, points={"P": (from_y, 0.0)}, at=(0, -along.imag), angle=start)
    on_x = m.body("on_x", at=(along.real, 0))
    on_y = m.body("on_y", at=(0, -along.imag))
    m.revolute(bar.end, on_x.at(0, 0), name="A")
    m.revolute(bar.start, on_y.at(0, 0), name="B")
    m.prismatic(m.ground.at(0, 0), on_x.at(0, 0), along=(1, 0), name="x_guide")
    m.prismatic(m.ground.at(0, 0), on_y.at(0, 0), along=(0, 1), name="y_guide")
    m.drive(bar.angle, start=start, rpm=60)
    return m.build()
