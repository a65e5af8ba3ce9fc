"""Questions that a system's freedom does not fit, refused with what to do."""

from typing import NoReturn

from kempe.errors import UnsolvableKind
from kempe.motion.equations.sources import spoken
from kempe.motion.equations.system import System


def refuse_freedom(system: System, name: str, wanted: int) -> None:
    """Say what to hold, or what to ask instead, where the freedom is not the one wanted."""
    if system.contradiction:
        return
    for block in system.blocks:
        if block.freedom < 0:
            raise UnsolvableKind(
                f"{name!r} has {len(block.equations)} equations for {len(block.unknowns)} unknowns:"
                f" more than it needs, by {spoken(block.equations)}. Take out a"
                " joint that repeats what others say.",
                block=block.equations,
            )
    free = [b for b in system.blocks if b.freedom > 0]
    freedom = sum(b.freedom for b in free)
    if freedom == wanted:
        return
    names = [u.name for b in free for u in b.unknowns]
    parts = list(dict.fromkeys(name.partition(".")[0] for name in names))
    told = ", ".join(repr(part) for part in parts[:4])
    turning = [name.partition(".")[0] for name in names if name.endswith((".c", ".s", ".angle"))]
    example = f"{{'{turning[0]}.angle': '60 deg'}}" if turning else f"{{{names[0]!r}: '10 mm'}}"
    if freedom > wanted:
        question = "motions" if wanted == 1 else "assemblies"
        raise UnsolvableKind(
            f"{name!r} can move in {freedom} independent way{'s' * (freedom != 1)} (near {told}),"
            f" and its {question} can be listed with {wanted} left: hold {freedom - wanted} more of"
            f" its measures, for example held={example}.",
            freedom=freedom,
        )
    refuse_unproved(name)


def refuse_motion(name: str, positions: int) -> NoReturn:
    """Say that nothing moves, where a search of all positions has proved it."""
    each = (
        "its one position stands" if positions == 1 else f"each of its {positions} positions stands"
    )
    raise UnsolvableKind(
        f"{name!r} cannot move: {each} alone, which is proved. Ask for its assemblies instead.",
        freedom=0,
    )


def refuse_unproved(name: str) -> NoReturn:
    """Say that no motion was found, and that this is all that is known."""
    raise UnsolvableKind(
        f"{name!r} has as many equations as unknowns, and no motion of it was found; that it has"
        " none is not proved. Ask for its assemblies, which list where it may move.",
        freedom=0,
    )
