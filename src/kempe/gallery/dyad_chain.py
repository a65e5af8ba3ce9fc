"""A chain of dyads."""

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, count, dyad, entry, polar, xy


@entry
def dyad_chain(
    *,
    dyads: int = 2,
    crank: float = 1.0,
    coupler: float = 3.0,
    rocker: float = 2.5,
    ground: float = 2.8,
    start: float = 1.0,
) -> Mechanism:
    """A crank, and one dyad (coupler and rocker) after the other, each driven by the rocker before.

    One dyad makes a four-bar, two a six-bar, three an eight-bar. A rocker drives the next coupler
    at the crank's radius, so that every dyad closes whatever the one before does, in two ways: the
    chain has 2^dyads separate loops of motion.

    Own: the count is that of the two sides on which each dyad closes.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.dyad_chain(dyads=2).motions())
        chain of 2 dyads: 4 loops - complete.
    """
    count(dyads, "dyad_chain: dyads", 1, 20)
    m = Builder(f"chain of {dyads} dyad{'s' * (dyads > 1)}", plane=True)
    driver = m.bar("crank", crank, at=(0.0, 0.0), angle=start)
    m.revolute(m.ground.at(0.0, 0.0), driver.start, name="O")
    hold, B = driver.end, polar(crank, start)
    for k in range(1, dyads + 1):
        D = complex(ground * k)
        C = dyad(B, D, coupler, rocker)
        rod = bar(m, f"coupler{k}", B, C, coupler)
        swing = bar(m, f"rocker{k}", D, C, rocker, {"knee": (crank, 0.0)})
        m.revolute(hold, rod.start, name=f"B{k}")
        m.revolute(rod.end, swing.end, name=f"C{k}")
        m.revolute(m.ground.at(*xy(D)), swing.start, name=f"D{k}")
        hold, B = swing.knee, D + crank * (C - D) / abs(C - D)
    m.drive(driver.angle, start=start, rpm=60)
    return m.build()
