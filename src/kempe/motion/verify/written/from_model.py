"""Whether the equations in a map are those of its model: rows, sides, bounds and readings.

The model's rows are written down again and reduced to the map's unknowns, as exact polynomials; the
tapes in the map are multiplied out in the same way, and the two must be the same, term by term.
"""

from kempe.compile.layout.layout import Layout
from kempe.errors import KempeError
from kempe.motion.equations.bodies import AXES, is_writable
from kempe.motion.equations.system import spoken
from kempe.motion.verify.written.derivation import Derived, derived
from kempe.motion.verify.written.in_space import compare_in_space
from kempe.motion.verify.written.matching import (
    BlockRows,
    FromModel,
    matched,
    outputs_of,
    same_sign,
)
from kempe.motion.verify.written.planar_rows import Asked, written_again
from kempe.motion.verify.written.polynomial import are_proportional
from kempe.motion.verify.written.roots import (
    is_root,
    with_roots_named,
    with_squares_put_in,
)
from kempe.results.maps.certificate import CertifiedBlock, Promise
from kempe.results.maps.motion_map import MotionMap


def from_model(motions: MotionMap, layout: Layout, asked: Asked, freedom: int = 1) -> FromModel:
    """The equations of the model in the map's unknowns, compared with the map's."""
    found = FromModel()
    try:
        if is_writable(layout.model):
            _compare(motions, layout, asked, found)
        else:
            compare_in_space(motions, layout, asked, found, freedom)
    except (KempeError, ArithmeticError, ValueError, RecursionError) as trouble:
        said = str(trouble).splitlines()[0] if str(trouble) else type(trouble).__name__
        found.unproved.append(f"the equations could not be derived from the model: {said}")
        found.blocks = []
    return found


def _compare(motions: MotionMap, layout: Layout, asked: Asked, found: FromModel) -> None:
    model, unknowns = layout.model, motions.unknowns
    if motions.name != model.name:
        found.failures.append(f"the map is called {motions.name!r}, its model {model.name!r}")
    bodies = tuple(body.name for body in model.moving)
    if motions.readings.bodies != bodies:
        found.failures.append("the bodies that are read are not those of the model")
    written = written_again(layout, asked)
    own = [name for name in unknowns if not is_root(name)]
    strange = [name for name in own if name not in written.bounds]
    if strange or len(set(unknowns)) != len(unknowns):
        what = f"no unknown {strange[0]!r}" if strange else "no unknown twice"
        found.failures.append(f"the model has {what}: the map is of another mechanism or question")
        return
    small = found.derived = derived(written, own)
    _steps(motions, small, found)
    if len(own) < len(unknowns):
        named = with_roots_named(small, motions)
        if named is None:
            found.failures.append("an unknown of its own stands for no root of the model's rows")
            return
        small = found.derived = named
    if small.stuck:
        names = ", ".join(small.stuck[:3])
        found.failures.append(f"{names} cannot be eliminated: no row tells it, or it has limits")
        return
    if small.contradiction:
        return
    if small.doubtful and motions.outcome is not Promise.NUMERICAL:
        names = spoken(small.doubtful)
        found.unproved.append(f"that {names} repeats the other joints exactly")
    places = sorted(p for block in motions.blocks for p in block.places)
    if places != list(range(len(unknowns))):
        found.failures.append("the blocks do not share out the unknowns: one is missing or twice")
        return
    for k, block in enumerate(motions.blocks):
        found.blocks.append(_block(motions, k, block, small, found))
    together = [frozenset(b.unknowns) for b in found.blocks]
    for row in (*small.rows, *small.sides):
        if not any(row.value.unknowns <= mine for mine in together):
            found.failures.append(
                f"an equation of {spoken([row.source])} connects blocks that are listed apart"
            )
    _readings(motions, small, found, in_space=not model.plane)


def _steps(motions: MotionMap, small: Derived, found: FromModel) -> None:
    """The elimination as it was saved: each unknown once, by a row of the model, none forgotten."""
    sources = {row.source for row in small.written.rows}
    names = [name for name, _ in motions.steps]
    gone = {small.ring.generators[j].name for j in range(len(small.written.bounds))}
    gone -= set(motions.unknowns)
    turns = {small.ring.generators[j].name for pair in small.written.circles for j in pair}
    for name, source in motions.steps:
        if name not in gone:
            found.failures.append(f"{name} is said to be eliminated, but is no such unknown")
        elif source not in sources:
            found.failures.append(f"{name} is said to follow from {source!r}, which says nothing")
    if len(set(names)) != len(names):
        found.failures.append("an unknown is eliminated twice")
    missing = sorted(gone - set(names) - turns)
    if missing and not small.contradiction:
        found.failures.append(f"no step says how {missing[0]} was eliminated")


def _block(
    motions: MotionMap, k: int, block: CertifiedBlock, small: Derived, found: FromModel
) -> BlockRows:
    ring, who = small.ring, f"block {k}"
    names = [motions.unknowns[p] for p in block.places]
    made = BlockRows([ring.numbers[name] for name in names])
    for j, name in enumerate(names):
        bounds = small.written.bounds[name]
        told = block.low[j], block.high[j], block.period[j], bool(block.limited[j])
        if told != (bounds.low, bounds.high, bounds.period, bounds.is_limit):
            found.failures.append(
                f"{who}: {name} is searched in {told[0]:g} ... {told[1]:g}, the model says"
                f" {bounds.low:g} ... {bounds.high:g}"
            )
    counts = block.n_equations, block.n_redundant, block.n_sides
    if min(counts) < 0 or sum(counts) != len(block.tape.outputs):
        found.failures.append(f"{who}: its counts of rows and sides do not fit its tape")
        return made
    stored = outputs_of(block.tape, [ring.of(j) for j in made.unknowns])
    as_stored = stored
    if small.roots:
        stored = [with_squares_put_in(value, small) for value in stored]
    m, mine = block.n_equations, frozenset(made.unknowns)
    rows = [r for r in small.rows if r.value.unknowns <= mine]
    sides = [r for r in small.sides if r.value.unknowns <= mine]
    made.rows, missed = matched(stored[:m], rows, are_proportional)
    found.failures += [
        f"{who}: its equation {i + 1} of {m}, that of {spoken([block.sources[i]])}, is not"
        " what the model says"
        for i in missed
    ]
    rows = [r for r in rows if not any(are_proportional(r.value, one) for one in made.rows)]
    if rows and motions.outcome is not Promise.NUMERICAL:
        said = spoken(r.source for r in rows)
        found.failures.append(f"{who}: {len(rows)} of its equations are missing, of {said}")
    made.left_out = rows
    implied = (r.value for r in small.implied if r.value.unknowns <= mine)
    made.implied = [value for value in implied if not value.is_zero]
    if small.roots:  # the rows as they are searched: sums of those above with rows of roots
        made.implied += as_stored[:m]
    made.sides, missed = matched(stored[m + block.n_redundant :], sides, same_sign)
    found.failures += [
        f"{who}: one of its {block.n_sides} sides is not what the model says: which way"
        " round a joint is meant"
    ] * len(missed)
    if sides:
        said = spoken(s.source for s in sides)
        found.failures.append(f"{who}: the side of {said} is missing: which way round is meant")
        made.sides += [s.value for s in sides]
    return made


def _readings(motions: MotionMap, small: Derived, found: FromModel, *, in_space: bool) -> None:
    ring, read = small.ring, motions.readings
    parts = ("x", "y", "z", *AXES) if in_space else "xycs"
    wanted = [f"{body}.{part}" for body in read.bodies for part in parts]
    if list(read.names[: len(wanted)]) != wanted or set(read.names) != set(small.readings):
        found.failures.append("the readings are not those of the model, or not in order")
        return
    if not motions.unknowns:
        return
    known = [u for u in motions.unknowns if not is_root(u)]
    values = outputs_of(read.tape, [ring.of(ring.numbers[u]) for u in known])
    if len(values) != len(read.names):
        found.failures.append(f"{len(read.names)} readings are named, the tape has {len(values)}")
        return
    for name, value in zip(read.names, values, strict=True):
        if not (value - small.readings[name]).is_zero:
            found.failures.append(f"the reading {name} is not what the model says")
