"""A joint of one's own: a cam with a roller follower, written as one formula."""

import math
from dataclasses import dataclass
from typing import ClassVar

import kempe as kp


@dataclass(frozen=True)
class Cam(kp.AbstractJoint):
    """The origin of J rides on a cam that turns with I and lifts it like a cosine.

    phi = rho - base - lift (1 - cos a) / 2,  (rho, a) the polar coordinates of J about z of I
    """

    base: float = 0.0  # m, radius where the follower is lowest
    lift: float = 0.0  # m

    rows: ClassVar[tuple[str, ...]] = ("m",)
    symbol: ClassVar[str] = "contact"

    def phi(self, X_WI: kp.Pose, X_WJ: kp.Pose) -> list[object]:
        d = X_WJ.position - X_WI.position
        x, y = d @ X_WI.axis(kp.X), d @ X_WI.axis(kp.Y)
        rho = kp.sqrt(x * x + y * y)
        return [rho - self.base - 0.5 * self.lift * (1 - x / rho)]  # cos a = x / rho


def outline(base: float, lift: float, corners: int = 24) -> dict[str, tuple[float, float]]:
    """Points of the cam's contour, to draw it by."""
    points = {}
    for k in range(corners):
        a = math.tau * k / corners
        rho = base + 0.5 * lift * (1 - math.cos(a))
        points[f"c{k}"] = (rho * math.cos(a), rho * math.sin(a))
    return points


m = kp.Builder("cam and follower", plane=True)
contour = outline(0.030, 0.020)
cam = m.body("cam", points=contour, outline=tuple(contour))
stem = {"roller": (0.0, 0.0), "top": (0.0, 0.05)}
follower = m.body("follower", points=stem, outline=tuple(stem))
m.revolute(m.ground.at(0, 0), cam.at(0, 0), name="shaft")
m.prismatic(m.ground.at(0, 0), follower.roller, along=(0, 1), name="guide")
m.add(Cam(cam.at(0, 0), follower.roller, base=0.030, lift=0.020), name="contact")
m.drive(cam.angle, rpm=60)
mechanism = m.build()

if __name__ == "__main__":
    turn = mechanism.kinematics(until=1.0)
    lift = turn["guide.displacement"]
    print(f"The cam lifts the follower {lift.ptp('mm')},", end=" ")
    fastest, closed_form = abs(lift.rate).max(), math.pi * 0.020  # pi lift / T
    print(f"at up to {1e3 * fastest:.1f} mm/s; the closed form says {1e3 * closed_form:.1f} mm/s.")
    for degree in range(0, 361, 60):
        print(f"{degree:6} deg {lift.to('mm')[degree]:8.3f} mm")
    print(f"Open {turn.animate('cam.html')} in a browser.")
