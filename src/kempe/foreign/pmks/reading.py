"""A linkage of PMKS+ as a planar model: links are bodies, joints hinges, slots and sliders.

A file that ends in `.pmks` holds the address that PMKS+ shows of a linkage (Share, or the browser's
bar) in its first line.

- At a joint all links that name it are hinged to each other, and to the ground where it is held.
- One that slides has a line in the ground, or in the link that carries it: the first link there
  rides on it as a pin in a slot, or as a slider where it is welded; others are hinged to that one.
- The driven joint turns at its own speed, else at the drawing's; it begins where it is drawn.
- Masses, moments and forces are left out: in which units they are depends on the version.

Source: [PMKSPlus]; `kempe.foreign.pmks.address` says how an address is written.
"""

import math
from typing import final
from urllib.parse import unquote

import numpy as np

from kempe.drives import Drive, Ramp
from kempe.errors import FileError
from kempe.files.documents.run import Run
from kempe.files.syntax.source import MOST_BODIES
from kempe.foreign.imported import Imported, Ledger
from kempe.foreign.legal_names import LegalNames, shown
from kempe.foreign.pmks.address import Address, AddressJoint, AddressLink, address_of
from kempe.geometry import GROUND, Marker, Pose, Rotation, Vector
from kempe.joints import AbstractJoint, PinInSlot, Prismatic, Revolute
from kempe.measures import Gauge, Turn
from kempe.model import Body, Model
from kempe.units import factor

XY = tuple[float, float]
LONGEST = 200_000  # letters of an address
STEPS = 360  # of a turn, so that a run is as fine as one of the gallery
RPM = math.tau / 60.0  # rad/s


def read_pmks(content: bytes, path: str) -> Imported:
    """The model in the address that a file holds; a FileError says what is wrong."""
    try:
        text = content.decode("utf-8").strip()
    except UnicodeDecodeError:
        raise FileError("this is no text, and so no address.", path=path, line=1) from None
    line = (text.splitlines() or [""])[0].strip()
    if line.startswith("{"):
        raise FileError(
            "this is a file of the older PMKS: draw it in PMKS+ and put what that shares here.",
            path=path,
            line=1,
        )
    if len(line) > LONGEST:
        raise FileError(f"an address has at most {LONGEST} letters.", path=path, line=1)
    words = unquote(line.partition("?")[2] if "?" in line else line).partition("#")[0]
    return _Drawing(address_of(words, path), path).imported()


@final
class _Drawing:
    """Turns one address into a model."""

    def __init__(self, address: Address, path: str) -> None:
        self.address, self.path = address, path
        self.ledger = Ledger(path)
        self.names = LegalNames(self.ledger)
        self.unit = factor(address.unit, "m")
        self.places: dict[str, XY] = {}
        self.links: dict[str, AddressLink] = {}  # by the names of bodies here
        self.bodies: dict[str, str] = {}  # names of bodies, by the ids of links
        self.joints: list[AbstractJoint] = []
        self.drives: list[Drive] = []
        self.run = Run()

    def imported(self) -> Imported:
        """The model, what the address asks for, and the report."""
        for joint in self.address.joints:
            if joint.id in self.places:
                raise self.ledger.mistake(1, f"two joints have the id {shown(joint.id)}.")
            self.places[joint.id] = (joint.at[0] * self.unit, joint.at[1] * self.unit)
        for link in self.address.links:
            self._link(link)
        if len(self.links) > MOST_BODIES:
            raise self.ledger.mistake(1, f"a mechanism has at most {MOST_BODIES} bodies.")
        for joint in self.address.joints:
            self._joint(joint)
        for name in self.address.forces:
            self.ledger.leave_out(1, f"force {shown(name)}", "in which unit it is depends on PMKS+")
        with self.ledger.at(1):
            model = Model(
                name="linkage",
                plane=True,
                bodies=(Body(GROUND, self._held()), *map(self._body, self.links)),
                joints=tuple(self.joints),
                drives=tuple(self.drives),
                length_unit=self.address.unit,
            )
        return Imported(model, self.ledger.report, self.run)

    # -- bodies --------------------------------------------------------------------------------

    def _link(self, link: AddressLink) -> None:
        if not link.joints:
            return  # welded into another one, which stands for it
        what = f"link {shown(link.name)}"
        unknown = [own for own in link.joints if own not in self.places]
        if unknown:
            raise self.ledger.mistake(
                1, f"{what} has a joint {shown(unknown[0])}, and there is none."
            )
        if not link.is_real:
            why = "blocks of sliders of older addresses are not read: open and share it once more"
            self.ledger.leave_out(1, what, why)
            return
        if link.id in self.bodies:
            raise self.ledger.mistake(1, f"two links have the id {shown(link.id)}.")
        if len({self.places[own] for own in link.joints}) < 2:
            self.ledger.leave_out(1, what, "it has fewer than two joints in different places")
            return
        if link.mass:
            self.ledger.leave_out(1, f"mass of {what}", "in which unit it is depends on PMKS+")
        name = self.names.part(link.name, "body", 1)
        self.bodies[link.id] = name
        self.links[name] = link

    def _X_WB(self, name: str) -> Pose:
        """A body as it lies: the origin at its first joint, x towards the next one elsewhere."""
        if name == GROUND:
            return Pose.identity()
        places = [self.places[own] for own in self.links[name].joints]
        a = places[0]
        b = next(p for p in places if p != a)
        return Pose(Vector(*a, 0.0), Rotation.planar(math.atan2(b[1] - a[1], b[0] - a[0])))

    def _own(self, name: str, place: XY) -> tuple[float, float, float]:
        """A place of the world in the frame of a body."""
        p = self._X_WB(name).inverse().point(Vector(*place, 0.0))
        return (float(p.x), float(p.y), 0.0)

    def _titles(self) -> dict[str, str]:
        return {joint.id: joint.name for joint in self.address.joints}

    def _body(self, name: str) -> Body:
        held = self.links[name].joints
        titles = self._titles()
        legal = self.names.points([titles[own] for own in held])
        points = {
            word: self._own(name, self.places[own]) for word, own in zip(legal, held, strict=True)
        }
        return Body(
            name, points, guess=self._X_WB(name), outline=tuple(legal) if len(legal) > 2 else ()
        )

    def _held(self) -> dict[str, tuple[float, float, float]]:
        held = [j for j in self.address.joints if j.is_held and not j.slides]
        legal = self.names.points([j.name for j in held])
        return {word: (*self.places[j.id], 0.0) for word, j in zip(legal, held, strict=True)}

    # -- joints --------------------------------------------------------------------------------

    def _joint(self, joint: AddressJoint) -> None:
        riders = [name for name, link in self.links.items() if joint.id in link.joints]
        what = f"joint {shown(joint.name)}"
        if joint.slides:
            self._slide(joint, riders, what)
            return
        hub, *others = [GROUND, *riders] if joint.is_held else [*riders, ""]
        for k, other in enumerate(o for o in others if o):
            hinge = self._hinge(joint, hub, other)
            if joint.is_driven and k == 0:
                self._drive(joint, hinge)
        if joint.is_driven and not joint.is_held and len(riders) < 2:
            self.ledger.leave_out(1, f"drive of {what}", "nothing turns about it")

    def _hinge(self, joint: AddressJoint, hub: str, other: str) -> AbstractJoint:
        place = self.places[joint.id]
        name = self.names.part(joint.name, "joint", 1)
        hinge = Revolute(
            Marker(hub, self._own(hub, place)), Marker(other, self._own(other, place)), name
        )
        self.joints.append(hinge)
        return hinge

    def _drive(self, joint: AddressJoint, hinge: AbstractJoint) -> None:
        """Turn a hinge at a speed (rev/min), from where it is drawn."""
        speed = joint.speed or (-1.0 if self.address.is_clockwise else 1.0) * self.address.speed
        if speed == 0.0:
            self.ledger.leave_out(1, f"drive of joint {shown(joint.name)}", "it does not turn")
            return
        I, J = hinge.I, hinge.J
        start = _angle(self._X_WB(J.body)) - _angle(self._X_WB(I.body))
        self.drives.append(
            Drive(Gauge(f"{hinge.name}.angle", Turn(), I, J), Ramp(start, speed * RPM))
        )
        self.run = Run(until=60.0 / abs(speed), steps=STEPS)

    def _slide(self, joint: AddressJoint, riders: list[str], what: str) -> None:
        """A pin in a slot, or a slider, of the first rider; the others are hinged to that one."""
        holder, angle = GROUND, joint.angle
        if joint.carrier:
            if joint.carrier not in self.bodies or not set(joint.line) <= self.places.keys():
                self.ledger.leave_out(
                    1, what, f"there is no link {shown(joint.carrier)} to slide on"
                )
                return
            holder = self.bodies[joint.carrier]
            (ax, ay), (bx, by) = (self.places[own] for own in joint.line)
            angle = math.atan2(by - ay, bx - ax)
        elif not joint.is_held:
            self.ledger.leave_out(1, what, "it slides on nothing")
            return
        riders = [name for name in riders if name != holder]
        if not riders:
            self.ledger.leave_out(1, what, "no link rides on it")
            return
        if joint.is_driven:
            self.ledger.leave_out(1, f"drive of {what}", "a drive along a slide is not read")
        first, *others = riders
        place = self.places[joint.id]
        way = np.array([math.cos(angle), math.sin(angle), 0.0])
        up = np.array([0.0, 0.0, 1.0])
        R_WI = Rotation.from_matrix(np.column_stack([up, np.cross(way, up), way]))

        def marker(body: str) -> Marker:
            R_BW = self._X_WB(body).rotation.inverse()
            return Marker(body, self._own(body, place), R_BW @ R_WI)

        name = self.names.part(joint.name, "joint", 1)
        if joint.is_welded:
            self.joints.append(Prismatic(marker(holder), marker(first), name))
        else:
            pin = Marker(first, self._own(first, place))
            self.joints.append(PinInSlot(marker(holder), pin, name))
        for other in others:
            self._hinge(joint, first, other)


def _angle(X: Pose) -> float:
    """How far a pose of the plane is turned (rad)."""
    return math.atan2(X.rotation.x.y, X.rotation.x.x)
