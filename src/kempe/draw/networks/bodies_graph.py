"""The graph of bodies and constraints as a drawing: bodies in boxes, joints as lines."""

from itertools import pairwise

import numpy as np

from kempe.draw.networks.network_layout import curved, middle_of, spring_layout
from kempe.draw.networks.network_picture import LINE, Box, Link, network_svg
from kempe.errors import BadNumber
from kempe.geometry import GROUND
from kempe.joints import AbstractJoint
from kempe.model import Model
from kempe.model.graph import BodiesGraph, bodies_graph

EDGE = 150.0  # px, the least length of a line between two boxes, about
LETTER = 5.6  # px, the width of a letter of a joint's name, about
SPREAD = 22.0  # px between two joints of the same two bodies
MOST = 400  # bodies in one picture


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
    if len(graph.network) > MOST:
        raise BadNumber(
            f"{len(graph.network)} bodies are too many for one picture, which holds {MOST}."
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
        [*_links(graph, boxes, words), *_couplings(model, boxes)],
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


def _links(graph: BodiesGraph, boxes: dict[str, Box], words: list[str]) -> list[Link]:
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
