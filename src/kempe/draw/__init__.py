"""Pictures: one scene description, a player for the browser, a GIF, and stills as SVG."""

from kempe.draw.arrows import Arrow, AxisLine
from kempe.draw.axes import axes_scene
from kempe.draw.bodies_graph import bodies_graph_svg
from kempe.draw.camera import View
from kempe.draw.frame_graph import frame_graph_svg
from kempe.draw.gif import scene_gif
from kempe.draw.html import player_html, write_player
from kempe.draw.motion import Motion
from kempe.draw.parts import Body, Frame, Ground, JointSymbol, Load, Mark, Series, Trace
from kempe.draw.scene import Scene
from kempe.draw.shapes import Bar, Disc, Polygon, Polyline, Shape, link
from kempe.draw.sheet import Axes, Curve, sheet_svg
from kempe.draw.svg import scene_svg
from kempe.draw.symbols import SYMBOLS, Symbol
from kempe.draw.upright import upright

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
