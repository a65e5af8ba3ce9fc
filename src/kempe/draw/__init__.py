"""Pictures: one scene description, a player for the browser, films, glTF, and stills as SVG."""

from kempe.draw.formats.gif import scene_gif as scene_gif
from kempe.draw.formats.gltf import scene_glb as scene_glb
from kempe.draw.formats.html import player_html as player_html
from kempe.draw.formats.html import write_player as write_player
from kempe.draw.formats.panels import MeshShown as MeshShown
from kempe.draw.formats.panels import Panel as Panel
from kempe.draw.formats.panels import panels_svg as panels_svg
from kempe.draw.formats.svg import Curve as Curve
from kempe.draw.formats.svg import SheetAxes as SheetAxes
from kempe.draw.formats.svg import scene_svg as scene_svg
from kempe.draw.formats.svg import sheet_svg as sheet_svg
from kempe.draw.formats.video import scene_video as scene_video
from kempe.draw.networks.graphs import bodies_graph_svg as bodies_graph_svg
from kempe.draw.networks.graphs import frame_graph_svg as frame_graph_svg
from kempe.draw.scene.axes import axes_scene as axes_scene
from kempe.draw.scene.parts import DrawnBody as DrawnBody
from kempe.draw.scene.parts import Frame as Frame
from kempe.draw.scene.parts import Ground as Ground
from kempe.draw.scene.parts import JointSymbol as JointSymbol
from kempe.draw.scene.parts import Load as Load
from kempe.draw.scene.parts import Mark as Mark
from kempe.draw.scene.parts import PoseSeries as PoseSeries
from kempe.draw.scene.parts import Series as Series
from kempe.draw.scene.parts import Trace as Trace
from kempe.draw.scene.scene import Scene as Scene
from kempe.draw.scene.scene import upright as upright
from kempe.draw.scene.shapes import Bar as Bar
from kempe.draw.scene.shapes import Disc as Disc
from kempe.draw.scene.shapes import Polygon as Polygon
from kempe.draw.scene.shapes import Polyline as Polyline
from kempe.draw.scene.shapes import Shape as Shape
from kempe.draw.scene.shapes import Solid as Solid
from kempe.draw.scene.shapes import link as link
from kempe.draw.scene.slides import with_slides as with_slides
from kempe.draw.scene.symbols import SYMBOLS as SYMBOLS
from kempe.draw.scene.symbols import Symbol as Symbol
from kempe.draw.view.arrows import Arrow as Arrow
from kempe.draw.view.arrows import AxisLine as AxisLine
from kempe.draw.view.camera import View as View
from kempe.draw.view.facets import shade as shade
from kempe.names import exported

__all__ = exported(globals())
