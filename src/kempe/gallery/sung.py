"""The worked examples of Sung's thesis, with their printed dimensions.

Source: [Sung] ch. V. Bodies keep the numbers of the thesis (body2, body3, ...), body 1 is the
ground; each body's origin lies where the thesis puts it.
"""

from kempe.drives import Ramp
from kempe.errors import BadNumber
from kempe.front import Builder, Mechanism, merge
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


def sung_slider_crank(*, model: int = 1) -> Mechanism:
    """The slider-crank: model 1 with the data of table 5.2, model 2 with those of table 5.3.

    The drive of model 1 is read off the printed angles; model 2, which the thesis merges with the
    four-bar, has the same one.
    """
    m = Builder("Sung's slider-crank", plane=True)
    if model == 1:
        crank = _body(m, "body2", (-86.6, 50.0, 5.76), {"b": (-100.0, 0.0), "a": (100.0, 0.0)})
        rod = _body(m, "body3", (-467.0, 40.0, 0.2), {"b": (-200.0, 0.0), "a": (300.0, 0.0)})
        slider, pivot = _body(m, "body4", (-663.1, 0.0, 0.0), {}), m.ground.at(0, 0)
    elif model == 2:
        crank = _body(m, "body2", (5.34, 0.94, 1.222), {"a": (-1.0, 0.0), "b": (1.0, 0.0)})
        rod = _body(m, "body3", (6.88, 0.96, 5.585), {"a": (-1.5, 0.0), "b": (1.5, 0.0)})
        slider, pivot = _body(m, "body4", (8.0, 0.0, 0.0), {}), m.ground.at(5, 0)
    else:
        raise BadNumber(f"sung_slider_crank: there are the models 1 and 2, not {model}.")
    m.revolute(slider.at(0, 0), rod.b, name="joint1")
    m.revolute(rod.a, crank.b, name="joint2")
    m.revolute(crank.a, pivot, name="joint3")
    m.prismatic(m.ground.at(0, 0), slider.at(0, 0), name="joint4")
    m.drive(crank.angle, Ramp(5.76 if model == 1 else 1.222, -1.2))
    return m.build()


def sung_combined() -> Mechanism:
    """The four-bar drives a slider-crank through a link (table 5.3): two library members merged.

    The slider-crank loses its drive; body 8 joins its crank to the rocker of the four-bar.
    """
    both = merge(
        sung_four_bar(),
        sung_slider_crank(model=2),
        rename={
            "body2": "body5",
            "body3": "body6",
            "body4": "body7",
            "joint1": "joint9",
            "joint2": "joint8",
            "joint3": "joint7",
            "joint4": "joint10",
        },
        name="Sung's combined mechanism",
    )
    m = both.edit()
    m.remove("body5.angle")
    link = _body(m, "body8", (4.5, 1.34, 5.864), {"a": (-1.0, 0.0), "b": (1.0, 0.0)})
    m.revolute(BodyPart(m, "body4").at(0, 0), link.a, name="joint5")
    m.revolute(BodyPart(m, "body5").at(0, 0), link.b, name="joint6")
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
