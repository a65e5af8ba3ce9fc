"""What a map says of itself, before anything is proved: shapes, counts, ends, places, outcome."""

import numpy as np

from kempe.results.maps.certificate import Cover, Promise
from kempe.results.maps.component import Component
from kempe.results.maps.motion_map import MotionMap, SingularPlace

NEARLY = 1e-9  # relative: numbers that were computed again in another order


def troubles_of_form(motions: MotionMap) -> list[str]:
    """What in a map contradicts itself."""
    found: list[str] = []
    if [c.number for c in motions.components] != list(range(len(motions.components))):
        found.append("the components are not numbered in order: one is missing or listed twice")
    for component in motions.components:
        who = f"component {component.number}"
        shapes = _shapes(motions, component)
        found += [f"{who}: {trouble}" for trouble in shapes or _ends(motions, component)]
    for k, place in enumerate(motions.singular):
        found += [f"place {k}: {trouble}" for trouble in _place(motions, k, place)]
    if len(motions.covers) != len(motions.blocks):
        found.append(f"there are {len(motions.blocks)} blocks and {len(motions.covers)} covers")
    return found + _outcome(motions)


def _shapes(motions: MotionMap, c: Component) -> list[str]:
    """Arrays that do not fit each other, or numbers that are none."""
    if not any(c.block is block for block in motions.blocks):
        return ["it is of a block that is none of the map"]
    n, m, charts = len(c.block.places), c.block.n_equations, c.charts
    if c.block.freedom != 1:
        return ["its block has another freedom than one"]
    count = len(charts["h"])
    links = count - (not c.closed)
    wanted = {
        "p": (count, n),
        "A": (count, n * n),
        "C": (count, m * m),
        "h": (count,),
        "w": (count,),
        "links": (links, n),
        "link_radii": (links,),
        "start": (n,),
    }
    for name, shape in wanted.items():
        if name not in charts or np.shape(charts[name]) != shape:
            return [f"its {name} do not fit {count} charts of {n} unknowns"]
        if not np.isfinite(charts[name]).all():
            return [f"its {name} are not all numbers"]
    if not ((charts["h"] > 0.0).all() and (charts["w"] > 0.0).all()):
        return ["it has charts without size"]
    total = len(motions.unknowns)
    if not (np.isfinite(c.x).all() and np.isfinite(c.radius).all()):
        return ["its start is not all numbers"]
    if c.x.shape != (total,) or c.radius.shape != (total,) or bool(charts["closed"]) != c.closed:
        return ["it says two things about where it starts, or whether it is closed"]
    if count == 0:
        return ["it has no charts"]
    return []


def _ends(motions: MotionMap, c: Component) -> list[str]:
    if len(c.ends) != (0 if c.closed else 2):
        return [f"{'a loop' if c.closed else 'an arc'} has {len(c.ends)} ends"]
    found = []
    for side, end in enumerate(c.ends):
        where = f"its end {side}"
        if not (np.isfinite(end.x).all() and np.isfinite(end.q).all()):
            found.append(f"{where} is nowhere: its numbers are not all finite")
            continue
        if end.kind not in ("limit", "singular", "unfinished"):
            found.append(f"{where} is of no kind that there is, {end.kind!r}")
            continue
        leads = [k for k, p in enumerate(motions.singular) if (c.number, side) in p.branches]
        if end.kind == "limit":
            told = end.limit.removesuffix(" at most").removesuffix(" at least")
            names = [motions.unknowns[p].removeprefix("limit of ") for p in c.block.places]
            if told not in names or told == end.limit or leads or end.place >= 0:
                found.append(f"{where} is at a limit that is none of the model, {end.limit!r}")
        elif end.limit or leads != ([end.place] if end.place >= 0 else []):
            found.append(f"{where} leads into a place that does not list it")
        elif end.kind == "singular" and end.place < 0:
            found.append(f"{where} is called singular and leads into no place")
        elif end.place >= 0 and not motions.singular[end.place].holds(end.x[list(c.block.places)]):
            found.append(f"{where} does not lie in the place that it leads into")
    return found


def _place(motions: MotionMap, number: int, place: SingularPlace) -> list[str]:
    lows, highs = place.lows, place.highs
    if lows.ndim != 2 or lows.shape != highs.shape or not len(lows):
        return ["it has no boxes"]
    if not (np.isfinite(lows).all() and np.isfinite(highs).all() and (lows <= highs).all()):
        return ["its boxes are no boxes"]
    if not 0 <= place.block < len(motions.blocks) or lows.shape[1] != len(
        motions.blocks[place.block].places
    ):
        return ["it is of no block of the map"]
    found = []
    if (place.low != lows.min(axis=0)).any() or (place.high != highs.max(axis=0)).any():
        found.append("its bounds are not those of its boxes")
    size = float((highs.max(axis=0) - lows.min(axis=0)).max())
    width = float((highs - lows).max())
    if not (_nearly(size, place.size) and _nearly(width, place.width)):
        found.append(f"its size is {size:.3g} and its widest box {width:.3g}, it says otherwise")
    if place.boxes + len(place.branches) != len(lows):
        found.append(f"it counts {place.boxes} boxes and has {len(lows) - len(place.branches)}")
    for component, side in place.branches:
        ends = motions.components[component].ends if component < len(motions.components) else ()
        if not side < len(ends) or ends[side].place != number:
            found.append(f"branch {component}, {side} does not lead into it")
    return found


def _nearly(a: float, b: float) -> bool:
    return abs(a - b) <= NEARLY * max(abs(a), abs(b))


def _outcome(motions: MotionMap) -> list[str]:
    """An outcome that the rest of the map does not bear out."""
    found = []
    is_open = any(c is not None and (c.unknown == Cover.OPEN).any() for c in motions.covers)
    unfinished = any(e.kind == "unfinished" for c in motions.components for e in c.ends)
    outcome = motions.outcome
    if outcome in (Promise.COMPLETE, Promise.COMPLETE_EXCEPT):
        if is_open or motions.unsearched.boxes:
            found.append(f"it says {outcome}, but parts of the domain were not searched")
        if unfinished:
            found.append(f"it says {outcome}, but a component is unfinished")
        if motions.within != 0.0:
            found.append(f"it says {outcome}, but rows hold only within {motions.within:g}")
        if motions.components and any(c is None for c in motions.covers):
            found.append(f"it says {outcome}, but a block was not searched")
    if outcome is Promise.COMPLETE and motions.singular:
        found.append("it says complete, but lists places where nothing is promised")
    if outcome is Promise.COMPLETE_EXCEPT and not motions.singular:
        found.append("it says complete_except, but lists no place that is excepted")
    if outcome is Promise.CERTIFIED_PARTIAL and not (is_open or unfinished):
        found.append("it says certified_partial, but everything was searched")
    if motions.unsearched.boxes and not is_open:
        found.append(f"it counts {motions.unsearched.boxes} boxes unsearched, its cover has none")
    return found
