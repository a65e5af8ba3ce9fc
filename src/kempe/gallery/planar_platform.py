"""A platform on three legs in the plane."""

from kempe.drives import Harmonic, Ramp
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, dyad, entry, xy
from kempe.measures import Distance, Gauge

BASE = (2.14211962768857, 1.0727735915972545, 2.70866492198894)
SIDES = (2.8410029007057567, 2.5882142668935026, 2.705926109558127)
LEGS = (2.8187300513023654, 3.1461464000712254, 3.317923947043593)
SWING = 0.05  # m, by which the first leg goes out and in


@entry
def planar_platform(
    *,
    base: tuple[float, float, float] = BASE,
    sides: tuple[float, float, float] = SIDES,
    legs: tuple[float, float, float] = LEGS,
    left: bool = True,
) -> Mechanism:
    """A triangle PQR of three bars on three telescopic legs; the first of them swings.

    The legs stand on (0, 0), (base[0], 0) and (base[1], base[2]) and are given by their lengths;
    `sides` are PQ, QR and RP: a 3-RPR platform. With these dimensions the triangle can be put on
    its legs in 6 ways, and in 6 more with its corners the other way round.

    Source: [Hunt] for the 3-RPR platform; Own dimensions.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.planar_platform().assemblies(at=0))
        planar platform: 12 assemblies - complete.
    """
    m = Builder("planar platform", plane=True)
    feet = (0j, complex(base[0]), complex(base[1], base[2]))
    P, Q, R = _corners(feet, sides, legs, left=left)
    PQ, QR, RP = (
        bar(m, "PQ", P, Q, sides[0]),
        bar(m, "QR", Q, R, sides[1]),
        bar(m, "RP", R, P, sides[2]),
    )
    m.revolute(PQ.end, QR.start, name="Q")
    m.revolute(QR.end, RP.start, name="R")
    m.revolute(RP.end, PQ.start, name="P")
    first = Harmonic(mean=legs[0], amplitude=SWING, frequency=1.0)
    laws = (first, Ramp(legs[1]), Ramp(legs[2]))
    for k, (foot, corner, law) in enumerate(zip(feet, (PQ, QR, RP), laws, strict=True)):
        leg = Gauge(f"leg{k + 1}.length", Distance(), m.ground.at(*xy(foot)), corner.start)
        m.drive(leg, law)
    return m.build()


def _corners(
    feet: tuple[complex, complex, complex],
    sides: tuple[float, float, float],
    legs: tuple[float, float, float],
    *,
    left: bool,
) -> tuple[complex, complex, complex]:
    """Corners near an assembly: P at its leg's length where the third leg fits best."""
    from cmath import exp, pi

    def placed(angle: float) -> tuple[float, tuple[complex, complex, complex]]:
        P = feet[0] + legs[0] * exp(1j * angle)
        Q = dyad(P, feet[1], sides[0], legs[1])
        R = dyad(P, Q, sides[2], sides[1]) if left else dyad(Q, P, sides[1], sides[2])
        gap = abs(abs(R - feet[2]) - legs[2]) + abs(abs(Q - feet[1]) - legs[1])
        return gap, (P, Q, R)

    return min((placed(2.0 * pi * k / 720) for k in range(720)), key=lambda found: found[0])[1]
