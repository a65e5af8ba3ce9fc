"""A URDF file as a model: links, joints, limits, mimics, masses, shapes, and loops.

The root link is the ground. A joint's frame is its `origin` in the parent link; the child lies in
it where the joint reads 0, and turns about or slides along its `axis`. URDF itself has no loops:

    <loop_joint name="close" type="revolute">
      <link1 link="rod" xyz="0.3 0 0" rpy="0 0 0"/>
      <link2 link="rocker" xyz="0.2 0 0" rpy="0 0 0"/>
      <axis xyz="0 0 1"/>
    </loop_joint>

joins two links that the tree holds already; its types are revolute, continuous, prismatic, fixed,
ball and cylindrical, the axis is one of the frame on each link.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import final
from xml.etree.ElementTree import Element

import numpy as np

from kempe.errors import KempeError, nearest_name, printable
from kempe.files.documents.run import Run
from kempe.files.syntax.source import shown
from kempe.foreign.imported import Imported, Ledger
from kempe.foreign.legal_names import LegalNames, OwnNames, legalized
from kempe.foreign.meshes import MeshFiles
from kempe.foreign.trees import (
    GRAVITY,
    Tree,
    Triple,
    axis_marker,
    floats,
    gauge_of,
    ground,
    moved,
)
from kempe.frames.documents.entries import from_rpy
from kempe.geometry import GROUND, Inertia, Marker, Pose, Rotation, Vector
from kempe.geometry.solids import AbstractSolid, Cuboid, Cylinder, Sphere
from kempe.joints import (
    AbstractJoint,
    Cylindrical,
    Fixed,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
)
from kempe.model import Body, Model
from kempe.model.shape import BodyShape
from kempe.xml_tree import XmlTree

Make = Callable[[Marker, Marker, str], AbstractJoint]
TURNING, SLIDING = ("revolute", "continuous"), ("prismatic",)
JOINTS: Mapping[str, Make] = {
    "revolute": Revolute,
    "continuous": Revolute,
    "prismatic": Prismatic,
    "fixed": Fixed,
    "planar": lambda I, J, name: Planar(I, J, name),
}
LOOPS: Mapping[str, Make] = {
    "revolute": Revolute,
    "continuous": Revolute,
    "prismatic": Prismatic,
    "fixed": Fixed,
    "ball": Spherical,
    "cylindrical": Cylindrical,
}
OF_ROBOT = frozenset(("link", "joint", "loop_joint"))
OF_LINK = frozenset(("inertial", "visual", "collision"))
OF_JOINT = frozenset(("parent", "child", "origin", "axis", "limit", "mimic", "dynamics"))


def read_urdf_model(content: bytes, path: str) -> Imported:
    """The model in the bytes of a URDF file; a FileError says what is wrong, and in which line."""
    xml = XmlTree(content, path)
    if xml.root.tag != "robot":
        xml.refuse(xml.root, f"a URDF file begins with <robot>, not <{printable(xml.root.tag)}>.")
    ledger = Ledger(path)
    reader = _Reader(xml, Tree(ledger, LegalNames(ledger)))
    return reader.read()


@final
class _Reader:
    """Reads one robot."""

    def __init__(self, xml: XmlTree, tree: Tree) -> None:
        self.xml, self.tree, self.ledger = xml, tree, tree.ledger
        self.meshes = MeshFiles(xml.path)
        self.links: dict[str, Element] = {}
        self.bodies: dict[str, str] = {}  # link -> body

    def read(self) -> Imported:
        """The whole robot."""
        robot, xml = self.xml.root, self.xml
        for link in robot.findall("link"):
            name = xml.must(link, "name")
            if name in self.links:
                xml.refuse(link, f"two links are called {shown(name)}.")
            self.links[name] = link
        joints = self._in_order(robot.findall("joint"))
        for joint in joints:
            self._joint(joint)
        for joint in joints:
            self._mimic(joint)
        for loop in robot.findall("loop_joint"):
            self._loop(loop)
        for other in xml.others(robot, OF_ROBOT):
            named = f" {shown(other.get('name'))}" if other.get("name") else ""
            self.ledger.leave_out(xml.line(other), f"<{printable(other.tag)}>{named}", "not read")
        self.ledger.note(0, "gravity", "the format has none; 9.81 m/s^2 against z is taken")
        return self._imported(robot)

    def _imported(self, robot: Element) -> Imported:
        tree = self.tree
        with self.ledger.at(0):
            model = Model(
                name=legalized(robot.get("name", ""), "robot"),
                plane=False,
                bodies=tuple(tree.bodies.values()),
                joints=tuple(tree.joints),
                couplers=tuple(tree.couplers),
                gravity=GRAVITY,
                forces=tuple(tree.forces),
                events=tuple(tree.stops),
            )
        return Imported(model, self.ledger.report, Run(analysis="dynamics"))

    # -- the tree ----------------------------------------------------------------------------

    def _in_order(self, joints: list[Element]) -> list[Element]:
        """The joints from the root on; links hang on one joint each, and one on none."""
        above: dict[str, Element] = {}
        below: dict[str, list[Element]] = {}
        names: set[str] = set()
        for joint in joints:
            name, ends = self.xml.must(joint, "name"), self._ends(joint)
            if name in names:
                self.xml.refuse(joint, f"two joints are called {shown(name)}.")
            if ends[1] in above:
                self.xml.refuse(joint, f"link {shown(ends[1])} hangs on two joints.")
            names.add(name)
            above[ends[1]] = joint
            below.setdefault(ends[0], []).append(joint)
        roots = [link for link in self.links if link not in above]
        if len(roots) != 1:
            message = f"a robot has one root link, here are {len(roots)}"
            named = ", ".join(shown(link) for link in roots[:4])
            self.xml.refuse(self.xml.root, f"{message}{': ' * bool(named)}{named}.")
        self._root(roots[0])
        ordered, waiting = [], [roots[0]]
        while waiting:
            for joint in below.get(waiting.pop(), []):
                ordered.append(joint)
                waiting.append(self._ends(joint)[1])
        if len(ordered) < len(joints):
            left = next(joint for joint in joints if joint not in ordered)
            self.xml.refuse(left, "this joint hangs on itself, by way of others.")
        return ordered

    def _ends(self, joint: Element) -> tuple[str, str]:
        found = []
        for word in ("parent", "child"):
            end = self.xml.child(joint, word)
            if end is None:
                self.xml.refuse(joint, f"joint {shown(joint.get('name'))} lacks its <{word}>.")
            found.append(self._link(end))
        return found[0], found[1]

    def _link(self, end: Element) -> str:
        name = self.xml.must(end, "link")
        if name not in self.links:
            self.xml.refuse(end, f"there is no link {shown(name)}.{nearest_name(name, self.links)}")
        return name

    def _root(self, link: str) -> None:
        self.bodies[link] = GROUND
        self.tree.bodies[GROUND] = replace(ground(), shapes=self._shapes(self.links[link]))
        if link != GROUND:
            self.ledger.note(
                self.xml.line(self.links[link]), f"link {shown(link)}", "is the ground"
            )
        if self.links[link].find("inertial") is not None:
            self.ledger.leave_out(
                self.xml.line(self.links[link]), f"inertial of {shown(link)}", "the ground has none"
            )

    def _joint(self, joint: Element) -> None:
        """A joint of the tree, and the link that hangs on it."""
        name, kind = self.xml.must(joint, "name"), self.xml.must(joint, "type")
        parent, child = self._ends(joint)
        for other in self.xml.others(joint, OF_JOINT):
            what = f"<{printable(other.tag)}> of joint {shown(name)}"
            self.ledger.leave_out(self.xml.line(other), what, "not read")
        X_PJ, axis = self._origin(joint), self._axis(joint)
        slides = kind in SLIDING
        low, high = self._range(joint, kind)
        start = min(max(0.0, low if low is not None else 0.0), high if high is not None else 0.0)
        start = start if low is not None else 0.0
        body = self.tree.names.part(child, "link", self.xml.line(self.links[child]))
        self.bodies[child] = body
        X_WB = self.tree.X_W(self.bodies[parent]) @ X_PJ
        if kind in (*TURNING, *SLIDING):
            X_WB = X_WB @ moved(axis, start, slides=slides)
        self.tree.place(self._body(child, body), X_WB)
        if kind == "floating":
            return
        if kind not in JOINTS:
            hint = nearest_name(kind, [*JOINTS, "floating"])
            self.xml.refuse(joint, f"there is no joint of type {shown(kind)}.{hint}")
        own = self.tree.names.part(name, "joint", self.xml.line(joint))
        I = axis_marker(self.bodies[parent], X_PJ, axis)
        J = axis_marker(body, Pose.identity(), axis)
        self.tree.joints.append(JOINTS[kind](I, J, own))
        if kind in (*TURNING, *SLIDING):
            self.tree.gauges[name] = gauge_of(own, I, J, slides=slides)
            if low is not None:
                self.tree.limit(name, low, high, self.xml.line(joint))
            self._friction(joint, name)

    def _range(self, joint: Element, kind: str) -> tuple[float | None, float | None]:
        limit = self.xml.child(joint, "limit")
        if limit is None or kind not in ("revolute", "prismatic"):
            return None, None
        low, high = (self.xml.number(limit, word, 0.0) for word in ("lower", "upper"))
        for word in ("effort", "velocity"):
            if limit.get(word) is not None:
                what = f"{word} limit of joint {shown(joint.get('name'))}"
                self.ledger.leave_out(self.xml.line(limit), what, "no motor is known of it")
        if low == high == 0.0 and limit.get("lower") is None and limit.get("upper") is None:
            return None, None
        if not low < high:
            self.xml.refuse(limit, f"the lower limit {low:g} is not below the upper one, {high:g}.")
        return low, high

    def _friction(self, joint: Element, name: str) -> None:
        dynamics = self.xml.child(joint, "dynamics")
        if dynamics is None:
            return
        damping, friction = (self.xml.number(dynamics, w, 0.0) for w in ("damping", "friction"))
        self.tree.resist(name, 0.0, damping, 0.0, friction, self.xml.line(dynamics))

    def _mimic(self, joint: Element) -> None:
        mimic, name = self.xml.child(joint, "mimic"), self.xml.must(joint, "name")
        if mimic is None:
            return
        leader, gauges = self.xml.must(mimic, "joint"), self.tree.gauges
        if name == leader:
            self.xml.refuse(mimic, f"joint {shown(name)} mimics itself. Name another one.")
        if name not in gauges or leader not in gauges:
            hint = nearest_name(leader, gauges)
            self.xml.refuse(mimic, f"joint {shown(name)} cannot follow {shown(leader)}.{hint}")
        share, offset = (
            self.xml.number(mimic, "multiplier", 1.0),
            self.xml.number(mimic, "offset", 0.0),
        )
        self.tree.mimic(name, leader, share, offset, self.xml.line(mimic))

    def _loop(self, loop: Element) -> None:
        name, kind = self.xml.must(loop, "name"), self.xml.must(loop, "type")
        if kind not in LOOPS:
            hint = nearest_name(kind, LOOPS)
            self.xml.refuse(loop, f"there is no loop joint of type {shown(kind)}.{hint}")
        markers, axis = [], self._axis(loop)
        for word in ("link1", "link2"):
            end = self.xml.child(loop, word)
            if end is None:
                self.xml.refuse(loop, f"loop joint {shown(name)} lacks its <{word}>.")
            markers.append(axis_marker(self.bodies[self._link(end)], self._pose(end), axis))
        own = self.tree.names.part(name, "joint", self.xml.line(loop))
        with self.ledger.at(self.xml.line(loop), f"loop joint {shown(name)}"):
            self.tree.joints.append(LOOPS[kind](markers[0], markers[1], own))

    # -- links -------------------------------------------------------------------------------

    def _body(self, link: str, name: str) -> Body:
        element = self.links[link]
        for other in self.xml.others(element, OF_LINK):
            what = f"<{printable(other.tag)}> of link {shown(link)}"
            self.ledger.leave_out(self.xml.line(other), what, "not read")
        inertial = self.xml.child(element, "inertial")
        inertia = None if inertial is None else self._inertia(inertial)
        points = {"centre_of_mass": floats_of(inertia)} if inertia is not None else {}
        return Body(name, points, inertia=inertia, shapes=self._shapes(element))

    def _inertia(self, inertial: Element) -> Inertia:
        mass, tensor = self.xml.child(inertial, "mass"), self.xml.child(inertial, "inertia")
        words = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        xx, xy, xz, yy, yz, zz = (self.xml.number(tensor, word, 0.0) for word in words)
        with self.ledger.at(self.xml.line(inertial), "inertial"):
            found = Inertia(
                self.xml.number(mass, "value", 0.0),
                np.zeros(3),
                np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]),
            )
            return found.seen_from(self._origin(inertial))

    def _shapes(self, link: Element) -> tuple[BodyShape, ...]:
        """The solids a link collides with, or where it has none those that are seen."""
        found: list[BodyShape] = []
        names = OwnNames()
        solid_ones, seen = link.findall("collision"), link.findall("visual")
        for part in seen if solid_ones else []:
            what = f"<visual> of link {shown(link.get('name'))}"
            self.ledger.leave_out(self.xml.line(part), what, "its collision shapes are taken")
        for part in solid_ones or seen:
            geometry = self.xml.child(part, "geometry")
            for one in [] if geometry is None else list(geometry):
                with self.ledger.at(self.xml.line(one), f"<{printable(one.tag)}>"):
                    solid = self._solid(one)
                if solid is not None:
                    name = names.new(legalized(part.get("name", ""), one.tag))
                    found.append(BodyShape(name, solid, self._origin(part)))
        return tuple(found)

    def _solid(self, shape: Element) -> AbstractSolid | None:
        if shape.tag == "box":
            a, b, c = self.xml.numbers(shape, "size", 3)
            return Cuboid((a, b, c))
        if shape.tag == "cylinder":
            radius, length = (self.xml.numbers(shape, w, 1)[0] for w in ("radius", "length"))
            return Cylinder(radius, length)
        if shape.tag == "sphere":
            return Sphere(self.xml.numbers(shape, "radius", 1)[0])
        named, why = shape.get("filename", ""), "no such shape is known"
        if shape.tag == "mesh":
            x, y, z = self.xml.numbers(shape, "scale", 3, "1 1 1")
            try:
                return self.meshes.mesh(named, (x, y, z))
            except KempeError as trouble:
                why = trouble.message
        what = f"<{printable(shape.tag)}> {shown(PurePosixPath(named).name)}"
        self.ledger.leave_out(self.xml.line(shape), what, why)
        return None

    # -- frames ------------------------------------------------------------------------------

    def _origin(self, element: Element) -> Pose:
        origin = self.xml.child(element, "origin")
        return Pose.identity() if origin is None else self._pose(origin)

    def _pose(self, element: Element) -> Pose:
        xyz, rpy = (self.xml.numbers(element, word, 3, "0 0 0") for word in ("xyz", "rpy"))
        turned = Pose.identity().rotation if not any(rpy) else from_rpy(list(rpy))
        if element.get("quat_xyzw") is not None:
            if element.get("rpy") is not None:
                self.xml.refuse(element, "it is turned twice, by rpy and by quat_xyzw.")
            turned = self._turned(element)
        return Pose(Vector(*xyz), turned)

    def _turned(self, element: Element) -> Rotation:
        """The turn by a quaternion with its scalar last, of any length."""
        q = np.array(self.xml.numbers(element, "quat_xyzw", 4))
        size = float(np.linalg.norm(q))
        if not 1e-150 < size < 1e150:
            self.xml.refuse(element, "quat_xyzw has no length: it is no turn.")
        return Rotation.from_quaternion((np.roll(q, 1) / size).tolist())

    def _axis(self, joint: Element) -> Triple:
        axis = self.xml.child(joint, "axis")
        if axis is None:
            return (1.0, 0.0, 0.0)
        x, y, z = self.xml.numbers(axis, "xyz", 3, "1 0 0")
        if not 1e-150 < np.hypot(np.hypot(x, y), z) < 1e150:
            self.xml.refuse(axis, "an axis needs a direction, and this one has no length.")
        return (x, y, z)


def floats_of(inertia: Inertia) -> Triple:
    """The centre of mass (m)."""
    return floats(Vector(*inertia.centre.tolist()))
