"""YAML 1.2: what people write. No tags, no repeated names, few aliases, bounded nesting.

The parser's events are composed here, one after another and without recursion, so that every limit
is checked before memory is spent.
"""

import re
from dataclasses import dataclass, field
from typing import Any, NoReturn, final

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceStartEvent,
)
from ruamel.yaml.reader import ReaderError

from kempe.errors import FileError
from kempe.files.syntax.source import (
    DEEPEST,
    LARGEST_YAML,
    MOST_ALIASED,
    MOST_YAML_VALUES,
    AbstractSource,
    Key,
    Path,
    shown,
)
from kempe.files.syntax.text import plain_value

Mark = tuple[int, int]  # line and column, from 1


@final
@dataclass(slots=True)
class Spot:
    """Where a value stands; for a mapping or a list also where its members do."""

    mark: Mark
    keys: dict[Key, Mark] = field(default_factory=dict)
    members: dict[Key, "Spot"] = field(default_factory=dict)


@final
@dataclass(slots=True)
class Node:
    """A value that is read or being read: data, place, and how many values it holds in all."""

    data: Any
    spot: Spot
    size: int = 1
    anchor: str | None = None
    key: str | None = None  # of the member that comes next

    def add(self, member: "Node") -> None:
        """One more member."""
        key: Key = len(self.data) if self.key is None else self.key
        if self.key is None:
            self.data.append(member.data)
        else:
            self.data[self.key] = member.data
        self.spot.members[key] = member.spot
        self.size += member.size
        self.key = None


@final
class YamlSource(AbstractSource):
    """A YAML document with the place of every value."""

    def __init__(self, name: str, content: bytes) -> None:
        self.name = name
        if len(content) > LARGEST_YAML:
            raise FileError(
                f"YAML of at most {LARGEST_YAML / 1e6:g} MB is read, this is"
                f" {len(content) / 1e6:.1f} MB: write it as JSON.",
                path=name,
                size=len(content),
            )
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as trouble:
            line = content.count(b"\n", 0, trouble.start) + 1
            raise FileError("this is no UTF-8 text.", path=name, line=line, column=1) from None
        self._refuse_deep_lines(text)
        self._refuse_long_words(text)
        self._open: list[Node] = []
        self._anchors: dict[str, Node] = {}
        self._aliased = self._values = 0
        top = self._composed(text)
        self.data, self._spot = top.data, top.spot

    def position(self, path: Path, *, of_key: bool = False) -> Mark:
        spot, mark = self._spot, self._spot.mark
        for depth, key in enumerate(path):
            if key not in spot.members:
                break
            mark = spot.keys.get(key, mark) if of_key and depth == len(path) - 1 else mark
            spot = spot.members[key]
            mark = mark if of_key and depth == len(path) - 1 else spot.mark
        return mark

    # -- composing ---------------------------------------------------------------------------

    def _composed(self, text: str) -> Node:
        top: Node | None = None
        documents = 0
        for event in self._events(text):
            if isinstance(event, DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._refuse(_mark(event), "a model file holds one document: begin no other.")
                continue
            node = self._node(event)
            if node is None:
                continue
            if self._open:
                self._open[-1].add(node)
            else:
                top = node
        if top is None:
            self._refuse((1, 1), "the file is empty.")
        return top

    def _events(self, text: str) -> Any:
        try:
            yield from YAML(typ="safe", pure=True).parse(text)
        except FileError:
            raise
        except MarkedYAMLError as trouble:
            mark = trouble.problem_mark or trouble.context_mark
            place = (mark.line + 1, mark.column + 1) if mark else (0, 0)
            self._refuse(place, f"this is no YAML: {_said(trouble)}.")
        except ReaderError as trouble:
            at = int(trouble.position)
            place = (text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))
            self._refuse(place, f"the character {shown(text[at : at + 1])} may not stand in YAML.")
        except Exception as trouble:  # a parser for hostile text may fail in any way
            self._refuse((0, 0), f"this is no YAML: {trouble}.")

    def _node(self, event: Any) -> Node | None:
        """The value that an event ends, if it ends one."""
        if isinstance(event, ScalarEvent):
            return self._scalar(event)
        if isinstance(event, AliasEvent):
            return self._alias(event)
        if isinstance(event, (MappingStartEvent, SequenceStartEvent)):
            self._begin(event)
            return None
        if type(event).__name__ in ("MappingEndEvent", "SequenceEndEvent"):
            node = self._open.pop()
            if node.anchor:
                self._anchors[node.anchor] = node
            return node
        return None

    def _begin(self, event: Any) -> None:
        self._check(event)
        if self._is_key():
            self._refuse(_mark(event), "a name must be a word, not a list or a mapping.")
        if len(self._open) >= DEEPEST:
            message = f"lists and mappings stand more than {DEEPEST} deep in each other here."
            self._refuse(_mark(event), message)
        data: Any = {} if isinstance(event, MappingStartEvent) else []
        self._open.append(Node(data, Spot(_mark(event)), anchor=event.anchor))
        self._anchors.pop(event.anchor or "", None)

    def _scalar(self, event: Any) -> Node | None:
        self._check(event)
        if self._is_key():
            self._name_member(event)
            return None
        is_plain = event.style in (None, "")
        data = plain_value(event.value) if is_plain else event.value
        node = Node(data, Spot(_mark(event)))
        if event.anchor:
            self._anchors[event.anchor] = node
        return node

    def _name_member(self, event: Any) -> None:
        mapping, name = self._open[-1], event.value
        if name in mapping.data:
            self._refuse(_mark(event), f"{shown(name)} stands here a second time.")
        if name == "<<" and event.style in (None, ""):
            message = "YAML 1.2 has no merge key '<<': write the members out, or use an alias."
            self._refuse(_mark(event), message)
        mapping.key = name
        mapping.spot.keys[name] = _mark(event)

    def _alias(self, event: Any) -> Node:
        if self._is_key():
            self._refuse(_mark(event), "a name must be a word, not an alias.")
        node = self._anchors.get(event.anchor)
        if node is None:
            known = any(n.anchor == event.anchor for n in self._open)
            why = "stands inside what it repeats" if known else "names no anchor before it"
            self._refuse(_mark(event), f"the alias *{event.anchor[:40]} {why}.")
        self._aliased += node.size
        if self._aliased > MOST_ALIASED:
            message = f"aliases may repeat {MOST_ALIASED} values, these repeat more."
            self._refuse(_mark(event), message)
        return Node(node.data, node.spot, node.size)

    def _is_key(self) -> bool:
        return bool(self._open) and isinstance(self._open[-1].data, dict) and not self._has_key()

    def _has_key(self) -> bool:
        return self._open[-1].key is not None

    def _check(self, event: Any) -> None:
        self._values += 1
        if self._values > MOST_YAML_VALUES:
            message = f"a YAML file may hold {MOST_YAML_VALUES} values, this one has more"
            self._refuse(_mark(event), f"{message}: write it as JSON.")
        tag = getattr(event, "tag", None) or getattr(event, "ctag", None)
        if tag is not None and str(tag) != "None":
            message = f"tags such as {shown(str(tag))} are not read: a model file holds plain data."
            self._refuse(_mark(event), message)

    def _refuse_deep_lines(self, text: str) -> None:
        """Brackets on one line make the parser look far ahead: refuse too many beforehand."""
        for found in _CROWDED.finditer(text):
            depth = deepest = 0
            for found_bracket in re.finditer(r"[\[{}\]]", found[0]):
                depth += 1 if found_bracket[0] in "[{" else -1
                deepest = max(deepest, depth)
                if deepest > DEEPEST:
                    line = text.count("\n", 0, found.start()) + 1
                    message = f"this line opens more than {DEEPEST} lists in each other."
                    self._refuse((line, 1), message)

    def _refuse_long_words(self, text: str) -> None:
        """The parser looks at every letter of a tag once for every letter of it."""
        found = _LONG_WORD.search(text)
        if found is not None:
            line = text.count("\n", 0, found.start(1)) + 1
            message = f"a tag, an anchor or an alias has more than {LONGEST_WORD} characters here."
            self._refuse((line, found.start(1) - text.rfind("\n", 0, found.start(1))), message)

    def _refuse(self, mark: Mark, message: str) -> NoReturn:
        raise FileError(message, path=self.name, line=mark[0], column=mark[1])


_CROWDED = re.compile(rf"^(?:[^\[{{\n]*+[\[{{]){{{DEEPEST + 1},}}+.*$", re.MULTILINE)


LONGEST_WORD = 1000
_LONG_WORD = re.compile(rf"(?:^|(?<=[\s\[\]{{}},:?-]))([!&*%]\S{{{LONGEST_WORD}}})", re.MULTILINE)


def _mark(event: Any) -> Mark:
    return event.start_mark.line + 1, event.start_mark.column + 1


def _said(trouble: MarkedYAMLError) -> str:
    parts = [str(p) for p in (trouble.problem, trouble.context) if p]
    return ", ".join(" ".join(p.split()) for p in parts) or "its structure is broken"
