"""The parallel gripper."""

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, entry, root, swing, xy


@entry
def gripper(
    *, arm: float = 0.06, spacing: float = 0.03, half_width: float = 0.03, horn: float = 0.02,
    link: float = 0.04, finger: float = 0.06, pad: float = 0.012, stroke: float = 0.0055,
) -> Mechanism:  # fmt: skip
    """A gripper whose fingers stay parallel: each hangs on two equal arms, and one rod moves all.

    The arms, level at the start, turn about pivots at x = 0, the inner ones `half_width` from the
    middle line, the outer ones `spacing` beyond. Each inner arm has a horn square to it, inwards,
    which a link joins to the rod; the rod moves along x by `stroke` either way, once per second.
    The pads P, `pad` inside the inner arms' ends, stand 2 (half_width - pad + arm sin a) apart, a
    being the arms' angle.

    Source: Own dimensions.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.gripper().kinematics(until=1.0)
        >>> turn["upper_finger.angle"].ptp("deg") < 1e-9
        True
    """
    m = Builder("parallel gripper", plane=True)
    height = half_width - horn  # of the horns' tips
    head = complex(-root(link * link - height * height))
    rod = m.body(
        "rod", points={"back": (-link, 0.0), "head": (0, 0)}, at=xy(head), outline=("back", "head")
    )
    m.prismatic(m.ground.at(*xy(head)), rod.at(0, 0), name="guide")
    for word, side in (("upper", 1.0), ("lower", -1.0)):
        inner_pivot = complex(0, side * half_width)
        outer_pivot = complex(0, side * (half_width + spacing))
        points = {"horn": (0.0, -side * horn)}
        inner = m.bar(f"{word}_inner", arm, at=xy(inner_pivot), angle=0.0, points=points)
        outer = m.bar(f"{word}_outer", arm, at=xy(outer_pivot), angle=0.0)
        tips = {"P": (-pad, -side * finger), "tip": (0.0, -side * finger)}
        jaw = bar(m, f"{word}_finger", arm + inner_pivot, arm + outer_pivot, spacing, tips)
        push = bar(m, f"{word}_link", head, complex(0.0, side * height), link)
        m.revolute(m.ground.at(*xy(inner_pivot)), inner.start, name=f"{word}_inner_pivot")
        m.revolute(m.ground.at(*xy(outer_pivot)), outer.start, name=f"{word}_outer_pivot")
        m.revolute(inner.end, jaw.start, name=f"{word}_inner_pin")
        m.revolute(outer.end, jaw.end, name=f"{word}_outer_pin")
        m.revolute(rod.at(0, 0), push.start, name=f"{word}_head")
        m.revolute(push.end, inner.horn, name=f"{word}_horn")
    swing(m, rod.x, head.real, stroke)
    return m.build()
