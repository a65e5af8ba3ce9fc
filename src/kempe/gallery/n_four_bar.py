"""A row of parallelograms."""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import count
from kempe.gallery.sketch_of_masses import DOWN, let_go, slender


@let_go(10.0)
def n_four_bar(
    *, loops: int = 4, length: float = 1.0, mass: float = 1.0, spin: float = 1.0
) -> Mechanism:
    """Parallelograms in a row that go round and round, through the positions where all lie flat.

    Lying flat every crank could go its own way, `loops` + 1 freedoms instead of one; kempe keeps
    to the branch it is on. The first crank is pushed at `spin` (rad/s) from upright.

    Source: [IFToMM] A02.

    Examples:
        >>> import kempe
        >>> row = kempe.gallery.n_four_bar(loops=2).simulate(until=10.0)
        >>> first, last = row["crank0.angle"].values, row["crank2.angle"].values
        >>> bool(abs(first - last).max() < 1e-9)
        True
    """
    count(loops, "n_four_bar: loops", 1, 10_000)
    m = Builder(f"{loops}-four-bar", plane=True, gravity=DOWN)
    rod = slender(mass, length)
    before = None
    for k in range(loops + 1):
        end = {"P": (length, 0.0)} if k == loops else None
        at = (k * length, 0.0)
        crank = m.bar(f"crank{k}", length, points=end, at=at, angle=0.5 * math.pi, inertia=rod)
        m.revolute(m.ground.at(k * length, 0), crank.start, name=f"A{k}")
        if before is None:
            m.rate(crank.angle, -spin)
        else:
            bar = m.bar(f"bar{k}", length, at=(at[0] - length, length), angle=0.0, inertia=rod)
            m.revolute(before.end, bar.start, name=f"B{k}")
            m.revolute(bar.end, crank.end, name=f"C{k}")
        before = crank
    return m.build()
