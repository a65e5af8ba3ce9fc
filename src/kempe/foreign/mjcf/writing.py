"""A model as an MJCF file that MuJoCo loads: a tree of bodies, its loops closed by equalities.

The bodies lie as the mechanism is put together at the start. Hinges, slides, balls and welds of the
tree are joints; those that close loops are `connect` (twice along the axis of a hinge in space) and
`weld`, rods are tendons of one length, couplers that are linear are equalities of joints. What
MuJoCo's format cannot hold is left out and said.

Source: [MuJoCo] XML reference, for what the words mean.
"""

from collections.abc import Iterable, Mapping
from typing import Any, final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np

from kempe.couplers import AbstractCoupler
from kempe.errors import ModelError
from kempe.events import Stop
from kempe.forces import LineSpring, SpringDamper
from kempe.forces.acting import Acting
from kempe.foreign.imported import Ledger, Report
from kempe.foreign.spanning import Branch, linear_row, spanning_of
from kempe.geometry import GROUND, Axis, Inertia, Marker, Pose, Vector
from kempe.geometry.specific import SpecificRates
from kempe.joints import AbstractJoint, Kind, Ways
from kempe.measures import Gauge
from kempe.model import Body, Model

LEAST = 1e-15  # kg, kg m^2: what MuJoCo wants more of
PLAIN = "MuJoCo has no such thing"


def mjcf_text(
    model: Model, placed: Mapping[str, Pose], readings: Mapping[str, float], path: str = ""
) -> tuple[str, Report]:
    """The file, and what it does not hold; `placed` are X_WB, `readings` (m, rad) at the start."""
    return _Writer(model, placed, readings, path).written()


@final
class _Writer:
    """Writes one model."""

    def __init__(
        self, model: Model, placed: Mapping[str, Pose], readings: Mapping[str, float], path: str
    ) -> None:
        self.model, self.readings, self.ledger = model, readings, Ledger(path)
        self.placed = {**placed, GROUND: Pose.identity()}
        self.top = Element("mujoco", model=model.name)
        _add(self.top, "compiler", angle="radian", autolimits="true")
        _add(self.top, "option", gravity=_words(model.gravity))
        self.elements = {GROUND: _add(self.top, "worldbody")}
        self.equality, self.tendon = Element("equality"), Element("tendon")
        self.gauges: dict[str, Element] = {}  # measure -> the joint that reads it
        self.signs: dict[str, float] = {}  # 1, or -1 where the joint reads the other way
        self.sites = 0

    def written(self) -> tuple[str, Report]:
        """The text and the report."""
        spanning = spanning_of(self.model)
        for branch in spanning.branches:
            self._body(branch)
        for joint, ways in spanning.closing:
            self._close(joint, ways)
        for coupler in self.model.couplers:
            self._couple(coupler)
        self._forces()
        self._rest()
        for section in (self.equality, self.tendon):
            if len(section):
                self.top.append(section)
        ElementTree.indent(self.top)
        return f"{ElementTree.tostring(self.top, encoding='unicode')}\n", self.ledger.report

    # -- bodies ------------------------------------------------------------------------------

    def _body(self, branch: Branch) -> None:
        body = self.model.body(branch.child)
        X = self.placed[branch.parent].inverse() @ self.placed[branch.child]
        element = _add(
            self.elements[branch.parent],
            "body",
            name=body.name,
            pos=_words(X.position),
            quat=_words(X.rotation.quaternion()),
        )
        self.elements[body.name] = element
        self._inertial(element, body)
        if branch.joint is None:
            _add(element, "freejoint", name=f"{body.name}_free")
        else:
            self._joint(element, branch, branch.joint)
        for name, place in body.points.items():
            _add(element, "site", name=f"{body.name}.{name}", pos=_words(place))

    def _inertial(self, element: Element, body: Body) -> None:
        found = body.inertia
        tensor = None if found is None else _solid(found, plane=self.model.plane)
        if found is None or tensor is None or not found.mass > LEAST:
            raise ModelError(
                f"body {body.name!r} has no mass or no inertia, and MuJoCo moves none without: give"
                " it some.",
                name=body.name,
            )
        entries = [tensor[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        _add(
            element,
            "inertial",
            pos=_words(found.centre),
            mass=repr(found.mass),
            fullinertia=_words(entries),
        )

    def _joint(self, element: Element, branch: Branch, joint: AbstractJoint) -> None:
        """The joints of MuJoCo that let move what a joint of the tree does."""
        ways, kind = branch.ways, branch.ways.kind
        marker = joint.I if branch.is_reversed else joint.J
        place = _words(marker.position)
        if kind is Kind.BALL:
            _add(element, "joint", name=joint.name, type="ball", pos=place)
            return
        sign = -1.0 if branch.is_reversed else 1.0
        both = ways.slide is not None and ways.turn is not None
        # a slide along an axis of I is named after it; the axis is the same in the world
        for word, way in (("slide", ways.slide), ("hinge", ways.turn)):
            if way is None or kind is Kind.WELD:
                continue
            axis = self._axis_in(branch.child, joint.I, way[0])
            name = f"{joint.name}_{word}" if both else joint.name
            made = _add(element, "joint", name=name, type=word, pos=place, axis=_words(axis))
            read = "displacement" if word == "slide" else "angle"
            self._reads(f"{joint.name}.{read}", made, sign)
            ends = {joint.I.body, joint.J.body}
            if self.model.plane and ends == {GROUND, branch.child} and word == "hinge":
                up = sign * self._axis_in(GROUND, joint.I, way[0])[2]
                self._reads(f"{branch.child}.angle", made, 1.0 if up * sign > 0.0 else -1.0)

    def _reads(self, measure: str, made: Element, sign: float) -> None:
        self.gauges[measure], self.signs[measure] = made, sign
        if measure in self.readings and "ref" not in made.attrib:
            made.set("ref", repr(sign * self.readings[measure]))

    def _axis_in(self, body: str, marker: Marker, axis: Axis) -> tuple[float, float, float]:
        """An axis of a marker in the axes of a body, as they lie at the start."""
        R_WM = self.placed[marker.body].rotation @ marker.rotation
        v = (self.placed[body].rotation.inverse() @ R_WM).axis(axis)
        return (float(v.x), float(v.y), float(v.z))

    # -- loops -------------------------------------------------------------------------------

    def _close(self, joint: AbstractJoint, ways: Ways) -> None:
        kind = ways.kind
        if kind is Kind.BALL or (kind is Kind.HINGE and self.model.plane):
            self._connect(joint.name, joint.I.position)
            self._last(joint)
        elif kind is Kind.HINGE and ways.turn is not None:
            reach = self._reach()
            axis = joint.I.rotation.axis(ways.turn[0])
            for k in (-0.5, 0.5):
                at = Vector(*joint.I.position) + axis * (k * reach)
                self._connect(f"{joint.name}_{'start' if k < 0 else 'end'}", at)
                self._last(joint)
        elif kind is Kind.WELD:
            _add(self.equality, "weld", name=joint.name, **_pair(joint))
        elif kind is Kind.ROD:
            self._line(joint.name, joint.I, joint.J)
            _add(self.equality, "tendon", name=joint.name, tendon1=joint.name)
        else:
            why = "MuJoCo can close no loop with it"
            self.ledger.leave_out(0, f"joint {joint.name!r}", why)

    def _connect(self, name: str, place: Iterable[Any]) -> None:
        _add(self.equality, "connect", name=name, anchor=_words(place))

    def _last(self, joint: AbstractJoint) -> None:
        """Put the bodies of a joint into the equality written last: the anchor is in the first."""
        made = self.equality[-1]
        I, J = joint.I.body, joint.J.body
        if I == GROUND:  # an anchor of the world is one of the other body's frame
            at = Vector(*(float(x) for x in made.attrib["anchor"].split()))
            made.set("anchor", _words(self.placed[J].inverse().point(at)))
            I, J = J, I
        made.set("body1", I)
        if J != GROUND:
            made.set("body2", J)

    def _reach(self) -> float:
        """How far apart the two points of a hinge's axis are: as much as bodies are (m)."""
        places = np.array([[float(c) for c in X.position] for X in self.placed.values()])
        return float(np.linalg.norm(np.ptp(places, axis=0))) or 1.0

    def _line(self, name: str, I: Marker, J: Marker, **settings: str) -> None:
        """A tendon between two sites."""
        tendon = _add(self.tendon, "spatial", name=name, **settings)
        for marker in (I, J):
            self.sites += 1
            site = f"site_{self.sites}"
            _add(self.elements[marker.body], "site", name=site, pos=_words(marker.position))
            _add(tendon, "site", site=site)

    def _couple(self, coupler: AbstractCoupler) -> None:
        """c1 m1 + c2 m2 = constant as an equality of two joints, from where they start."""
        gauges = [self._joint_of(gauge) for gauge in coupler.gauges]
        row = linear_row(coupler)
        if len(gauges) == 2 and row is not None and row[1][0] and None not in gauges:
            (a, s), (b, t) = (found for found in gauges if found is not None)
            share = -row[1][1] / row[1][0] * s * t
            ends = {"joint1": a.attrib["name"], "joint2": b.attrib["name"]}
            poly = _words([0.0, share, 0.0, 0.0, 0.0])
            _add(self.equality, "joint", name=coupler.name, **ends, polycoef=poly)
            return
        why = "only linear couplings of two joints of the tree can be written"
        self.ledger.leave_out(0, f"coupler {coupler.name!r}", why)

    def _joint_of(self, gauge: Gauge) -> tuple[Element, float] | None:
        found = self.gauges.get(gauge.name)
        return None if found is None else (found, self.signs[gauge.name])

    # -- forces and the rest -----------------------------------------------------------------

    def _forces(self) -> None:
        for force in self.model.forces:
            if isinstance(force, LineSpring) and force.acting is Acting.BOTH and force.stiffness:
                free = force.free - force.preload / force.stiffness
                settings = {"stiffness": force.stiffness, "damping": force.damping}
                if free >= 0.0:
                    words = {word: repr(value) for word, value in settings.items() if value}
                    self._line(force.name, force.I, force.J, **words, springlength=repr(free))
                    continue
            if isinstance(force, SpringDamper) and self._spring(force):
                continue
            self.ledger.leave_out(0, f"force {force.name!r}", PLAIN)

    def _spring(self, force: SpringDamper) -> bool:
        """A spring and damper as settings of a joint; False where they fit none, or not again."""
        found = self._joint_of(force.gauge)
        if found is None:
            return False
        joint, sign = found
        if "stiffness" in joint.attrib or "damping" in joint.attrib:
            return False
        if not force.stiffness and force.preload:
            return False
        free = force.free + (force.preload / force.stiffness if force.stiffness else 0.0)
        joint.set("stiffness", repr(force.stiffness))
        joint.set("damping", repr(force.damping))
        joint.set("springref", repr(sign * free))
        return True

    def _rest(self) -> None:
        for event in self.model.events:
            joint = self._joint_of(event.gauge) if isinstance(event, Stop) else None
            if not isinstance(event, Stop) or joint is None:
                self.ledger.leave_out(0, event.called, PLAIN)
                continue
            made, sign = joint
            far = (
                -1e6 if event.low is None else event.low,
                1e6 if event.high is None else event.high,
            )
            made.set("range", _words(sorted(sign * x for x in far)))
            if event.restitution:
                self.ledger.leave_out(0, f"restitution of {event.called}", PLAIN)
        for drive in self.model.drives:
            why = "MuJoCo moves nothing by a law of time"
            self.ledger.leave_out(0, f"drive on {drive.gauge.name!r}", why)
        for body in self.model.moving:
            if _moves(body):
                self.ledger.leave_out(0, f"velocity of {body.name!r}", "a file starts at rest")
            if body.shapes:
                self.ledger.leave_out(0, f"shapes of {body.name!r}", "they are not written")
        for rate in self.model.rates:
            self.ledger.leave_out(0, f"rate of {rate.gauge.name!r}", "a file starts at rest")


def _moves(body: Body) -> bool:
    """Whether a body is said to start with a speed."""
    given = (one for one in (body.velocity, body.spin) if one is not None)
    return any(isinstance(one, SpecificRates) or any(one) for one in given)


def _pair(joint: AbstractJoint) -> dict[str, str]:
    """The bodies of an equality, of which the world may only be the second and is then left out."""
    I, J = joint.I.body, joint.J.body
    first, second = (J, I) if I == GROUND else (I, J)
    return {"body1": first} if second == GROUND else {"body1": first, "body2": second}


def _solid(inertia: Inertia, *, plane: bool) -> np.ndarray | None:
    """The tensor; in the plane, where only its zz counts, that of a ball. None where it is 0."""
    zz = float(inertia.tensor[2, 2])
    tensor = zz * np.eye(3) if plane else inertia.tensor
    return tensor if np.linalg.eigvalsh(tensor)[0] > LEAST else None


def _add(parent: Element, tag: str, **attributes: str) -> Element:
    return ElementTree.SubElement(parent, tag, dict(attributes))


def _words(numbers: Iterable[Any]) -> str:
    return " ".join(repr(float(x) + 0.0) for x in numbers)
