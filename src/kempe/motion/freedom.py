"""Questions that a system's freedom does not fit, refused with what to do."""

from kempe.errors import UnsolvableKind
from kempe.motion.system import System


def refuse_freedom(system: System, name: str, wanted: int) -> None:
    """Say what to hold, or what to ask instead, where the freedom is not the one wanted."""
    if system.contradiction:
        return
    for block in system.blocks:
        if block.freedom < 0:
            raise UnsolvableKind(
                f"{name!r} has {len(block.equations)} equations for {len(block.unknowns)} unknowns:"
                f" more than it needs, by {', '.join(dict.fromkeys(block.equations))}. Take out a"
                " joint that repeats what others say.",
                block=block.equations,
            )
    free = [b for b in system.blocks if b.freedom > 0]
    freedom = sum(b.freedom for b in free)
    if freedom == wanted:
        return
    told = ", ".join(repr(u.name) for b in free for u in b.unknowns[:4])
    if freedom > wanted:
        question = "motions" if wanted == 1 else "assemblies"
        raise UnsolvableKind(
            f"{name!r} can move in {freedom} independent way{'s' * (freedom != 1)} (near {told}),"
            f" and its {question} can be listed with {wanted} left: hold {freedom - wanted} more of"
            " its measures, for example held={'crank.angle': '60 deg'}.",
            freedom=freedom,
        )
    raise UnsolvableKind(
        f"{name!r} cannot move: nothing is left free. Ask for its assemblies instead.", freedom=0
    )
