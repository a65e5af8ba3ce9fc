"""The graph of bodies, with joints as lines, and the graph of frames, trees with dashed loops."""

from itertools import pairwise

import numpy as np

from kempe.draw.networks.network_picture import (
    LINE,
    PAD,
    Box,
    Link,
    curved,
    middle_of,
    network_svg,
    spring_layout,
    tree_layout,
)
from kempe.errors import BadNumber
from kempe.frames import FrameGraph, Rigid, closure_errors
from kempe.frames.graph.graph import parents_first
from kempe.frames.networks.network import Tree
from kempe.geometry import GROUND
from kempe.joints import AbstractJoint
from kempe.model import Model
from kempe.model.graph import BodiesGraph, bodies_graph

EDGE = 150.0  # px, the least length of a line between two boxes, about
LETTER = 5.6  # px, the width of a letter of a joint's name, about
SPREAD = 22.0  # px between two joints of the same two bodies
MOST_BODIES = 400  # bodies in one picture
ROW, GAP = 44.0, 64.0  # px: from leaf to leaf, and between two columns of boxes
BEND = 30.0  # px that a closing edge bulges
MOST_FRAMES = 600  # frames in one picture
STEEL, MOVING, CLOSING = None, 0, 1  # tones of edges


def bodies_graph_svg(model: Model, *, title: str | None = None) -> str:
    """Bodies in boxes, the ground hatched; each loop's joints in a colour of their own.

    A body with a double outline alone holds parts of the mechanism together. Couplers are dashed,
    and what is driven says so.

    Examples:
        >>> import kempe
        >>> from kempe.draw import bodies_graph_svg
        >>> picture = bodies_graph_svg(kempe.gallery.four_bar().model)
        >>> picture.count("rocker") > 0
        True
    """
    graph = bodies_graph(model)
    if len(graph.network) > MOST_BODIES:
        raise BadNumber(
            f"{len(graph.network)} bodies are too many for one picture, which holds {MOST_BODIES}."
        )
    words = [_word(model, joint) for joint in model.joints]
    widest = max((Box(name, 0.0, 0.0).width for name in graph.network.steps), default=0.0)
    edge = max(EDGE, LETTER * max(map(len, words), default=0) + widest)
    boxes = {
        name: Box(
            name,
            edge * x,
            -0.6 * edge * y,
            is_ground=name == GROUND,
            is_double=name in graph.articulations,
        )
        for name, (x, y) in spring_layout(graph.network).items()
    }
    return network_svg(
        title or f"bodies and joints of {model.name}",
        list(boxes.values()),
        [*_joints(graph, boxes, words), *_couplings(model, boxes)],
    )


def _word(model: Model, joint: AbstractJoint) -> str:
    """A joint's name and kind, and whether a drive acts between its two markers."""
    driven = any({d.gauge.I, d.gauge.J} == {joint.I, joint.J} for d in model.drives)
    return f"{joint.name} ({type(joint).__name__.lower()}{', driven' * driven})"


def _couplings(model: Model, boxes: dict[str, Box]) -> list[Link]:
    """A dashed line from each coupled body to the next."""
    links = []
    for coupler in model.couplers:
        ends = [g.J.body if g.J.body != GROUND else g.I.body for g in coupler.gauges]
        for a, b in pairwise(dict.fromkeys(ends)):
            p, q = (np.array([boxes[n].x, boxes[n].y]) for n in (a, b))
            line = curved(p, q, SPREAD)
            links.append(Link(line, coupler.name, middle_of(line), None, True))
    return links


def _joints(graph: BodiesGraph, boxes: dict[str, Box], words: list[str]) -> list[Link]:
    loop_of: dict[str, int] = {}
    for k, loop in enumerate(graph.loops):
        for joint in loop.joints:
            loop_of.setdefault(joint.name, k)
    between: dict[frozenset[str], list[int]] = {}
    for k, pair in enumerate(graph.network.edges):
        between.setdefault(frozenset(pair), []).append(k)
    links = []
    for edges in between.values():
        for place, k in enumerate(edges):
            a, b = (np.array([boxes[n].x, boxes[n].y]) for n in sorted(graph.network.edges[k]))
            if (a == b).all():  # a joint of a body with itself
                b = a - np.array([0.0, 2.0 * LINE])
            line = curved(a, b, SPREAD * (place - 0.5 * (len(edges) - 1)))
            tone = loop_of.get(words[k].rsplit(" (", 1)[0])
            links.append(Link(line, words[k], middle_of(line), tone))
    return links


def frame_graph_svg(graph: FrameGraph, t: float = 0.0, *, title: str = "frame graph") -> str:
    """Frames in boxes, each on its parent; what moves is coloured and named, loops are dashed.

    A closing edge tells by how much its loop misses at the time t (s).

    Examples:
        >>> from kempe.draw import frame_graph_svg
        >>> from kempe.frames import FrameGraph
        >>> frame_graph_svg(FrameGraph("ground")).count("<text")
        1
    """
    if len(graph) > MOST_FRAMES:
        raise BadNumber(
            f"{len(graph)} frames are too many for one picture, which holds {MOST_FRAMES}: remove"
            " some from a copy, or look at the tree in words with `kempe frames`."
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
    parents = graph.parents
    ordered = ((name, parents[name]) for name in parents_first(parents))
    return Tree({name: None if up is None else (up, 0) for name, up in ordered})
