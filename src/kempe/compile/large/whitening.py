"""Rows measured by mass: Y = J C^T in place of J, where C M C^T = 1.

The block solver needs J only as S = J M^-1 J^T = Y Y^T. Where the rows of many elements are written
in tiles, C costs next to nothing there, and J need not be stored beside Y.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kempe.algebra import Expression
from kempe.compile.large.tile_plan import Kind
from kempe.compile.layout.dynamic_layout import DynamicLayout


def whitener_size(plane: bool) -> int:
    """Numbers of C of a body: one for translations, a lower triangle for rotations."""
    return 2 if plane else 7


def whitened_kinds(layout: DynamicLayout, kinds: Sequence[Kind]) -> list[Kind]:
    """The kinds with Y for J; apart where C of some bodies is diagonal and of others is not."""
    first = 2 if layout.model.plane else 3
    tensors = layout.mass_blocks[:, first:, first:]
    off_diagonal = ~np.eye(tensors.shape[1], dtype=bool)
    is_diagonal = np.logical_not(np.any(tensors[:, off_diagonal], axis=1)).tolist()
    made = []
    for kind in kinds:
        groups: dict[tuple[bool, ...], list[int]] = {}
        for e in kind.members:
            held = tuple(is_diagonal[layout.layout.riding[e][k]] for k in kind.bodies)
            groups.setdefault(held, []).append(e)
        made += [_whitened(kind, layout, held, members) for held, members in groups.items()]
    return made


def _whitened(
    kind: Kind, layout: DynamicLayout, is_diagonal: tuple[bool, ...], members: list[int]
) -> Kind:
    """A kind whose bodies have diagonal tensors or not; Y_i = sum over m <= i of C_im J_m."""
    at, first = layout.layout.coordinates, layout.layout.chart.n_linear
    outputs = kind.outputs["residual"]
    begin = len(kind.live) + len(kind.turned)
    end = begin + len(kind.pattern)
    J: dict[tuple[int, int], dict[int, Expression]] = {}  # (row, body) -> velocity -> entry
    for (row, column), entry in zip(kind.pattern, outputs[begin:end], strict=True):
        body, part = at.body_of(column)
        J.setdefault((row, body), {})[part] = entry
    graph, used = kind.inputs.graph, dict[tuple[int, int], Expression]()

    def whitener(body: int, i: int, m: int) -> Expression:
        place = 0 if i < first else 1 + (i - first) * (i - first + 1) // 2 + m - first
        name = f"whitener{body}_{place}"
        return used.setdefault((body, place), Expression(graph, graph.input(name)))

    pattern, entries = [], []
    for (row, body), given in sorted(J.items()):
        for i in range(at.n_each):
            lowest = first if i >= first and not is_diagonal[body] else i
            terms = [whitener(body, i, m) * given[m] for m in range(lowest, i + 1) if m in given]
            if terms:
                pattern.append((row, at.column_of(body, i)))
                entries.append(sum(terms[1:], start=terms[0]))
    return replace(
        kind,
        members=members,
        pattern=pattern,
        outputs=kind.outputs | {"residual": [*outputs[:begin], *entries, *outputs[end:]]},
        whiteners=[(body, place, used[body, place]) for body, place in sorted(used)],
    )
