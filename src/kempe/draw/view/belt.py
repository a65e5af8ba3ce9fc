"""The line of a belt round two wheels."""

import math

import numpy as np

from kempe.draw.scene.coordinates import FloatArray

ARC_CORNERS = 25  # of the line on one wheel


def belt_line(
    ends: FloatArray, axis: FloatArray, radii: tuple[float, float], *, crossed: bool
) -> FloatArray:
    """Corners (m, 3) of the closed line round wheels of these radii at `ends` (2, 3).

    On wheel i it lies from phi to 2 pi - phi, counted from the direction of the other wheel, with
    cos phi = (r_i -+ r_j) / D; on wheel j from -phi to phi, or where it crosses from pi - phi back
    to phi - pi. Where one wheel holds the other there is no belt: the line of centres.
    """
    d = ends[1] - ends[0]
    d = d - axis * (axis @ d)
    distance = float(np.linalg.norm(d))
    r_i, r_j = radii
    reach = r_i + r_j if crossed else r_i - r_j
    if not distance > abs(reach) or min(radii) <= 0.0:
        return ends
    u = d / distance
    v = np.cross(axis, u)
    phi = math.acos(reach / distance)
    first = np.linspace(phi, 2.0 * math.pi - phi, ARC_CORNERS)
    second = np.linspace(math.pi - phi, phi - math.pi, ARC_CORNERS)
    if not crossed:
        second = np.linspace(-phi, phi, ARC_CORNERS)
    arcs = ((ends[0], r_i, first), (ends[1], r_j, second))
    return np.concatenate(
        [c + r * (np.outer(np.cos(a), u) + np.outer(np.sin(a), v)) for c, r, a in arcs]
    )
