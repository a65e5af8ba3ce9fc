"""Double pendula in MJX: python -m peers.mjx_pendula PENDULA BITS [SPAN [LONGEST]] > found.json.

The bars and starts of `kempe bench gpu`, stepped by MJX's Runge-Kutta method of order four with
steps of one length, in float32 or float64 (BITS). Only angles and rates go from step to step, and
contacts and constraints are off, so that the compiler may leave out what nobody reads. A time is
that of the second of two runs; it covers SPAN simulated seconds (10), or one where SPAN would take
more than LONGEST seconds (60): steps cost the same at any time. Where a single one would take
longer than that, it ends. Errors are those of the tip of the
lower bar after one second, against DOP853 on the closed equations of motion.
"""

import json
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import jax
import numpy as np
from jax import numpy as jnp
from mujoco import MjModel, mjx
from yardsticks.double_pendula import LENGTH, MASS, G, exact, starts, tip

EARLY = 1.0  # s after which errors are looked at
COMPARED = 200  # pendula
MOST = 1_000_000  # of them; fewer are the first of these
STEPS = (50, 100, 200, 400, 800, 1600, 3200)  # a simulated second
TOGETHER = 50  # steps of one call
BAR = (
    f'<inertial pos="{0.5 * LENGTH} 0 0" mass="{MASS}"'
    f' diaginertia="0.01 {MASS * LENGTH**2 / 12.0!r} {MASS * LENGTH**2 / 12.0!r}"/>'
    '<joint type="hinge" axis="0 0 1"/>'
)
MODEL = (
    f'<mujoco><option integrator="RK4" gravity="0 {-G} 0">'
    '<flag contact="disable" constraint="disable"/></option><worldbody>'
    f'<body>{BAR}<body pos="{LENGTH} 0 0">{BAR}</body></body></worldbody></mujoco>'
)


def stepper() -> Callable[[Any, Any, Any], Any]:
    """`TOGETHER` steps of h of all pendula: angles and rates (pendula, 2) before and after."""
    model = mjx.put_model(MjModel.from_xml_string(MODEL))
    rest = mjx.make_data(model)

    def steps(q: Any, v: Any, h: Any) -> Any:
        timed = model.tree_replace({"opt.timestep": h})

        def one(state: Any, _: None) -> Any:
            after = mjx.step(timed, rest.replace(qpos=state[0], qvel=state[1]))
            return (after.qpos, after.qvel), None

        return jax.lax.scan(one, (q, v), None, length=TOGETHER)[0]

    return jax.jit(jax.vmap(steps, in_axes=(0, 0, None)), donate_argnums=(0, 1))


def run(step: Any, angles: Any, steps: int, span: float) -> tuple[float, Any]:
    """Seconds on the wall for `span` simulated seconds, and the angles (2, pendula) at the end."""
    q = jnp.asarray(angles.T, dtype=float)
    v, h = jnp.zeros_like(q), jnp.asarray(1.0 / steps, dtype=float)
    jax.block_until_ready((q, v, h))
    began = time.perf_counter()
    for _ in range(round(span * steps) // TOGETHER):
        q, v = step(q, v, h)
    jax.block_until_ready((q, v))
    return time.perf_counter() - began, np.asarray(q, dtype=np.float64).T


def measure(pendula: int, bits: int, span: float = 10.0, longest: float = 60.0) -> None:
    """Runs all step lengths and prints what they cost and how far off they are."""
    jax.config.update("jax_enable_x64", bits == 64)
    angles, step, runs = starts(pendula, MOST), stepper(), []
    few = min(COMPARED, pendula)
    want = exact(angles[:, :few], EARLY)
    began = time.perf_counter()
    run(step, angles, TOGETHER, 1.0)
    made = time.perf_counter() - began
    short = 0.0
    for steps in STEPS:
        if 2.0 * short > longest:
            break
        short, ends = run(step, angles, steps, EARLY)
        off = np.linalg.norm(tip(*ends[:, :few]) - want, axis=-1)
        covered = span if short / EARLY * span <= longest else EARLY
        seconds = run(step, angles, steps, covered)[0]
        runs.append(
            {
                "steps": steps,
                "span": covered,
                "seconds": seconds / (covered * pendula),
                "rms": float(np.sqrt(np.mean(off**2))),
                "largest": float(off.max()),
            }
        )
        print(json.dumps(runs[-1]), file=sys.stderr, flush=True)
    found = {"who": f"MJX {version('mujoco-mjx')}, float{bits}", "jax": jax.__version__}
    found |= {"mujoco": version("mujoco"), "device": jax.devices()[0].device_kind}
    print(json.dumps(found | {"pendula": pendula, "first_call": made, "runs": runs}))


if __name__ == "__main__":
    given = [float(word) for word in sys.argv[1:]]
    measure(int(given[0]), int(given[1]), *given[2:])
