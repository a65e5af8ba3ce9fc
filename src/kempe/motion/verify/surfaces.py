"""Maps of surfaces proved again: rows, charts, shapes, and that nothing is missing.

Charts and cover are those of curves with one more direction. That a mesh is its surface is proved
in the charts of its corners (`meshes`), and its Euler characteristic counted.
"""

import math
import time
from collections.abc import Sequence

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.interruption import put_off
from kempe.motion.equations.system import contradiction
from kempe.motion.verify.cover.blocks import BlockProof, Sheet
from kempe.motion.verify.cover.covering import Watch
from kempe.motion.verify.cover.meshes import proved_meshes
from kempe.motion.verify.verification import Tell, Verification, covers_proved, said_of_model
from kempe.motion.verify.written.planar_rows import Asked
from kempe.results.maps.certificate import Cover, Promise
from kempe.results.maps.component import Component
from kempe.results.maps.motion_map import MotionMap
from kempe.results.maps.surface import Surface
from kempe.results.maps.surface_map import SurfaceMap

LIMITS = (
    "surfaces that limits cut off: how they were folded along them, and the shape of what is left"
)


def verify_surfaces(
    found: SurfaceMap,
    layout: Layout | None,
    asked: Asked,
    tell: Tell | None = None,
    seconds: float = math.inf,
) -> Verification:
    """Prove a whole map of surfaces again; `tell` hears how many parts of a cover are done.

    Without a layout its equations cannot be derived, which is said. At Ctrl-C it ends with what was
    looked at so far: then it does not hold.
    """
    deadline = time.monotonic() + seconds
    sheets = _sheets(found)
    charts = sum(len(sheet.charts["h"]) for sheet in sheets)
    if asked.limits:
        return Verification(0, 0, (), charts, (LIMITS,))
    wrong = _contradictions(found, sheets)
    if wrong:
        return Verification(0, 0, tuple(wrong))
    as_map = _as_map(found)
    model = said_of_model(as_map, layout, asked, freedom=1)
    failures, unproved = list(model.failures), list(model.unproved)
    if model.derived is not None and model.derived.contradiction:
        if found.components or found.outcome is not Promise.COMPLETE:
            said = contradiction(model.derived.contradiction)
            failures.append(f"nothing can be listed, for its model contradicts: {said}")
        return Verification(0, 0, tuple(failures), 0, tuple(unproved))
    if failures:
        return Verification(0, 0, tuple(failures))
    if not model.blocks:
        return Verification(0, 0, (), charts, tuple(unproved))
    blocks: list[BlockProof] = []
    pairs = zip(found.blocks, model.blocks, strict=True)
    try:
        blocks = [BlockProof(b, rows, [s for s in sheets if s.block is b]) for b, rows in pairs]
    except (ArithmeticError, ValueError):
        return Verification(
            0, 0, (), charts, (*unproved, "anything: its numbers are too large or too small")
        )
    boxes = 0
    try:
        failures += _shapes(found, sheets, blocks, unproved)
        if not failures:
            more, others, boxes = covers_proved(as_map, blocks, Watch(deadline, tell))
            failures += more
            unproved += others
    except KeyboardInterrupt as stop:
        put_off(stop)
        unproved.append("that nothing is missing: it was interrupted")
    return Verification(
        charts, 0, tuple(failures), 0, tuple(unproved), boxes, found.outcome, surfaces=len(found)
    )


def _sheets(found: SurfaceMap) -> list[Sheet]:
    """The pieces of surface, each once: with parts that stand still they are listed often."""
    sheets: list[Sheet] = []
    for surface in found.components:
        if not any(surface.charts is sheet.charts for sheet in sheets):
            sheets.append(Sheet(surface.block, surface.charts))
    return sheets


def _shapes(
    found: SurfaceMap, sheets: Sequence[Sheet], blocks: Sequence[BlockProof], unproved: list[str]
) -> list[str]:
    """What is wrong with charts and shapes; what rows of higher degree leave open is put beside."""
    failures: list[str] = []
    for block in blocks:
        own = [sheet for sheet in sheets if sheet.block is block.block]
        if not own:
            continue
        if not block.is_known:
            unproved.append(f"its charts: {block.trouble}")
            continue
        proof = proved_meshes(block, own)
        failures += proof.failures
        for surface in found.components if not proof.failures else ():
            euler = next(
                e
                for e, sheet in zip(proof.euler, own, strict=True)
                if sheet.charts is surface.charts
            )
            if surface.euler is not None and surface.euler != euler:
                said = "not proved" if euler is None else f"{euler}"
                failures.append(
                    f"surface {surface.number}: its Euler characteristic is {said}, not"
                    f" {surface.euler}"
                )
            elif surface.euler is not None and (surface.rims, surface.cut) != (0, None):
                failures.append(f"surface {surface.number}: it has a rim, and no limit was given")
    return failures


def _contradictions(found: SurfaceMap, sheets: Sequence[Sheet]) -> list[str]:
    """What in a map contradicts itself."""
    wrong: list[str] = []
    if [s.number for s in found.components] != list(range(len(found.components))):
        wrong.append("the surfaces are not numbered in order: one is missing or listed twice")
    if len(found.covers) != len(found.blocks):
        wrong.append(f"there are {len(found.blocks)} blocks and {len(found.covers)} covers")
    if any(s.block not in found.blocks or s.block.freedom != 2 for s in sheets):
        wrong.append("a surface is of a block that has none")
    if any(not np.isfinite(np.asarray(s.charts["x"])).all() for s in sheets):
        wrong.append("a surface is nowhere: its numbers are not all finite")
    is_open = any(c is not None and (c.unknown == Cover.OPEN).any() for c in found.covers)
    outcome = found.outcome
    if outcome in (Promise.COMPLETE, Promise.COMPLETE_EXCEPT):
        if is_open or found.unsearched.boxes:
            wrong.append(f"it says {outcome}, but parts of the domain were not searched")
        if found.components and any(c is None for c in found.covers):
            wrong.append(f"it says {outcome}, but a block was not searched")
    if outcome is Promise.COMPLETE:
        if found.singular:
            wrong.append("it says complete, but lists places where nothing is promised")
        if any(s.euler is None for s in found.components):
            wrong.append("it says complete, but the shape of a surface is not told")
    if outcome is Promise.COMPLETE_EXCEPT and not found.singular:
        wrong.append("it says complete_except, but lists no place that is excepted")
    pieces = {id(s.charts) for s in found.components}
    still = {s.x[[p for b in found.blocks if b.freedom == 0 for p in b.places]].tobytes()
             for s in found.components}  # fmt: skip
    if len(found.components) != len(pieces) * len(still):
        wrong.append("not every surface is listed with every position of what stands still")
    return wrong


def _as_map(found: SurfaceMap) -> MotionMap:
    """The map as one of curves, for what is said of both."""
    return MotionMap(
        name=found.name,
        components=tuple(_still(surface) for surface in found.components),
        singular=found.singular,
        outcome=found.outcome,
        message=found.message,
        unknowns=found.unknowns,
        counts=found.counts,
        unsearched=found.unsearched,
        blocks=found.blocks,
        readings=found.readings,
        within=found.within,
        form=found.form,
        covers=found.covers,
        steps=found.steps,
        origin=found.origin,
    )


def _still(surface: Surface) -> Component:
    """A position of a surface, as one that stands: its first corner."""
    x, radius = surface.x.copy(), surface.radius.copy()
    places = list(surface.block.places)
    x[places] = np.asarray(surface.charts["x"])[0]
    radius[places] = float(np.asarray(surface.charts["radius"])[0])
    charts = {"h": np.zeros(0), "closed": False}
    return Component(surface.number, False, (), charts, surface.block, x, radius, surface.readings)
