"""Curves of two parts that touch: a CurveCurveContact as a curve that touches an extruded one.

The format holds points of plane curves with their parameters; between them runs the interpolating
spline of the order that it names, periodic where the last point is the first. One curve is drawn
along its normal into a surface, so that the parts may lie beside each other along it.

Source: [OndselSolver] the section. Own: which spline it is; with a periodic one of degree 5 both
curves of the format's own time series meet with one tangent to 1e-10.
"""

from dataclasses import replace

import numpy as np

from kempe.files.syntax.source import shown
from kempe.foreign.asmt.frames import CurvePoints, Frames
from kempe.foreign.asmt.outline import Entry
from kempe.foreign.imported import Ledger
from kempe.geometry import Pose, Vector
from kempe.geometry.curves import BSpline
from kempe.geometry.surfaces import ExtrusionSurface
from kempe.joints import CurveOnSurface

CONTACT = "CurveCurveContact"
SAME = 1e-9  # of the size of a curve: its last point is its first, it lies in its plane
WIDTH = 0.1  # of the size of a curve: how far it is drawn along its normal, to be seen
BOTH_WAYS = "the curves are held together: they neither part nor bounce"


def contact_of(
    entry: Entry, frames: Frames, places: tuple[Pose, Pose], name: str, ledger: Ledger
) -> CurveOnSurface | None:
    """The joint of a contact; None, and said, where it has a curve that is not read.

    `places` are X_WI and X_WJ of the frames of its curves where the parts were put.
    """
    what, curves = f"{entry.text} {shown(entry.value('Name'))}", []
    for label in ("MarkerI", "MarkerJ"):
        points = frames.curves.get(frames.marker_name(entry, label))
        found = spline_through(points) if points is not None else "is missing: no curve has it"
        if isinstance(found, str):
            ledger.leave_out(entry.line, what, f"the curve of {label} {found}")
            return None
        curves.append(found)
    ours, theirs = curves
    beside = float((places[0].inverse() @ places[1]).position.z)
    width = max(WIDTH * ours.size, 4.0 * abs(beside))
    I, J = (frames.marker(entry, label) for label in ("MarkerI", "MarkerJ"))
    x, y, z = (float(c) for c in I.pose.point(Vector(0.0, 0.0, -0.5 * width)))
    ledger.note(entry.line, what, BOTH_WAYS)
    surface = ExtrusionSurface(ours, (0.0, 0.0, width))
    return CurveOnSurface(replace(I, position=(x, y, z)), J, name, surface=surface, other=theirs)


def spline_through(held: CurvePoints) -> BSpline | str:
    """The closed spline through points of a reference curve, or why there is none."""
    from scipy.interpolate import make_interp_spline

    s, points = np.array(held.parameters), np.array(held.points)
    n, size = held.order, float(np.ptp(points, axis=0).max())
    if n % 2 == 0 or not 1 <= n <= 15:
        return f"has order {n}; 1, 3, 5 to 15 are read"
    if len(s) < n + 2:
        return f"has {len(s)} points; one of order {n} needs {n + 2} or more"
    if not (np.diff(s) > 0.0).all():
        return "has parameters s that do not rise"
    if not np.abs(points[-1] - points[0]).max() <= SAME * size:
        return "does not come back to its first point; closed ones are read"
    if np.abs(points[:, 2]).max() > SAME * size:
        return "leaves its plane z = 0"
    points[-1], points[:, 2] = points[0], 0.0
    found = make_interp_spline(s, points, k=n, bc_type="periodic")
    controls = tuple((float(x), float(y), float(z)) for x, y, z in found.c[: len(s) - 1])
    return BSpline(controls, degree=n, knots=tuple((s - s[0]).tolist()), closed=True)
