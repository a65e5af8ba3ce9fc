"""How well a four-bar transmits: transmission angle, velocity ratio, centrodes, curvature."""

import math

import kempe as kp
from kempe.pictures.rolling_curves import rolling_svg

mechanism = kp.gallery.four_bar(crank=30, coupler=90, rocker=70, ground=100, units="mm")

# The angle is extreme where crank and ground lie in line: the cosine rule knows both.
WORST, BEST = (
    math.degrees(math.acos((90**2 + 70**2 - diagonal**2) / (2 * 90 * 70)))
    for diagonal in (100 - 30, 100 + 30)
)

if __name__ == "__main__":
    turn = mechanism.kinematics(until=1.0)
    angle = turn.transmission.angle()
    ratio = turn.transmission.velocity_ratio("rocker.angle", "crank.angle")
    print(f"The transmission angle goes from {angle.min('deg')} to {angle.max('deg')}")
    print(f"(closed form: {WORST:.2f} to {BEST:.2f} deg),")
    print(f"the rocker turns up to {ratio.max()} times as fast as the crank.")
    radius = abs(turn["coupler.P"].curvature.radius.values).min()
    print(f"The path of P bends most with a radius of {1e3 * radius:.1f} mm.")
    figure = turn.plot(
        "transmission.angle", "d(rocker.angle)/d(crank.angle)", against="crank.angle"
    )
    figure.savefig("transmission.png")
    with open("centrodes.svg", "w", encoding="utf-8") as picture:
        picture.write(rolling_svg(turn, "coupler"))
    print("Look at transmission.png and centrodes.svg.")
