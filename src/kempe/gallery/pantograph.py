"""The pantograph."""

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, dyad, entry


@entry
def pantograph(
    *,
    ratio: float = 2.0,
    near: float = 0.25,
    far: float = 0.25,
    crank: float = 0.06,
    centre: tuple[float, float] = (0.32, 0.0),
) -> Mechanism:
    """A jointed parallelogram: the pen P draws `ratio` times what the tracing point T follows.

    The linkage is pinned at O = (0, 0). `near` and `far` are the lengths from O to the elbow of T
    and from there to T; O, T and P stay on one line. A crank about `centre` leads T round a circle,
    so P draws one `ratio` times as large.

    Source: Christoph Scheiner, Pantographice, 1631; the skew one: [Kempe].

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.pantograph().kinematics(until=1.0)
        >>> bool(abs(turn["far.P"].position - 2.0 * turn["inner.T"].position).max() < 1e-12)
        True
    """
    m = Builder("pantograph", plane=True)
    K = complex(*centre)
    T = K + crank
    A = dyad(0, T, near, far)
    B = ratio * A
    long = bar(m, "near", 0, A, ratio * near)
    across = bar(m, "far", B, ratio * T, ratio * far, {"P": (ratio * far, 0.0)})
    inner = bar(m, "inner", A, T, far, {"T": (far, 0.0)})
    outer = bar(m, "outer", T, T + B - A, (ratio - 1.0) * near)
    driver = m.bar("crank", crank, at=centre, angle=0.0)
    m.revolute(m.ground.at(0, 0), long.start, name="O")
    m.revolute(long.at(near, 0), inner.start, name="A")
    m.revolute(long.end, across.start, name="B")
    m.revolute(across.at(far, 0), outer.end, name="C")
    m.revolute(inner.end, outer.start, name="T_pin")
    m.revolute(m.ground.at(*centre), driver.start, name="K")
    m.revolute(driver.end, inner.end, name="hand")
    m.drive(driver.angle, rpm=60)
    return m.build()
