"""The scissor lift."""

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, count, entry, root, swing, xy
from kempe.joints import PinInSlot


@entry
def scissor_lift(
    *, stages: int = 3, arm: float = 2.0, width: float = 1.5, travel: float = 0.4
) -> Mechanism:
    """Crossed arms, stage upon stage, that lift a platform as their feet are drawn together.

    The left feet are pinned at (0, 0), the right ones slide along x; they are driven to and fro by
    `travel` about `width`, once per second. The platform P stays level and stands at
    stages sqrt(arm^2 - x^2) over the feet, x apart.

    Source: Own dimensions; the lazy tongs are of old.

    Examples:
        >>> import kempe
        >>> print(f"{kempe.gallery.scissor_lift().kinematics(until=1.0)['platform.y'].max():.4f}")
        5.0110
    """
    count(stages, "scissor_lift: stages", 1, 50)
    m = Builder(f"scissor lift of {stages} stages", plane=True)
    height = root(arm * arm - width * width)
    foot = m.body("foot", at=(width, 0))
    m.prismatic(m.ground.at(0, 0), foot.at(0, 0), name="guide")
    left_foot, right_foot = m.ground.at(0, 0), foot.at(0, 0)
    for k in range(1, stages + 1):
        low, high = complex(0, (k - 1) * height), complex(0, k * height)
        rising = bar(m, f"rising{k}", low, high + width, arm)
        falling = bar(m, f"falling{k}", low + width, high, arm)
        m.revolute(left_foot, rising.start, name=f"left{k}")
        m.revolute(right_foot, falling.start, name=f"right{k}")
        m.revolute(rising.at(0.5 * arm, 0), falling.at(0.5 * arm, 0), name=f"middle{k}")
        left_foot, right_foot = falling.end, rising.end
    edges = {"P": (0.5 * arm, 0.0), "left": (0.0, 0.0), "right": (arm, 0.0)}
    platform = m.body(
        "platform", points=edges, at=xy(complex(0, stages * height)), outline=("left", "right")
    )
    m.revolute(left_foot, platform.left, name="top")
    m.add(PinInSlot(platform.at(0, 0).facing((1, 0)), right_foot), "roller")
    swing(m, foot.x, width, travel)
    return m.build()
