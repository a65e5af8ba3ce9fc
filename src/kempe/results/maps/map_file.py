"""Motion maps in files: one .npz with the tapes and charts as arrays, the rest as JSON.

Nothing in it is code; what was proved can be proved again from the file alone.
"""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Tape
from kempe.archive import archive_bytes, read_archive
from kempe.disk import replace_file
from kempe.errors import FileError
from kempe.results.maps.certificate import CertifiedBlock, Cover, Origin
from kempe.results.maps.component import NOTED, Component, ComponentEnd, Readings
from kempe.results.maps.map_form import require_form
from kempe.results.maps.motion_map import MotionMap, SingularPlace, Unsearched
from kempe.results.maps.promise import Promise

Arrays = dict[str, NDArray[Any]]

FORMAT = "kempe motion map"
VERSION = 2  # 1 had neither model nor cover
HEADER = "kempe.json"


def write(motions: MotionMap, path: Path) -> Path:
    """Write a map, whole or not at all; the same map gives the same bytes."""
    if path.suffix.lower() != ".npz":
        raise FileError("a motion map is written to a file that ends in .npz.", path=str(path))
    arrays: Arrays = {}
    header = {
        "format": FORMAT,
        "version": VERSION,
        "name": motions.name,
        "outcome": str(motions.outcome),
        "message": motions.message,
        "unknowns": motions.unknowns,
        "counts": motions.counts,
        "unsearched": [motions.unsearched.boxes, motions.unsearched.share],
        "within": motions.within,
        "readings": {
            "tape": _put(arrays, "readings", _bytes(motions.readings.tape)),
            "names": motions.readings.names,
            "bodies": motions.readings.bodies,
        },
        "blocks": [_block(arrays, k, b) for k, b in enumerate(motions.blocks)],
        "components": [_component(arrays, motions, c) for c in motions.components],
        "singular": [_plain(arrays, f"singular{k}", s) for k, s in enumerate(motions.singular)],
        "covers": [
            None if cover is None else _plain(arrays, f"cover{k}", cover)
            for k, cover in enumerate(motions.covers)
        ],
        "steps": motions.steps,
        "origin": None if motions.origin is None else _origin(motions.origin),
    }
    return replace_file(path, archive_bytes(header, arrays))


def read(path: Path) -> MotionMap:
    """Read a map that was saved; a FileError where the file is anything else, or damaged."""
    try:
        header, arrays = read_archive(path, kinds="fiub")
        if header["format"] != FORMAT or header["version"] != VERSION:
            raise ValueError(f"format {header['format']!r}, version {header['version']!r}")
        motions = _map(header, arrays)
        require_form(motions)
        return motions
    except FileError:
        raise
    except FileNotFoundError:
        raise FileError("there is no such file.", path=str(path)) from None
    except OSError as trouble:
        reason = trouble.strerror or str(trouble)
        raise FileError(f"the file cannot be read: {reason}.", path=str(path)) from None
    except Exception as trouble:  # whatever a damaged archive, array or header leads to
        said = (str(trouble).splitlines() or [type(trouble).__name__])[0]
        raise FileError(
            f"this is no motion map that kempe saved, or it is damaged ({said}).", path=str(path)
        ) from None


def _map(header: Mapping[str, Any], arrays: Arrays) -> MotionMap:
    told = header["readings"]
    readings = Readings(_tape(arrays[told["tape"]]), tuple(told["names"]), tuple(told["bodies"]))
    blocks = tuple(_restored(CertifiedBlock, b, arrays) for b in header["blocks"])
    components = []
    for c in header["components"]:
        ends = tuple(_restored(ComponentEnd, e, arrays) for e in c["ends"])
        kept = {key: arrays[name] for key, name in c["charts"].items() if key not in NOTED}
        charts = kept | c["numbers"]
        x, radius = arrays[c["x"]], arrays[c["radius"]]
        block = blocks[c["block"]]
        made = Component(c["number"], c["closed"], ends, charts, block, x, radius, readings)
        components.append(made)
    return MotionMap(
        name=header["name"],
        components=tuple(components),
        singular=tuple(_restored(SingularPlace, s, arrays) for s in header["singular"]),
        outcome=Promise(header["outcome"]),
        message=header["message"],
        unknowns=tuple(header["unknowns"]),
        counts=header["counts"],
        unsearched=Unsearched(*header["unsearched"]),
        blocks=blocks,
        readings=readings,
        within=header["within"],
        covers=tuple(None if c is None else _restored(Cover, c, arrays) for c in header["covers"]),
        steps=_tuples(header["steps"]),
        origin=None if header["origin"] is None else _asked(header["origin"]),
    )


def _origin(origin: Origin) -> dict[str, Any]:
    return {
        "held": dict(origin.held),
        "limits": {name: list(ends) for name, ends in origin.limits.items()},
        "model": origin.written(),
    }


def _asked(plain: Mapping[str, Any]) -> Origin:
    held = {str(name): float(value) for name, value in plain["held"].items()}
    limits = {str(name): (float(a), float(b)) for name, (a, b) in plain["limits"].items()}
    return Origin(held, limits, document=str(plain["model"]))


def _block(arrays: Arrays, number: int, block: CertifiedBlock) -> dict[str, Any]:
    return _plain(arrays, f"block{number}", block)


def _component(arrays: Arrays, motions: MotionMap, c: Component) -> dict[str, Any]:
    head = f"component{c.number}"
    numbers = {k: v for k, v in c.charts.items() if not isinstance(v, np.ndarray)}
    return {
        "number": c.number,
        "closed": c.closed,
        "block": [b is c.block for b in motions.blocks].index(True),
        "x": _put(arrays, f"{head}/x", c.x),
        "radius": _put(arrays, f"{head}/radius", c.radius),
        "charts": {
            key: _put(arrays, f"{head}/{key}", value)
            for key, value in c.charts.items()
            if isinstance(value, np.ndarray) and key not in NOTED
        },
        "numbers": numbers,
        "ends": [_plain(arrays, f"{head}/end{k}", e) for k, e in enumerate(c.ends)],
    }


def _plain(arrays: Arrays, head: str, thing: Any) -> dict[str, Any]:
    """The fields of a dataclass: arrays and tapes by the name they are kept under."""
    plain: dict[str, Any] = {}
    for field in fields(thing):
        value = getattr(thing, field.name)
        if isinstance(value, np.ndarray):
            plain[field.name] = {"array": _put(arrays, f"{head}/{field.name}", value)}
        elif isinstance(value, Tape):
            plain[field.name] = {"tape": _put(arrays, f"{head}/{field.name}", _bytes(value))}
        else:
            plain[field.name] = value
    return plain


def _restored(kind: Any, plain: Mapping[str, Any], arrays: Arrays) -> Any:
    given: dict[str, Any] = {}
    for name, value in plain.items():
        if isinstance(value, dict) and "array" in value:
            given[name] = arrays[value["array"]]
        elif isinstance(value, dict) and "tape" in value:
            given[name] = _tape(arrays[value["tape"]])
        else:
            given[name] = _tuples(value)
    return kind(**given)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(v) for v in value) if isinstance(value, list) else value


def _put(arrays: Arrays, name: str, value: NDArray[Any]) -> str:
    arrays[name] = value
    return name


def _bytes(tape: Tape) -> NDArray[np.uint8]:
    return np.frombuffer(tape.to_bytes(), dtype=np.uint8)


def _tape(content: NDArray[Any]) -> Tape:
    return Tape.from_bytes(content.tobytes())
