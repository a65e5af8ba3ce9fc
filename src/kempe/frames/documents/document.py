"""Frame graphs in files: YAML, or JSON, which is the same and read faster.

```yaml
frames:
  - id: ground
  - {id: boom, parent: ground, position: [0, 0, 2], rotation: {axis: [0, 0, 1], angle: 0.5}}
  - {id: hook, parent: boom, position: [9, 0, 0], moving: {velocity: [0, 0, -0.2]}}
  - {id: camera, parent: boom, log: camera.csv, extrapolate: 0.1}
loops:
  - {frame: camera, seen_from: ground, position: [8, 1, 3]}
```

A rotation is an `axis` and an `angle` (rad), a `quaternion` (scalar first), a `matrix` or `rpy`
(roll, pitch, yaw about fixed x, y, z). `moving` is a steady velocity and angular velocity, `state`
the rates of one instant, `log` a table of samples.
"""

import gc
import io
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kempe.disk import below, content_of, replace_file
from kempe.errors import (
    DuplicateName,
    FileError,
    FrameError,
    KempeError,
    TwoParents,
    UnknownFrame,
    nearest_name,
)
from kempe.frames.documents.entries import (
    LARGEST,
    from_rpy,
    listed,
    mapping,
    named,
    numbers,
    parsed,
    text_of,
)
from kempe.frames.documents.log import read_log, write_log
from kempe.frames.documents.urdf import read_urdf, write_urdf
from kempe.frames.graph.frame_trees import closing_parts, spread
from kempe.frames.graph.graph import FrameGraph, parents_first
from kempe.frames.motions.motion import AbstractMotion, Given, Rigid, Uniform, placed
from kempe.frames.motions.sampled_motion import Sampled
from kempe.frames.states.state import KinematicState, made
from kempe.geometry import Rotation
from kempe.geometry.rotations import Matrix

RATES = ("velocity", "angular_velocity", "acceleration", "angular_acceleration")
UNMOVED = Rigid()
HEAD = 20_000  # bytes of a file that tell what it is about
MECHANISM = "version|bodies|joints"  # words of a mechanism's file
EDGE = {"position", "rotation", "moving", "state", "log", "extrapolate"}
PLACE = {"position"}
ENDINGS = (".yaml", ".yml", ".json", ".csv", ".urdf")


def read_frames(path: str | Path) -> FrameGraph:
    """The frame graph of a file: .yaml, .json, a transform log (.csv) or a robot (.urdf)."""
    path = Path(path)
    if path.suffix == ".csv":
        return _from_log(path)
    if path.suffix == ".urdf":
        return read_urdf(path)
    text = text_of(path)
    try:
        with _collector_at_rest():
            return frames_from(parsed(text), path.parent)
    except KempeError as mistake:
        raise type(mistake)(f"{path}: {mistake.message}", **mistake.facts) from None


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Everything a file makes stays, and the collector would walk it again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def has_frames(path: str | Path) -> bool:
    """Whether a .yaml or .json file is about frames rather than a mechanism; by its first words."""
    try:
        text = content_of(Path(path), LARGEST)[:HEAD].decode(errors="replace")
    except FileError:
        return True  # reading it will tell what is wrong
    key = r"""(?m)^\s*\{?\s*["']?(?:%s)["']?\s*:"""
    return bool(re.search(key % "frames|loops", text)) or not re.search(key % MECHANISM, text)


def frames_from(document: object, folder: Path = Path()) -> FrameGraph:
    """The graph of a parsed document; logs are looked for in `folder`."""
    whole = mapping("the document", document, {"frames", "loops"})
    frames = listed("frames", whole.get("frames"))
    parents, entries = _parents(frames)
    graph = FrameGraph()
    for name in parents_first(parents):
        where, entry = entries[name]
        edge = _edge(where, entry, name, parents[name] or "", folder)
        graph.add(name, parents[name], edge if parents[name] is not None else None)
    for k, item in enumerate(listed("loops", whole.get("loops") or [])):
        where = f"loops[{k}]"
        entry = mapping(where, item, EDGE | {"frame", "seen_from"})
        ends = [named(f"{where}.{key}", entry.get(key)) for key in ("frame", "seen_from")]
        for end in ends:
            if end not in graph:
                raise UnknownFrame(
                    f"{where}: there is no frame {end!r}.{nearest_name(end, graph)}", name=end
                )
        graph.close(ends[0], ends[1], _edge(where, entry, ends[0], ends[1], folder))
    return graph


def _parents(
    frames: list[object],
) -> tuple[dict[str, str | None], dict[str, tuple[str, Mapping[str, Any]]]]:
    parents: dict[str, str | None] = {}
    entries: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for k, item in enumerate(frames):
        where = f"frames[{k}]"
        entry = mapping(where, item, EDGE | {"id", "parent"})
        name = named(f"{where}.id", entry.get("id"))
        given = entry.get("parent")
        parent = None if given is None else named(f"{where}.parent", given)
        if name in parents:
            if parent != parents[name]:
                raise TwoParents(
                    f"{where}: {name!r} hangs on {parents[name]!r} already ({entries[name][0]}) and"
                    f" cannot hang on {parent!r} too. List the second edge under `loops`.",
                    frame=name,
                    parents=(parents[name], parent),
                )
            raise DuplicateName(f"{where}.id: there is a frame {name!r} already.", name=name)
        parents[name], entries[name] = parent, (where, entry)
    for name, up in parents.items():
        if up is not None and up not in parents:
            hint = nearest_name(up, parents)
            raise UnknownFrame(
                f"{entries[name][0]}.parent: there is no frame {up!r}.{hint}", name=up
            )
    return parents, entries


def _edge(
    where: str, entry: Mapping[str, Any], frame: str, parent: str, folder: Path
) -> AbstractMotion:
    words = EDGE & entry.keys()
    if not words:
        return UNMOVED
    if words == PLACE:  # the common case, without the long way round
        return placed(numbers(f"{where}.position", entry["position"], (3,)))
    kinds = [key for key in ("moving", "state", "log") if key in entry]
    if len(kinds) > 1:
        raise FrameError(f"{where}: an edge has one of {', '.join(kinds)}, not several.")
    if kinds == ["log"]:
        return _logged(where, entry, frame, parent, folder)
    position = numbers(f"{where}.position", entry.get("position", [0, 0, 0]), (3,))
    try:
        rotation = _rotation(f"{where}.rotation", entry.get("rotation"))
        rigid = Rigid(position, rotation)
    except KempeError as mistake:
        said = mistake.message
        if not said.startswith(where):
            said = f"{where}.rotation: {said}"
        raise type(mistake)(said, **mistake.facts) from None
    if not kinds:
        return rigid
    given = mapping(f"{where}.{kinds[0]}", entry[kinds[0]], set(RATES))
    rates = {key: numbers(f"{where}.{kinds[0]}.{key}", x, (3,)) for key, x in given.items()}
    if kinds == ["state"]:
        return Given(KinematicState(frame, parent, rigid.position, rigid.rotation, **rates))
    if extra := set(rates) - set(RATES[:2]):
        raise FrameError(f"{where}.moving: steady motion has no {sorted(extra)[0]}.")
    return Uniform(rigid, **rates)


def _logged(
    where: str, entry: Mapping[str, Any], frame: str, parent: str, folder: Path
) -> AbstractMotion:
    name = named(f"{where}.log", entry["log"])
    beyond = float(numbers(f"{where}.extrapolate", entry.get("extrapolate", 0.0), ()))
    try:
        log = below(folder, name)
    except FileError as mistake:
        raise FrameError(f"{where}.log: {mistake.message}") from None
    edges = read_log(log, extrapolate=beyond)
    found = edges.get((frame, parent)) or edges.get(("", ""))
    if found is None:
        raise FrameError(f"{where}.log: {name} has no samples of {frame!r} seen from {parent!r}.")
    return found


def _rotation(where: str, given: object) -> Rotation | None:
    if given is None:
        return None
    words = mapping(where, given, {"axis", "angle", "quaternion", "matrix", "rpy"})
    match sorted(words):
        case ["angle", "axis"]:
            axis = numbers(f"{where}.axis", words["axis"], (3,))
            return Rotation.about(axis, float(numbers(f"{where}.angle", words["angle"], ())))
        case ["quaternion"]:
            q = numbers(f"{where}.quaternion", words["quaternion"], (4,))
            return Rotation.from_quaternion(q.tolist())
        case ["matrix"]:
            return Rotation.from_matrix(numbers(f"{where}.matrix", words["matrix"], (3, 3)))
        case ["rpy"]:
            return from_rpy(numbers(f"{where}.rpy", words["rpy"], (3,)).tolist())
    raise FrameError(f"{where}: give axis and angle, or a quaternion, a matrix or rpy.")


def _from_log(path: Path) -> FrameGraph:
    edges = read_log(path)
    if ("", "") in edges:
        raise FrameError(
            f"{path} does not say which frames it is about: add columns frame, parent."
        )
    graph = FrameGraph()
    parents: dict[str, str | None] = {parent: None for _, parent in edges}
    closing = []
    for frame, parent in edges:
        if parents.get(frame) is None:
            parents[frame] = parent
        else:
            closing.append((frame, parent))
    for name in parents_first(parents):
        up = parents[name]
        graph.add(name, up, None if up is None else edges[name, up])
    for frame, parent in closing:
        graph.close(frame, parent, edges[frame, parent])
    return graph


def refuse_unwritable_frames(path: Path) -> None:
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
    refuse_unwritable_frames(path)
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
            entry |= {"parent": parent} | _edge_entry(motion, name, parent, log.name, samples)
        frames.append(entry)
    loops = [
        {"frame": c.frame, "seen_from": c.reference}
        | _edge_entry(c.motion, c.frame, c.reference, log.name, samples)
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
    """The graph with every moving edge sampled at the times t (n,), ready for a file.

    Fixed poses stay as they are, unless `fixed_too`: a transform log holds nothing but samples.
    """
    times = np.atleast_1d(np.asarray(t, dtype=np.float64))
    result = FrameGraph()
    for name in parents_first(graph.parents):
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


def _edge_entry(
    motion: AbstractMotion, frame: str, parent: str, log: str, samples: list[Any]
) -> dict[str, Any]:
    if isinstance(motion, Sampled):
        samples.append((frame, parent, motion))
        return {"log": log} | ({"extrapolate": motion.extrapolate} if motion.extrapolate else {})
    if isinstance(motion, Rigid):
        return _pose_entry(motion.position, motion.rotation)
    if isinstance(motion, Given):
        s = motion.state.resolved()
        rates = {key: getattr(s, key).tolist() for key in RATES if getattr(s, key).any()}
        return _pose_entry(s.position, s.rotation) | {"state": rates}
    if isinstance(motion, Uniform):
        rates = {key: getattr(motion, key).tolist() for key in RATES[:2]}
        return _pose_entry(motion.start.position, motion.start.rotation) | {"moving": rates}
    raise FrameError(
        f"the edge from {parent!r} to {frame!r} is a function of time, which no file can hold:"
        " sample it first, with resampled(graph, times).",
        frame=frame,
    )


def _pose_entry(p: Any, R: Any) -> dict[str, Any]:
    pose: dict[str, Any] = {"position": p.tolist()} if p.any() else {}
    if (np.eye(3) != R).any():
        pose["rotation"] = {"quaternion": Matrix().quaternions(R).tolist()}
    return pose
