"""The worked examples of Sung's thesis, with their printed dimensions.

Source: [Sung] ch. V. Bodies keep the numbers of the thesis (body2, body3, ...), body 1 is the
ground; each body's origin lies where the thesis puts it.
"""

from kempe.drives import Ramp
from kempe.front import Builder, Mechanism
from kempe.front.parts import BodyPart

Estimate = tuple[float, float, float]


def sung_four_bar() -> Mechanism:
    """The four-bar of table 5.1 with its interesting point P on the coupler.

    Joint 4 is at (-2, 0) of body 4 and (2.5, 0) of the ground, as in the sample program; table
    5.1.2 prints other numbers there, which do not reproduce the printed results.
    """
    m = Builder("Sung's four-bar", plane=True)
    _four_bar(m)
    return m.build()


def sung_slider_crank() -> Mechanism:
    """The slider-crank of table 5.2; the drive is read off the printed angles."""
    m = Builder("Sung's slider-crank", plane=True)
    crank = _body(m, "body2", (-86.6, 50.0, 5.76), {"a": (-100.0, 0.0), "b": (100.0, 0.0)})
    rod = _body(m, "body3", (-467.0, 40.0, 0.2), {"a": (-200.0, 0.0), "b": (300.0, 0.0)})
    slider = _body(m, "body4", (-663.1, 0.0, 0.0), {})
    m.revolute(slider.at(0, 0), rod.a, name="joint1")
    m.revolute(rod.b, crank.a, name="joint2")
    m.revolute(crank.b, m.ground.at(0, 0), name="joint3")
    m.prismatic(m.ground.at(0, 0), slider.at(0, 0), name="joint4")
    m.drive(crank.angle, Ramp(5.76, -1.2))
    return m.build()


def sung_combined() -> Mechanism:
    """The four-bar drives a slider-crank through a link (table 5.3)."""
    m = Builder("Sung's combined mechanism", plane=True)
    _four_bar(m)
    rocker = BodyPart(m, "body4")
    crank = _body(m, "body5", (5.34, 0.94, 1.222), {"a": (-1.0, 0.0), "b": (1.0, 0.0)})
    rod = _body(m, "body6", (6.88, 0.96, 5.585), {"a": (-1.5, 0.0), "b": (1.5, 0.0)})
    slider = _body(m, "body7", (8.0, 0.0, 0.0), {})
    link = _body(m, "body8", (4.5, 1.34, 5.864), {"a": (-1.0, 0.0), "b": (1.0, 0.0)})
    m.revolute(rocker.at(0, 0), link.a, name="joint5")
    m.revolute(crank.at(0, 0), link.b, name="joint6")
    m.revolute(m.ground.at(5, 0), crank.a, name="joint7")
    m.revolute(crank.b, rod.a, name="joint8")
    m.revolute(rod.b, slider.at(0, 0), name="joint9")
    m.prismatic(m.ground.at(0, 0), slider.at(0, 0), name="joint10")
    return m.build()


def _four_bar(m: Builder) -> None:
    crank = _body(m, "body2", (0.5, 0.8, 1.047), {"a": (-1.0, 0.0), "b": (1.0, 0.0)})
    coupler = _body(
        m, "body3", (2.6, 2.6, 0.524), {"a": (-2.0, 0.0), "b": (2.0, 0.0), "P": (0.5, 1.5)}
    )
    rocker = _body(m, "body4", (3.5, 1.8, 1.047), {"a": (-2.0, 0.0), "b": (2.0, 0.0)})
    m.revolute(m.ground.at(0, 0), crank.a, name="joint1")
    m.revolute(crank.b, coupler.a, name="joint2")
    m.revolute(coupler.b, rocker.b, name="joint3")
    m.revolute(rocker.a, m.ground.at(2.5, 0), name="joint4")
    m.drive(crank.angle, Ramp(1.0472, 6.2832))


def _body(
    m: Builder, name: str, estimate: Estimate, points: dict[str, tuple[float, float]]
) -> BodyPart:
    x, y, angle = estimate
    return m.body(name, points=points, at=(x, y), angle=angle, outline=tuple(points))
