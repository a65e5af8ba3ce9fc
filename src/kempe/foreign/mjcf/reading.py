"""An MJCF file as a model: bodies, joints, equalities that close loops, tendons that are springs.

A body lies in its parent by `pos` and its turn, and its joints stand in its own frame; a joint
reads 0 there (MuJoCo's `ref` is taken off). A body without joints is welded to its parent. Several
joints of one body are a chain of massless links. `connect` is a ball, `weld` a weld, `joint` a
coupler of two joints.

Source: [MuJoCo] XML reference, for what the words mean.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import final
from xml.etree.ElementTree import Element

import numpy as np

from kempe.couplers import CamLaw, Combination
from kempe.drives import Polynomial
from kempe.errors import nearest_name, printable
from kempe.files.documents.run import Run
from kempe.files.syntax.source import MOST_BODIES, shown
from kempe.forces import LineSpring
from kempe.foreign.imported import Imported, Ledger
from kempe.foreign.legal_names import LegalNames, OwnNames, legalized
from kempe.foreign.mjcf.attributes import MAIN, Attributes
from kempe.foreign.mjcf.geoms import solid_of
from kempe.foreign.trees import Tree, Triple, axis_marker, floats, gauge_of, ground, moved
from kempe.geometry import GROUND, Inertia, Marker, Pose, Rotation, Vector
from kempe.joints import Fixed, Prismatic, Revolute, Spherical
from kempe.measures import Gauge
from kempe.model import Body, Model
from kempe.model.shape import BodyShape
from kempe.xml_tree import XmlTree

SECTIONS = ("compiler", "option", "default", "worldbody", "equality", "tendon")
OF_BODY = frozenset(("inertial", "joint", "freejoint", "geom", "site", "body"))
FREE = ("free", "freejoint")
SETTINGS = ("stiffness", "damping", "range", "limited", "springref", "ref")  # of joints, read
UNREAD = ("armature", "frictionloss", "actuatorfrcrange", "springdamper", "actuatorgravcomp")
OF_BODIES_UNREAD = ("gravcomp", "mocap")
NOTHING = ("0", "0 0", "0.0", "false")
AIR = ("density", "viscosity", "wind")  # options that would push bodies
PARTS = ("constraint", "equality", "limit", "passive", "spring", "damper")  # flags that stop some
GRAVITY = "0 0 -9.81"


def read_mjcf(content: bytes, path: str) -> Imported:
    """The model in the bytes of an MJCF file; a FileError says what is wrong, and in which line."""
    xml = XmlTree(content, path)
    if xml.root.tag != "mujoco":
        xml.refuse(xml.root, f"an MJCF file begins with <mujoco>, not <{printable(xml.root.tag)}>.")
    for include in xml.root.iter("include"):
        xml.refuse(include, "kempe does not read <include>: put everything into one file.")
    ledger = Ledger(path)
    return _Reader(xml, Tree(ledger, LegalNames(ledger))).read()


@final
class _Reader:
    """Reads one file."""

    def __init__(self, xml: XmlTree, tree: Tree) -> None:
        self.xml, self.tree, self.ledger = xml, tree, tree.ledger
        self.attributes = Attributes(xml, tree.ledger)
        self.bodies: dict[str, str] = {"world": GROUND}  # the file's name -> body
        self.sites: dict[str, Marker] = {}
        self.X_W_rest: dict[str, Pose] = {GROUND: Pose.identity()}  # every joint at its springref
        self.count = 0

    def read(self) -> Imported:
        """The whole file."""
        root, tree = self.xml.root, self.tree
        tree.bodies[GROUND] = ground()
        for world in root.findall("worldbody"):
            shapes = self._shapes(world, MAIN)[0]
            sites = self._sites(world, GROUND, MAIN)
            held = tree.bodies[GROUND]
            tree.bodies[GROUND] = replace(
                held, shapes=(*held.shapes, *shapes), points={**held.points, **sites}
            )
            self._children(world, GROUND, MAIN)
        for section in root.findall("equality"):
            for element in section:
                self._equality(self.attributes.whole(element, MAIN))
        for section in root.findall("tendon"):
            for element in section:
                self._tendon(self.attributes.whole(element, MAIN))
        self._leave_out_sections(root)
        return self._imported(root)

    def _imported(self, root: Element) -> Imported:
        gravity, tree = self._gravity(root), self.tree
        with self.ledger.at(0):
            model = Model(
                name=legalized(root.get("model", ""), "mechanism"),
                plane=False,
                bodies=tuple(tree.bodies.values()),
                joints=tuple(tree.joints),
                couplers=tuple(tree.couplers),
                gravity=gravity,
                forces=tuple(tree.forces),
                events=tuple(tree.stops),
            )
        return Imported(model, self.ledger.report, Run(analysis="dynamics"))

    def _gravity(self, root: Element) -> Triple:
        """What pulls (m/s^2); of other options it is told what becomes of them."""
        gravity = (0.0, 0.0, -9.81)
        for option in root.findall("option"):
            line = self.xml.line(option)
            x, y, z = self.xml.numbers(option, "gravity", 3, GRAVITY)
            gravity = (x, y, z)
            for word in AIR:
                if any(self.xml.numbers(option, word, None, "0")):
                    self.ledger.leave_out(line, f"{word} in <option>", "no air acts on bodies")
            others = [word for word in option.attrib if word not in ("gravity", *AIR)]
            if others:
                why = "kempe chooses its steps and tolerances itself"
                self.ledger.note(line, ", ".join(others), why)
            off = [
                w
                for flag in option.findall("flag")
                for w in flag.attrib
                if flag.get(w) == "disable"
            ]
            gravity = (0.0, 0.0, 0.0) if "gravity" in off else gravity
            for word in off:
                if word in PARTS:
                    self.ledger.leave_out(line, f"flag {word}='disable'", "it acts all the same")
        return gravity

    def _leave_out_sections(self, root: Element) -> None:
        for section in root:
            if section.tag in SECTIONS:
                continue
            members = list(section) or [section]
            if section.tag == "asset":
                known = self.attributes.meshes
                used = [known[name] for name in self.attributes.used]
                members = [one for one in members if one not in used]
            for one in members:
                named = f" {shown(one.get('name'))}" if one.get("name") else ""
                what = f"<{printable(one.tag)}>{named} in <{printable(section.tag)}>"
                self.ledger.leave_out(self.xml.line(one), what, "not read")

    # -- bodies ------------------------------------------------------------------------------

    def _children(self, element: Element, parent: str, childclass: str) -> None:
        """All bodies below an element, without recursion: a chain may be long."""
        self._leave_out_others(element, "the world")
        waiting = [(child, parent, childclass) for child in reversed(element.findall("body"))]
        while waiting:
            body, above, given = waiting.pop()
            name, inner = self._body(body, above, given)
            waiting += [(child, name, inner) for child in reversed(body.findall("body"))]

    def _body(self, element: Element, parent: str, childclass: str) -> tuple[str, str]:
        inner = element.get("childclass", childclass)
        self.count += 1
        if self.count > MOST_BODIES:
            self.xml.refuse(element, f"a mechanism has at most {MOST_BODIES} bodies.")
        own = element.get("name") or f"body_{self.count}"
        if own in self.bodies:
            self.xml.refuse(element, f"two bodies are called {shown(own)}.")
        line = self.xml.line(element)
        name = self.tree.names.part(own, "body", line)
        self.bodies[own] = name
        self._leave_out_others(element, f"body {shown(own)}")
        for word in OF_BODIES_UNREAD:
            if element.get(word, "0") not in NOTHING:
                self.ledger.leave_out(line, f"{word} of body {shown(own)}", "not read")
        X_PB = self.attributes.pose(element)
        shapes, mass = self._shapes(element, inner)
        inertia = self._inertia(element) or mass
        points = self._sites(element, name, inner)
        if inertia is not None and "centre_of_mass" not in points:
            c = inertia.centre
            points["centre_of_mass"] = (float(c[0]), float(c[1]), float(c[2]))
        with self.ledger.at(line, f"body {shown(own)}"):
            body = Body(name, points, inertia=inertia, shapes=shapes)
        self.tree.place(body, self.tree.X_W(parent) @ X_PB)
        X_moved = self._joints(element, own, parent, X_PB, inner)
        self.X_W_rest[name] = self.X_W_rest[parent] @ X_PB @ X_moved
        return name, inner

    def _leave_out_others(self, element: Element, where: str) -> None:
        """Tell of children that are nothing of a body here: lights, cameras, replicas."""
        for other in self.xml.others(element, OF_BODY):
            what = f"<{printable(other.tag)}> of {where}"
            self.ledger.leave_out(self.xml.line(other), what, "not read")

    def _inertia(self, body: Element) -> Inertia | None:
        found = self.xml.child(body, "inertial")
        if found is None:
            return None
        mass = self.xml.numbers(found, "mass", 1)[0]
        if found.get("fullinertia") is not None:
            xx, yy, zz, xy, xz, yz = self.xml.numbers(found, "fullinertia", 6)
            tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        else:
            tensor = np.diag(self.xml.numbers(found, "diaginertia", 3, "0 0 0"))
        with self.ledger.at(self.xml.line(found), "inertial"):
            return Inertia(mass, np.zeros(3), tensor).seen_from(self.attributes.pose(found))

    def _shapes(
        self, body: Element, childclass: str
    ) -> tuple[tuple[BodyShape, ...], Inertia | None]:
        """The solids of a body, and the mass of all its geoms."""
        shapes: list[BodyShape] = []
        total: Inertia | None = None
        names = OwnNames()
        for geom in body.findall("geom"):
            found = solid_of(self.attributes.whole(geom, childclass), self.attributes)
            if found is None:
                continue
            solid, frame, inertia = found
            if solid is not None:
                name = names.new(legalized(geom.get("name", ""), geom.get("type", "sphere")))
                shapes.append(BodyShape(name, solid, frame))
            elif body.tag == "worldbody" or body.find("inertial") is not None:
                what = f"geom of type {shown(geom.get('type'))}"
                self.ledger.leave_out(self.xml.line(geom), what, "kempe has no such solid")
            else:
                what = f"shape of a {geom.get('type')}"
                self.ledger.leave_out(self.xml.line(geom), what, "only its mass is taken")
            if inertia is not None:
                with self.ledger.at(self.xml.line(geom)):
                    total = inertia if total is None else total + inertia
        return tuple(shapes), total

    def _sites(
        self, body: Element, name: str, childclass: str
    ) -> dict[str, tuple[float, float, float]]:
        """The sites of a body as points; those with a name can be held on to."""
        places: dict[str, Marker] = {}
        for site in body.findall("site"):
            X_BS = self.attributes.pose(self.attributes.whole(site, childclass))
            own = site.get("name", "")
            if own in self.sites:
                self.xml.refuse(site, f"two sites are called {shown(own)}.")
            marker = Marker(name, floats(X_BS.position), X_BS.rotation)
            if own:
                places[own] = self.sites[own] = marker
        legal = self.tree.names.points(list(places))
        return {word: at.position for word, at in zip(legal, places.values(), strict=True)}

    # -- joints ------------------------------------------------------------------------------

    def _joints(self, body: Element, own: str, parent: str, X_PB: Pose, childclass: str) -> Pose:
        """Read the joints of a body; how far they have moved it where each is at its springref."""
        joints = [
            self.attributes.whole(one, childclass)
            for one in body
            if one.tag in ("joint", "freejoint")
        ]
        kinds = ["free" if one.tag == "freejoint" else one.get("type", "hinge") for one in joints]
        name = self.bodies[own]
        if "free" in kinds:
            if len(kinds) > 1 or parent != GROUND:
                self.xml.refuse(joints[0], "a free joint is the only one of a body of the world.")
            return Pose.identity()
        if not kinds:
            weld = self.tree.names.part(f"{own}_weld", "weld", 0)
            I = Marker(parent, floats(X_PB.position), X_PB.rotation)
            self.tree.joints.append(Fixed(I, Marker(name), weld))
            return Pose.identity()
        held, X_HB, X_moved = parent, X_PB, Pose.identity()
        for k, (joint, kind) in enumerate(zip(joints, kinds, strict=True)):
            last = k == len(joints) - 1
            link = name if last else self.tree.names.part(f"{own}_link_{k + 1}", "link", 0)
            if not last:
                self.tree.place(Body(link), self.tree.X_W(name))
            otherwise = own if last and not k else f"{own}_{k + 1}"
            X_moved = X_moved @ self._joint(joint, kind, (held, X_HB), link, otherwise)
            held, X_HB = link, Pose.identity()
        return X_moved

    def _joint(
        self, joint: Element, kind: str, above: tuple[str, Pose], link: str, otherwise: str
    ) -> Pose:
        """Read one joint; how far it has moved its link where it is at its springref."""
        parent, X_PB = above
        line, own = self.xml.line(joint), joint.get("name") or f"{otherwise}_joint"
        if own in self.tree.gauges:
            self.xml.refuse(joint, f"two joints are called {shown(own)}.")
        place = Vector(*self.xml.numbers(joint, "pos", 3, "0 0 0"))
        X_BJ = self.attributes.around(joint) @ Pose(place, Rotation.identity())
        axis = self.attributes.direction(joint, "axis", "0 0 1")
        name = self.tree.names.part(own, "joint", line)
        I, J = axis_marker(parent, X_PB @ X_BJ, axis), axis_marker(link, X_BJ, axis)
        for word in UNREAD:
            if joint.get(word, "0") not in NOTHING:
                self.ledger.leave_out(line, f"{word} of joint {shown(own)}", "not read")
        if kind == "ball":
            self.tree.joints.append(Spherical(I, J, name))
            for word in ("range", "stiffness", "damping"):
                if joint.get(word, "0") not in NOTHING:
                    what = f"{word} of ball joint {shown(own)}"
                    self.ledger.leave_out(line, what, "only those of hinges and slides are read")
            return Pose.identity()
        if kind not in ("hinge", "slide"):
            hint = nearest_name(kind, ("hinge", "slide", "ball", "free"))
            self.xml.refuse(joint, f"there is no joint of type {shown(kind)}.{hint}")
        slides = kind == "slide"
        self.tree.joints.append((Prismatic if slides else Revolute)(I, J, name))
        self.tree.gauges[own] = gauge_of(name, I, J, slides=slides)
        free = self._settings(joint, own, slides=slides)
        return X_BJ @ moved(axis, free, slides=slides) @ X_BJ.inverse()

    def _settings(self, joint: Element, own: str, *, slides: bool) -> float:
        """Limits and spring of a hinge or slide, from its `ref` on; where the spring is at rest."""
        line = self.xml.line(joint)

        def value(x: float) -> float:
            return x if slides else self.attributes.angle(x)

        ref = value(self.xml.number(joint, "ref", 0.0))
        limited = joint.get("limited", "auto")
        if limited == "auto":
            automatic = self.attributes.compiler.get("autolimits", "true") != "false"
            limited = "true" if automatic and joint.get("range") is not None else "false"
        if limited == "true":
            low, high = (value(x) - ref for x in self.xml.numbers(joint, "range", 2))
            self.tree.limit(own, low, high, line)
        stiffness, damping = (self.xml.number(joint, w, 0.0) for w in ("stiffness", "damping"))
        free = value(self.xml.number(joint, "springref", 0.0)) - ref
        self.tree.spring(own, stiffness, damping, free, line)
        return free

    # -- what closes loops -------------------------------------------------------------------

    def _equality(self, element: Element) -> None:
        kind, line = element.tag, self.xml.line(element)
        said = f"<{printable(kind)}> {shown(element.get('name', ''))}"
        if element.get("active", "true") != "true":
            self.ledger.leave_out(line, said, "it is not active")
            return
        if kind not in ("connect", "weld", "joint"):
            self.ledger.leave_out(line, said, "only connect, weld and joint are read")
            return
        otherwise = f"{kind}_{len(self.tree.joints) + len(self.tree.couplers)}"
        name = self.tree.names.part(element.get("name") or otherwise, "equality", line)
        with self.ledger.at(line, said):
            if kind == "joint":
                self._coupled(element, name)
            elif element.get("site1") is not None:
                I, J = (self._site(element, word) for word in ("site1", "site2"))
                self.tree.joints.append((Spherical if kind == "connect" else Fixed)(I, J, name))
            elif kind == "connect":
                a, b = self._pair(element)
                place = Vector(*self.xml.numbers(element, "anchor", 3))
                there = (self.tree.X_W(b).inverse() @ self.tree.X_W(a)).point(place)
                self.tree.joints.append(
                    Spherical(Marker(a, floats(place)), Marker(b, floats(there)), name)
                )
            else:
                self._weld(element, name)

    def _weld(self, element: Element, name: str) -> None:
        """R_12 and the place of body 2 in body 1 by `relpose`, or as they lie where it is 0."""
        a, b = self._pair(element)
        relative = np.array(self.xml.numbers(element, "relpose", 7, "0 1 0 0 0 0 0"))
        X_AB = self.tree.X_W(a).inverse() @ self.tree.X_W(b)
        if np.any(relative[3:]):
            q = relative[3:] / np.linalg.norm(relative[3:])
            anchor = Vector(*self.xml.numbers(element, "anchor", 3, "0 0 0"))
            R = Rotation.from_quaternion(q.tolist())
            # the anchor, given in body 2, lies at relpose of body 1
            X_AB = Pose(Vector(*relative[:3].tolist()) - R.apply(anchor), R)
        at = Marker(a, floats(X_AB.position), X_AB.rotation)
        self.tree.joints.append(Fixed(at, Marker(b), name))

    def _pair(self, element: Element) -> tuple[str, str]:
        found = []
        for word in ("body1", "body2"):
            own = element.get(word, "world" if word == "body2" else "")
            if own not in self.bodies:
                hint = nearest_name(own, self.bodies)
                self.xml.refuse(element, f"there is no body {shown(own)}.{hint}")
            found.append(self.bodies[own])
        return found[0], found[1]

    def _site(self, element: Element, word: str) -> Marker:
        own = element.get(word, "")
        if own not in self.sites:
            hint = nearest_name(own, self.sites)
            self.xml.refuse(element, f"there is no site {shown(own)}.{hint}")
        return self.sites[own]

    def _coupled(self, element: Element, name: str) -> None:
        """y = a0 + a1 x + ... + a4 x^4, of two joints from where they start."""
        gauges = [self._gauge(element, word) for word in ("joint1", "joint2")]
        y, x = gauges
        numbers = self.xml.numbers(element, "polycoef", None, "0 1 0 0 0")
        a = [*numbers, 0.0, 0.0, 0.0, 0.0, 0.0][:5]
        if y is None:
            self.xml.refuse(element, "an equality of joints lacks its joint1.")
        if x is None:
            self.tree.couplers.append(Combination((y,), name, a[0], coefficients=(1.0,)))
        elif any(a[2:]):
            self.tree.couplers.append(CamLaw((x, y), name, law=Polynomial(tuple(a))))
        else:
            self.tree.couplers.append(Combination((y, x), name, a[0], coefficients=(1.0, -a[1])))

    def _gauge(self, element: Element, word: str) -> Gauge | None:
        own = element.get(word)
        if own is None:
            return None
        if own not in self.tree.gauges:
            hint = nearest_name(own, self.tree.gauges)
            self.xml.refuse(element, f"there is no hinge or slide {shown(own)}.{hint}")
        return self.tree.gauges[own]

    # -- tendons -----------------------------------------------------------------------------

    def _tendon(self, tendon: Element) -> None:
        """A spatial tendon between two sites is a spring; whatever else is left out and said."""
        line, own = self.xml.line(tendon), tendon.get("name") or f"tendon_{len(self.tree.forces)}"
        said, ends = f"tendon {shown(own)}", list(self._ends(tendon))
        if tendon.tag != "spatial" or len(ends) != 2 or len(list(tendon)) != 2:
            self.ledger.leave_out(line, said, "only a straight tendon between two sites is read")
            return
        stiffness, damping = (self.xml.number(tendon, w, 0.0) for w in ("stiffness", "damping"))
        for word in ("range", "frictionloss", "armature"):
            if tendon.get(word) is not None:
                self.ledger.leave_out(line, f"{word} of {said}", "not read")
        if not stiffness and not damping:
            self.ledger.leave_out(line, said, "it has neither stiffness nor damping")
            return
        I, J = ends
        places = [self.X_W_rest[m.body].point(Vector(*m.position)) for m in (I, J)]
        free = float((places[1] - places[0]).norm)
        given = self.xml.numbers(tendon, "springlength", None, "-1")
        if given and given[0] >= 0.0:
            free = given[-1]
            if len(given) > 1 and given[0] != given[1]:
                self.ledger.leave_out(line, f"slack of {said}", "its longer springlength is taken")
        name = self.tree.names.part(own, "tendon", line)
        with self.ledger.at(line, said):
            self.tree.forces.append(LineSpring(I, J, stiffness, damping, free, name=name))

    def _ends(self, tendon: Element) -> Iterator[Marker]:
        for site in tendon.findall("site"):
            yield self._site(site, "site")
