"""Lists of assemblies proved again: their rows, every position, and that there is no other.

A list is a map without anything that moves: its blocks stand still, and its positions are all
combinations of theirs.
"""

import math
import time

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.interruption import put_off
from kempe.motion.equations.system import contradiction
from kempe.motion.verify.cover.blocks import BlockProof
from kempe.motion.verify.cover.covering import Watch
from kempe.motion.verify.verification import (
    Tell,
    Verification,
    covers_proved,
    outcome_contradictions,
    said_of_model,
)
from kempe.motion.verify.written.planar_rows import Asked
from kempe.results.maps.assemblies import Assemblies, CertifiedState
from kempe.results.maps.certificate import CertifiedBlock, Promise
from kempe.results.maps.component import Component
from kempe.results.maps.motion_map import MotionMap

READ = 1e-9  # of the machine's size and of turns: two ways to evaluate the same reading


def verify_assemblies(
    found: Assemblies,
    layout: Layout | None,
    asked: Asked,
    tell: Tell | None = None,
    seconds: float = math.inf,
) -> Verification:
    """Prove a whole list again; `tell` hears how many parts of a cover are done.

    Without a layout its equations cannot be derived, which is said. At Ctrl-C it ends with what was
    looked at so far: then it does not hold.
    """
    deadline = time.monotonic() + seconds
    if found.sought:
        return Verification(0, 0, (), 0, ("that these are all turning points",))
    as_map = _as_map(found)
    wrong = _contradictions(found) or outcome_contradictions(as_map)
    if wrong:
        return Verification(0, 0, tuple(wrong))
    model = said_of_model(as_map, layout, asked, freedom=0)
    failures, unproved = list(model.failures), list(model.unproved)
    if model.derived is not None and model.derived.contradiction:
        if found.states or found.outcome is not Promise.COMPLETE:
            said = contradiction(model.derived.contradiction)
            failures.append(f"nothing can be listed, for its model contradicts: {said}")
        return Verification(0, 0, tuple(failures), 0, tuple(unproved))
    if failures:
        return Verification(0, 0, tuple(failures))
    blocks: list[BlockProof] = []
    if model.blocks:
        pairs = zip(found.blocks, model.blocks, strict=True)
        try:
            blocks = [BlockProof(block, rows, ()) for block, rows in pairs]
        except (ArithmeticError, ValueError):
            unproved.append("that nothing is missing: its numbers are too large or too small")
    boxes = 0
    if blocks or not found.blocks:
        try:
            failures, more, boxes = covers_proved(as_map, blocks, Watch(deadline, tell))
        except KeyboardInterrupt as stop:
            put_off(stop)
            more = ["that nothing is missing: it was interrupted"]
        unproved += more
    if found.outcome is Promise.CERTIFIED_PARTIAL:
        troubles, more = _points(as_map, blocks)
        failures, unproved = failures + troubles, unproved + more
    return Verification(
        0, 0, tuple(failures), 0, tuple(unproved), boxes, found.outcome, positions=len(found)
    )


def _points(as_map: MotionMap, blocks: list[BlockProof]) -> tuple[list[str], list[str]]:
    """(failures, what is not proved) of the positions alone."""
    failures, unproved = list[str](), list[str]()
    for block in blocks:
        if block.has_points:
            failures += block.points(as_map.components)[1]
        else:
            unproved.append(f"its positions: {block.trouble}")
    return failures, unproved


def _as_map(found: Assemblies) -> MotionMap:
    """The list as a map of positions, for what is said of both."""
    none = CertifiedBlock((), found.readings.tape, 0, 0, 0, (), *(np.zeros(0) for _ in range(4)))
    return MotionMap(
        name=found.name,
        components=tuple(_position(found, k, s, none) for k, s in enumerate(found.states)),
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


def _position(
    found: Assemblies, number: int, state: CertifiedState, block: CertifiedBlock
) -> Component:
    charts = {"h": np.zeros(0), "closed": False}
    return Component(number, False, (), charts, block, state.x, state.x_radius, found.readings)


def _contradictions(found: Assemblies) -> list[str]:
    """What in a list contradicts itself."""
    if any(block.freedom != 0 for block in found.blocks):
        return ["a block of it has another freedom than none"]
    if len(found.covers) != len(found.blocks):
        return [f"there are {len(found.blocks)} blocks and {len(found.covers)} covers"]
    read = found.readings
    for k, state in enumerate(found.states):
        if not (np.isfinite(state.x).all() and np.isfinite(state.x_radius).all()):
            return [f"assembly {k} is nowhere: its numbers are not all finite"]
        q = read.coordinates(read.values(state.x[None, :]), is_curve=False)[0]
        at, told = read.at, state.q
        places = np.abs(at.places(q) - at.places(told)).max(initial=0.0)
        size = max(1.0, float(np.abs(at.places(q)).max(initial=0.0)))
        if read.plane:
            turns = np.abs(np.exp(1j * q[at.angles]) - np.exp(1j * told[at.angles]))
        else:
            turns = 1.0 - np.abs((at.turns(q) * at.turns(told)).sum(axis=-1))
        if not (places <= READ * size and np.abs(turns).max(initial=0.0) <= READ):
            return [f"assembly {k} stands elsewhere than its unknowns say"]
    return []
