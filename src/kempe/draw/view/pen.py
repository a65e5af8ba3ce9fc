"""Path data for SVG: what a pen does on the screen, x right, y down, px."""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from kempe.draw.scene.shapes import FloatArray
from kempe.draw.scene.symbols import SIZES

ALONG_SIGHT = 0.02  # sine of the angle below which an axis counts as pointing at the reader


def number(value: float) -> str:
    """A coordinate to a hundredth of a px, without trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-0", "0" if abs(value) < 0.005 else "-0")


def polyline(points: Iterable[Sequence[float] | FloatArray], *, closed: bool = False) -> str:
    """A line through points, of which x and y count."""
    words = [f"{number(p[0])} {number(p[1])}" for p in points]
    return "M" + "L".join(words) + ("Z" if closed else "") if words else ""


def circle(x: float, y: float, radius: float) -> str:
    """A full circle."""
    return ellipse(x, y, radius, radius, 0.0)


def ellipse(x: float, y: float, major: float, minor: float, angle: float) -> str:
    """A full ellipse whose major axis is turned by ``angle`` (rad) on the screen."""
    dx, dy = major * math.cos(angle), major * math.sin(angle)
    arc = f"A{number(major)} {number(minor)} {number(math.degrees(angle))} 1 1 "
    start, end = f"{number(x + dx)} {number(y + dy)}", f"{number(x - dx)} {number(y - dy)}"
    return f"M{start}{arc}{end}{arc}{start}Z"


def ring(centre: FloatArray, axis: FloatArray, radius: float) -> str:
    """A circle in space about ``axis`` (right, up, near), seen as an ellipse."""
    angle = math.atan2(-axis[1], axis[0]) + 0.5 * math.pi
    return ellipse(float(centre[0]), float(centre[1]), radius, radius * abs(float(axis[2])), angle)


def drum(centre: FloatArray, axis: FloatArray, radius: float, half: float) -> list[str]:
    """A cylinder: its silhouette, and the end that faces the reader where it is seen aslant."""
    flat = math.hypot(float(axis[0]), float(axis[1]))
    if flat < ALONG_SIGHT:
        return [circle(float(centre[0]), float(centre[1]), radius)]
    d = np.array([axis[0], -axis[1]]) / flat
    n = np.array([-d[1], d[0]])
    back, front = centre[:2] - half * flat * d, centre[:2] + half * flat * d
    minor = radius * abs(float(axis[2]))
    turn = number(math.degrees(math.atan2(n[1], n[0])))
    arc = f"A{number(radius)} {number(minor)} {turn} 0 1 "

    def at(point: FloatArray) -> str:
        return f"{number(point[0])} {number(point[1])}"

    a, b, c, e = back + radius * n, back - radius * n, front - radius * n, front + radius * n
    silhouette = f"M{at(a)}{arc}{at(b)}L{at(c)}{arc}{at(e)}Z"
    facing = front if axis[2] >= 0.0 else back
    return [silhouette, ring(facing, axis, radius)]


def capsule(
    a: FloatArray, b: FloatArray, radius: float, *, round_start: bool, round_end: bool
) -> str:
    """A strip from a to b; each end round or square."""
    d = b[:2] - a[:2]
    length = float(np.hypot(*d))
    if length < 1e-6:
        return circle(float(a[0]), float(a[1]), radius)
    n = radius * np.array([-d[1], d[0]]) / length
    arc = f"A{number(radius)} {number(radius)} 0 0 1 "

    def at(point: FloatArray) -> str:
        return f"{number(point[0])} {number(point[1])}"

    start = f"{arc if round_start else 'L'}{at(a[:2] - n)}"
    end = f"{arc if round_end else 'L'}{at(b[:2] + n)}"
    return f"M{at(a[:2] + n)}{start}L{at(b[:2] - n)}{end}Z"


def hatching(a: FloatArray, b: FloatArray, side: FloatArray, size: float) -> str:
    """Short slanted strokes along a line from a to b, on the side that ``side`` points to."""
    d = b[:2] - a[:2]
    length = float(np.hypot(*d))
    if length == 0.0:
        return ""
    d = d / length
    count = max(1, int(length / (SIZES.hatch_step * size)))
    lean = SIZES.hatch * size * (side - d) / math.sqrt(2.0)
    starts = [a[:2] + d * (length * (k + 0.75) / count) for k in range(count)]
    return "".join(polyline([start, start + lean]) for start in starts)
