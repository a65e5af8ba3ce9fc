"""A pole on a trolley, balanced by a Python function that is called as the run goes.

The trolley is pushed by a controller that looks at four numbers. Its gains come from the linear
equations of the pole, by scipy; the function itself is plain Python and could be anything.
"""

import numpy as np
from scipy.linalg import solve_continuous_are

import kempe as kp
from kempe.forces import Action, Callback
from kempe.joints import Prismatic, Revolute

MASS, POLE, LENGTH, G = 1.0, 0.2, 0.5, 9.81  # kg, kg, m to the centre, m/s^2
MOMENT = POLE * LENGTH**2 / 3.0

m = kp.Builder("balanced pole", plane=True, gravity=(0, -G))
trolley = m.body("trolley", at=(0, 0), angle=0.0, inertia=kp.Inertia(MASS, (0, 0, 0), np.eye(3)))
pole = m.bar(
    "pole",
    2 * LENGTH,
    at=(0, 0),
    angle="100 deg",
    inertia=kp.Inertia(POLE, (LENGTH, 0, 0), np.diag([0.0, MOMENT, MOMENT])),
)
along = (1, 0, 0)
m.add(Prismatic(m.ground.at(0, 0).facing(along), trolley.at(0, 0).facing(along)), "rail")
m.add(Revolute(trolley.at(0, 0), pole.start), "pin")

# x = (place, lean, speed, turning): M x'' = ..., about the upright position
mass = np.array([[MASS + POLE, -POLE * LENGTH], [-POLE * LENGTH, MOMENT + POLE * LENGTH**2]])
pull = np.linalg.solve(mass, np.array([[0.0, 0.0], [0.0, POLE * G * LENGTH]]))
A = np.block([[np.zeros((2, 2)), np.eye(2)], [pull, np.zeros((2, 2))]])
B = np.concatenate([np.zeros(2), np.linalg.solve(mass, [1.0, 0.0])])[:, None]
gains = (B.T @ solve_continuous_are(A, B, np.diag([10.0, 10.0, 1.0, 1.0]), np.eye(1)))[0]


def controller(now):
    """The push along the rail; the pole's angle is only looked at."""
    place, angle = now.gauges
    state = np.array([place.value, angle.value - np.pi / 2, place.rate, angle.rate])
    return Action.along(-float(gains @ state), 0.0)


m.force(Callback(controller, along=(trolley.x, pole.angle)), "controller")
m.output("trolley.x")
m.output("180 / pi * pole.angle - 90", name="lean", unit="deg")
m.output("controller.effort")
mechanism = m.build()

if __name__ == "__main__":
    motion = mechanism.simulate(until=6.0, steps=300)
    print(motion.outcome)
    lean = motion["lean"].values
    print(f"leans by {lean[0]:.1f} deg at first, {lean[-1]:.2f} at last")
    print(f"pushed by {motion['controller.effort'].magnitude.max()} at most")
    motion.to_csv("balanced_pole.csv")
    motion.animate("balanced_pole.html")
