"""A four-bar linkage in the plane: build it, read it, watch it."""

import math

import kempe as kp

m = kp.Builder("four-bar", plane=True, units="mm")
crank, rocker = m.bar("crank", 30), m.bar("rocker", 70)
coupler = m.bar("coupler", 90, points={"P": (45, 40)})
m.revolute(m.ground.at(0, 0), crank.start)
m.revolute(crank.end, coupler.start)
m.revolute(coupler.end, rocker.end)
m.revolute(rocker.start, m.ground.at(100, 0))
m.drive(crank.angle, rpm=60)
mechanism = m.build()


def swing() -> float:
    """The rocker's swing (deg) from its two extremes, where crank and coupler are in line."""

    def rocker_angle(reach: float) -> float:
        return math.acos((100**2 + 70**2 - reach**2) / (2 * 100 * 70))

    return math.degrees(rocker_angle(90 + 30) - rocker_angle(90 - 30))


if __name__ == "__main__":
    turn = mechanism.kinematics(until=1.0, steps=3600)
    print(mechanism)
    print(f"The rocker swings {turn['rocker.angle'].ptp('deg'):.1f} deg;", end=" ")
    print(f"the closed form says {swing():.3f} deg.")
    print(f"P runs {turn['coupler.P'].path_length} at up to {turn['coupler.P'].speed.max()}.")
    print(f"Open {turn.animate('four_bar.html', trace='coupler.P')} in a browser.")
