"""A document as Python: a script that makes the same mechanism.

What is drawn becomes calls of a builder, with its parameters as variables where it is written by
them. A part with more in it than a short call says is written from the model, number by number. A
document with what no builder takes (classes of another package, named points of the ground) is held
by the script as text.
"""

import contextlib
import json
import keyword
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, final

from kempe.drives import AbstractLaw
from kempe.files.schema.schema import family
from kempe.geometry import GROUND
from kempe.joints import AbstractJoint
from kempe.model import Model
from kempe.studio.documents.mirror import text_of
from kempe.studio.documents.python_parts import BeyondError, PythonParts, call

HEAD = '''"""{title}: written by the studio of kempe."""

import kempe as kp
'''
BODY = frozenset(
    ("at", "angle", "axis", "matrix", "length", "points", "outline", "inertia", "velocity", "spin")
)
TURNED = frozenset(("axis", "matrix"))  # says more of an orientation than an angle about z
WEIGHT = frozenset(("mass", "centre", "tensor"))
GAUGES = ("angle", "x", "y", "z")  # of a body
RAMP = frozenset(("type", "start", "speed", "acceleration"))
MARKER = frozenset(("body", "at", "axis"))
SHORT = {"revolute": "revolute", "fixed": "fixed"}  # joints that the builder has a word for
TERM = re.compile(r"[A-Za-z_]\w*")
SUM = re.compile(r"[\w\s.+\-*/()]+")
NUMBER = re.compile(r"[-+]?\d")
AXES = "xyz"
ANALYSES = {"kinematics": "kinematics", "dynamics": "simulate"}  # of a file, and their calls


def script_of(model: Model, data: Mapping[str, Any]) -> str:
    """A script whose `mechanism` is that of the document: calls of a builder, or else its text."""
    title = json.dumps(model.name)[1:-1]
    try:
        calls = _Calls(model, dict(data))
        body = calls.lines()
        imports = calls.imports()
    except BeyondError:
        body, imports = _whole(dict(data)), ""
    return f"{HEAD.format(title=title)}{imports}\n{body}\n\nprint(mechanism.check())\n"


def _whole(data: dict[str, Any]) -> str:
    text = text_of(data).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    read = 'document = document_from(TEXT.encode(), "mechanism.yaml")'
    return (
        "from kempe.files.documents.document import document_from\n\n"
        f'TEXT = """\\\n{text}"""\n{read}\nmechanism = kp.Mechanism(document.model, document)'
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@final
class _Calls:
    """A document as calls; a BeyondError where it has what no call says."""

    def __init__(self, model: Model, data: dict[str, Any]) -> None:
        if not model.bodies:
            raise BeyondError
        self.model, self.data = model, data
        units = data.get("units") or {}
        self.length, self.angle = units.get("length", "m"), units.get("angle", "rad")
        # Numbers of the document are those of the builder where both have the same units.
        self.is_short = set(units) <= {"length", "angle"} and self.length == model.length_unit
        self.parameters = self._parameters() if self.is_short else {}
        self.bodies = self._variables()
        self.parts = PythonParts(model, self.bodies)
        self._needed: set[str] = set()  # of kempe.geometry

    def _parameters(self) -> dict[str, str]:
        """The parameters that are numbers, under names that Python takes."""
        found = {}
        for name in self.data.get("parameters") or {}:
            with contextlib.suppress(BeyondError):
                found[name] = self._parameter(name)
        return found

    def _variables(self) -> dict[str, str]:
        """Names of variables for bodies: their own where Python takes them."""
        taken = {"m", "kp", "mechanism", "ground", *self.parameters}
        found = {"ground": "m.ground"}
        for name in (body.name for body in self.model.bodies if body.name != GROUND):
            word = re.sub(r"\W", "_", name, flags=re.ASCII)
            word = word if word.isidentifier() and not keyword.iskeyword(word) else f"body_{word}"
            while word in taken:
                word += "_"
            taken.add(word)
            found[name] = word
        return found

    def lines(self) -> str:
        """All of them."""
        model, parts = self.model, self.parts
        told = [f"{name} = {said}" for name, said in self.parameters.items()]
        given = [_text(model.name)]
        given += ["plane=True"] if model.plane else []
        given += [f"units={_text(model.length_unit)}"] if model.length_unit != "m" else []
        given += [f"gravity={tuple(map(float, model.gravity))!r}"] if any(model.gravity) else []
        told += ["", call("m = kp.Builder", given)] if told else [call("m = kp.Builder", given)]
        bodies, joints, drives = (self._section(x) for x in ("bodies", "joints", "drives"))
        for body in model.bodies:
            told.append(self._either(self._body, bodies, body.name, partial(parts.body, body)))
        told += map(parts.gauge, model.gauges)
        for joint in model.joints:
            long = partial(parts.joint, joint.name)
            told.append(self._either(self._joint, joints, joint.name, long))
        told += parts.others()
        for drive in model.drives:
            long = partial(parts.drive, drive)
            told.append(self._either(self._drive, drives, drive.gauge.name, long))
        told += [*map(parts.rate, model.rates), *map(parts.output, model.outputs)]
        told += ["mechanism = m.build()", *self._run()]
        return "\n".join(told)

    def _section(self, title: str) -> Mapping[str, Any]:
        return self.data.get(title) or {}

    def _either(
        self,
        short: Callable[[str, Any], str],
        entries: Mapping[str, Any],
        name: str,
        long: Callable[[], str],
    ) -> str:
        """The call for an entry as a person wrote it, else that for the part of the model."""
        if self.is_short and name in entries and name != GROUND:
            with contextlib.suppress(BeyondError):
                return short(name, entries[name] or {})
        return long()

    def _run(self) -> list[str]:
        """What the document asks to be run, where that is a plain stretch of time."""
        entry = self.data.get("run") or {}
        until, steps = entry.get("until"), entry.get("steps")
        word = ANALYSES.get(str(entry.get("analysis") or "kinematics"))
        if until is None or word is None or isinstance(until, bool):
            return []
        if isinstance(until, str) and not NUMBER.match(until.strip()):
            return []
        given = [f"until={until!r}" if isinstance(until, (int, float)) else f"until={_text(until)}"]
        given += [f"steps={steps!r}"] if _is_number(steps) else []
        return ["", "# as the document asks:", f"# motion = mechanism.{word}({', '.join(given)})"]

    def imports(self) -> str:
        """The line that imports what its lines name, or nothing."""
        needed = ", ".join(sorted(self._needed))
        return f"from kempe.geometry import {needed}\n" if needed else ""

    def _parameter(self, name: str) -> str:
        given = self.data["parameters"][name]
        if isinstance(given, Mapping) and given.get("unit") is not None:
            raise BeyondError
        value = given.get("value") if isinstance(given, Mapping) else given
        if not name.isidentifier() or keyword.iskeyword(name) or name in ("m", "kp", "mechanism"):
            raise BeyondError
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise BeyondError
        return repr(value)

    def _amount(self, value: Any, *, is_angle: bool = False) -> str:
        """A number or a text of the document as an argument of the builder."""
        if isinstance(value, bool):
            raise BeyondError
        if isinstance(value, (int, float)):
            is_plain = not is_angle or self.angle == "rad" or value == 0
            return repr(value) if is_plain else json.dumps(f"{value!r} {self.angle}")
        if not isinstance(value, str):
            raise BeyondError
        words = set(TERM.findall(value))
        if words and words <= set(self.parameters) and SUM.fullmatch(value) and not is_angle:
            return value.strip()
        if NUMBER.match(value.strip()) and not words & set(self.parameters):
            return json.dumps(value)
        raise BeyondError

    def _place(self, at: Any) -> str:
        if not isinstance(at, Sequence) or isinstance(at, str):
            raise BeyondError
        return ", ".join(self._amount(c) for c in at)

    def _body(self, name: str, entry: Any) -> str:
        if not isinstance(entry, Mapping) or not set(entry) <= BODY:
            raise BeyondError
        # A bar takes an angle in the plane and a mass that is spread along it; others are bodies.
        is_bar = "length" in entry and not set(entry) & (TURNED | {"inertia"})
        if "outline" in entry and "length" in entry:
            raise BeyondError
        points = {point: self._place(at) for point, at in (entry.get("points") or {}).items()}
        outline = entry.get("outline")
        given = [_text(name)]
        if is_bar:
            given.append(self._amount(entry["length"]))
        elif "length" in entry:
            ends = {"start": "0, 0, 0", "end": f"{self._amount(entry['length'])}, 0, 0"}
            points = ends | points
            outline = list(points)
        if points:
            said = ", ".join(f"{json.dumps(point)}: ({at})" for point, at in points.items())
            given.append(f"points={{{said}}}")
        if "at" in entry:
            given.append(f"at=({self._place(entry['at'])})")
        given += self._turned(entry)
        if "inertia" in entry:
            given.append(self._weight(entry["inertia"]))
        if outline is not None:
            given.append(f"outline={[str(point) for point in outline]!r}")
        given += self._moving(entry)
        return call(f"{self.bodies[name]} = m.{'bar' if is_bar else 'body'}", given)

    def _turned(self, entry: Mapping[str, Any]) -> list[str]:
        """How a body is turned at first."""
        if "matrix" in entry:
            if "angle" in entry or "axis" in entry:
                raise BeyondError
            rows = [[self._number(x) for x in row] for row in entry["matrix"]]
            self._needed.add("Rotation")
            return [f"rotation=Rotation.from_matrix({rows!r})"]
        if "axis" in entry:
            if "angle" in entry:
                raise BeyondError
            axis = tuple(self._number(x) for x in entry["axis"])
            return [f"rotation=m.ground.at(0, 0).facing({axis!r}).rotation"]
        if "angle" in entry:
            return [f"angle={self._amount(entry['angle'], is_angle=True)}"]
        return []

    def _weight(self, inertia: Any) -> str:
        """The mass of a body, where it is, and its tensor, all in SI."""
        if not isinstance(inertia, Mapping) or not set(inertia) <= WEIGHT or self.length != "m":
            raise BeyondError
        mass = self._number(inertia.get("mass"))
        centre = [self._number(x) for x in inertia.get("centre", (0.0, 0.0, 0.0))]
        tensor = inertia.get("tensor", [[0.0] * 3] * 3)
        rows = [[self._number(x) for x in row] for row in tensor if isinstance(row, Sequence)]
        if len(rows) != len(AXES) or len(centre) != len(AXES):
            raise BeyondError
        self._needed.add("Inertia")
        return f"inertia=Inertia({mass!r}, {centre!r}, {rows!r})"

    def _moving(self, entry: Mapping[str, Any]) -> list[str]:
        """How a body moves at first."""
        found = []
        for word in ("velocity", "spin"):
            if word not in entry:
                continue
            value = entry[word]
            if word == "spin" and self.angle != "rad":
                raise BeyondError
            parts = value if isinstance(value, Sequence) else [value]
            numbers = [self._number(part) for part in parts]
            found.append(f"{word}={tuple(numbers) if parts is value else numbers[0]!r}")
        return found

    @staticmethod
    def _number(value: Any) -> float:
        """A bare number of the document."""
        if not _is_number(value):
            raise BeyondError
        found: float = value
        return found

    def _marker(self, told: Any) -> str:
        """A place on a body."""
        if isinstance(told, str):
            body, _, point = told.rpartition(".")
            if told in self.bodies:
                return f"{self.bodies[told]}.at(0, 0)"
            if body in self.bodies and body != "ground" and point.isidentifier():
                return f"{self.bodies[body]}.{point}"
            raise BeyondError
        if not isinstance(told, Mapping) or not set(told) <= MARKER:
            raise BeyondError
        name = str(told.get("body"))
        if name not in self.bodies:
            raise BeyondError
        place = f"{self.bodies[name]}.at({self._place(told.get('at', (0, 0)))})"
        if "axis" not in told:
            return place
        return f"{place}.facing(({self._place(told['axis'])}))"

    def _joint(self, name: str, entry: Any) -> str:
        if not isinstance(entry, Mapping) or set(entry) != {"type", "I", "J"}:
            raise BeyondError
        I, J = self._marker(entry["I"]), self._marker(entry["J"])
        called = _text(name)
        short = SHORT.get(entry["type"])
        if short is not None:
            return call(f"m.{short}", [I, J, f"name={called}"])
        word = family(AbstractJoint).words.get(entry["type"])
        if word is None:
            raise BeyondError
        return call("m.add", [f"kp.joints.{word.made.__name__}({I}, {J})", called])

    def _drive(self, name: str, entry: Any) -> str:
        if not isinstance(entry, Mapping):
            raise BeyondError
        part, _, what = name.rpartition(".")
        if part in self.bodies and part != "ground" and what in GAUGES:
            given = [f"{self.bodies[part]}.{what}"]
        elif part in (self.data.get("joints") or {}) and what.isidentifier():
            given = [f"m.part({_text(part)}).{what}"]
        else:
            raise BeyondError
        if entry.get("type", "ramp") != "ramp":
            return call("m.drive", [*given, self._law(entry)])
        is_angle = what == "angle" or what == "bearing"
        if not set(entry) <= RAMP or (not is_angle and self.length != "m"):
            raise BeyondError
        for key in ("start", "speed", "acceleration"):
            value = entry.get(key, 0)
            if key != "start" and isinstance(value, (int, float)) and value and self.angle != "rad":
                raise BeyondError
            if value:
                given.append(f"{key}={self._amount(value, is_angle=True)}")
        return call("m.drive", given)

    def _law(self, entry: Mapping[str, Any]) -> str:
        """A law of SI numbers."""
        word = family(AbstractLaw).words.get(entry["type"])
        if word is None or (self.length, self.angle) != ("m", "rad"):
            raise BeyondError
        given = [f"{key}={self._number(x)!r}" for key, x in entry.items() if key != "type"]
        return f"kp.drives.{word.made.__name__}({', '.join(given)})"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
