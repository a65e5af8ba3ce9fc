"""Writing frame graphs: YAML or JSON with a transform log beside it, a log alone, or URDF."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kempe.disk import replace_file
from kempe.errors import FrameError
from kempe.frames.documents.document import RATES
from kempe.frames.documents.log import write_log
from kempe.frames.documents.urdf_writing import write_urdf
from kempe.frames.graph.edge import closing_parts, spread
from kempe.frames.graph.graph import FrameGraph
from kempe.frames.graph.order import parents_first
from kempe.frames.motions.motion import AbstractMotion, Given, Rigid, Uniform
from kempe.frames.motions.sampled_motion import Sampled
from kempe.frames.states.state import made
from kempe.geometry.rotations import Matrix

ENDINGS = (".yaml", ".yml", ".json", ".csv", ".urdf")


def refuse_unwritable(path: Path) -> None:
    """A FrameError where frames cannot be written to a file of that ending."""
    if path.suffix not in ENDINGS:
        raise FrameError(
            f"{path}: frames are written to {', '.join(ENDINGS)}, not to"
            f" {path.suffix or 'no ending'!r}."
        )


def write_frames(graph: FrameGraph, path: str | Path) -> Path:
    """Write a graph as .yaml or .json with samples in a log beside it, as a log .csv, or as .urdf.

    What the ending cannot hold is refused by name: a log needs samples, a robot fixed poses.
    """
    path = Path(path)
    refuse_unwritable(path)
    if path.suffix == ".urdf":
        return write_urdf(graph, path)
    if path.suffix == ".csv":
        return _log_alone(graph, path)
    log = path.with_name(f"{path.stem}.log.csv")
    samples: list[tuple[str, str, Sampled]] = []
    frames: list[dict[str, Any]] = []
    for name in graph:
        entry: dict[str, Any] = {"id": name}
        motion, parent = graph.edge(name), graph.parent(name)
        if motion is not None and parent is not None:
            entry |= {"parent": parent} | _written(motion, name, parent, log.name, samples)
        frames.append(entry)
    loops = [
        {"frame": c.frame, "seen_from": c.reference}
        | _written(c.motion, c.frame, c.reference, log.name, samples)
        for c in graph.closing
    ]
    document: dict[str, Any] = {"frames": frames} | ({"loops": loops} if loops else {})
    if samples:  # before the document that names it
        write_log(log, samples)
    text = json.dumps(document, indent=1) + "\n" if path.suffix == ".json" else _yaml(document)
    return replace_file(path, text.encode())


def _yaml(document: dict[str, Any]) -> str:
    from ruamel.yaml import YAML

    yaml = YAML(typ="safe")
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]
    text = io.StringIO()
    yaml.dump(document, text)
    return text.getvalue()


def _log_alone(graph: FrameGraph, path: Path) -> Path:
    edges = [(name, graph.parent(name), graph.edge(name)) for name in graph]
    edges += [(c.frame, c.reference, c.motion) for c in graph.closing]
    sampled = []
    for frame, parent, motion in edges:
        if parent is None:
            continue
        if not isinstance(motion, Sampled):
            raise FrameError(
                f"a transform log holds samples, and the edge from {parent!r} to {frame!r} is"
                f" {type(motion).__name__}: write .yaml, or sample it first, with"
                " resampled(graph, times, fixed_too=True) or --until.",
                frame=frame,
            )
        sampled.append((frame, parent, motion))
    return write_log(path, sampled)


def resampled(graph: FrameGraph, t: ArrayLike, *, fixed_too: bool = False) -> FrameGraph:
    """The same graph with every moving edge sampled at the times t (n,), ready for a file.

    Fixed poses stay as they are, unless `fixed_too`: a transform log holds nothing but samples.
    """
    times = np.atleast_1d(np.asarray(t, dtype=np.float64))
    result = FrameGraph()
    for name in parents_first(graph):
        motion, parent = graph.edge(name), graph.parent(name)
        if parent is None or motion is None:
            result.add(name)
        elif isinstance(motion, Rigid) and not fixed_too:
            result.add(name, parent, motion)
        else:
            result.add(name, parent, Sampled(times, graph.along([parent, name], times)))
    for edge in graph.closing:
        motion = edge.motion
        if fixed_too or not isinstance(motion, Rigid):
            parts = spread(closing_parts(edge, times), times)
            motion = Sampled(times, made(edge.frame, edge.reference, parts))
        result.close(edge.frame, edge.reference, motion)
    return result


def _written(
    motion: AbstractMotion, frame: str, parent: str, log: str, samples: list[Any]
) -> dict[str, Any]:
    if isinstance(motion, Sampled):
        samples.append((frame, parent, motion))
        return {"log": log} | ({"extrapolate": motion.extrapolate} if motion.extrapolate else {})
    if isinstance(motion, Rigid):
        return _pose(motion.position, motion.rotation)
    if isinstance(motion, Given):
        s = motion.state.resolved()
        rates = {key: getattr(s, key).tolist() for key in RATES if getattr(s, key).any()}
        return _pose(s.position, s.rotation) | {"state": rates}
    if isinstance(motion, Uniform):
        rates = {key: getattr(motion, key).tolist() for key in RATES[:2]}
        return _pose(motion.start.position, motion.start.rotation) | {"moving": rates}
    raise FrameError(
        f"the edge from {parent!r} to {frame!r} is a function of time, which no file can hold:"
        " sample it first, with resampled(graph, times).",
        frame=frame,
    )


def _pose(p: Any, R: Any) -> dict[str, Any]:
    pose: dict[str, Any] = {"position": p.tolist()} if p.any() else {}
    if (np.eye(3) != R).any():
        pose["rotation"] = {"quaternion": Matrix().quaternions(R).tolist()}
    return pose
