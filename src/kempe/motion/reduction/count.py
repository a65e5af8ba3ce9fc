"""Counting freedoms before solving: who sees whom, matched and taken apart.

Source: [DulmageMendelsohn]; [Barton] section 3 for what is counted.
"""

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.compile.layout.velocity_elements import VelocityElement
from kempe.compile.trace.tracing import trace
from kempe.frames.networks.network import joined
from kempe.geometry.curves import Domain
from kempe.motion.equations.system import FullSystem
from kempe.motion.reduction.reduction import written
from kempe.results.reports.freedom_count import CountedPart, CountedUnknown, FreedomCount

NONE = -1
SIX = ("x", "y", "z", "turn_x", "turn_y", "turn_z")  # of a body in space


def freedom_count(
    equations: FullSystem, name: str, domains: Mapping[str, Domain] | None = None
) -> FreedomCount:
    """Unknowns, equations, and the parts with too few, enough or too many of them.

    `domains` are those of curves' parameters, as the curves have them.
    """
    unknowns, rows, seen = written(equations)
    known = domains or {}
    ends = [(u, known.get(u.name, u)) for u in unknowns]
    counted = [CountedUnknown(u.name, at.low, at.high, bool(u.period)) for u, at in ends]
    return counted_parts(name, counted, [r.source for r in rows], seen)


def counted_in_space(layout: Layout) -> FreedomCount:
    """Six unknowns a body, three places and three turns, and the rows of joints and couplers.

    A row sees the unknowns that it changes with where nothing is special. What rolling holds of
    velocities alone leaves all positions free, and is not counted.
    """
    traced, at = trace(layout), layout.coordinates
    names = [""] * layout.n_v
    for k, body in enumerate(layout.model.moving):
        names[at.v_of(k)] = [f"{body.name}.{word}" for word in SIX]
    unknowns = [CountedUnknown(name, -math.inf, math.inf, is_closed=False) for name in names]
    for k, (index, own) in zip(range(layout.n_v)[at.own_v], layout.own_unknowns, strict=True):
        name, domain = f"{layout.elements[index].name}.{own.name}", own.domain
        unknowns[k] = CountedUnknown(name, domain.low, domain.high, bool(domain.period))
    sources, seen = [], []
    for row, entries in zip(traced.rows, traced.jacobian, strict=True):
        element = layout.elements[row.element]
        if row.element < layout.first_drive and not isinstance(element, VelocityElement):
            sources.append(element.name)
            seen.append(set(entries))
    return counted_parts(layout.model.name, unknowns, sources, seen)


def counted_parts(
    name: str,
    counted: Sequence[CountedUnknown],
    sources: Sequence[str],
    seen: Sequence[set[int]],
) -> FreedomCount:
    """The count of unknowns and rows, by what each row sees."""
    names = [u.name for u in counted]
    row_of, column_of = matching(seen, len(names))
    sees: list[list[int]] = [sorted(s) for s in seen]
    seen_by: list[list[int]] = [[] for _ in names]
    for r, columns in enumerate(sees):
        for c in columns:
            seen_by[c].append(r)
    free = _reached([c for c, r in enumerate(row_of) if r == NONE], seen_by, column_of)
    tied = _reached([r for r, c in enumerate(column_of) if c == NONE], sees, row_of)
    over_columns = {column_of[r] for r in tied} - {NONE} | {c for r in tied for c in sees[r]}
    under_rows = {row_of[c] for c in free} - {NONE}
    parts = {
        "under": (free, under_rows),
        "over": (over_columns, tied),
        "well": (
            set(range(len(names))) - free - over_columns,
            set(range(len(sources))) - under_rows - tied,
        ),
    }
    found = {
        word: tuple(
            CountedPart(
                tuple(names[c] for c in sorted(some)),
                tuple(dict.fromkeys(sources[r] for r in sorted(others))),
                len(others),
            )
            for some, others in _connected(columns, lines, sees)
        )
        for word, (columns, lines) in parts.items()
    }
    return FreedomCount(name, tuple(counted), tuple(sources), **found)


def matching(seen: Sequence[set[int]], n: int) -> tuple[list[int], list[int]]:
    """A largest matching: the row of every unknown and the unknown of every row, -1 for none."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    if not seen or not n:
        return [NONE] * n, [NONE] * len(seen)
    places = [(r, c) for r, columns in enumerate(seen) for c in sorted(columns)]
    rows, columns = np.array(places, dtype=np.int32).reshape(-1, 2).T
    graph = csr_array((np.ones(len(places)), (rows, columns)), shape=(len(seen), n))
    column_of = [int(c) for c in maximum_bipartite_matching(graph, perm_type="column")]
    row_of = [NONE] * n
    for r, c in enumerate(column_of):
        if c != NONE:
            row_of[c] = r
    return row_of, column_of


def _reached(starts: Iterable[int], neighbours: list[list[int]], partner: list[int]) -> set[int]:
    """What alternating paths lead to: along any edge, and back along the matching."""
    found, queue = set(starts), deque(starts)
    while queue:
        for other in neighbours[queue.popleft()]:
            back = partner[other]
            if back != NONE and back not in found:
                found.add(back)
                queue.append(back)
    return found


def _connected(
    columns: set[int], rows: set[int], sees: list[list[int]]
) -> list[tuple[set[int], set[int]]]:
    """Parts of a set of unknowns and rows that share nothing, in order."""
    inside = {r: {c for c in sees[r] if c in columns} for r in sorted(rows)}
    groups = map(set, joined([*({c} for c in columns), *(own for own in inside.values() if own)]))
    parts = [(group, {r for r, own in inside.items() if own & group}) for group in groups]
    return parts + [(set(), {r}) for r, own in inside.items() if not own]
