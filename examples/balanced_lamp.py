"""A desk lamp: the preload that holds its arm, whether it stays there, and how it swings.

The arm is held by a spring from the post to a point of the arm. Its preload is found so that the
lamp rests at 30 degrees; the linear equations about that position say how it swings when touched.
"""

import math

import numpy as np

import kempe as kp
from kempe.forces import LineSpring, SpringDamper

MASS, CENTRE, MOMENT, G = 1.2, 0.35, 0.02, 9.81  # kg, m along the arm, kg m^2, m/s^2
POST, HOLD, STIFFNESS, FREE = 0.2, 0.15, 300.0, 0.12  # m, m, N/m, m
ANGLE = math.radians(30.0)

m = kp.Builder("desk lamp", plane=True, gravity=(0, -G))
head = kp.Inertia(MASS, (CENTRE, 0, 0), np.diag([0.0, MOMENT, MOMENT]))
arm = m.bar("arm", 0.45, points={"hook": (HOLD, 0)}, at=(0, 0), angle=ANGLE, inertia=head)
hinge = m.revolute(m.ground.at(0, 0), arm.start, name="hinge")
m.force(LineSpring(m.ground.at(0, POST), arm.hook, stiffness=STIFFNESS, free=FREE), "spring")
m.force(SpringDamper(hinge.angle, damping=0.05), "friction")
lamp = m.build()

held = lamp.preload("spring.preload")
preload = held.values["spring.preload"]
# Closed form: the pull P along the spring has the moment P * POST * HOLD * cos(a) / L.
length = math.hypot(HOLD * math.cos(ANGLE), POST - HOLD * math.sin(ANGLE))
pull = MASS * G * CENTRE * length / (POST * HOLD)
exact = pull - STIFFNESS * (length - FREE)
print(f"A preload of {preload:.3f} N holds it at 30 deg ({exact:.3f} N in closed form).")

mechanism = held.mechanism
rest = mechanism.statics()
print(rest.report)
swing = mechanism.linearize(rest)
print(swing)

push = mechanism.linearize(rest, inputs=("hinge.angle",), outputs=("hinge.angle",))
steady = abs(push.response([0.0])[0])
print(f"1 N m at the hinge turns it by {math.degrees(steady):.2f} deg.")
swing.animate("balanced_lamp.html", 1, amplitude=0.15)
