"""The order of frames in which a graph can be built again."""

from kempe.frames.graph.graph import FrameGraph


def parents_first(graph: FrameGraph) -> list[str]:
    """All frames, each after the one it hangs on."""
    order: dict[str, None] = {}
    for name in graph:
        way = [name]
        while (up := graph.parent(way[-1])) is not None and up not in order:
            way.append(up)
        order.update(dict.fromkeys(n for n in reversed(way) if n not in order))
    return list(order)
