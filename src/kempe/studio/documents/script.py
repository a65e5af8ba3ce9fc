"""A document as Python: a script that makes the same mechanism.

Bodies, joints, drives and parameters become calls of a builder; a document with more in it than
those calls say is held by the script as text.
"""

import json
import keyword
import re
from collections.abc import Mapping, Sequence
from typing import Any, final

from kempe.files.schema.schema import family
from kempe.joints import AbstractJoint
from kempe.model import Model
from kempe.studio.documents.mirror import text_of

HEAD = '''"""{title}: written by the studio of kempe."""

import kempe as kp
'''
SECTIONS = frozenset(
    ("version", "name", "plane", "units", "parameters", "bodies", "joints", "drives")
)
BODY = frozenset(("at", "angle", "length", "points", "outline"))
RAMP = frozenset(("type", "start", "speed", "acceleration"))
MARKER = frozenset(("body", "at", "axis"))
SHORT = {"revolute": "revolute", "fixed": "fixed"}  # joints that the builder has a word for
TERM = re.compile(r"[A-Za-z_]\w*")
SUM = re.compile(r"[\w\s.+\-*/()]+")
NUMBER = re.compile(r"[-+]?\d")
LONGEST = 96  # characters of a line


class _BeyondError(Exception):
    """Something that no call of the builder is written for."""


def script_of(model: Model, data: Mapping[str, Any]) -> str:
    """A script whose `mechanism` is that of the document: calls of a builder, or else its text."""
    title = json.dumps(model.name)[1:-1]
    try:
        body = _Calls(dict(data)).lines()
    except _BeyondError:
        body = _whole(dict(data))
    return f"{HEAD.format(title=title)}\n{body}\n\nprint(mechanism.check())\n"


def _whole(data: dict[str, Any]) -> str:
    text = text_of(data).splitlines(keepends=True)
    lines = "\n".join(f"    {json.dumps(line, ensure_ascii=False)}" for line in text)
    read = 'document = document_from(TEXT.encode(), "mechanism.yaml")'
    return (
        "from kempe.files.documents.document import document_from\n\n"
        f"TEXT = (\n{lines}\n)\n{read}\nmechanism = kp.Mechanism(document.model, document)"
    )


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
        plane = ", plane=True" if data.get("plane") else ""
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
        given = [json.dumps(name, ensure_ascii=False)]
        if "length" in entry:
            given.append(self._amount(entry["length"]))
        if entry.get("points"):
            points = ", ".join(
                f"{json.dumps(point)}: ({self._place(at)})" for point, at in entry["points"].items()
            )
            given.append(f"points={{{points}}}")
        if "at" in entry:
            given.append(f"at=({self._place(entry['at'])})")
        if "angle" in entry:
            given.append(f"angle={self._amount(entry['angle'], is_angle=True)}")
        if "outline" in entry:
            if "length" in entry:
                raise _BeyondError
            given.append(f"outline={[str(point) for point in entry['outline']]!r}")
        call = "bar" if "length" in entry else "body"
        return self._call(f"{self.bodies[name]} = m.{call}", given)

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
        if not isinstance(entry, Mapping) or not set(entry) <= RAMP:
            raise _BeyondError
        if entry.get("type", "ramp") != "ramp":
            raise _BeyondError
        body, _, what = name.rpartition(".")
        if body not in self.bodies or what != "angle":
            raise _BeyondError
        given = [f"{self.bodies[body]}.angle"]
        for key in ("start", "speed", "acceleration"):
            value = entry.get(key, 0)
            if key != "start" and isinstance(value, (int, float)) and value and self.angle != "rad":
                raise _BeyondError
            if value:
                given.append(f"{key}={self._amount(value, is_angle=True)}")
        return self._call("m.drive", given)

    @staticmethod
    def _call(what: str, given: list[str]) -> str:
        """A call on one line, or where that is too long an argument on each."""
        line = f"{what}({', '.join(given)})"
        if len(line) <= LONGEST:
            return line
        return f"{what}(\n" + "".join(f"    {one},\n" for one in given) + ")"
