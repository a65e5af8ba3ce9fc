"""Counting freedoms before solving: who sees whom, matched and taken apart.

Source: [DulmageMendelsohn]; [Barton] section 3 for what is counted.
"""

from collections import deque
from collections.abc import Iterable, Mapping

import numpy as np

from kempe.frames.networks.network import joined
from kempe.geometry.curves import Domain
from kempe.motion.equations.system import FullSystem
from kempe.motion.reduction.reduction import written
from kempe.results.reports.freedom_count import CountedPart, CountedUnknown, FreedomCount

NONE = -1


def freedom_count(
    equations: FullSystem, name: str, domains: Mapping[str, Domain] | None = None
) -> FreedomCount:
    """Unknowns, equations, and the parts with too few, enough or too many of them.

    `domains` are those of curves' parameters, as the curves have them.
    """
    unknowns, rows, seen = written(equations)
    names, sources = [u.name for u in unknowns], [r.source for r in rows]
    row_of, column_of = matching(seen, len(unknowns))
    sees: list[list[int]] = [sorted(s) for s in seen]
    seen_by: list[list[int]] = [[] for _ in unknowns]
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
            set(range(len(rows))) - under_rows - tied,
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
    known = domains or {}
    counted = []
    for u in unknowns:
        ends = known.get(u.name, u)
        counted.append(CountedUnknown(u.name, ends.low, ends.high, bool(u.period)))
    return FreedomCount(name, tuple(counted), tuple(sources), **found)


def matching(seen: list[set[int]], n: int) -> tuple[list[int], list[int]]:
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
