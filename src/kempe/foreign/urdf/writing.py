"""A model as a URDF file: a tree of links, its loops closed by `<loop_joint>`.

A link's frame is its marker of the joint it hangs on, since a joint of the format stands in the
origin of its child; masses are written in that frame. Links lie as the mechanism is put together at
the start, where all joints read 0, so that its loops are closed there. Hinges, sliders and welds of
the tree are joints, what else joins bodies is a `<loop_joint>`, and a body that hangs on no joint
of the tree floats. Linear couplers of two joints are mimics. What the format cannot hold is left
out and said.
"""

import warnings
from collections.abc import Iterable, Mapping
from typing import Any, final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np

from kempe.couplers import AbstractCoupler
from kempe.events import Stop
from kempe.forces import SpringDamper
from kempe.foreign.imported import Ledger, Report
from kempe.foreign.spanning import Branch, linear_row, spanning_of
from kempe.geometry import GROUND, Inertia, Pose
from kempe.geometry.rotations import Euler, GimbalLock, Matrix, converted
from kempe.joints import AbstractJoint, Kind, Ways
from kempe.measures import Gauge
from kempe.model import Body, Model

IN_TREE = (Kind.SLIDER, Kind.WELD, Kind.HINGE)
TYPES = {Kind.SLIDER: "prismatic", Kind.WELD: "fixed", Kind.HINGE: "continuous"}
LOOPS = {
    Kind.SLIDER: "prismatic",
    Kind.WELD: "fixed",
    Kind.HINGE: "revolute",
    Kind.BALL: "ball",
    Kind.SLEEVE: "cylindrical",
}
READS = {Kind.SLIDER: "displacement", Kind.HINGE: "angle"}
PLAIN = "URDF has no such thing"
STARTED = 1e-9  # m, rad: what is more is worth saying
FAR = 1e6  # m, rad: a limit that is none


def urdf_text(
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
        self.top = Element("robot", name=model.name)
        self.frames = {GROUND: Pose.identity()}  # X_BL, of a link in its body
        self.joints: dict[str, Element] = {}  # measure -> the joint that reads it
        self.signs: dict[str, float] = {}  # 1, or -1 where the joint reads the other way

    def written(self) -> tuple[str, Report]:
        """The text and the report."""
        _add(self.top, "link", name=GROUND)
        spanning = spanning_of(self.model, IN_TREE)
        for branch in spanning.branches:
            self._branch(branch)
        for joint, ways in spanning.closing:
            self._close(joint, ways)
        for coupler in self.model.couplers:
            self._mimic(coupler)
        self._rest()
        ElementTree.indent(self.top)
        text = ElementTree.tostring(self.top, encoding="unicode")
        return f'<?xml version="1.0"?>\n{text}\n', self.ledger.report

    def _branch(self, branch: Branch) -> None:
        joint, body = branch.joint, self.model.body(branch.child)
        kind = branch.ways.kind
        if joint is None or kind is None:
            self.frames[body.name] = Pose.identity()
            name, word = f"{body.name}_free", "floating"
        else:
            self.frames[body.name] = (joint.I if branch.is_reversed else joint.J).pose
            name, word = joint.name, TYPES[kind]
        ends = (self.placed[b] @ self.frames[b] for b in (branch.parent, body.name))
        X_WP, X_WL = ends
        X = X_WP.inverse() @ X_WL
        self._link(body)
        made = _add(self.top, "joint", name=name, type=word)
        _add(made, "parent", link=branch.parent)
        _add(made, "child", link=body.name)
        _add(made, "origin", **_frame(X))
        if joint is not None and kind in READS:
            _add(made, "axis", xyz=_words(_axis(branch.ways, of_J=not branch.is_reversed)))
            measure = f"{joint.name}.{READS[kind]}"
            self.joints[measure] = made
            self.signs[measure] = -1.0 if branch.is_reversed else 1.0
            if kind is Kind.SLIDER:  # the format wants a range of every slider
                _add(made, "limit", lower=repr(-FAR), upper=repr(FAR), effort="0", velocity="0")

    def _link(self, body: Body) -> None:
        element = _add(self.top, "link", name=body.name)
        if body.inertia is None:
            return
        found: Inertia = body.inertia.seen_from(self.frames[body.name].inverse())
        inertial, t = _add(element, "inertial"), found.tensor
        _add(inertial, "origin", xyz=_words(found.centre))
        _add(inertial, "mass", value=repr(found.mass))
        entries = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2)}
        words = {word: repr(float(t[at]) + 0.0) for word, at in entries.items()}
        _add(inertial, "inertia", **words, izz=repr(float(t[2, 2])))

    def _close(self, joint: AbstractJoint, ways: Ways) -> None:
        kind = ways.kind
        has_axis = kind in (Kind.WELD, Kind.BALL) or ways.axes is not None
        if kind not in LOOPS or not has_axis or (ways.axes and ways.axes[0] != ways.axes[1]):
            self.ledger.leave_out(0, f"joint {joint.name!r}", PLAIN)
            return
        made = _add(self.top, "loop_joint", name=joint.name, type=LOOPS[kind])
        for word, marker in (("link1", joint.I), ("link2", joint.J)):
            X = self.frames[marker.body].inverse() @ marker.pose
            _add(made, word, link=marker.body, **_frame(X))
        _add(made, "axis", xyz=_words(_axis(ways, of_J=False)))

    def _mimic(self, coupler: AbstractCoupler) -> None:
        """c1 m1 + c2 m2 = constant as m1 = -c2 / c1 m2, both from where they start."""
        names, row = [gauge.name for gauge in coupler.gauges], linear_row(coupler)
        known = len(names) == 2 and all(name in self.joints for name in names)
        if not known or row is None or not row[1][0]:
            why = "only linear couplings of two joints of the tree can be written"
            self.ledger.leave_out(0, f"coupler {coupler.name!r}", why)
            return
        share = -row[1][1] / row[1][0] * self.signs[names[0]] * self.signs[names[1]]
        leader = self.joints[names[1]].attrib["name"]
        _add(self.joints[names[0]], "mimic", joint=leader, multiplier=repr(share), offset="0")

    def _rest(self) -> None:
        for event in self.model.events:
            if not (isinstance(event, Stop) and self._limited(event, event.gauge)):
                self.ledger.leave_out(0, event.called, PLAIN)
        for force in self.model.forces:
            if isinstance(force, SpringDamper) and self._damped(force):
                continue
            self.ledger.leave_out(0, f"force {force.name!r}", PLAIN)
        for drive in self.model.drives:
            self.ledger.leave_out(0, f"drive on {drive.gauge.name!r}", PLAIN)
        for body in self.model.bodies:
            if body.shapes:
                self.ledger.leave_out(0, f"shapes of {body.name!r}", "they are not written")
            if body.points:
                self.ledger.leave_out(0, f"points of {body.name!r}", PLAIN)
        off = [name for name in self.joints if abs(self.readings.get(name, 0.0)) > STARTED]
        if off:
            self.ledger.note(0, ", ".join(map(repr, off)), "0 in the file is where it starts")
        if any(self.model.gravity):
            self.ledger.leave_out(0, "gravity", PLAIN)
        for rate in self.model.rates:
            self.ledger.leave_out(0, f"rate of {rate.gauge.name!r}", PLAIN)

    def _limited(self, stop: Stop, gauge: Gauge) -> bool:
        made = self.joints.get(gauge.name)
        if made is None:
            return False
        ends = (-FAR if stop.low is None else stop.low, FAR if stop.high is None else stop.high)
        start = self.readings.get(gauge.name, 0.0)
        low, high = sorted(self.signs[gauge.name] * (x - start) for x in ends)
        if made.attrib["type"] == "continuous":
            made.set("type", "revolute")
            _add(made, "limit", effort="0", velocity="0")
        for limit in made.findall("limit"):
            limit.attrib.update({"lower": repr(low), "upper": repr(high)})
        if stop.restitution:
            self.ledger.leave_out(0, f"restitution of {stop.called}", PLAIN)
        return True

    def _damped(self, force: SpringDamper) -> bool:
        """A damper alone, on a joint that has none yet."""
        made = self.joints.get(force.gauge.name)
        if made is None or force.stiffness or force.preload or made.find("dynamics") is not None:
            return False
        _add(made, "dynamics", damping=repr(force.damping))
        return True


def _axis(ways: Ways, *, of_J: bool) -> tuple[float, ...]:
    """The axis of a joint in marker I, or in J."""
    which = 2 if ways.axes is None else int(ways.axes[of_J].value)
    return tuple(float(k == which) for k in range(3))


def _frame(X: Pose) -> dict[str, str]:
    """xyz and rpy of a frame."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GimbalLock)  # the rotation is right all the same
        rpy = converted(np.array(X.rotation.matrix(), float), Matrix(), Euler("xyz"))
    return {"xyz": _words(X.position), "rpy": _words(np.asarray(rpy))}


def _add(parent: Element, tag: str, **attributes: str) -> Element:
    return ElementTree.SubElement(parent, tag, dict(attributes))


def _words(numbers: Iterable[Any]) -> str:
    return " ".join(repr(float(x) + 0.0) for x in numbers)
