"""What a mechanism without a drive lacks."""

from kempe.compile.layout.layout import Layout
from kempe.equations import equations_of
from kempe.errors import DriveError
from kempe.kinematics.check.assembly import assemble
from kempe.kinematics.check.check import check
from kempe.kinematics.check.removal import example_start
from kempe.kinematics.closing.closing import DENSE
from kempe.kinematics.closing.nearest import free_directions
from kempe.kinematics.mobility.drivable import drivable
from kempe.kinematics.mobility.passive_spin import spin_directions, without_spins
from kempe.results.reports.counts import Spinner, idle_spins, spinning


def no_drive(layout: Layout) -> DriveError:
    """The error for a mechanism that nothing moves, with what could move; or why it cannot."""
    if not layout.model.moving:
        return DriveError(
            f"{layout.model.name!r} has no drive and no body that could move: add some of both.",
            mobility=0,
            bodies=(),
        )
    report = check(layout)
    n = report.mobility - len(report.passive)
    moving = [motion for motion in report.free if not motion.is_idle_spin]
    bodies = tuple(dict.fromkeys(b for motion in moving for b in motion.bodies))
    if report.passive and n == 0:
        spins = idle_spins(report.passive, "moves nothing else", "move nothing else")
        return DriveError(
            f"{layout.model.name!r} has no drive, and nothing to drive either. {spins} Loosen or"
            " remove a joint first.",
            mobility=report.mobility,
            bodies=(),
            passive=report.passive,
        )
    if n == 0:
        return DriveError(
            f"{layout.model.name!r} has no drive, and no freedom to drive either: it cannot move."
            f" Loosen or remove a joint{' or a coupler' * bool(layout.model.couplers)} first.",
            mobility=0,
            bodies=(),
        )
    aside = f" {idle_spins(report.passive, 'needs none', 'need none')}" if report.passive else ""
    shown = ", ".join(repr(b) for b in bodies[:6]) + (", ..." if len(bodies) > 6 else "")
    return DriveError(
        f"{layout.model.name!r} has no drive, so nothing says how it moves. It has"
        f" {report.mobility} freedom{'s' * (report.mobility != 1)}: {shown} can move. Add {n}"
        f" drive{'s' * (n != 1)}{_example(layout, bodies, report.passive)}.{aside}",
        mobility=report.mobility,
        bodies=bodies,
        passive=report.passive,
    )


def _example(layout: Layout, bodies: tuple[str, ...], passive: tuple[Spinner, ...]) -> str:
    """A drive that would move something, as the builder takes it."""
    if layout.n_v > DENSE:
        return ""
    equations = equations_of(layout)
    at = assemble(equations, 0.0)
    spins = spin_directions(layout, at.q, passive)
    free = without_spins(free_directions(equations, at), spins)
    gauge = drivable(equations, at.q, free, bodies, spins, spinning(passive))
    if gauge is None:
        return ""
    how = "rpm=60" if gauge.unit == "rad" else "speed=1"
    start = example_start(layout, at.q, 0.0, gauge)
    where = f'start="{start}", ' if start else ""
    return f", for example builder.drive({gauge.name}, {where}{how})"
