"""Whether the parts of a motion map are what they must be: kinds, shapes and counts, not values.

A map that was saved can be changed in any way. What passes here can be drawn, sampled and proved
again without a part that is missing or of another kind; whether it is true is for the proof.
"""

import math
from typing import Any

import numpy as np

from kempe.algebra import Tape
from kempe.algebra.native import native_tape
from kempe.compile.layout.charts import PLANAR
from kempe.compile.layout.coordinates import Coordinates
from kempe.results.maps.certificate import CertifiedBlock, Cover
from kempe.results.maps.component import Component, ComponentEnd, Readings
from kempe.results.maps.motion_map import MotionMap, SingularPlace


def require_form(motions: MotionMap) -> None:
    """Raise a ValueError that names the first part of a map that cannot be one."""
    total = len(motions.unknowns)
    _texts(motions.unknowns, "the names of unknowns")
    _texts((motions.name, motions.message), "name and message")
    _number(motions.within, "within")
    _whole(motions.unsearched.boxes, "the number of boxes that were not searched")
    _number(motions.unsearched.share, "the share that was not searched")
    for name, count in motions.counts.items():
        _number(count, f"the count of {name}")
    _readings(motions.readings, total)
    for k, block in enumerate(motions.blocks):
        _block(block, total, f"block {k}")
    for component in motions.components:
        _component(component, total, len(motions.readings.bodies))
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
    _tape(readings.tape, total, len(readings.names), "the readings")
    if len(readings.names) < 4 * len(readings.bodies):
        raise ValueError("the readings leave bodies out")


def _block(block: CertifiedBlock, total: int, who: str) -> None:
    n = len(block.places)
    for place in block.places:
        if _whole(place, f"an unknown of {who}") >= total:
            raise ValueError(f"{who} has an unknown that is none of the map")
    if len(set(block.places)) != n:
        raise ValueError(f"{who} has an unknown twice")
    counts = (block.n_equations, block.n_redundant, block.n_sides)
    rows = sum(_whole(count, f"a number of rows of {who}") for count in counts)
    _texts(block.sources, f"the sources of {who}")
    _tape(block.tape, n, rows, who)
    if block.freedom not in (0, 1):
        raise ValueError(f"{who} has {block.n_equations} equations for {n} unknowns")
    for name in ("low", "high", "period", "limited"):
        _array(getattr(block, name), (n,), f"{name} of {who}")
    if not ((block.period >= 0.0) & (block.period < math.inf)).all():
        raise ValueError(f"{who} has a circle of no length")


def _component(component: Component, total: int, bodies: int) -> None:
    who, charts = (
        f"component {_whole(component.number, 'the number of a component')}",
        component.charts,
    )
    n, m = len(component.block.places), component.block.n_equations
    if charts.get("closed") not in (True, False) or charts["closed"] is not component.closed:
        raise ValueError(f"{who} does not say whether it is closed")
    count = len(_array(charts.get("h"), (None,), f"h of {who}"))
    shapes = {
        "p": (count, n),
        "A": (count, n * n),
        "C": (count, m * m),
        "w": (count,),
        "start": (n,),
    }
    if n > m:
        links = count - (not component.closed)
        shapes |= {"links": (links, n), "link_radii": (links,)}
    for name, shape in shapes.items():
        _array(charts.get(name), shape, f"{name} of {who}")
    if count == 0:
        raise ValueError(f"{who} has no charts")
    _number(charts.get("start_radius"), f"the radius of the start of {who}")
    _array(component.x, (total,), f"the start of {who}")
    _array(component.radius, (total,), f"the radii of {who}")
    if len(component.ends) != (0 if component.closed or n == m else 2):
        raise ValueError(f"{who} has {len(component.ends)} ends")
    for end in component.ends:
        _end(end, total, bodies, f"an end of {who}")


def _end(end: ComponentEnd, total: int, bodies: int, who: str) -> None:
    _texts((end.kind, end.limit), f"kind and limit of {who}")
    _array(end.q, (Coordinates(PLANAR, bodies).bodies_q.stop,), f"q of {who}")
    _array(end.x, (total,), f"x of {who}")
    _number(end.radius, f"the radius of {who}")
    if end.place != -1:
        _whole(end.place, f"the place of {who}")


def _place(place: SingularPlace, blocks: tuple[CertifiedBlock, ...], who: str) -> None:
    if _whole(place.block, f"the block of {who}") >= len(blocks):
        raise ValueError(f"{who} is of a block that is none of the map")
    n = len(blocks[place.block].places)
    for name in ("low", "high"):
        _array(getattr(place, name), (n,), f"{name} of {who}")
    count = len(_array(place.lows, (None, n), f"the boxes of {who}"))
    _array(place.highs, (count, n), f"the boxes of {who}")
    _array(place.q, (None,), f"q of {who}")
    _array(place.middle, (None,), f"the middle of {who}")
    for number in (place.size, place.width, place.singular_value):
        _number(number, f"a size of {who}")
    for number in (place.boxes, place.freedom):
        _whole(number, f"a count of {who}")
    _texts(place.movers, f"the movers of {who}")
    for branch in place.branches:
        if len(branch) != 2:
            raise ValueError(f"a branch of {who} is no component with its end")
        for number in branch:
            _whole(number, f"a branch of {who}")


def _cover(cover: Cover, n: int, who: str) -> None:
    nodes = _array(cover.unknown, (None,), f"the nodes of {who}", kinds="iu")
    _array(cover.at, (int((nodes >= 0).sum()),), f"the cuts of {who}")
    if nodes.max(initial=-1) >= n:
        raise ValueError(f"{who} cuts an unknown that is none of its block")
    for name in ("low", "high"):
        _array(getattr(cover, name), (n,), f"{name} of {who}")


def _tape(tape: Any, inputs: int, outputs: int, who: str) -> None:
    if not isinstance(tape, Tape):
        raise ValueError(f"the formulas of {who} are missing")
    if tape.n_inputs != inputs or len(tape.outputs) != outputs:
        raise ValueError(f"the formulas of {who} do not fit its unknowns and rows")
    if outputs and not 0 <= int(tape.outputs.min()) <= int(tape.outputs.max()) < tape.n_registers:
        raise ValueError(f"the formulas of {who} give numbers that they do not compute")
    native_tape(tape)  # checks every instruction


def _array(
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


def _number(value: Any, who: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise ValueError(f"{who} is no number")


def _whole(value: Any, who: str) -> int:
    """The value, if it is a whole number that counts something."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{who} is no count")
    return value


def _texts(values: Any, who: str) -> None:
    if not isinstance(values, tuple) or not all(isinstance(value, str) for value in values):
        raise ValueError(f"{who} are not all text")
