"""How a simulation ended, in words."""

from typing import Any

from kempe.outcome import DONE, Ending, Outcome

Facts = dict[str, Any]


def ending(facts: Facts, wanted: int, tolerance: float) -> Outcome:
    """The outcome of a run of that many samples."""
    if facts["samples"] == wanted:
        return DONE
    t, halt = float(facts["t"]), str(facts["halt"])
    details: dict[str, float | int | str] = {
        "t": t,
        "halt": halt,
        "steps": int(facts["steps"]),
        "rejected": int(facts["rejected"]),
        "damped": int(facts["damped"]),
    }
    return Outcome(*_words(facts, halt, f"t = {t:.9g} s", tolerance), details)


def locked(name: str) -> Outcome:
    """What is said of a mechanism that cannot move at all."""
    return Outcome(
        Ending.LOCKED,
        f"{name!r} cannot move: its joints leave it no freedom.",
        "Take a joint away, or one that holds less; `check` counts row by row.",
    )


def _words(facts: Facts, halt: str, when: str, tolerance: float) -> tuple[Ending, str, str]:
    kept = "The samples so far are kept."
    if halt == "interrupted":
        return Ending.INTERRUPTED, f"stopped by request at {when}.", kept
    if halt == "singular":
        return (
            Ending.SINGULAR,
            f"at {when} the constraints have been singular for hundreds of steps.",
            "Look for joints that lock each other, or for a motion that rests in a dead point.",
        )
    if halt == "locked":
        return (
            Ending.LOCKED,
            f"at {when} the redundant joints no longer fit together.",
            "The mechanism moves only where its dimensions are exact: check angles and lengths.",
        )
    if halt == "step_too_small":
        stiff = facts["stiff"]
        return (
            Ending.STEP_TOO_SMALL,
            f"at {when} the steps for a tolerance of {tolerance:g} have become too small to go on.",
            "Look for a force that jumps there or a motion that grows without bounds, or ask for a"
            " larger tolerance."
            if not stiff
            else "The forces are stiff: soften the fastest spring or damper.",
        )
    return (
        Ending.DIVERGED,
        f"at {when} a force or an acceleration is no finite number.",
        "Look for a formula that divides by zero, or for forces without bounds.",
    )
