"""Motion maps in files: one .npz with the tapes and charts as arrays, the rest as JSON.

Nothing in it is code; what was proved can be proved again from the file alone. A map that was saved
can be changed in any way. Kinds, shapes and counts of its parts are checked, so that what is read
can be drawn, sampled and proved again; whether it is true is for the proof.
"""

import math
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Tape
from kempe.algebra.native import native_tape
from kempe.archive import archive_bytes, read_saved
from kempe.disk import replace_file
from kempe.errors import FileError
from kempe.results.maps.assemblies import Assemblies, CertifiedState
from kempe.results.maps.certificate import CertifiedBlock, Cover, Origin, Promise
from kempe.results.maps.component import NOTED, Component, ComponentEnd, Readings
from kempe.results.maps.motion_map import MotionMap, SingularPlace, Unsearched
from kempe.results.maps.surface_map import SurfaceMap

Arrays = dict[str, NDArray[Any]]

FORMAT = "kempe motion map"
VERSION = 2  # 1 had neither model nor cover
IN_SPACE = 3  # of maps in space, which readers of version 2 would take for planar ones


def write(motions: MotionMap, path: Path) -> Path:
    """Write a map, whole or not at all; the same map gives the same bytes."""
    if path.suffix.lower() != ".npz":
        raise FileError("a motion map is written to a file that ends in .npz.", path=str(path))
    arrays: Arrays = {}
    header = facts_of(motions, arrays) | {
        "format": FORMAT,
        "version": VERSION if motions.readings.plane else IN_SPACE,
        "components": [_component_header(arrays, motions, c) for c in motions.components],
    }
    return replace_file(path, archive_bytes(header, arrays))


def facts_of(found: MotionMap | Assemblies | SurfaceMap, arrays: Arrays) -> dict[str, Any]:
    """What a map and a list have in common, arrays put beside."""
    in_space = not found.readings.plane
    is_list = not isinstance(found, MotionMap)
    return {
        "name": found.name,
        "outcome": str(found.outcome),
        "message": found.message,
        "unknowns": found.unknowns,
        "counts": found.counts,
        "unsearched": [found.unsearched.boxes, found.unsearched.share],
        "within": found.within,
        **({"form": found.form} if in_space or is_list else {}),
        "readings": {
            "tape": put(arrays, "readings", _bytes(found.readings.tape)),
            "names": found.readings.names,
            "bodies": found.readings.bodies,
            **({"loose": found.readings.loose} if in_space or is_list else {}),
        },
        "blocks": [_plain(arrays, f"block{k}", b) for k, b in enumerate(found.blocks)],
        "singular": [_plain(arrays, f"singular{k}", s) for k, s in enumerate(found.singular)],
        "covers": [
            None if cover is None else _plain(arrays, f"cover{k}", cover)
            for k, cover in enumerate(found.covers)
        ],
        "steps": found.steps,
        "origin": None if found.origin is None else _origin(found.origin),
    }


def read(path: Path) -> MotionMap:
    """Read a map that was saved; a FileError where the file is anything else, or damaged."""

    def made(header: Any, arrays: Arrays) -> MotionMap:
        if header["format"] != FORMAT or header["version"] not in (VERSION, IN_SPACE):
            raise ValueError(f"format {header['format']!r}, version {header['version']!r}")
        motions = _map(header, arrays)
        require_form(motions)
        return motions

    return read_saved(path, "motion map", made, kinds="fiub")


LIST = "kempe assemblies"


def write_assemblies(found: Assemblies, path: Path) -> Path:
    """Write a list of assemblies, whole or not at all; the same list gives the same bytes."""
    if path.suffix.lower() != ".npz":
        raise FileError("assemblies are written to a file that ends in .npz.", path=str(path))
    if found.sought:
        raise FileError("of turning points no file is made: they can be asked for again.", path="")
    arrays: Arrays = {}
    states, total = found.states, len(found.unknowns)
    count = len(states)  # which may be none, of no unknowns
    arrays["x"] = np.array([s.x for s in states]).reshape(count, total)
    arrays["x_radius"] = np.array([s.x_radius for s in states]).reshape(count, total)
    arrays["q"] = np.array([s.q for s in states]).reshape(count, found.readings.n_q)
    arrays["radius"] = np.array([s.radius for s in states])
    header = facts_of(found, arrays) | {
        "format": LIST,
        "version": 1,
        "plane": found.readings.plane,
        "others": [dict(s.others) for s in states],
    }
    return replace_file(path, archive_bytes(header, arrays))


def read_assemblies(path: Path) -> Assemblies:
    """Read assemblies that were saved; a FileError where the file is anything else, or damaged."""

    def made(header: Any, arrays: Arrays) -> Assemblies:
        if header["format"] != LIST or header["version"] != 1:
            raise ValueError(f"format {header['format']!r}, version {header['version']!r}")
        found = _assemblies(header, arrays)
        _require_list(found)
        return found

    return read_saved(path, "list of assemblies", made, kinds="fiub")


def read_any(path: Path) -> MotionMap | Assemblies | SurfaceMap:
    """Read a motion map, a map of surfaces or a list of assemblies, whichever the file is."""
    from kempe.results.maps.surface_file import SURFACES, read_surfaces

    def form(header: Any, _: Arrays) -> str:
        return str(header["format"])

    found = read_saved(path, "motion map", form, kinds="fiub")
    if found == SURFACES:
        return read_surfaces(path)
    return read_assemblies(path) if found == LIST else read(path)


def _assemblies(header: Mapping[str, Any], arrays: Arrays) -> Assemblies:
    told = header["readings"]
    readings = Readings(
        tape_of(arrays[told["tape"]]),
        tuple(told["names"]),
        tuple(told["bodies"]),
        bool(header["plane"]),
        tuple(told["loose"]),
    )
    states = [
        CertifiedState(0.0, q, x=x, x_radius=off, radius=float(radius), others=dict(others))
        for q, x, off, radius, others in zip(
            *(arrays[name] for name in ("q", "x", "x_radius", "radius")),
            header["others"],
            strict=True,
        )
    ]
    return Assemblies(
        name=header["name"],
        states=tuple(states),
        singular=tuple(restored(SingularPlace, s, arrays) for s in header["singular"]),
        outcome=Promise(header["outcome"]),
        message=header["message"],
        unknowns=tuple(header["unknowns"]),
        counts=header["counts"],
        unsearched=Unsearched(*header["unsearched"]),
        blocks=tuple(restored(CertifiedBlock, b, arrays) for b in header["blocks"]),
        readings=readings,
        within=header["within"],
        form=header["form"],
        covers=tuple(None if c is None else restored(Cover, c, arrays) for c in header["covers"]),
        steps=tuples(header["steps"]),
        origin=None if header["origin"] is None else asked_of(header["origin"]),
    )


def _require_list(found: Assemblies) -> None:
    """Raise a ValueError that names the first part of a list that cannot be one."""
    require_facts(found)
    total = len(found.unknowns)
    for k, state in enumerate(found.states):
        who = f"assembly {k}"
        require_array(state.x, (total,), f"x of {who}")
        require_array(state.x_radius, (total,), f"the radii of {who}")
        require_array(state.q, (found.readings.n_q,), f"q of {who}")
        require_number(state.radius, f"the radius of {who}")
        _texts(tuple(state.others), f"the readings of {who}")
        for value in state.others.values():
            require_number(value, f"a reading of {who}")


def _map(header: Mapping[str, Any], arrays: Arrays) -> MotionMap:
    told = header["readings"]
    names, bodies = (tuple(told[word]) for word in ("names", "bodies"))
    plane = header["version"] == VERSION
    loose = () if plane else tuple(told["loose"])
    readings = Readings(tape_of(arrays[told["tape"]]), names, bodies, plane, loose)
    blocks = tuple(restored(CertifiedBlock, b, arrays) for b in header["blocks"])
    components = []
    for c in header["components"]:
        ends = tuple(restored(ComponentEnd, e, arrays) for e in c["ends"])
        kept = {key: arrays[name] for key, name in c["charts"].items() if key not in NOTED}
        charts = kept | c["numbers"]
        x, radius = arrays[c["x"]], arrays[c["radius"]]
        block = blocks[c["block"]]
        made = Component(c["number"], c["closed"], ends, charts, block, x, radius, readings)
        components.append(made)
    return MotionMap(
        name=header["name"],
        components=tuple(components),
        singular=tuple(restored(SingularPlace, s, arrays) for s in header["singular"]),
        outcome=Promise(header["outcome"]),
        message=header["message"],
        unknowns=tuple(header["unknowns"]),
        counts=header["counts"],
        unsearched=Unsearched(*header["unsearched"]),
        blocks=blocks,
        readings=readings,
        within=header["within"],
        form="" if plane else header["form"],
        covers=tuple(None if c is None else restored(Cover, c, arrays) for c in header["covers"]),
        steps=tuples(header["steps"]),
        origin=None if header["origin"] is None else asked_of(header["origin"]),
    )


def _origin(origin: Origin) -> dict[str, Any]:
    return {
        "held": dict(origin.held),
        "limits": {name: list(ends) for name, ends in origin.limits.items()},
        "model": origin.written(),
        **({} if origin.during is None else {"during": list(origin.during)}),
    }


def asked_of(plain: Mapping[str, Any]) -> Origin:
    """The question that a map answers, from a file's header."""
    held = {str(name): float(value) for name, value in plain["held"].items()}
    limits = {str(name): (float(a), float(b)) for name, (a, b) in plain["limits"].items()}
    during = plain.get("during")
    span = None if during is None else (float(during[0]), float(during[1]))
    return Origin(held, limits, document=str(plain["model"]), during=span)


def _component_header(arrays: Arrays, motions: MotionMap, c: Component) -> dict[str, Any]:
    head = f"component{c.number}"
    numbers = {k: v for k, v in c.charts.items() if not isinstance(v, np.ndarray)}
    return {
        "number": c.number,
        "closed": c.closed,
        "block": [b is c.block for b in motions.blocks].index(True),
        "x": put(arrays, f"{head}/x", c.x),
        "radius": put(arrays, f"{head}/radius", c.radius),
        "charts": {
            key: put(arrays, f"{head}/{key}", value)
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
            plain[field.name] = {"array": put(arrays, f"{head}/{field.name}", value)}
        elif isinstance(value, Tape):
            plain[field.name] = {"tape": put(arrays, f"{head}/{field.name}", _bytes(value))}
        else:
            plain[field.name] = value
    return plain


def restored(kind: Any, plain: Mapping[str, Any], arrays: Arrays) -> Any:
    """A dataclass of a `kind` from its `plain` fields, arrays and tapes by their names."""
    given: dict[str, Any] = {}
    for name, value in plain.items():
        if isinstance(value, dict) and "array" in value:
            given[name] = arrays[value["array"]]
        elif isinstance(value, dict) and "tape" in value:
            given[name] = tape_of(arrays[value["tape"]])
        else:
            given[name] = tuples(value)
    return kind(**given)


def tuples(value: Any) -> Any:
    """A `value` of JSON with tuples in place of lists."""
    return tuple(tuples(v) for v in value) if isinstance(value, list) else value


def put(arrays: Arrays, name: str, value: NDArray[Any]) -> str:
    """Put an array beside the header; the `name` it is kept under."""
    arrays[name] = value
    return name


def _bytes(tape: Tape) -> NDArray[np.uint8]:
    return np.frombuffer(tape.to_bytes(), dtype=np.uint8)


def tape_of(content: NDArray[Any]) -> Tape:
    """The tape that an array of bytes holds."""
    return Tape.from_bytes(content.tobytes())


def require_form(motions: MotionMap) -> None:
    """Raise a ValueError that names the first part of a map that cannot be one."""
    require_facts(motions)
    for component in motions.components:
        _component(component, len(motions.unknowns))


def require_facts(motions: MotionMap | Assemblies | SurfaceMap) -> None:
    """Raise a ValueError that names the first part wrong of what maps and lists have in common."""
    total = len(motions.unknowns)
    _texts(motions.unknowns, "the names of unknowns")
    _texts((motions.name, motions.message, motions.form), "name, message and form")
    require_number(motions.within, "within")
    require_whole(motions.unsearched.boxes, "the number of boxes that were not searched")
    require_number(motions.unsearched.share, "the share that was not searched")
    for name, count in motions.counts.items():
        require_number(count, f"the count of {name}")
    inputs = min(motions.readings.tape.n_inputs, total)  # surfaces have unknowns of the search
    _readings(motions.readings, inputs if isinstance(motions, SurfaceMap) else total)
    freedoms = (0, 2) if isinstance(motions, SurfaceMap) else (0, 1)
    for k, block in enumerate(motions.blocks):
        _block(block, total, f"block {k}", freedoms)
    for k, place in enumerate(motions.singular):
        _place(place, motions.blocks, f"place {k}")
    for k, (cover, block) in enumerate(zip(motions.covers, motions.blocks, strict=True)):
        if cover is not None:
            _cover(cover, len(block.places), f"cover {k}")
    for step in motions.steps:
        if len(step) != 2:
            raise ValueError("a step of the elimination is no unknown with its row")
        _texts(step, "the steps of the elimination")


def _readings(readings: Readings, total: int) -> None:
    _texts(readings.names, "the names of readings")
    _texts(readings.bodies, "the names of bodies")
    _texts(readings.loose, "the names of rods")
    _tape(readings.tape, total, len(readings.names), "the readings")
    if len(readings.names) < readings.of_body * len(readings.bodies):
        raise ValueError("the readings leave bodies out")


def _block(block: CertifiedBlock, total: int, who: str, freedoms: tuple[int, int]) -> None:
    n = len(block.places)
    for place in block.places:
        if require_whole(place, f"an unknown of {who}") >= total:
            raise ValueError(f"{who} has an unknown that is none of the map")
    if len(set(block.places)) != n:
        raise ValueError(f"{who} has an unknown twice")
    counts = (block.n_equations, block.n_redundant, block.n_sides)
    rows = sum(require_whole(count, f"a number of rows of {who}") for count in counts)
    _texts(block.sources, f"the sources of {who}")
    _tape(block.tape, n, rows, who)
    if block.freedom not in freedoms:
        raise ValueError(f"{who} has {block.n_equations} equations for {n} unknowns")
    for name in ("low", "high", "period", "limited"):
        require_array(getattr(block, name), (n,), f"{name} of {who}")
    if not ((block.period >= 0.0) & (block.period < math.inf)).all():
        raise ValueError(f"{who} has a circle of no length")


def _component(component: Component, total: int) -> None:
    who, charts = (
        f"component {require_whole(component.number, 'the number of a component')}",
        component.charts,
    )
    n, m = len(component.block.places), component.block.n_equations
    if charts.get("closed") not in (True, False) or charts["closed"] is not component.closed:
        raise ValueError(f"{who} does not say whether it is closed")
    count = len(require_array(charts.get("h"), (None,), f"h of {who}"))
    for name, shape in component.chart_shapes(count).items():
        require_array(charts.get(name), shape, f"{name} of {who}")
    if count == 0:
        raise ValueError(f"{who} has no charts")
    require_number(charts.get("start_radius"), f"the radius of the start of {who}")
    require_array(component.x, (total,), f"the start of {who}")
    require_array(component.radius, (total,), f"the radii of {who}")
    if len(component.ends) != (0 if component.closed or n == m else 2):
        raise ValueError(f"{who} has {len(component.ends)} ends")
    for end in component.ends:
        _end(end, total, component.readings.n_q, f"an end of {who}")


def _end(end: ComponentEnd, total: int, n_q: int, who: str) -> None:
    _texts((end.kind, end.limit), f"kind and limit of {who}")
    require_array(end.q, (n_q,), f"q of {who}")
    require_array(end.x, (total,), f"x of {who}")
    require_number(end.radius, f"the radius of {who}")
    if end.place != -1:
        require_whole(end.place, f"the place of {who}")


def _place(place: SingularPlace, blocks: tuple[CertifiedBlock, ...], who: str) -> None:
    if require_whole(place.block, f"the block of {who}") >= len(blocks):
        raise ValueError(f"{who} is of a block that is none of the map")
    n = len(blocks[place.block].places)
    for name in ("low", "high"):
        require_array(getattr(place, name), (n,), f"{name} of {who}")
    count = len(require_array(place.lows, (None, n), f"the boxes of {who}"))
    require_array(place.highs, (count, n), f"the boxes of {who}")
    require_array(place.q, (None,), f"q of {who}")
    require_array(place.middle, (None,), f"the middle of {who}")
    for number in (place.size, place.width, place.singular_value):
        require_number(number, f"a size of {who}")
    for number in (place.boxes, place.freedom):
        require_whole(number, f"a count of {who}")
    _texts(place.movers, f"the movers of {who}")
    for branch in place.branches:
        if len(branch) != 2:
            raise ValueError(f"a branch of {who} is no component with its end")
        for number in branch:
            require_whole(number, f"a branch of {who}")


def _cover(cover: Cover, n: int, who: str) -> None:
    nodes = require_array(cover.unknown, (None,), f"the nodes of {who}", kinds="iu")
    require_array(cover.at, (int((nodes >= 0).sum()),), f"the cuts of {who}")
    if nodes.max(initial=-1) >= n:
        raise ValueError(f"{who} cuts an unknown that is none of its block")
    for name in ("low", "high"):
        require_array(getattr(cover, name), (n,), f"{name} of {who}")


def _tape(tape: Any, inputs: int, outputs: int, who: str) -> None:
    if not isinstance(tape, Tape):
        raise ValueError(f"the formulas of {who} are missing")
    if tape.n_inputs != inputs or len(tape.outputs) != outputs:
        raise ValueError(f"the formulas of {who} do not fit its unknowns and rows")
    if outputs and not 0 <= int(tape.outputs.min()) <= int(tape.outputs.max()) < tape.n_registers:
        raise ValueError(f"the formulas of {who} give numbers that they do not compute")
    native_tape(tape)  # checks every instruction


def require_array(
    value: Any, shape: tuple[int | None, ...], who: str, kinds: str = "f"
) -> "np.ndarray[Any, np.dtype[Any]]":
    """The value, if it is an array of numbers of that shape; None is any length."""
    if not isinstance(value, np.ndarray) or value.dtype.kind not in kinds:
        raise ValueError(f"{who} is no array of numbers")
    fits = [b is None or a == b for a, b in zip(value.shape, shape, strict=False)]
    if value.ndim != len(shape) or not all(fits):
        raise ValueError(f"{who} has the shape {value.shape}")
    if np.isnan(value).any():
        raise ValueError(f"{who} has entries that are no numbers")
    return value


def require_number(value: Any, who: str) -> None:
    """Raise a ValueError where a `value` is no number; `who` it is of."""
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise ValueError(f"{who} is no number")


def require_whole(value: Any, who: str) -> int:
    """The value, if it is a whole number that counts something."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{who} is no count")
    return value


def _texts(values: Any, who: str) -> None:
    if not isinstance(values, tuple) or not all(isinstance(value, str) for value in values):
        raise ValueError(f"{who} are not all text")
