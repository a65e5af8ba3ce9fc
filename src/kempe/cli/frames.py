"""`kempe frames`."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, final

import typer

from kempe.cli.motion import mechanism_of
from kempe.cli.options import AsJson, output_option
from kempe.cli.terminal import answer
from kempe.disk import replace_file
from kempe.errors import FrameError

if TYPE_CHECKING:
    from kempe.frames import ClosureError, FrameGraph, KinematicState
    from kempe.frames.graph.reconciliation import Reconciliation
    from kempe.front import Mechanism

SHOWN = 60  # lines of a tree
RATES = ("velocity", "angular_velocity", "acceleration", "angular_acceleration")
SAMPLES = 120  # of a motion that is played


@final
class Picture(StrEnum):
    """What can be drawn."""

    graph = "graph"
    axes = "axes"
    bodies = "bodies"


@final
@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the frames, and when."""

    query: Annotated[
        tuple[str, str] | None,
        typer.Option(help="Where is FRAME, seen from another?", metavar="FRAME SEEN_FROM"),
    ] = None
    t: Annotated[float, typer.Option(help="The time, s.")] = 0.0
    joint: Annotated[
        list[str] | None,
        typer.Option(help="Where a robot's joint stands, rad or m.", metavar="NAME=VALUE"),
    ] = None
    within: Annotated[
        float | None,
        typer.Option(min=0.0, help="Exit 1 where a loop misses by more (m, rad, m/s, rad/s)."),
    ] = None
    reconcile: Annotated[
        bool, typer.Option("--reconcile", help="Close all loops, by least squares, first.")
    ] = False
    until: Annotated[
        float | None, typer.Option(help="Play the axes, or sample a log, up to this time, s.")
    ] = None

    @property
    def span(self) -> tuple[float, float | None]:
        """From when to when (s); to None where nothing moves."""
        return self.t, self.until


def frames(
    file: Annotated[
        str,
        typer.Argument(
            help="Frames as .yaml or .json, a transform log .csv, a .urdf, or a mechanism: its"
            " model file, Python file or name of the gallery.",
            metavar="FILE|NAME",
        ),
    ],
    *,
    question: Question,
    output: Annotated[
        Path | None, output_option("Write the frames: .yaml, .json, .csv or .urdf.")
    ] = None,
    draw: Annotated[
        Path | None,
        typer.Option(help="Draw the graph (.svg), or the axes in space (.html, to turn and play)."),
    ] = None,
    picture: Annotated[
        Picture | None,
        typer.Option(help="Draw this instead: graph, axes, or bodies and joints of a mechanism."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Show a tree of frames, see any from any other, and tell how well its loops close.

    Example: kempe frames crane.yaml --query camera ground --t 2.5
    """
    from kempe.frames import closure_errors, reconciled, write_frames
    from kempe.frames.documents.document import refuse_unwritable_frames

    if output is not None:
        refuse_unwritable_frames(output)
    if draw is not None:
        _refuse_undrawable(draw)
    t, until = question.span
    end = until if until is not None else t if t > 0.0 else None
    graph, mechanism = _given(file, question.joint or [], end)
    facts: dict[str, Any] = {"frames": len(graph), "t": t}
    if question.reconcile:
        result = reconciled(graph, t)
        graph = result.graph
        facts["reconciled"] = _reconciled(result)
    loops = closure_errors(graph, t)
    facts["roots"] = [name for name in graph if graph.parent(name) is None]
    facts["loops"] = [_loop(error) for error in loops]
    state = graph.state(*question.query, t) if question.query else None
    if state is not None:
        facts["state"] = _numbers(state)
    if output is not None:
        facts["written"] = str(write_frames(_kept(graph, output, t, until), output))
    if draw is not None:
        facts["drawn"] = str(_draw(graph, mechanism, draw, picture, question.span))
    if not as_json:
        _show(graph, facts, loops, state)
    worst = max((error.largest for error in loops), default=0.0)
    is_yes = question.within is None or worst <= question.within
    return answer(facts, "", as_json=as_json, is_yes=is_yes)


def _reconciled(result: "Reconciliation") -> dict[str, Any]:
    corrections = [
        {"frame": c.frame, "seen_from": c.reference, "distance": c.distance, "angle": c.angle}
        for c in result.corrections
    ]
    return {"converged": result.converged, "corrections": corrections}


def _given(
    what: str, joints: list[str], until: float | None
) -> "tuple[FrameGraph, Mechanism | None]":
    """The frames of a file, or of a mechanism as it stands or, with `until`, moves."""
    from kempe.frames import read_frames, read_urdf
    from kempe.frames.documents.document import has_frames

    path = Path(what)
    if path.suffix == ".urdf":
        return read_urdf(path, dict(_position(text) for text in joints)), None
    if joints:
        raise FrameError("only a robot's .urdf has joints to set.")
    if path.suffix == ".csv" or (path.suffix in (".yaml", ".yml", ".json") and has_frames(path)):
        return read_frames(path), None
    from kempe.front import Trajectory
    from kempe.kinematics.check.assembly import still

    mechanism = mechanism_of(what)
    if until is not None:
        return mechanism.kinematics(until=until, steps=SAMPLES).frames(), mechanism
    return Trajectory(mechanism.layout, still(mechanism.layout)).frames(), mechanism


def _position(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name, float(value)
    except ValueError:
        raise FrameError(f"a joint is set by NAME=VALUE, not by {text!r}.") from None


def _kept(graph: "FrameGraph", path: Path, t: float, until: float | None) -> "FrameGraph":
    """What can be written: a log holds samples alone, taken here up to the time asked for."""
    if path.suffix != ".csv" or until is None:
        return graph
    import numpy as np

    from kempe.frames import resampled

    return resampled(graph, np.linspace(t, until, SAMPLES + 1), fixed_too=True)


def _draw(
    graph: "FrameGraph",
    mechanism: "Mechanism | None",
    path: Path,
    picture: Picture | None,
    span: tuple[float, float | None],
) -> Path:
    import numpy as np

    from kempe.draw import axes_scene, frame_graph_svg, scene_svg, write_player

    t, until = span
    _refuse_undrawable(path)
    if path.suffix == ".html":
        if picture not in (None, Picture.axes):
            raise FrameError("a page shows axes in space; draw the graph as .svg.")
        times = t if until is None else np.linspace(t, until, SAMPLES + 1)
        return write_player(axes_scene(graph, times, title=path.stem), path)
    if picture is Picture.bodies:
        if mechanism is None:
            raise FrameError("these are frames: only a mechanism has bodies and joints to draw.")
        text = mechanism.graph_svg()
    elif picture is Picture.axes:
        text = scene_svg(axes_scene(graph, t, title=path.stem), names=True)
    else:
        text = frame_graph_svg(graph, t, title=path.stem)
    return replace_file(path, text.encode())


def _refuse_undrawable(path: Path) -> None:
    if path.suffix not in (".svg", ".html"):
        raise FrameError(f"{path}: frames are drawn as .svg or .html.")


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
    for word in ("written", "drawn"):
        if word in facts:
            print(f"wrote {facts[word]}")


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
    words = ("position", "angle", "velocity", "angular_velocity")
    return {"frames": list(error.frames), **{w: float(getattr(error, w)) for w in words}}


def _numbers(state: "KinematicState") -> dict[str, Any]:
    from kempe.geometry.rotations import Matrix

    return {
        "frame": state.frame,
        "seen_from": state.reference,
        "position": state.position.tolist(),
        "rotation": state.rotation.tolist(),
        "quaternion": Matrix().quaternions(state.rotation).tolist(),
        **{word: getattr(state, word).tolist() for word in RATES},
    }
