"""How motion is handed on inside a loop: base, input, what connects, output."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

from kempe.errors import ModelError, UnknownName, nearest_name
from kempe.geometry import GROUND, Marker
from kempe.joints import AbstractJoint, Kind, Ways
from kempe.model import Model


@final
@dataclass(frozen=True, slots=True)
class Transfer:
    """An input and an output held by the same base, with a coupler, a rod or a slot between them.

    A coupler is a body with two joints; a rod, or a pin in a slot, is one joint.
    """

    base: str
    input: str
    output: str
    coupler: str | None
    joints: tuple[AbstractJoint, ...]  # from the base through input and output back to the base
    plane: bool  # whether all this moves in the plane

    @property
    def ways(self) -> tuple[Ways, ...]:
        """What each of the joints leaves free."""
        return tuple(joint.ways(plane=self.plane) for joint in self.joints)

    def __str__(self) -> str:
        parts = (self.base, self.input, self.coupler or self.joints[1].name, self.output)
        return " - ".join(parts)


def transfer(
    model: Model, input: str | None = None, output: str | None = None, base: str | None = None
) -> Transfer:
    """The one loop of hinges and sliders that leads from the input to the output.

    Without an input it is the driven body; without an output there must be one choice only.
    """
    known = {GROUND, *(body.name for body in model.bodies)}
    for name in (input, output, base):
        if name is not None and name not in known:
            raise UnknownName(f"there is no body {name!r}.{nearest_name(name, known)}", name=name)
    if input is None:
        input, driven_from = _driven(model)
        base = base or driven_from
    bases = [base] if base is not None else sorted(known, key=lambda name: name != GROUND)
    for place in bases:
        found = [t for t in _transfers(model, place, input) if output in (None, t.output)]
        if len(found) == 1:
            return found[0]
        if found:
            choices = ", ".join(f"{str(t)!r}" for t in found)
            raise ModelError(
                f"there are {len(found)} loops that take the motion of {input!r} on: {choices}."
                " Say which by the name of its output.",
                outputs=tuple(t.output for t in found),
            )
    goal = f"to {output!r}" if output else "on"
    raise ModelError(
        f"no loop of four hinges or sliders hands the motion of {input!r} {goal}: name the input"
        " and the output of one, both joined to the same base.",
        input=input,
    )


def _driven(model: Model) -> tuple[str, str]:
    """The body the first drive moves, and the one it moves it against."""
    if not model.drives:
        raise ModelError(f"{model.name!r} has no drive: name the input body.")
    gauge = model.drives[0].gauge
    pair = (gauge.J.body, gauge.I.body)
    return (pair[1], pair[0]) if pair[0] == GROUND else pair


def _transfers(model: Model, base: str, input: str) -> Iterator[Transfer]:
    kinds = [joint.ways(plane=model.plane).kind for joint in model.joints]
    pairs = list(zip(model.joints, kinds, strict=True))
    simple = [joint for joint, kind in pairs if kind in (Kind.HINGE, Kind.SLIDER)]
    direct = [joint for joint, kind in pairs if kind in (Kind.ROD, Kind.SLOT)]
    for first, _ in _across(simple, base, input):
        for link, output in _across(direct, input):
            for last, _ in _across(simple, output, base):
                yield Transfer(base, input, output, None, (first, link, last), model.plane)
        for second, coupler in _across(simple, input):
            if coupler == base:
                continue
            for third, output in _across(simple, coupler):
                if output in (base, input):
                    continue
                for last, _ in _across(simple, output, base):
                    joints = (first, second, third, last)
                    yield Transfer(base, input, output, coupler, joints, model.plane)


def _across(
    joints: Sequence[AbstractJoint], here: str, there: str | None = None
) -> Iterator[tuple[AbstractJoint, str]]:
    """Joints of a body, each with the body on its other side."""
    for joint in joints:
        for a, b in ((joint.I, joint.J), (joint.J, joint.I)):
            if a.body == here and there in (None, b.body):
                yield joint, b.body


def marker_on(joint: AbstractJoint, body: str) -> Marker:
    """The joint's marker that rides on the body."""
    return joint.I if joint.I.body == body else joint.J
