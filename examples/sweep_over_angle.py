"""A sweep over an angle that meets a dead point: it stops there and says so."""

import math

import kempe as kp

m = kp.Builder("double rocker", plane=True, units="mm")
crank, coupler, rocker = m.bar("crank", 60), m.bar("coupler", 50), m.bar("rocker", 70)
m.revolute(m.ground.at(0, 0), crank.start)
m.revolute(crank.end, coupler.start)
m.revolute(coupler.end, rocker.end)
m.revolute(rocker.start, m.ground.at(100, 0))
m.drive(crank.angle, start="60 deg", rpm=10)
mechanism = m.build()

# Coupler and rocker lie in line where the diagonal has the length 50 + 70.
DEAD_POINT = math.degrees(math.acos((60**2 + 100**2 - 120**2) / (2 * 60 * 100)))

if __name__ == "__main__":
    sweep = mechanism.kinematics(over=("crank.angle", "60 deg", "360 deg"), steps=600)
    reached = math.degrees(float(sweep.outcome.facts["value"]))
    print(sweep.outcome)
    print(f"dead point at {reached:.1f} deg; the closed form differs by", end=" ")
    print(f"{abs(reached - DEAD_POINT):.0e} deg")
    print(" crank    rocker")
    for k in range(0, len(sweep), 12):
        print(f"{sweep['crank.angle'].to('deg')[k]:6.1f} {sweep['rocker.angle'].to('deg')[k]:8.3f}")
    page = sweep.animate("double_rocker.html")
    print(f"Open {page} in a browser: the mark on its time line is the dead point.")
