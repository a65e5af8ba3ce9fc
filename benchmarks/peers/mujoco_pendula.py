"""Double pendula in MuJoCo's rollout: python -m peers.mujoco_pendula PENDULA STEPS REPEATS.

One thread, Runge-Kutta steps of order four of one length, all angles and rates of every step kept,
contacts and constraints off. Prints one JSON line: CPU seconds a pendulum over one simulated second
and over ten, each in so many steps, and how far tips are off after one.
"""

import json
import sys
from typing import Any

import mujoco
import numpy as np
from mujoco import rollout
from yardsticks.clock import keep_memory, least_seconds
from yardsticks.double_pendula import LENGTH, MASS, G, exact, off, starts, tip

COMPARED = 100  # pendula
BAR = (
    f'<inertial pos="{0.5 * LENGTH} 0 0" mass="{MASS}"'
    f' diaginertia="0.01 {MASS * LENGTH**2 / 12.0!r} {MASS * LENGTH**2 / 12.0!r}"/>'
    '<joint type="hinge" axis="0 0 1"/>'
)


def rolled(pendula: int, steps: int, span: float, repeats: int) -> tuple[float, Any]:
    """CPU seconds a pendulum, and the tips after one second."""
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option integrator="RK4" gravity="0 {-G} 0" timestep="{span / steps!r}">'
        '<flag contact="disable" constraint="disable"/></option><worldbody>'
        f'<body>{BAR}<body pos="{LENGTH} 0 0">{BAR}</body></body></worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    begin = np.zeros((pendula, 5))  # time, angles, rates
    begin[:, 1:3] = starts(pendula, pendula).T
    kept = {}

    def roll() -> None:
        kept["states"], _ = rollout.rollout(model, data, begin, nstep=steps)

    seconds = least_seconds({"mujoco": roll}, repeats)["mujoco"]
    early = kept["states"][:COMPARED, round(steps / span) - 1, 1:3]
    return seconds / pendula, tip(early[:, 0], early[:, 1])


def measure(pendula: int, steps: int, repeats: int) -> None:
    """Prints what both spans cost, and the error of each."""
    keep_memory()
    wanted = exact(starts(pendula, pendula)[:, :COMPARED], 1.0)
    found: dict[str, Any] = {"who": f"MuJoCo {mujoco.__version__}, rollout"}
    for span in (1, 10):
        seconds, ends = rolled(pendula, steps, float(span), repeats)
        found[str(span)] = {"seconds": seconds, "error": off(ends, wanted)}
    print(json.dumps(found))


if __name__ == "__main__":
    measure(*map(int, sys.argv[1:4]))
