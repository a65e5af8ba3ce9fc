"""A slider-crank: stroke, speed and acceleration of the piston."""

import math

import numpy as np

import kempe as kp

RPM = 3000

m = kp.Builder("slider-crank", plane=True, units="mm")
crank, rod, piston = m.bar("crank", 30), m.bar("rod", 100), m.body("piston")
m.revolute(m.ground.at(0, 0), crank.start)
m.revolute(crank.end, rod.start)
m.revolute(rod.end, piston.at(0, 0))
bore = m.prismatic(m.ground.at(0, 0), piston.at(0, 0), name="bore")
m.drive(crank.angle, rpm=RPM)
mechanism = m.build()

if __name__ == "__main__":
    turn = mechanism.kinematics(until="20 ms", steps=720)  # one turn
    travel = turn["bore.displacement"]
    print(f"stroke {travel.ptp()}, from {travel.min()} to {travel.max()}")

    fastest = int(np.argmax(np.abs(travel.rate)))
    angle = turn["crank.angle"].to("deg")[fastest]
    print(f"fastest at {angle:.1f} deg: {abs(travel.rate[fastest]):.2f} m/s")

    # At the outer dead centre the acceleration is -r w^2 (1 + r / l).
    w = RPM * math.tau / 60
    closed_form = -0.030 * w**2 * (1 + 30 / 100)
    print(f"at the outer dead centre {travel.acceleration[0]:.0f} m/s^2;", end=" ")
    print(f"the closed form says {closed_form:.0f} m/s^2")
    print(f"Open {turn.animate('slider_crank.html')} in a browser.")
