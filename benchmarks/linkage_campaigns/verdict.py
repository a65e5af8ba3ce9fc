"""One linkage swept twice, by kempe and dyad by dyad, and what came of it."""

import hashlib
from dataclasses import dataclass
from typing import final

import numpy as np

import kempe
from linkage_campaigns.dyads import TURN, Reals, SixBar, dead_point, side_of
from linkage_campaigns.linkages import built

# Positions agree to rounding times their sensitivity 1/y; a neighbouring branch is 2 y away.
CLOSE = 1e-10
# What a dead point is located to, rad.
LOCATED = 1e-8


@final
@dataclass(frozen=True, slots=True)
class Verdict:
    """How one linkage fared; `faults` is empty where all is well."""

    outcome: str
    samples: int
    located: float | None  # rad, how far from the dead point it said it was; None where done
    apart: float  # m, the largest distance of a hinge from where it belongs
    faults: tuple[str, ...]
    digest: bytes  # of every number in the result


def verdict(linkage: SixBar, steps: int) -> Verdict:
    """The linkage turned once, judged sample by sample."""
    trajectory = built(linkage).kinematics(until=1.0, steps=steps)
    faults = []
    end = dead_point(linkage)
    outcome = trajectory.outcome
    located = None
    if end is None:
        if not outcome.is_done:
            faults.append(f"ended as {outcome} where there is no dead point")
    elif outcome.name != "DeadPoint":
        faults.append(f"{outcome.name} where the dead point at {end:.12g} rad is")
    else:
        located = abs(float(outcome.facts["value"]) - end)
        if not located <= LOCATED:
            faults.append(f"the dead point is off by {located:.3g} rad")
        expected = int(np.floor((end - linkage.start) / TURN * steps)) + 1
        if len(trajectory) != expected:
            faults.append(f"{len(trajectory)} samples of {expected} before the dead point")
    apart, jumps = _distance(linkage, trajectory)
    faults += jumps
    m = trajectory.motion
    digest = hashlib.sha256(b"".join(x.tobytes() for x in (m.t, m.q, m.v, m.a)))
    return Verdict(outcome.name, len(trajectory), located, apart, tuple(faults), digest.digest())


def _distance(linkage: SixBar, trajectory: kempe.Trajectory) -> tuple[float, list[str]]:
    """The largest distance of C and E from the closed form, and what is a jump."""
    q = trajectory.motion.q
    angle = linkage.start + TURN * trajectory.t
    exact = linkage.at(angle)
    B = linkage.crank * np.exp(1j * angle)
    found = {"C": _tip(q, 2, linkage.rocker)}
    sides = [(side_of(B, exact["D"], found["C"]), linkage.side)]
    if linkage.bodies is not None:
        found["E"] = _tip(q, 4, linkage.links[1])
        sides.append((side_of(exact["P"], exact["Q"], found["E"]), linkage.second_side))
    faults = [
        f"dyad {k + 1} is on the other side from sample {int(np.argmax(side != own))}"
        for k, (side, own) in enumerate(sides)
        if (side != own).any()
    ]
    # The way from here to a dead point is y^2, so that an error of rounding becomes one of 1/y.
    y = np.sqrt(np.clip(np.min(linkage.rooms(angle), axis=0), 1e-30, 1.0))
    apart = 0.0
    for name, p in found.items():
        gap = np.abs(p - exact[name])
        gap = np.where(np.isnan(gap), 0.0, gap)  # past the last digit of a dead point
        apart = max(apart, float(gap.max()))
        if (gap > CLOSE / y**2).any():
            k = int(np.argmax(gap * y**2))
            faults.append(f"{name} is {gap[k]:.3g} m from where it belongs at sample {k}")
    return apart, faults


def _tip(q: Reals, body: int, length: float) -> np.ndarray:
    x, y, angle = q[:, 3 * body], q[:, 3 * body + 1], q[:, 3 * body + 2]
    return np.asarray(x + 1j * y + length * np.exp(1j * angle))
