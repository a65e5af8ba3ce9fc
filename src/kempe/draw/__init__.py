"""Pictures: one scene description, a player for the browser, a GIF, and stills as SVG."""

from kempe.draw.formats.gif import scene_gif
from kempe.draw.formats.html import player_html, write_player
from kempe.draw.formats.svg import Axes, Curve, scene_svg, sheet_svg
from kempe.draw.networks.graphs import bodies_graph_svg, frame_graph_svg
from kempe.draw.scene.axes import axes_scene
from kempe.draw.scene.parts import (
    Body,
    Frame,
    Ground,
    JointSymbol,
    Load,
    Mark,
    Motion,
    Series,
    Trace,
)
from kempe.draw.scene.scene import Scene, upright
from kempe.draw.scene.shapes import Bar, Disc, Polygon, Polyline, Shape, link
from kempe.draw.scene.symbols import SYMBOLS, Symbol
from kempe.draw.view.arrows import Arrow, AxisLine
from kempe.draw.view.camera import View

__all__ = [
    "SYMBOLS",
    "Arrow",
    "Axes",
    "AxisLine",
    "Bar",
    "Body",
    "Curve",
    "Disc",
    "Frame",
    "Ground",
    "JointSymbol",
    "Load",
    "Mark",
    "Motion",
    "Polygon",
    "Polyline",
    "Scene",
    "Series",
    "Shape",
    "Symbol",
    "Trace",
    "View",
    "axes_scene",
    "bodies_graph_svg",
    "frame_graph_svg",
    "link",
    "player_html",
    "scene_gif",
    "scene_svg",
    "sheet_svg",
    "upright",
    "write_player",
]
