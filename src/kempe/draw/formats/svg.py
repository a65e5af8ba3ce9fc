"""A still picture of a scene as SVG: for papers, pages and the gallery."""

from collections.abc import Iterable, Sequence

from kempe.draw.scene.scene import Scene
from kempe.draw.view.arrows import Arrow, AxisLine, load_items, overlay_items, overlay_points
from kempe.draw.view.camera import Camera, View, fitted
from kempe.draw.view.joining import ground_items, joint_items
from kempe.draw.view.paper import body_names, grid, svg_page
from kempe.draw.view.picture import (
    LAYERS,
    Item,
    body_items,
    ghost_items,
    point_items,
    pose,
    shadow_item,
    trace_items,
)

DEPTH_DIGITS = 3  # nearness in px: what differs by less counts as equally near
SORTED_IN_SPACE = ("under", "bodies", "top")  # one heap in space, sorted from far to near


def scene_items(scene: Scene, camera: Camera, index: int, ghosts: Iterable[int] = ()) -> list[Item]:
    """Every path of the mechanism at one sample, from back to front."""
    poses = [pose(body, index) for body in scene.bodies]
    items = ground_items(scene, camera)
    if not scene.plane:
        items.append(shadow_item(scene, camera, poses))
    for other in ghosts:
        for body in scene.bodies:
            items += ghost_items(scene, camera, body, pose(body, other))
    for body, at in zip(scene.bodies, poses, strict=True):
        items += body_items(scene, camera, body, at) + point_items(camera, body, at)
    for joint in scene.joints:
        items += joint_items(scene, camera, joint, index)
    items += trace_items(scene, camera, index) + load_items(scene, camera, index)
    return _back_to_front(items, in_space=not scene.plane)


def _back_to_front(items: Sequence[Item], *, in_space: bool) -> list[Item]:
    """Layer by layer; in space what is solid goes from far to near. Equals keep their order."""
    if not in_space:
        return sorted(items, key=lambda item: LAYERS.index(item.layer))

    def order(item: Item) -> tuple[int, float]:
        if item.layer in SORTED_IN_SPACE:
            return LAYERS.index("bodies"), round(item.near, DEPTH_DIGITS)
        return LAYERS.index(item.layer), 0.0

    return sorted(items, key=order)


def scene_svg(
    scene: Scene,
    index: int = 0,
    ghosts: Sequence[int] = (),
    *,
    width: int = 960,
    height: int = 600,
    view: View | None = None,
    names: bool = False,
    marks: Sequence[Arrow | AxisLine] = (),
) -> str:
    """One sample of a scene as a stand-alone SVG, light or dark as its reader prefers.

    ``ghosts`` are samples shown faintly besides; ``view`` is where the reader of a spatial scene
    stands; ``names`` writes the names of bodies and points; ``marks`` are drawn on top.
    """
    for sample in (index, *ghosts):
        if not -len(scene.times) <= sample < len(scene.times):
            raise ValueError(
                f"sample {sample} does not exist: the scene has {len(scene.times)}, counted from 0."
            )
    index %= len(scene.times)
    camera = fitted(scene, width, height, view, overlay_points(marks))
    squares, texts = grid(scene, camera, width, height)
    if names:
        for body in scene.bodies:
            texts += body_names(camera, body, pose(body, index))
    items = [*squares, *scene_items(scene, camera, index, ghosts), *overlay_items(camera, marks)]
    return svg_page(scene.title, width, height, items, texts)
