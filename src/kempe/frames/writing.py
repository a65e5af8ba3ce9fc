"""Writing frame graphs: YAML or JSON, with a transform log beside it where edges are sampled."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from kempe.errors import FrameError
from kempe.frames.document import RATES
from kempe.frames.graph import FrameGraph
from kempe.frames.log import write_log
from kempe.frames.motion import AbstractMotion, Given, Rigid, Uniform
from kempe.frames.sampled import Sampled
from kempe.geometry.rotations import Matrix


def write_frames(graph: FrameGraph, path: str | Path) -> Path:
    """Write a graph as YAML or JSON; sampled edges go to one log beside it."""
    path = Path(path)
    log = path.with_name(f"{path.stem}.log.csv")
    sampled: list[tuple[str, str, Sampled]] = []
    frames: list[dict[str, Any]] = []
    for name in graph:
        entry: dict[str, Any] = {"id": name}
        motion, parent = graph.edge(name), graph.parent(name)
        if motion is not None and parent is not None:
            entry |= {"parent": parent} | _written(motion, name, parent, log.name, sampled)
        frames.append(entry)
    loops = [
        {"frame": c.frame, "seen_from": c.reference}
        | _written(c.motion, c.frame, c.reference, log.name, sampled)
        for c in graph.closing
    ]
    document: dict[str, Any] = {"frames": frames} | ({"loops": loops} if loops else {})
    if path.suffix == ".json":
        path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    else:
        from ruamel.yaml import YAML

        yaml = YAML(typ="safe")
        yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]
        with path.open("w", encoding="utf-8") as file:
            yaml.dump(document, file)
    if sampled:
        write_log(log, sampled)
    return path


def _written(
    motion: AbstractMotion, frame: str, parent: str, log: str, sampled: list[Any]
) -> dict[str, Any]:
    if isinstance(motion, Sampled):
        sampled.append((frame, parent, motion))
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
        " sample it first, with Sampled(t, graph.state(...)).",
        frame=frame,
    )


def _pose(p: Any, R: Any) -> dict[str, Any]:
    pose: dict[str, Any] = {"position": p.tolist()} if p.any() else {}
    if (np.eye(3) != R).any():
        pose["rotation"] = {"quaternion": Matrix().quaternions(R).tolist()}
    return pose
