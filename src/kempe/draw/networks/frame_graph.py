"""The graph of frames as a drawing: trees from left to right, loops dashed."""

import numpy as np

from kempe.draw.networks.network_layout import curved, middle_of, tree_layout
from kempe.draw.networks.network_picture import PAD, Box, Link, network_svg
from kempe.errors import BadNumber
from kempe.frames import FrameGraph, Rigid, closure_errors
from kempe.frames.graph.graph import parents_first
from kempe.frames.networks.network import Tree

ROW, GAP = 44.0, 64.0  # px: from leaf to leaf, and between two columns of boxes
BEND = 30.0  # px that a closing edge bulges
MOST = 600  # frames in one picture
STEEL, MOVING, CLOSING = None, 0, 1  # tones of edges


def frame_graph_svg(graph: FrameGraph, t: float = 0.0, *, title: str = "frame graph") -> str:
    """Frames in boxes, each on its parent; what moves is coloured and named, loops are dashed.

    A closing edge tells by how much its loop misses at the time t (s).

    Examples:
        >>> from kempe.draw import frame_graph_svg
        >>> from kempe.frames import FrameGraph
        >>> frame_graph_svg(FrameGraph("ground")).count("<text")
        1
    """
    if len(graph) > MOST:
        raise BadNumber(
            f"{len(graph)} frames are too many for one picture, which holds {MOST}: remove some"
            " from a copy, or look at the tree in words with `kempe frames`."
        )
    boxes = _boxes(graph)
    links = [link for name in graph if (link := _hung(graph, boxes, name)) is not None]
    for error, edge in zip(closure_errors(graph, t), graph.closing, strict=True):
        a, b = (np.array([boxes[n].x, boxes[n].y]) for n in (edge.reference, edge.frame))
        line = curved(a, b, BEND)
        missed = f"{float(error.position):.3g} m, {float(error.angle):.3g} rad"
        links.append(Link(line, missed, middle_of(line), CLOSING, True))
    return network_svg(title, list(boxes.values()), links)


def _boxes(graph: FrameGraph) -> dict[str, Box]:
    """Columns are as wide as their widest name."""
    places = tree_layout(_tree(graph))
    width: dict[int, float] = {}
    for name, (column, _) in places.items():
        width[column] = max(width.get(column, 0.0), Box(name, 0.0, 0.0).width)
    left, starts = 0.0, {}
    for column in sorted(width):
        starts[column] = left
        left += width[column] + GAP
    return {
        name: Box(
            name,
            starts[column] + 0.5 * Box(name, 0.0, 0.0).width,
            ROW * row,
            is_ground=graph.parent(name) is None,
        )
        for name, (column, row) in places.items()
    }


def _hung(graph: FrameGraph, boxes: dict[str, Box], name: str) -> Link | None:
    """The line from a parent's right side to its child's left."""
    parent, motion = graph.parent(name), graph.edge(name)
    if parent is None or motion is None:
        return None
    up, box = boxes[parent], boxes[name]
    a = np.array([up.x + 0.5 * up.width, up.y])
    b = np.array([box.x - 0.5 * box.width, box.y])
    x = np.linspace(0.0, 1.0, 13)
    ease = x * x * (3.0 - 2.0 * x)
    line = np.stack([a[0] + x * (b[0] - a[0]), a[1] + ease * (b[1] - a[1])], axis=1)
    if isinstance(motion, Rigid):
        return Link(line)
    word = type(motion).__name__.lower().removeprefix("by")
    return Link(line, word, (0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]) - 0.5 * PAD), MOVING)


def _tree(graph: FrameGraph) -> Tree:
    """The graph's own trees, parents before children."""
    parents = {name: graph.parent(name) for name in parents_first(graph)}
    return Tree({name: None if up is None else (up, 0) for name, up in parents.items()})
