"""Four-bars by hand in numba, closed form: python -m peers.numba_four_bars VARIANTS STEPS REPEATS.

What somebody writes who has one kind of mechanism and an afternoon. Prints one JSON line: CPU
seconds a placement, of the coupler point alone, and with its velocity and acceleration.
"""

import json
import math
import sys
import time
from importlib.metadata import version

import numba
import numpy as np
from yardsticks.clock import keep_memory
from yardsticks.four_bars import coupler_points, lengths


@numba.njit(fastmath=True, boundscheck=False)
def positions(given, steps, out):
    for k in range(given.shape[0]):
        a, b, c, d = given[k, 0], given[k, 1], given[k, 2], given[k, 3]
        for j in range(steps + 1):
            t = 2.0 * math.pi * j / steps
            bx, by = a * math.cos(t), a * math.sin(t)
            wx, wy = d - bx, -by
            r2 = wx * wx + wy * wy
            along = (b * b - c * c + r2) / (2.0 * r2)
            high = math.sqrt(b * b / r2 - along * along)
            ux, uy = along * wx - high * wy, along * wy + high * wx
            out[k, j, 0] = bx + 0.5 * (ux - uy)
            out[k, j, 1] = by + 0.5 * (uy + ux)


@numba.njit(fastmath=True, boundscheck=False)
def motions(given, steps, out):
    w = 2.0 * math.pi
    for k in range(given.shape[0]):
        a, b, c, d = given[k, 0], given[k, 1], given[k, 2], given[k, 3]
        for j in range(steps + 1):
            t = w * j / steps
            bx, by = a * math.cos(t), a * math.sin(t)
            vx, vy = -w * by, w * bx
            gx, gy = -w * w * bx, -w * w * by
            wx, wy = d - bx, -by
            r2 = wx * wx + wy * wy
            along = (b * b - c * c + r2) / (2.0 * r2)
            high = math.sqrt(b * b / r2 - along * along)
            ux, uy = along * wx - high * wy, along * wy + high * wx
            sx, sy = ux - wx, uy - wy  # from the rocker's pivot to C
            cross = ux * sy - uy * sx
            # B' + p (left of u) = q (left of s)
            p = -(vx * sx + vy * sy) / cross
            q = -(vx * ux + vy * uy) / cross
            ex, ey = gx - p * p * ux + q * q * sx, gy - p * p * uy + q * q * sy
            f = -(ex * sx + ey * sy) / cross
            out[k, j, 0], out[k, j, 1] = bx + 0.5 * (ux - uy), by + 0.5 * (uy + ux)
            hx, hy = 0.5 * (ux - uy), 0.5 * (uy + ux)
            out[k, j, 2], out[k, j, 3] = vx - p * hy, vy + p * hx
            out[k, j, 4] = gx - f * hy - p * p * hx
            out[k, j, 5] = gy + f * hx - p * p * hy


def measure(variants: int, steps: int, repeats: int) -> None:
    keep_memory()
    given = lengths(variants)
    found = {"who": f"numba {version('numba')}, closed form by hand"}
    for name, kernel, width in (("positions", positions, 2), ("motions", motions, 6)):
        kernel(given[:2], steps, np.empty((2, steps + 1, width)))
        least = math.inf
        for _ in range(repeats):
            began = time.process_time()
            out = np.empty((variants, steps + 1, width))
            kernel(given, steps, out)
            least = min(least, time.process_time() - began)
        found[name] = least / (variants * (steps + 1))
        some = min(variants, 64)
        exact = coupler_points(given[:some], steps)
        found[f"{name}_error"] = float(np.abs(out[:some, :, :2] - exact).max())
    h = 1.0 / steps
    told = (out[:, 2:, 2:4] - out[:, :-2, 2:4]) / (2 * h)
    found["rates_error"] = float(np.abs(told - out[:, 1:-1, 4:]).max() / np.abs(told).max())
    print(json.dumps(found))


measure(*map(int, sys.argv[1:4]))
