"""How a simulation ended, in words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import final

from kempe.algebra.native import core
from kempe.outcome import DONE, Ending, Outcome
from kempe.results import Event

Halt = core.Halt
Look = tuple[float, float, float, float]  # time, and a coordinate with its first two rates then


@final
@dataclass(frozen=True, slots=True)
class Stray:
    """Two looks in a row between which a rider may have left its bounds."""

    rider: int  # which of the bodies
    before: Look  # s, m, m/s, m/s^2
    after: Look


@final
@dataclass(frozen=True, slots=True)
class RunEnd:
    """How far a simulation came, why it ended early, what it cost, and who has to do with it."""

    samples: int
    halt: core.Halt
    t: float  # s
    counts: dict[str, int]
    stiff: bool = False  # stability held its steps down, not accuracy
    steps_left: float = 0.0  # to the end, at the present length
    bytes: int = 0  # memory of the run, beside that of the samples
    forces: bool = True  # whether any act beside weights
    redundant: bool = True  # whether joints or drives repeat each other
    spare_drives: tuple[str, ...] = ()  # measures of drives that repeat what others hold
    drives: tuple[str, ...] = ()  # measures of all
    sliding: str = ""  # the force whose law is thrown back and forth
    trouble: str = ""  # what went wrong in a function from outside
    doubt: str = ""  # the force whose function gave what is not finite
    valueless: str = ""  # which force is no number at the start, in words
    jammed: tuple[str, ...] = ()  # frictions of sliding joints for which no loads were found
    spent: tuple[str, ...] = ()  # bodies that have no mass left
    methods: tuple[tuple[float, str], ...] = ()  # from when on (s) which one made the steps
    touches: tuple[Event, ...] = ()  # surfaces that met or parted
    largest_error: float = 0.0  # estimate of a step of one length
    # When (s) which switch of a force law came to which side, in the order of the leg's program.
    law_changes: tuple[tuple[float, int, float], ...] = ()
    strays: tuple[Stray, ...] = ()  # steps in which riders may have run off their curves
    ways: Mapping[int, tuple[float, float]] = field(default_factory=dict)  # m and m/s, of riders


def ending(end: RunEnd, wanted: int, tolerance: float) -> Outcome:
    """The outcome of a run of that many samples."""
    if end.samples == wanted:
        return DONE
    details: dict[str, float | int | str] = {"t": end.t, "halt": end.halt.name}
    details |= {name: end.counts[name] for name in ("steps", "rejected", "damped")}
    kind, message, advice = _words(end, f"t = {end.t:.9g} s", tolerance)
    if end.drives and kind is Ending.STEP_TOO_SMALL:
        advice = f"{DRIVEN} If not: {advice[0].lower()}{advice[1:]}"
    return Outcome(kind, message, advice, details)


def locked(name: str) -> Outcome:
    """What is said of a mechanism that cannot move at all."""
    return Outcome(
        Ending.LOCKED,
        f"{name!r} cannot move: its joints leave it no freedom.",
        "Take a joint away, or one that holds less; `check` counts row by row.",
    )


def _words(end: RunEnd, when: str, tolerance: float) -> tuple[Ending, str, str]:
    """The ending, what is said of it, and what to do."""
    known = {
        Halt.interrupted: (Ending.INTERRUPTED, f"stopped by request at {when}.", KEPT),
        Halt.outside: (
            Ending.INTERRUPTED,
            f"at {when} {end.trouble}.",
            f"Correct the function. {KEPT}",
        ),
        Halt.singular: (
            Ending.SINGULAR,
            f"at {when} the constraints have been singular for hundreds of steps.",
            "Look for joints that lock each other, or for a motion that rests in a dead point.",
        ),
        Halt.sliding: (
            Ending.LIMIT_REACHED,
            f"at {when} the law of force {end.sliding!r} is thrown back and forth: on either"
            " side of a switch it drives the motion to the other.",
            "Make the law continuous there, such as tanh(v / v0) in place of a sign: dry friction"
            f" that sticks has no other law of this kind. {KEPT}",
        ),
        Halt.too_many_steps: (
            Ending.STEP_TOO_SMALL,
            f"at {when} a tolerance of {tolerance:g} leaves {end.steps_left:.1e} more steps to"
            " the end.",
            _shorter(end),
        ),
        Halt.step_too_small: (
            Ending.STEP_TOO_SMALL,
            f"at {when} the steps for a tolerance of {tolerance:g} have become too small to go on.",
            _longer_steps(end),
        ),
    }
    if end.jammed and end.halt in JAMS:
        return _jammed(end, when)
    if end.spent:
        return _spent(end, when)
    if end.halt is Halt.locked:
        return _held(end, when)
    if end.halt is Halt.step_not_held:
        return _not_held(end, when)
    return known.get(end.halt) or _not_finite(end, when)


def _jammed(end: RunEnd, when: str) -> tuple[Ending, str, str]:
    """What is said where friction in a joint and what the joint carries raise each other."""
    names = " and ".join(map(repr, end.jammed))
    return (
        Ending.LOCKED,
        f"at {when} the friction {names} jams: as it slides, what the joint carries and the"
        " friction that follows from it raise each other without end.",
        f"{WEDGED} {KEPT}",
    )


def _spent(end: RunEnd, when: str) -> tuple[Ending, str, str]:
    """What is said where a body has lost all its mass."""
    names = " and ".join(map(repr, end.spent))
    return (
        Ending.LIMIT_REACHED,
        f"at {when} nothing is left of the mass of {names}, and nothing says how it moves on.",
        "Let the flow end before, as by rate='-1 if gained > -9 else 0', or switch it off by an"
        f" event. {KEPT}",
    )


def _not_held(end: RunEnd, when: str) -> tuple[Ending, str, str]:
    """What is said where steps of one length cannot be made."""
    if end.methods and end.methods[-1][1] == "gear":
        return (
            Ending.STEP_TOO_SMALL,
            f"at {when} Newton's method does not converge in the steps of one length that were"
            " asked for, nor in shorter ones.",
            "Allow it more newton_iterations, a larger newton_tolerance or tolerance, or ask for"
            f" shorter steps. {KEPT}",
        )
    return (
        Ending.STEP_TOO_SMALL,
        f"at {when} a step of the length that was asked for cannot be held to its largest error:"
        f" the estimates so far reach {end.largest_error:.1e}.",
        "Ask for a shorter step, for a larger most_error, or for a method that chooses its steps."
        f" {KEPT}",
    )


def _held(end: RunEnd, when: str) -> tuple[Ending, str, str]:
    """What is said where rows can no longer be met."""
    if end.redundant and end.spare_drives:
        shown = " and ".join(repr(name) for name in end.spare_drives)
        return (
            Ending.LOCKED,
            f"at {when} drives, or joints that are redundant, no longer fit together: what the"
            f" drive on {shown} holds is held by others too.",
            f"Remove that drive, or let its law follow the others. {KEPT}",
        )
    if end.redundant:
        return (
            Ending.LOCKED,
            f"at {when} the redundant joints no longer fit together.",
            "The mechanism moves only where its dimensions are exact: check angles and lengths.",
        )
    if not end.drives:
        return (
            Ending.SINGULAR,
            f"at {when} the joints no longer close: the mechanism has come into a singular"
            " position, from which it could not be followed.",
            "Start elsewhere, or change a length a little.",
        )
    one = f"the drive on {end.drives[0]!r} has" if len(end.drives) == 1 else "a drive has"
    return (
        Ending.DEAD_POINT,
        f"at {when} {one} come to a dead point: the joints reach no further that way.",
        f"Let it turn back before, or drive another joint. {KEPT}",
    )


def _not_finite(end: RunEnd, when: str) -> tuple[Ending, str, str]:
    """What is said where a number is none."""
    if end.doubt:
        return (
            Ending.DIVERGED,
            f"at {when} the function of force {end.doubt!r} returns what is no finite number.",
            f"Look there for a division by zero, or for a force without bounds. {KEPT}",
        )
    if end.valueless:
        return (
            Ending.DIVERGED,
            f"at {when} {end.valueless}.",
            "Start elsewhere: where points whose distance or line matters do not coincide, and no"
            " gas spring or cylinder is pressed beyond its stroke. Or let the force act along other"
            " measures.",
        )
    return (
        Ending.DIVERGED,
        f"at {when} a force or an acceleration is no finite number.",
        "Look for a formula that divides by zero, for a gas spring or cylinder pressed beyond its"
        " stroke, or for forces without bounds.",
    )


EXPLICIT = ("dop853", "tsit5")  # methods that stiff forces hold down
KEPT = "The samples so far are kept."
WEDGED = (
    "A real joint would wedge or strike there: reduce the coefficient of friction, lengthen the"
    " guide, or push nearer to the way it slides."
)
JAMS = (Halt.diverged, Halt.step_too_small, Halt.too_many_steps)
DRIVEN = "Look at the laws of the drives there: does one jump, or grow without bounds?"
LIGHT = (
    "Look for a body that is far lighter than those it is joined to, that spins very fast, or that"
    " touches where nothing holds it any more, as a bar along a cylinder"
)


def _shorter(end: RunEnd) -> str:
    """What to do about a run that would take for ever."""
    if not end.forces:
        return f"{LIGHT}; or ask for a shorter run."
    if end.stiff:
        return f"{_softer(end)}, or ask for a shorter run."
    return (
        "Look for a motion that grows without bounds or a body that spins very fast, or ask for a"
        " shorter run."
    )


def _longer_steps(end: RunEnd) -> str:
    """What to do about steps that have become too small."""
    if not end.forces:
        return f"{LIGHT}; or ask for a larger tolerance."
    if end.stiff:
        return f"{_softer(end)}."
    return (
        "Look for a force that jumps there or a motion that grows without bounds, or ask for a"
        " larger tolerance."
    )


def _softer(end: RunEnd) -> str:
    """What to do about forces that are stiff, without a full stop."""
    softer = "soften the fastest spring, damper or friction"
    method = end.methods[-1][1] if end.methods else ""
    if method in EXPLICIT:
        return f"The forces are stiff, and {method!r} is for others: take 'rodas5p', or {softer}"
    return f"The forces are stiff: {softer}"
