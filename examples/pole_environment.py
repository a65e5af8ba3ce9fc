"""A pole on a trolley as an environment of Gymnasium: an agent pushes, kempe moves, names are read.

The trolley is pushed by the agent, from -20 N to 20 N, fifty times a second. An episode ends where
the pole leans by more than 20 degrees, or after ten seconds. Steps have one length and one cost.
"""

import gymnasium as gym
import numpy as np

import kempe as kp
from kempe.drives import Ramp
from kempe.forces import Actuator
from kempe.joints import Prismatic, Revolute

m = kp.Builder("pole to balance", plane=True, gravity=(0, -9.81))
trolley = m.body("trolley", at=(0, 0), angle=0.0, inertia=kp.Inertia(1.0, (0, 0, 0), np.eye(3)))
slim = kp.Inertia(0.2, (0.5, 0, 0), np.diag([0.0, 0.05 / 3, 0.05 / 3]))
pole = m.bar("pole", 1.0, at=(0, 0), angle="92 deg", inertia=slim)
m.add(Prismatic(m.ground.at(0, 0).facing((1, 0, 0)), trolley.at(0, 0).facing((1, 0, 0))), "rail")
m.add(Revolute(trolley.at(0, 0), pole.start), "pin")
m.force(Actuator(trolley.x, Ramp(0.0)), "push")
mechanism = m.build()


class Pole(gym.Env):
    """Observations are place, lean, speed and turning; the reward is 1 for every step upright."""

    observation_space = gym.spaces.Box(-np.inf, np.inf, (4,), np.float64)
    action_space = gym.spaces.Box(-20.0, 20.0, (1,), np.float64)

    def __init__(self):
        self.solver = mechanism.dynamic_solver("push", step="2 ms")

    def seen(self):
        now = self.solver.state
        rates = now.rate("trolley.x"), now.rate("pole.angle")
        return np.array([now["trolley.x"], now["pole.angle"] - np.pi / 2, *rates])

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.solver.reset()
        kick = self.np_random.uniform(-1.0, 1.0)
        self.solver.step("20 ms", {"push": kick})
        return self.seen(), {}

    def step(self, action):
        outcome = self.solver.step("20 ms", {"push": float(action[0])})
        observed = self.seen()
        fallen = not outcome.is_done or abs(observed[1]) > np.radians(20.0)
        return observed, float(not fallen), fallen, self.solver.t >= 10.0, {}


if __name__ == "__main__":
    pole_environment, gains = Pole(), np.array([-3.16, 42.1, -4.53, 10.6])
    observed, _ = pole_environment.reset(seed=1)
    rewards, over = 0.0, False
    while not over:
        push = np.clip([-gains @ observed], -20.0, 20.0)
        observed, reward, fallen, late, _ = pole_environment.step(push)
        rewards, over = rewards + reward, fallen or late
    print(f"{rewards:.0f} steps upright, leaning by {np.degrees(observed[1]):.2f} deg at last")
    mechanism.simulate(until=1.0, steps=100).animate("pole_environment.html")
