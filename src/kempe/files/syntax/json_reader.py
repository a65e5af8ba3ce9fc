"""JSON: what programs write. Names may not repeat, numbers are finite, nesting is bounded."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NoReturn, final

import numpy as np

from kempe.errors import FileError
from kempe.files.syntax.source import DEEPEST, MOST_VALUES, AbstractSource, Path, shown

_CHUNK = 1 << 20  # bytes scanned at a time
_SPACE = re.compile(r"[ \t\n\r]*")
_NOT_FINITE = re.compile(r'"(?:[^"\\]++|\\.)*+"|(NaN|-?Infinity)', re.DOTALL)


class _Repeated(Exception):
    """A name that an object has twice."""


class _NotFinite(Exception):
    """NaN or Infinity, which JSON does not have."""


@final
class JsonSource(AbstractSource):
    """A JSON document; a place is looked up only when a message needs it."""

    def __init__(self, name: str, content: bytes) -> None:
        self.name = name
        refuse_deep_brackets(name, content)
        try:
            self.text = content.decode("utf-8-sig")
        except UnicodeDecodeError as trouble:
            self._refuse_at_byte(content, trouble.start, "this is no UTF-8 text.")
        self.data = self._read()

    def _read(self) -> Any:
        try:
            return _DECODER.decode(self.text)
        except json.JSONDecodeError as trouble:
            self._refuse(trouble.pos, f"this is no JSON: {_lower(trouble.msg)}.")
        except _Repeated as trouble:
            self._refuse(self._repeated(), f"{shown(trouble.args[0])} stands here a second time.")
        except _NotFinite as trouble:
            matches = (m.start(1) for m in _NOT_FINITE.finditer(self.text))
            at = next((at for at in matches if at >= 0), 0)
            self._refuse(at, f"{trouble} is no number that JSON knows: every number is finite.")

    def position(self, path: Path, *, of_key: bool = False) -> tuple[int, int]:
        at = self._skip(0)
        for depth, key in enumerate(path):
            found = self._member(at, key)
            if found is None:
                break
            at = found[0] if of_key and depth == len(path) - 1 else found[1]
        return self._line_column(at)

    def _member(self, at: int, key: object) -> tuple[int, int] | None:
        """Where a member's key and value start in the object or list at `at`."""
        if self.text[at] == "[" and isinstance(key, int):
            for index, start in enumerate(self._items(at)):
                if index == key:
                    return start, start
        elif self.text[at] == "{":
            for name, start, value in self._pairs(at):
                if name == key:
                    return start, value
        return None

    def _items(self, at: int) -> Iterator[int]:
        at = self._skip(at + 1)
        while self.text[at] != "]":
            yield at
            at = self._skip(_LENIENT.raw_decode(self.text, at)[1])
            at = self._skip(at + 1) if self.text[at] == "," else at

    def _pairs(self, at: int) -> Iterator[tuple[str, int, int]]:
        at = self._skip(at + 1)
        while self.text[at] == '"':
            start = at
            name, at = _DECODER.raw_decode(self.text, at)
            value = self._skip(self._skip(at) + 1)
            yield name, start, value
            at = self._skip(_LENIENT.raw_decode(self.text, value)[1])
            at = self._skip(at + 1) if self.text[at] == "," else at

    def _repeated(self) -> int:
        """Where the first repeated name stands."""
        at = self._skip(0)
        while True:
            seen: set[str] = set()
            members = self._pairs(at) if self.text[at] == "{" else self._items(at)
            for member in members:
                value = member if isinstance(member, int) else member[2]
                if not isinstance(member, int):
                    if member[0] in seen:
                        return member[1]
                    seen.add(member[0])
                if self._repeats(value):
                    at = value
                    break

    def _repeats(self, at: int) -> bool:
        try:
            _DECODER.raw_decode(self.text, at)
        except _Repeated:
            return True
        return False

    def _skip(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def _line_column(self, at: int) -> tuple[int, int]:
        before = self.text.rfind("\n", 0, at)
        return self.text.count("\n", 0, at) + 1, at - before

    def _refuse(self, at: int, message: str) -> NoReturn:
        line, column = self._line_column(at)
        raise FileError(message, path=self.name, line=line, column=column)

    def _refuse_at_byte(self, content: bytes, at: int, message: str) -> NoReturn:
        line = content.count(b"\n", 0, at) + 1
        column = at - content.rfind(b"\n", 0, at)
        raise FileError(message, path=self.name, line=line, column=column)


def refuse_deep_brackets(name: str, content: bytes) -> None:
    """Refuse JSON that is nested too deeply or has too many values, before it is parsed."""
    flat = content
    if b"\\" in content:  # the length stays, so that places stay
        flat = content.replace(b"\\\\", b"__").replace(b'\\"', b"__")
    depth = values = quotes = 0
    for start in range(0, len(flat), _CHUNK):
        part = np.frombuffer(flat, np.uint8, min(_CHUNK, len(flat) - start), start)
        inside = quotes + np.cumsum(part == ord('"'), dtype=np.int32)
        outside = inside % 2 == 0
        step = np.zeros(len(part), dtype=np.int32)
        step[outside & ((part == ord("[")) | (part == ord("{")))] = 1
        step[outside & ((part == ord("]")) | (part == ord("}")))] = -1
        depths = depth + np.cumsum(step, dtype=np.int32)
        values += int(np.count_nonzero(outside & (part == ord(",")))) + int((step == 1).sum())
        if depths.max() > DEEPEST:
            at = start + int(np.argmax(depths > DEEPEST))
            line = content.count(b"\n", 0, at) + 1
            raise FileError(
                f"lists and objects stand more than {DEEPEST} deep in each other here.",
                path=name,
                line=line,
                column=at - content.rfind(b"\n", 0, at),
            )
        if values > MOST_VALUES:
            raise FileError(f"a file may hold {MOST_VALUES} values, this one has more.", path=name)
        depth, quotes = int(depths[-1]), int(inside[-1]) % 2


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        counts = Counter(name for name, _ in pairs)
        raise _Repeated(next(name for name, _ in pairs if counts[name] > 1))
    return data


def _refuse_constant(word: str) -> NoReturn:
    raise _NotFinite(word)


def whole_number(digits: str) -> int | float:
    """A whole number; one of many digits as a float, so that none takes long to read."""
    return int(digits) if len(digits) <= 18 else float(digits)


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_int=whole_number
)
_LENIENT = json.JSONDecoder(parse_int=whole_number)  # to pass over what is known to be JSON
