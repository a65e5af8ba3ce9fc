"""Promise: whatever was done to a file, kempe reads it or says in a typed error why not.

Model files, saved trajectories and frames are changed in their text or in their structure. What is
read can be used; nothing is written.

Oracle: brute force. The only exceptions are KempeErrors, numbers of what was read are finite, and
the folder looks as before.
"""

import io
import json
import os
import tempfile
import zipfile
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import kempe
from kempe.errors import KempeError
from kempe.export.writing import write
from kempe.files.documents.document import read_document
from kempe.frames import read_frames

CASES = 60
REMEMBERED = (186,)
ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ("four_bar", "slider_crank", "rack_and_pinion", "swinging_table", "rssr")
FRAMES = """{"frames": [{"id": "ground"}, {"id": "boom", "parent": "ground", "position": [0, 0, 2],
"rotation": {"axis": [0, 0, 1], "angle": 0.5}}, {"id": "hook", "parent": "boom", "position": [9, 0,
0], "moving": {"velocity": [0, 0, -0.2]}}], "loops": [{"frame": "hook", "seen_from": "ground",
"position": [8, 1, 3]}]}"""
STRANGE: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 3, 2**70, 1e308, -1e-308, 0.5, "", "nan", "x\x1b[2J", "ground", "deg"),
    *([], {}, [[]], {"type": "ramp"}, [1, 2], [1, 2, 3], "../../etc/passwd", "x" * 1000, "if(t"),
)


def attempt(rng: np.random.Generator) -> list[str]:
    """One file, changed once to three times."""
    kind = str(rng.choice(["model", "text", "trajectory", "frames"]))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / {"trajectory": "a.npz", "text": "a.yaml"}.get(kind, "a.json")
        path.write_bytes(_changed(rng, kind))
        try:
            _used(kind, path)
        except KempeError:
            pass
        except Exception as trouble:
            return [f"a changed {kind} led to {type(trouble).__name__}: {trouble}"]
        if os.listdir(folder) != [path.name]:
            return [f"a changed {kind} wrote {os.listdir(folder)}"]
    return []


def _changed(rng: np.random.Generator, kind: str) -> bytes:
    example = str(rng.choice(EXAMPLES))
    path = ROOT / "examples" / "models" / f"{example}.yaml"
    if kind == "text":
        content = bytearray(path.read_bytes())
        for _ in range(rng.integers(1, 4)):
            a, b = sorted(rng.integers(0, len(content), 2).tolist())
            b = min(b, a + 40)
            piece = [
                b"",
                bytes(content[a:b]) * 2,
                bytes([int(rng.integers(256))]),
                b": ",
                b"[",
                b"&a",
            ]
            content[a:b] = piece[int(rng.integers(len(piece)))]
        return bytes(content)
    if kind == "trajectory":
        return _changed_archive(rng)
    data = json.loads(FRAMES) if kind == "frames" else dict(read_document(path).data)
    for _ in range(rng.integers(1, 4)):
        _change(rng, data)
    return json.dumps(data).encode()


def _change(rng: np.random.Generator, data: Any) -> None:
    """Put something strange in the place of one entry, leave it out, or take another's."""
    holder = data
    while True:
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not keys:
            return
        key = keys[int(rng.integers(len(keys)))]
        inner = holder[key]
        if not isinstance(inner, (dict, list)) or not inner or rng.random() < 0.15:
            break
        holder = inner
    way = rng.random()
    if way < 0.2:
        del holder[key]
    elif way < 0.4:
        holder[key] = holder[keys[int(rng.integers(len(keys)))]]
    elif way < 0.5 and isinstance(holder, dict):
        holder[str(STRANGE[int(rng.integers(len(STRANGE)))])] = inner
    else:
        holder[key] = deepcopy(STRANGE[int(rng.integers(len(STRANGE)))])


@cache
def _trajectories() -> list[bytes]:
    with tempfile.TemporaryDirectory() as name:
        runs = [
            kempe.gallery.four_bar().kinematics(until=1.0, steps=4),
            kempe.gallery.double_pendulum().simulate(until=0.1, steps=4),
        ]
        return [run.save(Path(name) / "a.npz").read_bytes() for run in runs]


def _changed_archive(rng: np.random.Generator) -> bytes:
    content = _trajectories()[int(rng.integers(2))]
    if rng.random() < 0.2:
        damaged = bytearray(content)
        for at in rng.integers(0, len(damaged), 3).tolist():
            damaged[at] = int(rng.integers(256))
        return bytes(damaged)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    if rng.random() < 0.6:
        header = json.loads(parts["kempe.json"])
        for _ in range(rng.integers(1, 3)):
            _change(rng, header)
        parts["kempe.json"] = json.dumps(header).encode()
    else:
        names = [name for name in parts if name.endswith(".npy")]
        name = names[int(rng.integers(len(names)))]
        array = np.load(io.BytesIO(parts[name]))
        others = (
            array[:-1],
            array.astype(np.float32),
            array[..., None],
            np.full_like(array, np.nan),
            np.zeros(0),
            -array,
            array.astype(">f8"),
            np.zeros((len(array), 1000)),
        )
        buffer = io.BytesIO()
        np.save(buffer, others[int(rng.integers(len(others)))])
        parts[name] = buffer.getvalue()
        if rng.random() < 0.2:
            del parts[name]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return buffer.getvalue()


def _used(kind: str, path: Path) -> None:
    """Read it and do with it what one does."""
    if kind == "trajectory":
        run = kempe.Trajectory.load(path)
        with tempfile.TemporaryDirectory() as name:
            for ending in (".csv", ".svg", ".txt", ".json", ".npz"):
                try:
                    write(run, Path(name) / f"a{ending}")
                except KempeError:
                    continue
        return
    if kind == "frames":
        graph = read_frames(path)
        for name in graph:
            state = graph.state(name, next(iter(graph)), 0.0)
            assert np.isfinite(state.position).all(), name
        return
    document = read_document(path)
    _ = document.run
    _ = document.model, document.given_parameters
