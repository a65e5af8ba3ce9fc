"""Putting a mechanism together: from a guess to a configuration that closes every loop."""

from kempe.compile.layout import Layout
from kempe.compile.program import Program
from kempe.errors import AssemblyError
from kempe.geometry import Pose
from kempe.kinematics.closing import (
    ASSEMBLED,
    Assembled,
    FloatArray,
    close,
    initial_turns,
    row_weights,
    step_weights,
)
from kempe.kinematics.misfit import not_assembled
from kempe.kinematics.placement import first_guess
from kempe.kinematics.poses import body_pose

__all__ = [
    "ASSEMBLED",
    "Assembled",
    "assemble",
    "check_sides",
    "close",
    "initial_turns",
    "row_weights",
    "step_weights",
]

ATTEMPTS = 24
# Searches that end in the same misfit, to this share of it, before it is believed.
AGREEING, SAME = 4, 1e-6


def assemble(layout: Layout, program: Program, t: float) -> Assembled:
    """The configuration nearest to the guesses that closes every loop at time t.

    Bodies without a guess are placed anew in every attempt; with guesses for all there is one
    attempt. An AssemblyError says what does not fit, by how much, and what would mend it.
    """
    best = best_attempt(layout, program, t)
    if not best.is_closed:
        raise not_assembled(layout, program, best, t)
    check_sides(layout, best.q)
    return best


def best_attempt(layout: Layout, program: Program, t: float) -> Assembled:
    """The nearest to closed of all attempts; the first that is closed ends the search."""
    guessed = all(b.guess is not None for b in layout.model.moving)
    best = close(layout, program, first_guess(layout, 0, t), t)
    agreeing = 1
    for attempt in range(1, 1 if guessed else ATTEMPTS):
        if best.is_closed or agreeing == AGREEING:
            break
        found = close(layout, program, first_guess(layout, attempt, t), t)
        if found.residual < best.residual * (1.0 - SAME):
            best, agreeing = found, 1
        elif found.is_stationary and found.residual <= best.residual * (1.0 + SAME):
            agreeing += 1
    return best


def check_sides(layout: Layout, q: FloatArray) -> None:
    """An AssemblyError where a joint went together the wrong way round."""
    poses: dict[str, Pose] = {}  # X_WB, each made once
    for joint in layout.model.joints:
        if not joint.sides:
            continue
        for body in (joint.I.body, joint.J.body):
            if body not in poses:
                poses[body] = body_pose(layout, q, body)
        X_WI, X_WJ = (poses[m.body] @ m.pose for m in (joint.I, joint.J))
        for side in joint.sides:
            if side.value(X_WI, X_WJ) < 0.0:
                raise AssemblyError(
                    f"joint {joint.name!r} went together the wrong way round: {side.wrong}. Turn"
                    " one marker by 180 degrees, give a better first guess, or say flip=True if"
                    " that is on purpose.",
                    joint=joint.name,
                )
