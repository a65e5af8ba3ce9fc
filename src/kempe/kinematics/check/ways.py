"""How many ways a driven four-bar goes together, by its lengths."""

import math

from kempe.compile.layout.layout import Layout
from kempe.geometry import GROUND, Vector
from kempe.kinematics.closing.placement import body_pose
from kempe.model.graph import bodies_graph
from kempe.model.links import planar_links
from kempe.results.state import State

FOLDED = 1e-9  # of the longest link: nearer to a dead point neither two ways nor one is certain


def ways_together(layout: Layout, at: State) -> int | None:
    """In how many ways a four-bar goes together, its one drive holding a link on the ground as it
    stands; None where that is not known without a search.

    Coupler a and rocker b close over the distance d of their outer hinges in two ways, one the
    mirror image of the other, where |a - b| < d < a + b.
    """
    model = layout.model
    if model.events or model.couplers or len(model.drives) != 1 or len(model.moving) != 3:
        return None
    loops = bodies_graph(model).loops
    if len(loops) != 1 or len(model.joints) != 4 or len(loops[0].joints) != 4:
        return None
    loop, gauge = loops[0], model.drives[0].gauge
    links = planar_links(loop) if GROUND in loop.bodies else None
    if links is None or gauge.unit != "rad" or GROUND not in (gauge.I.body, gauge.J.body):
        return None
    driven = gauge.I.body if gauge.J.body == GROUND else gauge.J.body
    ground, link = loop.bodies.index(GROUND), loop.bodies.index(driven)
    if (link - ground) % 4 == 2:
        return None
    forwards = (link - ground) % 4 == 1
    # link k lies between joints k - 1 and k
    far, near = (link, (ground + 3) % 4) if forwards else ((link + 3) % 4, ground)
    places = []
    for k in (far, near):
        marker = loop.joints[k].I
        places.append((body_pose(layout, at.q, marker.body) @ marker.pose).position)
    hinge, axes = loop.joints[near].I, loop.ways[near].axes
    z = Vector(0.0, 0.0, 1.0)
    if axes:
        z = body_pose(layout, at.q, hinge.body).rotation.apply(hinge.rotation.axis(axes[0]))
    way = places[0] - places[1]
    across = way - z * float(z @ way)
    d = math.hypot(*(float(c) for c in across))
    coupler, rocker = links[(ground + 2) % 4], links[(ground + (3 if forwards else 1)) % 4]
    slack = FOLDED * max(one.length for one in links)
    a, b = coupler.length, rocker.length
    return 2 if abs(a - b) + slack < d < a + b - slack else None
