"""Draw the pictures of the pages on frames: `python docs/pictures/frames.py`."""

from pathlib import Path

import numpy as np

import kempe as kp
from kempe.draw import axes_scene, frame_graph_svg, scene_svg
from kempe.frames import ByFormula, FrameGraph, Rigid

HERE = Path(__file__).parent


def crane() -> FrameGraph:
    """The crane of the tutorial."""
    graph = FrameGraph("ground")
    graph.add("mast", "ground", Rigid([0, 0, 30]))
    graph.add(
        "boom",
        "mast",
        ByFormula(lambda t: kp.Pose(kp.Vector(0, 0, 0), kp.Rotation.planar(0.1 * t))),
    )
    graph.add(
        "trolley",
        "boom",
        ByFormula(lambda t: kp.Pose(kp.Vector(10 + 0.5 * t, 0, 0), kp.Rotation.identity())),
    )
    graph.add("camera", "trolley", Rigid([0, 0, -6], kp.Rotation.about([1, 0, 0], np.pi)))
    return graph


if __name__ == "__main__":
    pictures = {
        "crane_axes": scene_svg(axes_scene(crane(), 12.0), names=True, width=760, height=460),
        "crane_graph": frame_graph_svg(crane(), title="frames of a crane"),
        "excavator_graph": kp.gallery.excavator_arm().graph_svg(),
    }
    for name, picture in pictures.items():
        (HERE / f"{name}.svg").write_text(picture, encoding="utf-8")
