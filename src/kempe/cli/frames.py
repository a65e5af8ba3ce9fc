"""`kempe frames`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from kempe.frames import ClosureError, FrameGraph, KinematicState

ANSWER_IS_NO = 1  # exit code: a loop does not close
SHOWN = 60  # lines of a tree


def frames(
    file: Annotated[
        Path, typer.Argument(help="Frames as .yaml or .json, a transform log .csv, or a .urdf.")
    ],
    *,
    query: Annotated[
        tuple[str, str] | None,
        typer.Option(help="Where is FRAME, seen from another?", metavar="FRAME SEEN_FROM"),
    ] = None,
    t: Annotated[float, typer.Option(help="The time, s.")] = 0.0,
    within: Annotated[
        float | None, typer.Option(help="Exit 1 where a loop misses by more (m, rad, m/s, rad/s).")
    ] = None,
    reconcile: Annotated[
        bool, typer.Option("--reconcile", help="Close all loops, by least squares, first.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the frames as .yaml or .json.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Show a tree of frames, see any from any other, and tell how well its loops close.

    Example: kempe frames crane.yaml --query camera ground --t 2.5
    """
    from kempe.frames import closure_errors, read_frames, reconciled, write_frames

    graph = read_frames(file)
    facts: dict[str, Any] = {"frames": len(graph), "t": t}
    if reconcile:
        result = reconciled(graph, t)
        graph = result.graph
        facts["reconciled"] = {
            "converged": result.converged,
            "corrections": [
                {
                    "frame": c.frame,
                    "seen_from": c.reference,
                    "distance": c.distance,
                    "angle": c.angle,
                }
                for c in result.corrections
            ],
        }
    loops = closure_errors(graph, t)
    facts["roots"] = [name for name in graph if graph.parent(name) is None]
    facts["loops"] = [_loop(error) for error in loops]
    state = graph.state(query[0], query[1], t) if query else None
    if state is not None:
        facts["state"] = _numbers(state)
    if output is not None:
        facts["written"] = str(write_frames(graph, output))
    if as_json:
        print(json.dumps(facts))
    else:
        _show(graph, facts, loops, state)
    worst = max((error.largest for error in loops), default=0.0)
    return ANSWER_IS_NO if within is not None and worst > within else 0


def _show(
    graph: "FrameGraph",
    facts: dict[str, Any],
    loops: list["ClosureError"],
    state: "KinematicState | None",
) -> None:
    if state is None:
        lines = _tree(graph)
        print("\n".join(lines[:SHOWN]))
        if len(lines) > SHOWN:
            print(f"... and {len(lines) - SHOWN} more")
    else:
        print(f"{state.frame} seen from {state.reference} at t = {facts['t']:g} s")
        for word, numbers in _numbers(state).items():
            if word not in ("frame", "seen_from", "rotation"):
                print(f"  {word.replace('_', ' '):<21}" + "  ".join(f"{x:12.6g}" for x in numbers))
    for correction in facts.get("reconciled", {}).get("corrections", []):
        print("moved {frame} by {distance:.3g} m, {angle:.3g} rad".format(**correction))
    for error in loops:
        print(f"loop {error}")
    if "written" in facts:
        print(f"wrote {facts['written']}")


def _tree(graph: "FrameGraph") -> list[str]:
    children: dict[str | None, list[str]] = {}
    for name in graph:
        children.setdefault(graph.parent(name), []).append(name)
    lines, waiting = [], [(name, 0) for name in reversed(children.get(None, []))]
    while waiting:
        name, depth = waiting.pop()
        edge = graph.edge(name)
        kind = "" if edge is None else f"  ({type(edge).__name__.lower()})"
        lines.append(f"{'  ' * min(depth, SHOWN)}{name}{kind}")
        waiting += [(child, depth + 1) for child in reversed(children.get(name, []))]
    return lines


def _loop(error: "ClosureError") -> dict[str, Any]:
    return {
        "frames": list(error.frames),
        "position": float(error.position),
        "angle": float(error.angle),
        "velocity": float(error.velocity),
        "angular_velocity": float(error.angular_velocity),
    }


def _numbers(state: "KinematicState") -> dict[str, Any]:
    from kempe.geometry.rotations import Matrix

    return {
        "frame": state.frame,
        "seen_from": state.reference,
        "position": state.position.tolist(),
        "rotation": state.rotation.tolist(),
        "quaternion": Matrix().quaternions(state.rotation).tolist(),
        "velocity": state.velocity.tolist(),
        "angular_velocity": state.angular_velocity.tolist(),
        "acceleration": state.acceleration.tolist(),
        "angular_acceleration": state.angular_acceleration.tolist(),
    }
