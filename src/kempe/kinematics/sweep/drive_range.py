"""How far a drive can go on its branch, both ways."""

import math
from dataclasses import replace

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.drives import Drive, Setting
from kempe.errors import KempeError
from kempe.kinematics.check.check import check
from kempe.kinematics.closing.closing import DENSE
from kempe.kinematics.sweep.sweep import sweep
from kempe.results import DriveRange, Report
from kempe.results.reports.counts import Straightened

SAMPLES = 361
FAR = 10.0  # sizes of the machine: as far as a slider is followed


def check_with_ranges(layout: Layout, straightened: tuple[Straightened, ...] = ()) -> Report:
    """What `check` says of a mechanism at its start, and how far each of its drives can go."""
    report = check(layout, straightened=straightened)
    if not report.is_determined or report.passive or layout.n_v > DENSE:
        return report
    return replace(report, ranges=drive_ranges(layout, 0.0))


def drive_ranges(layout: Layout, t: float) -> tuple[DriveRange, ...]:
    """The range of every drive, swept from where it stands while the others hold still.

    A turn is followed once round, a way ten sizes of the machine. Drives that cannot start to
    move are left out.
    """
    found = []
    for k in range(len(layout.model.drives)):
        try:
            low, high = (_end(layout, k, t, sign) for sign in (-1.0, 1.0))
        except KempeError:
            continue
        drive = layout.model.drives[k]
        found.append(
            DriveRange(drive.gauge.name, drive.gauge.unit, low[0], high[0], low[1], high[1])
        )
    return tuple(found)


def _end(layout: Layout, k: int, t: float, sign: float) -> tuple[float, str]:
    """Where drive k ends when it is moved that way, and how."""
    drives = list(layout.model.drives)
    for number, drive in enumerate(drives):
        stands = float(drive.law.value(t))
        drives[number] = Drive(drive.gauge, Setting(stands, stands))
    mine = drives[k]
    start = float(mine.law.value(0.0))
    far = math.tau if mine.gauge.unit == "rad" else FAR * layout.size
    drives[k] = Drive(mine.gauge, Setting(start, start + sign * far))
    moved = Layout(replace(layout.model, drives=tuple(drives)))
    motion = sweep(moved, np.linspace(0.0, 1.0, SAMPLES), executor="vm", ways_on=False)
    if motion.outcome.is_done:
        return start + sign * far, motion.outcome.name
    reached = float(motion.outcome.facts.get("t", 0.0))  # of the way, from 0 to 1
    return start + sign * far * reached, motion.outcome.name
