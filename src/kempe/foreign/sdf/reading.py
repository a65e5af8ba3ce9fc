"""An SDFormat file as a model: links, joints, limits, springs, masses, shapes.

Every frame lies in another one, named by `relative_to`, or else in that of its model, a joint's in
that of its child. All joints read 0 where the file draws the links. Joints need not make a tree:
loops are joints like others.

Source: [SDFormat] the elements of a model, versions 1.4 to 1.11.
"""

import math
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import final
from xml.etree.ElementTree import Element

import numpy as np

from kempe.errors import KempeError, nearest_name, printable
from kempe.files.documents.run import Run
from kempe.files.syntax.source import MOST_BODIES, shown
from kempe.foreign.imported import Imported, Ledger
from kempe.foreign.legal_names import LegalNames, OwnNames, legalized
from kempe.foreign.meshes import MeshFiles
from kempe.foreign.trees import Tree, Triple, axis_marker, floats, gauge_of, ground
from kempe.frames.documents.entries import from_rpy
from kempe.geometry import GROUND, Inertia, Marker, Pose, Rotation, Vector
from kempe.geometry.solids import AbstractSolid, Cuboid, Cylinder, Sphere
from kempe.joints import AbstractJoint, Fixed, Prismatic, Revolute, Screw, Spherical, Universal
from kempe.model import Body, Model
from kempe.model.shape import BodyShape
from kempe.xml_tree import XmlTree

WORLD, MODEL = "world", "__model__"
GRAVITY = "0 0 -9.8"  # m/s^2, of a world that says nothing
ENDLESS = 1e16  # m, rad: the format's own limits where there are none
Make = Callable[[Marker, Marker, str], AbstractJoint]
JOINTS: Mapping[str, Make] = {
    "revolute": Revolute,
    "continuous": Revolute,
    "prismatic": Prismatic,
    "fixed": Fixed,
    "ball": Spherical,
    "universal": Universal,
    "screw": Revolute,  # a Screw, once its lead is known
}
READ_AXIS = ("revolute", "continuous", "prismatic")
OF_MODEL = frozenset(("pose", "static", "link", "joint", "frame"))
OF_LINK = frozenset(("pose", "inertial", "visual", "collision"))
OF_JOINT = frozenset(
    ("parent", "child", "pose", "axis", "axis2", "thread_pitch", "screw_thread_pitch")
)
OF_AXIS = frozenset(("xyz", "limit", "dynamics", "use_parent_model_frame", "mimic"))
# Words that change nothing where they have this text: settings of a simulator.
NO, YES = ("false", "0"), ("true", "1")
IDLE: dict[str, tuple[str, ...]] = {
    "self_collide": NO,
    "gravity": YES,
    "kinematic": NO,
    "enable_wind": NO,
    "allow_auto_disable": (*YES, *NO),
}


def read_sdf(content: bytes, path: str) -> Imported:
    """The model in the bytes of an SDFormat file; a FileError says what is wrong, and where."""
    xml = XmlTree(content, path)
    if xml.root.tag != "sdf":
        xml.refuse(
            xml.root, f"an SDFormat file begins with <sdf>, not <{printable(xml.root.tag)}>."
        )
    ledger = Ledger(path)
    return _Reader(xml, Tree(ledger, LegalNames(ledger))).read()


@final
class _Reader:
    """Reads one file."""

    def __init__(self, xml: XmlTree, tree: Tree) -> None:
        self.xml, self.tree, self.ledger = xml, tree, tree.ledger
        self.meshes = MeshFiles(xml.path)
        words = xml.root.get("version", "1.7").split(".")
        if len(words) < 2 or not all(word.isdecimal() and len(word) < 5 for word in words[:2]):
            xml.refuse(xml.root, f"its version is {shown(xml.root.get('version'))}, not as 1.7.")
        self.version = (int(words[0]), int(words[1]))

    def read(self) -> Imported:
        """All models of the file."""
        root, tree = self.xml.root, self.tree
        tree.bodies[GROUND] = ground()
        worlds = root.findall("world")
        models = [model for holder in (root, *worlds) for model in holder.findall("model")]
        if not models:
            self.xml.refuse(root, "there is no <model> in it.")
        for model in models:
            _ModelReader(self, model).read()
        self._others(root, frozenset(("model", "world")), "the file")
        x, y, z = self._gravity(worlds)
        name = legalized(models[0].get("name", ""), "model")
        with self.ledger.at(0):
            made = Model(
                name=name,
                plane=False,
                bodies=tuple(tree.bodies.values()),
                joints=tuple(tree.joints),
                couplers=tuple(tree.couplers),
                gravity=(x, y, z),
                forces=tuple(tree.forces),
                events=tuple(tree.stops),
            )
        return Imported(made, self.ledger.report, Run(analysis="dynamics"))

    def _gravity(self, worlds: list[Element]) -> tuple[float, ...]:
        gravity = GRAVITY
        for world in worlds:
            gravity = self.xml.inner(world, "gravity") or gravity
            self._others(world, frozenset(("model", "gravity")), "the world")
        holder = worlds[-1] if worlds else self.xml.root
        if not worlds:
            self.ledger.note(0, "gravity", "no world is given; the format's own is taken")
        return self.xml.inner_numbers(holder, "gravity", 3, GRAVITY)

    def _others(self, element: Element, known: frozenset[str], where: str) -> None:
        """Tell of children that are nothing here."""
        for other in self.xml.others(element, known):
            if (other.text or "").strip() in IDLE.get(other.tag, ()):
                continue
            named = f" {shown(other.get('name'))}" if other.get("name") else ""
            what = f"<{printable(other.tag)}>{named} of {where}"
            self.ledger.leave_out(self.xml.line(other), what, "not read")


@final
class _ModelReader:
    """Reads one model of a file."""

    def __init__(self, reader: _Reader, element: Element) -> None:
        self.reader, self.element = reader, element
        self.xml, self.tree, self.ledger = reader.xml, reader.tree, reader.ledger
        self.called = shown(element.get("name", ""))
        self.links: dict[str, Element] = {}
        self.bodies: dict[str, str] = {WORLD: GROUND}  # link -> body
        self.frames: dict[str, tuple[str, Pose]] = {}  # frame -> the one it lies in, and where
        self.read_joints: dict[str, str] = {}  # those whose motion is read -> their names here

    def read(self) -> None:
        """Its links, then its joints."""
        self.reader._others(self.element, OF_MODEL, f"model {self.called}")
        joints = self.element.findall("joint")
        self._named_frames(joints)
        is_static = self.xml.inner(self.element, "static") in ("true", "1")
        for name, link in self.links.items():
            self._link(name, link, is_static=is_static)
        for joint in joints:
            self._joint(joint)
        for joint in joints:
            self._mimic(joint)

    # -- frames ------------------------------------------------------------------------------

    def _named_frames(self, joints: list[Element]) -> None:
        self.frames[MODEL] = ("", self._pose(self.element))
        for link in self.element.findall("link"):
            self._frame(link, MODEL)
            self.links[link.get("name", "").strip()] = link
        if not self.links:
            self.xml.refuse(self.element, f"model {self.called} has no <link>.")
        for joint in joints:
            self._frame(joint, self.xml.inner(joint, "child"))
        for frame in self.element.findall("frame"):
            self._frame(frame, frame.get("attached_to") or MODEL)

    def _frame(self, element: Element, otherwise: str) -> None:
        name = self.xml.must(element, "name")
        if name in self.frames or name == WORLD:
            self.xml.refuse(element, f"two things of model {self.called} are called {shown(name)}.")
        pose = self.xml.child(element, "pose")
        above = otherwise if pose is None else pose.get("relative_to") or otherwise
        self.frames[name] = (above, self._pose(element))

    def _X_W(self, name: str, element: Element) -> Pose:
        """Where a frame of this name lies in the world; `element` is whoever asks."""
        X, seen = Pose.identity(), set[str]()
        while name and name != WORLD:
            if name not in self.frames:
                hint = nearest_name(name, self.frames)
                self.xml.refuse(element, f"there is no frame {shown(name)}.{hint}")
            if name in seen:
                self.xml.refuse(element, f"frame {shown(name)} lies in itself, by way of others.")
            seen.add(name)
            name, X_above = self.frames[name]
            X = X_above @ X
        return X

    def _pose(self, element: Element) -> Pose:
        """What <pose> says, in the frame that it is relative to."""
        pose = self.xml.child(element, "pose")
        if pose is None or not (pose.text or "").strip():
            return Pose.identity()
        if pose.get("rotation_format", "euler_rpy") == "quat_xyzw":
            x, y, z, *turned = self.xml.inner_numbers(element, "pose", 7)
            q, size = np.roll(turned, 1), float(np.linalg.norm(turned))
            if not 1e-150 < size < 1e150:
                self.xml.refuse(pose, "a quaternion without length is no turn.")
            return Pose(Vector(x, y, z), Rotation.from_quaternion((q / size).tolist()))
        x, y, z, *angles = self.xml.inner_numbers(element, "pose", 6)
        if pose.get("degrees", "false") in ("true", "1"):
            angles = [math.radians(a) for a in angles]
        R = from_rpy(angles) if any(angles) else Rotation.identity()
        return Pose(Vector(x, y, z), R)

    # -- links -------------------------------------------------------------------------------

    def _link(self, name: str, link: Element, *, is_static: bool) -> None:
        line, where = self.xml.line(link), f"link {shown(name)}"
        if len(self.tree.bodies) > MOST_BODIES:
            self.xml.refuse(link, f"a mechanism has at most {MOST_BODIES} bodies.")
        self.reader._others(link, OF_LINK, where)
        body = self.tree.names.part(name, "link", line)
        self.bodies[name] = body
        inertia = None if is_static else self._inertia(link, where)
        points = {} if inertia is None else {"centre_of_mass": _floats(inertia.centre)}
        with self.ledger.at(line, where):
            made = Body(body, points, inertia=inertia, shapes=self._shapes(link, where))
        self.tree.place(made, self._X_W(name, link))
        if is_static:
            X = self.tree.X_W(body)
            I = Marker(GROUND, floats(X.position), X.rotation)
            weld = self.tree.names.part(f"{name}_weld", "weld", 0)
            self.tree.joints.append(Fixed(I, Marker(body), weld))

    def _inertia(self, link: Element, where: str) -> Inertia:
        inertial = self.xml.child(link, "inertial")
        if inertial is None:
            self.ledger.note(
                self.xml.line(link), where, "has no <inertial>: the format says 1 kg, 1 kg m^2"
            )
            return Inertia(1.0, np.zeros(3), np.eye(3))
        known = frozenset(("mass", "pose", "inertia"))
        self.reader._others(inertial, known, f"inertial of {where}")
        (mass,) = self.xml.inner_numbers(inertial, "mass", 1, "1")
        tensor = self.xml.child(inertial, "inertia")
        plain = {"ixx": "1", "iyy": "1", "izz": "1", "ixy": "0", "ixz": "0", "iyz": "0"}
        t = {
            word: float(value)
            if tensor is None
            else self.xml.inner_numbers(tensor, word, 1, value)[0]
            for word, value in plain.items()
        }
        rows = [
            [t["ixx"], t["ixy"], t["ixz"]],
            [t["ixy"], t["iyy"], t["iyz"]],
            [t["ixz"], t["iyz"], t["izz"]],
        ]
        with self.ledger.at(self.xml.line(inertial), "inertial"):
            return Inertia(mass, np.zeros(3), np.array(rows)).seen_from(self._pose(inertial))

    def _shapes(self, link: Element, where: str) -> tuple[BodyShape, ...]:
        """The solids a link collides with, or where it has none those that are seen."""
        found: list[BodyShape] = []
        names = OwnNames()
        solid_ones, seen = link.findall("collision"), link.findall("visual")
        for part in seen if solid_ones else []:
            what = f"<visual> of {where}"
            self.ledger.leave_out(self.xml.line(part), what, "its collision shapes are taken")
        for part in solid_ones or seen:
            geometry = self.xml.child(part, "geometry")
            for one in [] if geometry is None else list(geometry):
                with self.ledger.at(self.xml.line(one), f"<{printable(one.tag)}>"):
                    solid = self._solid(one, where)
                if solid is not None:
                    name = names.new(legalized(part.get("name", ""), one.tag))
                    found.append(BodyShape(name, solid, self._pose(part)))
        return tuple(found)

    def _solid(self, shape: Element, where: str) -> AbstractSolid | None:
        if shape.tag == "box":
            a, b, c = self.xml.inner_numbers(shape, "size", 3, "1 1 1")
            return Cuboid((a, b, c))
        if shape.tag == "cylinder":
            radius, length = (self.xml.inner_numbers(shape, w, 1)[0] for w in ("radius", "length"))
            return Cylinder(radius, length)
        if shape.tag == "sphere":
            return Sphere(self.xml.inner_numbers(shape, "radius", 1, "1")[0])
        what, why = f"<{printable(shape.tag)}> of {where}", "kempe has no such solid"
        if shape.tag == "mesh":
            named = self.xml.inner(shape, "uri")
            what = f"<mesh> {shown(PurePosixPath(named).name)}"
            try:
                if self.xml.child(shape, "submesh") is not None:
                    raise KempeError("a part of a mesh is not read")
                x, y, z = self.xml.inner_numbers(shape, "scale", 3, "1 1 1")
                return self.reader.meshes.mesh(named, (x, y, z))
            except KempeError as trouble:
                if getattr(trouble, "line", 0):
                    raise
                why = trouble.message
        self.ledger.leave_out(self.xml.line(shape), what, why)
        return None

    # -- joints ------------------------------------------------------------------------------

    def _joint(self, joint: Element) -> None:
        name, kind = self.xml.must(joint, "name"), self.xml.must(joint, "type")
        line, said = self.xml.line(joint), f"joint {shown(name)}"
        if kind not in JOINTS:
            why = "kempe reads no joint of that type"
            self.ledger.leave_out(line, f"{said} of type {shown(kind)}", why)
            return
        self.reader._others(joint, OF_JOINT, said)
        X_WJ = self._X_W(name, joint)
        ends = []
        for word in ("parent", "child"):
            link = self._link_of(self.xml.inner(joint, word), joint, word)
            X = self.tree.X_W(self.bodies[link]).inverse() @ X_WJ
            ends.append((self.bodies[link], X))
        first = self._axis(joint, "axis", X_WJ)
        second = self._axis(joint, "axis2", X_WJ) if kind == "universal" else first
        own = self.tree.names.part(name, "joint", line)
        with self.ledger.at(line, said):
            I, J = axis_marker(*ends[0], first), axis_marker(*ends[1], second)
            self.tree.joints.append(self._made(joint, kind, I, J, own))
        for word in ("axis", "axis2"):
            axis = self.xml.child(joint, word)
            if axis is not None and (word == "axis2" or kind not in READ_AXIS):
                self._unread(axis, f"<{word}> of {said}")
        if kind in READ_AXIS:
            slides = kind == "prismatic"
            self.tree.gauges[own] = gauge_of(own, I, J, slides=slides)
            self.read_joints[name] = own
            self._settings(joint, own, said, endless=kind == "continuous")

    def _link_of(self, frame: str, joint: Element, word: str) -> str:
        """The link that a frame is fixed on, by way of others."""
        seen = set[str]()
        name = frame
        while name not in self.bodies:
            if name not in self.frames or name in seen or name == MODEL:
                hint = nearest_name(frame, self.bodies)
                self.xml.refuse(joint, f"its {word} {shown(frame)} is no link.{hint}")
            seen.add(name)
            name = self.frames[name][0]
        return name

    def _axis(self, joint: Element, word: str, X_WJ: Pose) -> Triple:
        """The direction of an axis in the frame of its joint."""
        axis = self.xml.child(joint, word)
        if axis is None:
            return (0.0, 0.0, 1.0)
        x, y, z = self.xml.inner_numbers(axis, "xyz", 3, "0 0 1")
        if not 1e-150 < np.hypot(np.hypot(x, y), z) < 1e150:
            self.xml.refuse(axis, "an axis needs a direction, and this one has no length.")
        of_model = self.xml.inner(axis, "use_parent_model_frame") in ("true", "1")
        xyz = self.xml.child(axis, "xyz")
        frame = "" if xyz is None else xyz.get("expressed_in", "")
        if self.reader.version < (1, 5) or of_model:
            frame = MODEL
        if not frame:
            return (x, y, z)
        R_JF = X_WJ.rotation.inverse() @ self._X_W(frame, axis).rotation
        return floats(R_JF.apply(Vector(x, y, z)))

    def _made(self, joint: Element, kind: str, I: Marker, J: Marker, own: str) -> AbstractJoint:
        if kind != "screw":
            return JOINTS[kind](I, J, own)
        if self.xml.child(joint, "screw_thread_pitch") is not None:
            (lead,) = self.xml.inner_numbers(joint, "screw_thread_pitch", 1)
        else:  # rad a metre, and the other way round
            (pitch,) = self.xml.inner_numbers(joint, "thread_pitch", 1, "1")
            lead = -math.tau / pitch if pitch else 0.0
        return Screw(I, J, own, lead=lead)

    def _settings(self, joint: Element, own: str, said: str, *, endless: bool) -> None:
        """Limits, spring and damper of the axis of a joint."""
        axis = self.xml.child(joint, "axis")
        if axis is None:
            return
        self.reader._others(axis, OF_AXIS, f"axis of {said}")
        limit, line = self.xml.child(axis, "limit"), self.xml.line(axis)
        if limit is not None:
            ends = ("lower", "-1e16"), ("upper", "1e16")
            low, high = (self.xml.inner_numbers(limit, w, 1, plain)[0] for w, plain in ends)
            self.reader._others(limit, frozenset(("lower", "upper")), f"limit of {said}")
            is_endless = endless or (low <= -ENDLESS and high >= ENDLESS)
            if not is_endless and not low <= 0.0 <= high:
                what = f"limits of {said}"
                why = f"it starts at 0, which is not between {low:g} and {high:g}"
                self.ledger.leave_out(line, what, why)
            elif not is_endless:
                lowest = low if low > -ENDLESS else None
                self.tree.limit(own, lowest, high if high < ENDLESS else None, line)
        dynamics = self.xml.child(axis, "dynamics")
        if dynamics is None:
            return
        words = ("spring_stiffness", "damping", "spring_reference", "friction")
        k, c, free, friction = (self.xml.inner_numbers(dynamics, w, 1, "0")[0] for w in words)
        self.tree.resist(own, k, c, free, friction, line)

    def _unread(self, axis: Element, what: str) -> None:
        """Tell of limits and springs of an axis that has no measure here."""
        for word in ("limit", "dynamics", "mimic"):
            if self.xml.child(axis, word) is not None:
                why = "only those of hinges and slides are read"
                self.ledger.leave_out(self.xml.line(axis), f"<{word}> in {what}", why)

    def _mimic(self, joint: Element) -> None:
        """angle = multiplier (leader - reference) + offset."""
        axis, name = self.xml.child(joint, "axis"), joint.get("name", "").strip()
        mimic = (
            None if axis is None or name not in self.read_joints else self.xml.child(axis, "mimic")
        )
        if mimic is None:
            return
        leader = self.xml.must(mimic, "joint")
        known = self.read_joints
        if leader not in known or leader == name or mimic.get("axis", "axis") != "axis":
            hint = nearest_name(leader, known)
            self.xml.refuse(mimic, f"joint {shown(name)} cannot follow {shown(leader)}.{hint}")
        words = ("multiplier", "1"), ("offset", "0"), ("reference", "0")
        share, offset, at = (self.xml.inner_numbers(mimic, w, 1, plain)[0] for w, plain in words)
        line = self.xml.line(mimic)
        self.tree.mimic(known[name], known[leader], share, offset - share * at, line)


def _floats(v: np.ndarray) -> Triple:
    return (float(v[0]), float(v[1]), float(v[2]))
