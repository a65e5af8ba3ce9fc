"""What a mechanism without a drive lacks."""

from kempe.compile.layout import Layout
from kempe.errors import DriveError
from kempe.kinematics.assembly import assemble
from kempe.kinematics.check import check
from kempe.kinematics.closing import DENSE
from kempe.kinematics.drivable import drivable
from kempe.kinematics.evaluator import evaluator
from kempe.kinematics.nearest import free_directions


def no_drive(layout: Layout) -> DriveError:
    """The error for a mechanism that nothing moves, with what could move; or why it cannot."""
    if not layout.model.moving:
        return DriveError(
            f"{layout.model.name!r} has no drive and no body that could move: add some of both.",
            mobility=0,
            bodies=(),
        )
    report = check(layout, ranges=False)
    n = report.mobility
    bodies = tuple(dict.fromkeys(b for motion in report.free for b in motion.bodies))
    if n == 0:
        return DriveError(
            f"{layout.model.name!r} has no drive, and no freedom to drive either: it cannot move."
            " Loosen or remove a joint first.",
            mobility=0,
            bodies=(),
        )
    shown = ", ".join(repr(b) for b in bodies[:6]) + (", ..." if len(bodies) > 6 else "")
    return DriveError(
        f"{layout.model.name!r} has no drive, so nothing says how it moves. It has {n}"
        f" freedom{'s' * (n != 1)}: {shown} can move. Add {n} drive{'s' * (n != 1)}"
        f"{_example(layout, bodies)}.",
        mobility=n,
        bodies=bodies,
    )


def _example(layout: Layout, bodies: tuple[str, ...]) -> str:
    """A drive that would move something, as the builder takes it."""
    if layout.n_v > DENSE:
        return ""
    program = evaluator(layout)
    at = assemble(layout, program, 0.0)
    gauge = drivable(layout, program, at.q, free_directions(layout, program, at, 0.0), bodies)
    if gauge is None:
        return ""
    how = "rpm=60" if gauge.unit == "rad" else "speed=1"
    return f", for example builder.drive({gauge.name}, {how})"
