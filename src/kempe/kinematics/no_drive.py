"""What a mechanism without a drive lacks."""

from kempe.compile.layout import Layout
from kempe.errors import DriveError
from kempe.kinematics.check import check


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
    word = "angle" if layout.model.plane else "x"
    return DriveError(
        f"{layout.model.name!r} has no drive, so nothing says how it moves. It has {n}"
        f" freedom{'s' * (n != 1)}: {shown} can move. Add {n} drive{'s' * (n != 1)}, for example"
        f" builder.drive({bodies[0]}.{word}, {'rpm=60' if layout.model.plane else 'speed=1'}).",
        mobility=n,
        bodies=bodies,
    )
