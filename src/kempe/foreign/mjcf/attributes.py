"""Attributes of MJCF elements with their defaults, in SI: angles as the compiler says, frames.

A default class gives attributes to elements of a tag that do not have them; classes lie inside each
other and inherit. An element takes the class it names, or the `childclass` of the nearest body
around it that has one, or `main`.
"""

import math
from pathlib import PurePosixPath
from typing import final
from xml.etree.ElementTree import Element

import numpy as np

from kempe.errors import KempeError, nearest_name, printable
from kempe.files.syntax.source import shown
from kempe.foreign.imported import Ledger
from kempe.foreign.meshes import MeshFiles
from kempe.foreign.mjcf.frames import dissolved_frames
from kempe.foreign.trees import Triple
from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.solids import Mesh
from kempe.xml_tree import XmlTree

MAIN = "main"
UNFOLLOWED = (  # settings of the compiler that change masses or places
    *("coordinate", "inertiafromgeom", "inertiagrouprange", "balanceinertia"),
    *("boundmass", "boundinertia", "settotalmass"),
)
AS_READ = ("auto", "local", "false", "0", "-1", "0 5")  # values that change nothing
MESH_UNREAD = ("vertex", "refpos", "refquat", "builtin")  # what moves or makes a mesh
TURNS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")


@final
class Attributes:
    """Looks attributes up, for one file."""

    def __init__(self, xml: XmlTree, ledger: Ledger) -> None:
        self.xml, self.ledger = xml, ledger
        self.classes: dict[str, dict[str, dict[str, str]]] = {MAIN: {}}
        for section in xml.root.findall("default"):
            self._collect(section, {}, section.get("class", MAIN))
        compilers = xml.root.findall("compiler")
        self.compiler = {k: v for one in compilers for k, v in one.attrib.items()}
        for word in UNFOLLOWED:
            if self.compiler.get(word, "auto") not in AS_READ:
                why = f"{word}={shown(self.compiler[word])} is not followed"
                ledger.leave_out(xml.line(compilers[0]), "<compiler>", why)
        self.degree = self.compiler.get("angle", "degree") != "radian"
        self.sequence = self.compiler.get("eulerseq", "xyz")
        if len(self.sequence) != 3 or set(self.sequence.lower()) - set("xyz"):
            xml.refuse(compilers[0], f"eulerseq is three axes, not {shown(self.sequence)}.")
        self.mesh_files = MeshFiles(xml.path)
        self.meshes = self._mesh_assets()
        self.used: set[str] = set()  # meshes, by their names
        self.moved: dict[Element, Pose] = {}  # by the frames that an element stood in
        self.moved = dissolved_frames(xml.root, self.pose)

    def _collect(self, section: Element, above: dict[str, dict[str, str]], name: str) -> None:
        own = {tag: dict(found) for tag, found in above.items()}
        for child in section:
            if child.tag != "default":
                own.setdefault(child.tag, {}).update(child.attrib)
        self.classes[name] = own
        for child in section.findall("default"):
            self._collect(child, own, self.xml.must(child, "class"))

    def _mesh_assets(self) -> dict[str, Element]:
        """The meshes among the assets of the file, by name, or else by that of their file."""
        found: dict[str, Element] = {}
        for section in self.xml.root.findall("asset"):
            for asset in section.findall("mesh"):
                name = asset.get("name") or PurePosixPath(asset.get("file", "")).stem
                if name in found:
                    self.xml.refuse(asset, f"two meshes are called {shown(name)}.")
                found[name] = asset
        return found

    def mesh(self, name: str) -> Mesh:
        """The mesh of this name, in its own file; a KempeError says why there is none."""
        asset = self.meshes.get(name)
        if asset is None:
            raise KempeError(f"there is no such mesh.{nearest_name(name, self.meshes)}")
        self.used.add(name)
        whole = self.whole(asset, MAIN)
        for word in MESH_UNREAD:
            if whole.get(word) is not None:
                raise KempeError(f"{word} of a mesh is not read")
        folder = self.compiler.get("meshdir", self.compiler.get("assetdir", ""))
        path = str(PurePosixPath(folder) / self.xml.must(whole, "file"))
        x, y, z = self.xml.numbers(whole, "scale", 3, "1 1 1")
        return self.mesh_files.mesh(path, (x, y, z))

    def whole(self, element: Element, childclass: str) -> Element:
        """The element with the attributes that its default class gives it."""
        name = element.get("class", childclass)
        if name not in self.classes:
            hint = nearest_name(name, self.classes)
            self.xml.refuse(element, f"there is no default class {shown(name)}.{hint}")
        given = self.classes[name].get(element.tag, {})
        own = element.attrib
        turned = any(word in own for word in TURNS)
        for word, value in given.items():
            if word not in own and not (turned and word in TURNS):
                element.set(word, value)
        return element

    def angle(self, value: float) -> float:
        """An angle of the file in rad."""
        return math.radians(value) if self.degree else value

    def pose(self, element: Element) -> Pose:
        """The frame of an element in that of the body around it."""
        position = Vector(*self.xml.numbers(element, "pos", 3, "0 0 0"))
        return self.around(element) @ Pose(position, self._rotation(element))

    def around(self, element: Element) -> Pose:
        """The <frame>s in which an element is written, in the body around them."""
        return self.moved.get(element, Pose.identity())

    def _rotation(self, element: Element) -> Rotation:
        """The turn of an element in the frame in which it is written, in whichever way."""
        given = [word for word in TURNS if element.get(word) is not None]
        if not given:
            return Rotation.identity()
        if len(given) > 1:
            self.xml.refuse(element, f"it is turned twice, by {' and by '.join(given)}.")
        word = given[0]
        count = {"quat": 4, "axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}[word]
        numbers = np.array(self.xml.numbers(element, word, count))
        with self.ledger.at(self.xml.line(element), word):
            if word == "quat":
                return Rotation.from_quaternion(self._unit(element, numbers).tolist())
            if word == "axisangle":
                axis = self._unit(element, numbers[:3])
                return Rotation.about(axis, self.angle(float(numbers[3])))
            if word == "euler":
                return self._euler([self.angle(float(x)) for x in numbers])
            if word == "zaxis":
                return _least_turn(self._unit(element, numbers))
            x = self._unit(element, numbers[:3])
            y = self._unit(element, numbers[3:] - (numbers[3:] @ x) * x)
            return Rotation.from_matrix(np.column_stack([x, y, np.cross(x, y)]))

    def _euler(self, angles: list[float]) -> Rotation:
        """Turns one after another: about moving axes for xyz, about fixed ones for XYZ."""
        R = Rotation.identity()
        for letter, angle in zip(self.sequence, angles, strict=True):
            turn = Rotation.about(np.eye(3)["xyz".index(letter.lower())], angle)
            R = R @ turn if letter.islower() else turn @ R
        return R

    def _unit(self, element: Element, v: np.ndarray) -> np.ndarray:
        length = float(np.linalg.norm(v))
        if not 1e-150 < length < 1e150:
            self.xml.refuse(element, f"a direction of <{printable(element.tag)}> has no length.")
        found: np.ndarray = v / length
        return found

    def direction(self, element: Element, word: str, otherwise: str) -> Triple:
        """An attribute of three numbers that is a direction, of length 1."""
        x, y, z = self._unit(element, np.array(self.xml.numbers(element, word, 3, otherwise)))
        return (float(x), float(y), float(z))


def _least_turn(z: np.ndarray) -> Rotation:
    """The least turn that brings the z axis to a direction."""
    axis = np.cross([0.0, 0.0, 1.0], z)
    size = float(np.linalg.norm(axis))
    if size < 1e-10:
        half = np.diag([1.0, -1.0, -1.0])
        return Rotation.identity() if z[2] > 0.0 else Rotation.from_matrix(half)
    return Rotation.about(axis / size, math.atan2(size, float(z[2])))
