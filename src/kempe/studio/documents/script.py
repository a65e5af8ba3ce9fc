"""A document as Python: a script that makes the same mechanism.

Bodies, joints, drives and parameters become calls of a builder; a document with more in it than
those calls say is held by the script as text.
"""

import json
import keyword
import re
from collections.abc import Mapping, Sequence
from typing import Any, final

from kempe.drives import AbstractLaw
from kempe.files.schema.schema import family
from kempe.joints import AbstractJoint
from kempe.model import Model
from kempe.studio.documents.mirror import text_of

HEAD = '''"""{title}: written by the studio of kempe."""

import kempe as kp
'''
SECTIONS = frozenset(
    ("version", "name", "plane", "units", "gravity", "parameters", "bodies", "joints", "drives")
)
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
LONGEST = 96  # characters of a line


class _BeyondError(Exception):
    """Something that no call of the builder is written for."""


def script_of(model: Model, data: Mapping[str, Any]) -> str:
    """A script whose `mechanism` is that of the document: calls of a builder, or else its text."""
    title = json.dumps(model.name)[1:-1]
    try:
        calls = _Calls(dict(data))
        body = calls.lines()
        imports = calls.imports()
    except _BeyondError:
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
    """A document as calls; a _BeyondError where one would say something else than the document."""

    def __init__(self, data: dict[str, Any]) -> None:
        if not set(data) <= SECTIONS or not data.get("bodies"):
            raise _BeyondError
        self.data = data
        units = data.get("units") or {}
        if not set(units) <= {"length", "angle"}:
            raise _BeyondError
        self.length, self.angle = units.get("length", "m"), units.get("angle", "rad")
        self.parameters = data.get("parameters") or {}
        self.bodies = self._variables()
        self._needed: set[str] = set()  # of kempe.geometry

    def _variables(self) -> dict[str, str]:
        """Names of variables for bodies: their own where Python takes them."""
        taken = {"m", "kp", "mechanism", "ground", *self.parameters}
        found = {"ground": "m.ground"}
        for name in self.data["bodies"]:
            word = re.sub(r"\W", "_", name, flags=re.ASCII)
            word = word if word.isidentifier() and not keyword.iskeyword(word) else f"body_{word}"
            while word in taken:
                word += "_"
            taken.add(word)
            found[name] = word
        return found

    def lines(self) -> str:
        """All of them."""
        data = self.data
        told = [f"{name} = {self._parameter(name)}" for name in self.parameters]
        self._needed.clear()
        plane = ", plane=True" if data.get("plane") else ""
        plane += self._gravity()
        units = f", units={json.dumps(self.length)}" if self.length != "m" else ""
        name = json.dumps(data.get("name", "mechanism"), ensure_ascii=False)
        told += (
            ["", f"m = kp.Builder({name}{plane}{units})"]
            if told
            else [f"m = kp.Builder({name}{plane}{units})"]
        )
        told += [self._body(name, entry or {}) for name, entry in data["bodies"].items()]
        told += [self._joint(name, entry) for name, entry in (data.get("joints") or {}).items()]
        told += [self._drive(name, entry) for name, entry in (data.get("drives") or {}).items()]
        told += ["mechanism = m.build()"]
        return "\n".join(told)

    def imports(self) -> str:
        """The line that imports what its lines name, or nothing."""
        needed = ", ".join(sorted(self._needed))
        return f"from kempe.geometry import {needed}\n" if needed else ""

    def _gravity(self) -> str:
        given = self.data.get("gravity")
        if given is None:
            return ""
        if not isinstance(given, Sequence) or not all(_is_number(x) for x in given):
            raise _BeyondError
        return f", gravity=({', '.join(map(repr, given))})"

    def _parameter(self, name: str) -> str:
        given = self.parameters[name]
        value = given.get("value") if isinstance(given, Mapping) else given
        if not name.isidentifier() or keyword.iskeyword(name) or name in ("m", "kp", "mechanism"):
            raise _BeyondError
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise _BeyondError
        return repr(value)

    def _amount(self, value: Any, *, is_angle: bool = False) -> str:
        """A number or a text of the document as an argument of the builder."""
        if isinstance(value, bool):
            raise _BeyondError
        if isinstance(value, (int, float)):
            is_plain = not is_angle or self.angle == "rad" or value == 0
            return repr(value) if is_plain else json.dumps(f"{value!r} {self.angle}")
        if not isinstance(value, str):
            raise _BeyondError
        words = set(TERM.findall(value))
        if words and words <= set(self.parameters) and SUM.fullmatch(value) and not is_angle:
            return value.strip()
        if NUMBER.match(value.strip()) and not words & set(self.parameters):
            return json.dumps(value)
        raise _BeyondError

    def _place(self, at: Any) -> str:
        if not isinstance(at, Sequence) or isinstance(at, str):
            raise _BeyondError
        return ", ".join(self._amount(c) for c in at)

    def _body(self, name: str, entry: Any) -> str:
        if not isinstance(entry, Mapping) or not set(entry) <= BODY:
            raise _BeyondError
        # A bar takes an angle in the plane and a mass that is spread along it; others are bodies.
        is_bar = "length" in entry and not set(entry) & (TURNED | {"inertia"})
        if "outline" in entry and "length" in entry:
            raise _BeyondError
        points = {point: self._place(at) for point, at in (entry.get("points") or {}).items()}
        outline = entry.get("outline")
        given = [json.dumps(name, ensure_ascii=False)]
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
        return self._call(f"{self.bodies[name]} = m.{'bar' if is_bar else 'body'}", given)

    def _turned(self, entry: Mapping[str, Any]) -> list[str]:
        """How a body is turned at first."""
        if "matrix" in entry:
            if "angle" in entry or "axis" in entry:
                raise _BeyondError
            rows = [[self._number(x) for x in row] for row in entry["matrix"]]
            self._needed.add("Rotation")
            return [f"rotation=Rotation.from_matrix({rows!r})"]
        if "axis" in entry:
            if "angle" in entry:
                raise _BeyondError
            axis = tuple(self._number(x) for x in entry["axis"])
            return [f"rotation=m.ground.at(0, 0).facing({axis!r}).rotation"]
        if "angle" in entry:
            return [f"angle={self._amount(entry['angle'], is_angle=True)}"]
        return []

    def _weight(self, inertia: Any) -> str:
        """The mass of a body, where it is, and its tensor, all in SI."""
        if not isinstance(inertia, Mapping) or not set(inertia) <= WEIGHT or self.length != "m":
            raise _BeyondError
        mass = self._number(inertia.get("mass"))
        centre = [self._number(x) for x in inertia.get("centre", (0.0, 0.0, 0.0))]
        tensor = inertia.get("tensor", [[0.0] * 3] * 3)
        rows = [[self._number(x) for x in row] for row in tensor if isinstance(row, Sequence)]
        if len(rows) != len(AXES) or len(centre) != len(AXES):
            raise _BeyondError
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
                raise _BeyondError
            parts = value if isinstance(value, Sequence) else [value]
            numbers = [self._number(part) for part in parts]
            found.append(f"{word}={tuple(numbers) if parts is value else numbers[0]!r}")
        return found

    @staticmethod
    def _number(value: Any) -> float:
        """A bare number of the document."""
        if not _is_number(value):
            raise _BeyondError
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
            raise _BeyondError
        if not isinstance(told, Mapping) or not set(told) <= MARKER:
            raise _BeyondError
        name = str(told.get("body"))
        if name not in self.bodies:
            raise _BeyondError
        place = f"{self.bodies[name]}.at({self._place(told.get('at', (0, 0)))})"
        if "axis" not in told:
            return place
        return f"{place}.facing(({self._place(told['axis'])}))"

    def _joint(self, name: str, entry: Any) -> str:
        if not isinstance(entry, Mapping) or set(entry) != {"type", "I", "J"}:
            raise _BeyondError
        I, J = self._marker(entry["I"]), self._marker(entry["J"])
        called = json.dumps(name, ensure_ascii=False)
        short = SHORT.get(entry["type"])
        if short is not None:
            return self._call(f"m.{short}", [I, J, f"name={called}"])
        word = family(AbstractJoint).words.get(entry["type"])
        if word is None:
            raise _BeyondError
        return self._call("m.add", [f"kp.joints.{word.made.__name__}({I}, {J})", called])

    def _drive(self, name: str, entry: Any) -> str:
        if not isinstance(entry, Mapping):
            raise _BeyondError
        part, _, what = name.rpartition(".")
        if part in self.bodies and part != "ground" and what in GAUGES:
            given = [f"{self.bodies[part]}.{what}"]
        elif part in (self.data.get("joints") or {}) and what.isidentifier():
            given = [f"m.part({json.dumps(part, ensure_ascii=False)}).{what}"]
        else:
            raise _BeyondError
        if entry.get("type", "ramp") != "ramp":
            return self._call("m.drive", [*given, self._law(entry)])
        is_angle = what == "angle" or what == "bearing"
        if not set(entry) <= RAMP or (not is_angle and self.length != "m"):
            raise _BeyondError
        for key in ("start", "speed", "acceleration"):
            value = entry.get(key, 0)
            if key != "start" and isinstance(value, (int, float)) and value and self.angle != "rad":
                raise _BeyondError
            if value:
                given.append(f"{key}={self._amount(value, is_angle=True)}")
        return self._call("m.drive", given)

    def _law(self, entry: Mapping[str, Any]) -> str:
        """A law of SI numbers."""
        word = family(AbstractLaw).words.get(entry["type"])
        if word is None or (self.length, self.angle) != ("m", "rad"):
            raise _BeyondError
        given = [f"{key}={self._number(x)!r}" for key, x in entry.items() if key != "type"]
        return f"kp.drives.{word.made.__name__}({', '.join(given)})"

    @staticmethod
    def _call(what: str, given: list[str]) -> str:
        """A call on one line, or where that is too long an argument on each."""
        line = f"{what}({', '.join(given)})"
        if len(line) <= LONGEST:
            return line
        return f"{what}(\n" + "".join(f"    {one},\n" for one in given) + ")"
