"""Kinematic states against plain NumPy, and queries of a frame graph against pytransform3d."""

import json
from functools import partial
from operator import add
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from kempe.frames import FrameGraph, KinematicState, Rigid, read_frames
from kempe.geometry.rotations import exp_so3
from yardsticks.chain import end_of_chain, link, pairs
from yardsticks.clock import least_seconds
from yardsticks.fresh import peer
from yardsticks.report import Report, ratio


def measure_states(report: Report, share: float) -> None:
    """Addition and inversion of one state and of many instants, rates and all."""
    random = np.random.default_rng(3)
    for n, calls in ((1, 2000), (100_000, 3)):
        count = max(2, int(n * share)) if n > 1 else None
        calls = max(2, int(calls * share))
        a, b = (_state(random, frame, seen, count) for frame, seen in ("BA", "CB"))
        contestants: dict[str, Any] = {
            "added, kempe": partial(_repeat, partial(add, a, b), calls),
            "added, NumPy": partial(_repeat, partial(plain_sum, a, b), calls),
            "inverted, kempe": partial(_repeat, a.inverse, calls),
            "inverted, NumPy": partial(_repeat, partial(plain_inverse, a), calls),
        }
        seconds = least_seconds(contestants, 5)
        found = {
            "added": (a + b, plain_sum(a, b)),
            "inverted": (a.inverse(), plain_inverse(a)),
        }
        what = "one state" if count is None else f"{count} instants"
        for verb, (mine, plain) in found.items():
            error = max(float(np.abs(x - y).max()) for x, y in zip(mine.parts, plain, strict=True))
            for who in ("kempe", "NumPy"):
                per = seconds[f"{verb}, {who}"] / calls
                report.row(f"{what} {verb}", who, per, "call", error if who == "kempe" else None)
            cost = ratio(seconds[f"{verb}, kempe"], seconds[f"{verb}, NumPy"])
            report.at_most(f"{what} {verb}: times a plain NumPy formula", 3.0, cost)


def measure_queries(report: Report, share: float) -> None:
    """Random pairs of a chain of frames, none from memory."""
    frames, queries = max(10, int(1000 * share)), max(5, int(1000 * share))
    position, rotation = link()
    asked = pairs(frames, queries)
    graph = FrameGraph("f0")
    for k in range(1, frames):
        graph.add(f"f{k}", f"f{k - 1}", Rigid(position, rotation))
    last = f"f{frames - 1}"

    def fresh() -> None:
        graph.change(last, Rigid(position, rotation))  # forgets every answer
        for frame, seen_from in asked:
            graph.state(frame, seen_from)

    def again() -> None:
        for frame, seen_from in asked:
            graph.state(frame, seen_from)

    seconds = least_seconds({"kempe": fresh, "kempe, asked again": again}, 5)
    error = float(np.abs(graph.state(last, "f0").position - end_of_chain(frames)).max())
    case = f"chain of {frames} frames, random pairs"
    for who, spent in seconds.items():
        report.row(case, who, spent / queries, "query", error)
    found, missing = peer("pytransform3d", frames, max(2, queries // 10))
    if found is not None:
        report.row(case, found["who"], found["seconds"], "query", found["error"])
    report.at_least(
        "chain: times faster than pytransform3d",
        10.0,
        ratio(found["seconds"] if found else None, seconds["kempe"] / queries),
        missing,
    )


def measure_long_chain(report: Report, share: float) -> None:
    """A file of 100,000 frames in a chain: read it, see one end from the other, ask again."""
    frames = max(10, int(100_000 * share))
    entries: list[dict[str, Any]] = [{"id": "f0"}]
    for k in range(1, frames):
        entries.append({"id": f"f{k}", "parent": f"f{k - 1}", "position": [0.0, 0.0, 1.0]})
    last, times = f"f{frames - 1}", 1000
    with TemporaryDirectory() as folder:
        path = Path(folder) / "chain.json"
        path.write_text(json.dumps({"frames": entries}), encoding="utf-8")
        graph = read_frames(path)

        def from_file() -> None:
            read_frames(path).state(last, "f0")

        def again() -> None:
            for _ in range(times):
                graph.state(last, "f0")

        seconds = least_seconds({"from its file": from_file, "asked again": again}, 3)
    error = abs(float(graph.state(last, "f0").position[2]) - (frames - 1)) / frames
    case = f"chain of {frames} frames, end to end"
    report.row(case, "kempe", seconds["from its file"], "file", error)
    report.row(case, "kempe, asked again", seconds["asked again"] / times, "query", error)
    report.at_most(f"{case}: seconds from its file", 2.0, seconds["from its file"])
    microseconds = 1e6 * seconds["asked again"] / times
    report.at_most(f"{case}: microseconds when asked again", 10.0, microseconds)


def plain_sum(a: KinematicState, b: KinematicState) -> tuple[Any, ...]:
    """The sum as one would write it in NumPy, without frames and without checks."""
    R, w, alpha = a.rotation, a.angular_velocity, a.angular_acceleration
    turned = [(R @ x[..., None])[..., 0] for x in (b.position, b.velocity, b.acceleration)]
    d, u, f = turned
    s, g = ((R @ x[..., None])[..., 0] for x in (b.angular_velocity, b.angular_acceleration))
    return (
        a.position + d,
        R @ b.rotation,
        a.velocity + np.cross(w, d) + u,
        w + s,
        a.acceleration + np.cross(alpha, d) + np.cross(w, np.cross(w, d) + 2.0 * u) + f,
        alpha + np.cross(w, s) + g,
    )


def plain_inverse(a: KinematicState) -> tuple[Any, ...]:
    """The inverse as one would write it in NumPy."""
    T = np.swapaxes(a.rotation, -1, -2)
    p, v, w = ((T @ x[..., None])[..., 0] for x in (a.position, a.velocity, a.angular_velocity))
    f, g = ((T @ x[..., None])[..., 0] for x in (a.acceleration, a.angular_acceleration))
    wp = np.cross(w, p)
    return -p, T, wp - v, -w, np.cross(g, p) + np.cross(w, 2.0 * v - wp) - f, -g


def _state(random: Any, frame: str, reference: str, n: int | None) -> KinematicState:
    p, phi, v, w, a, alpha = random.normal(size=(6, 3) if n is None else (6, n, 3))
    return KinematicState(
        frame,
        reference,
        p,
        exp_so3(phi),
        velocity=v,
        angular_velocity=w,
        acceleration=a,
        angular_acceleration=alpha,
    )


def _repeat(call: Any, times: int) -> None:
    for _ in range(times):
        call()
