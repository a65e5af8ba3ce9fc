"""A million double pendula in kempe and in MJX on one kind of card, at an equal error.

python -m yardsticks.pendula_in_mjx FOUND... > results/mjx_h200.json, each FOUND being what
`peers.mjx_pendula` printed. kempe's times are those that `results/gpu_h200.json` holds, its error
is found here on the processor, whose motions the card repeats to 1e-13 m: that of the tip after a
second, over the pendula and against the solutions that the peer uses. What MJX costs at that error
lies between the two step lengths beside it, errors and costs in logarithms.
"""

import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from kempe import gallery

RECORD = Path(__file__).parent.parent / "results" / "gpu_h200.json"
COMPARED = 200  # pendula
MOST = 1_000_000
EARLY = 1.0  # s
G = 9.81  # m/s2
HOW = (
    "Two calls on the same kind of card; kempe keeps summaries of 1000 samples, MJX the last state."
    " Fewer pendula than a million: so many at a time, of the same ones. Times of MJX are without"
    " compilation; rows of float64 with a million end where a simulated second takes too long."
)
PER = "simulated second of a pendulum"


def own_error() -> dict[str, float]:
    """How far kempe's tips are off after a second, m: root of the mean square, and the largest."""
    angles = np.random.default_rng(11).uniform(-2.5, 2.5, (2, MOST))[:, :COMPARED]
    start = {"top.angle": angles[0], "middle.angle": angles[1]}
    run = gallery.double_pendulum().batch(
        {}, until=10.0, steps=1000, outputs=["lower.P"], analysis="simulation", start=start
    )
    off = run["lower.P"].values[:, round(EARLY * 100.0)] - [_exact(*pair) for pair in angles.T]
    off = np.linalg.norm(off, axis=-1)
    return {"rms": float(np.sqrt(np.mean(off**2))), "largest": float(off.max())}


def _exact(upper: float, bend: float) -> Any:
    def rates(_: float, state: Any) -> Any:
        a, b, u, v = state
        c, s = 0.5 * np.cos(a - b), 0.5 * np.sin(a - b)
        forces = [-s * v * v - 1.5 * G * np.cos(a), s * u * u - 0.5 * G * np.cos(b)]
        return [u, v, *np.linalg.solve([[4.0 / 3.0, c], [c, 1.0 / 3.0]], forces)]

    begin = [upper, upper + bend, 0.0, 0.0]
    run = solve_ivp(rates, (0.0, EARLY), begin, method="DOP853", rtol=1e-13, atol=1e-13)
    a, b = run.y[:2, -1]
    return np.array([np.cos(a) + np.cos(b), np.sin(a) + np.sin(b)])


def at_error(runs: list[dict[str, float]], kind: str, error: float) -> float | None:
    """Seconds at an error, between the two step lengths about it; None where there are none."""
    for rough, fine in pairwise(runs):
        if rough[kind] >= error > fine[kind]:
            share = np.log(rough[kind] / error) / np.log(rough[kind] / fine[kind])
            return float(rough["seconds"] * (fine["seconds"] / rough["seconds"]) ** share)
    return None


def compare(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Rows, as other results have them; and how many times as long MJX takes at kempe's error."""
    own, record = own_error(), json.loads(RECORD.read_text())
    rows, ratios, cost = [], [], {}
    for row in record["rows"]:
        if row["case"].startswith(f"{MOST} double pendula"):
            who = f"kempe, {row['who']}"
            cost[who] = row["seconds"] * 100.0  # samples a second
            rows.append(_row(f"{MOST} double pendula", who, cost[who], own))
    for peer in found:
        for run in peer["runs"]:
            case = f"{peer['pendula']} double pendula, {run['steps']} steps a second"
            rows.append(_row(case, peer["who"], run["seconds"], run))
        for kind, error in own.items():
            seconds = at_error(peer["runs"], kind, error)
            ratios.append(
                {"who": peer["who"], "pendula": peer["pendula"], "error": kind, "at": error}
                | {"seconds": seconds, "least": min(run[kind] for run in peer["runs"])}
                | {f"over {who}": seconds and float(f"{seconds / cost[who]:.3g}") for who in cost}
            )
    versions = {key: found[0][key] for key in ("device", "mujoco", "jax")}
    made = {"rows": rows, "equal error": ratios, "machine": record["machine"] | versions}
    return made | {"how": HOW}


def _row(case: str, who: str, seconds: float, off: dict[str, float]) -> dict[str, Any]:
    took = float(f"{seconds:.4g}")
    row = {"case": case, "who": who, "seconds": took, "per": PER, "error": off["rms"]}
    return row | {"largest": off["largest"]}


if __name__ == "__main__":
    lines = [json.loads(Path(name).read_text().splitlines()[-1]) for name in sys.argv[1:]]
    print(json.dumps(compare(lines), indent=1))
