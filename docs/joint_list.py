"""The list of joints in the manual, made from the joints themselves when the manual is built.

A page that says `<!-- joints -->` gets the list in that place. Nothing is kept by hand: text and
equation are the class's docstring, the pictures are drawn from its symbol.
"""

import base64
import dataclasses
import inspect
from typing import Any

import numpy as np
from numpy.typing import NDArray

import kempe.joints
from kempe.draw import SYMBOLS, DrawnBody, Frame, JointSymbol, PoseSeries, Scene, link, scene_svg
from kempe.draw.view.camera import fitted
from kempe.errors import KempeError
from kempe.geometry import Marker
from kempe.joints import AbstractJoint
from kempe.measures import AbstractMeasure

PLACE = "<!-- joints -->"
SHEET = (960, 600)  # px, drawn
SHOWN = (300, 190)  # px of it, around the joint
WAY = 0.06  # m that what slides goes either way
INHERITED = {field.name for field in dataclasses.fields(AbstractJoint)}


def joints() -> list[type[AbstractJoint]]:
    """Every joint that `kempe.joints` exports."""
    kinds = (getattr(kempe.joints, name) for name in kempe.joints.__all__)
    return [k for k in kinds if inspect.isclass(k) and issubclass(k, AbstractJoint) if is_made(k)]


def is_made(kind: type[AbstractJoint]) -> bool:
    """Whether the class is a joint and not the pattern of one."""
    return not kind.__name__.startswith("Abstract")


def joint_list() -> str:
    """The list as Markdown, one section a joint."""
    return "\n\n".join(section(kind) for kind in joints())


def section(kind: type[AbstractJoint]) -> str:
    """Heading, pictures, what the class says of itself, and its facts."""
    pictures = " ".join(
        f"![{kind.__name__}, {where}]({data_uri(symbol_picture(kind, plane=plane))})"
        for where, plane in (("in the plane", True), ("in space", False))
    )
    return "\n\n".join([f"## {kind.__name__}", pictures, said(kind), facts(kind)])


def said(kind: type[AbstractJoint]) -> str:
    """The docstring; its indented or 'phi =' paragraphs as they stand."""
    paragraphs = (inspect.getdoc(kind) or "").split("\n\n")
    return "\n\n".join(
        f"```text\n{p}\n```" if p.startswith(("phi", " ")) else p for p in paragraphs
    )


def facts(kind: type[AbstractJoint]) -> str:
    """What it is made of, what can be driven, what it is told, how it is drawn."""
    rows = [("drawn as", f"`{kind.symbol}`: {SYMBOLS[kind.symbol].says}")]
    constraints: Any = inspect.getattr_static(kind, "constraints")
    if isinstance(constraints, tuple) and constraints:
        count = sum(len(c.rows) for c in constraints)
        rows.insert(0, ("made of", ", ".join(f"`{c!r}`" for c in constraints)))
        rows.insert(1, ("rows in space", str(count)))
    if freedom(kind):
        words = ", ".join(f"`{m.word}` ({m.unit})" for m in freedom(kind))
        rows.append(("can be driven", words))
    own = [f.name for f in dataclasses.fields(kind) if f.name not in INHERITED]
    if own:
        rows.append(("is told", ", ".join(f"`{name}`" for name in own)))
    return "\n".join(["| | |", "|---|---|", *(f"| {a} | {b} |" for a, b in rows)])


def freedom(kind: type[AbstractJoint]) -> tuple[AbstractMeasure, ...]:
    """The measures of the class; none where they depend on the joint's numbers."""
    measures: Any = inspect.getattr_static(kind, "freedom")
    return measures if isinstance(measures, tuple) else ()


def symbol_picture(kind: type[AbstractJoint], *, plane: bool) -> str:
    """The joint between the ground and an arm, seen close; what slides is shown with its way."""
    spans = bool(SYMBOLS[kind.symbol].span)
    slides = SYMBOLS[kind.symbol].guide != "none"
    # z, the joint's axis, lies along x for what slides, and is up in space for what turns
    axes = np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]]) if slides else np.eye(3)
    way = [-WAY, 0.0, WAY] if slides else [0.0]
    start, tip = (0.9, 0.35, 0.0) if spans else (0.0, 0.0, 0.0), (0.7, 0.45, 0.0)
    places = np.array([start]) + np.outer(way, (1.0, 0.0, 0.0))
    arm = DrawnBody("arm", PoseSeries(places, np.zeros(len(way))), link([(0, 0, 0), tip]), colour=0)
    turned = axes if plane else axes @ home(kind)
    sign = JointSymbol(
        kind.__name__, kind.symbol, Frame(None, (0, 0, 0), axes), Frame("arm", (0, 0, 0), turned)
    )
    scene = Scene(kind.__name__, plane, np.arange(len(way)), [arm], [sign])
    middle = len(way) // 2
    if spans:
        return scene_svg(scene, width=SHOWN[0], height=SHOWN[1])
    svg = scene_svg(scene, middle, width=SHEET[0], height=SHEET[1])
    return cut_out(svg, fitted(scene, *SHEET, None).project(np.zeros(3)))


def home(kind: type[AbstractJoint]) -> NDArray[np.float64]:
    """How J stands against I in an assembled position, as a matrix (3, 3)."""
    numbers = {
        field.name: 0.6
        for field in dataclasses.fields(kind)
        if field.name not in INHERITED and field.default is dataclasses.MISSING
    }
    try:
        joint = kind(Marker("ground"), Marker("arm"), **numbers)
    except (KempeError, AttributeError, TypeError):  # it needs more than numbers
        return np.eye(3)
    return np.asarray(joint.home.rotation.matrix(), dtype=float)


def cut_out(svg: str, middle: NDArray[np.float64]) -> str:
    """The part of a sheet around a place (px)."""
    left, top = (float(c) - half / 2 for c, half in zip(middle[:2], SHOWN, strict=True))
    (width, height), (w, h) = SHEET, SHOWN
    whole = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    part = f'viewBox="{left:.0f} {top:.0f} {w} {h}" width="{w}" height="{h}"'
    paper = f'<rect class="paper" width="{width}" height="{height}"/>'
    wider = f'<rect class="paper" x="-{width}" y="-{height}" width="9999" height="9999"/>'
    return svg.replace(whole, part).replace(paper, wider)


def data_uri(svg: str) -> str:
    """A picture as an address that holds it."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def on_page_markdown(markdown: str, **_: Any) -> str:
    """What MkDocs calls for every page."""
    return markdown.replace(PLACE, joint_list()) if PLACE in markdown else markdown
