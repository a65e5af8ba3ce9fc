"""Operations on the data of a document: each gives new data, and leaves the old as it was.

What is not changed is shared between the two, so that a history of documents is small.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from kempe.errors import ModelError, UnknownName, nearest_name
from kempe.files.syntax.source import DEEPEST, MOST_ENTRIES, shown
from kempe.studio.documents.references import mentions, renamed
from kempe.studio.messages.edits import (
    Copy,
    Delete,
    Join,
    KeepPlace,
    Lay,
    Move,
    Operation,
    Rename,
    Set,
)

Data = dict[str, Any]
Path = Sequence[str | int]

NAMED = ("bodies", "joints", "gauges", "couplers", "forces", "events", "drives", "parameters")
MOVING = ("joints", "gauges", "couplers", "forces", "events", "drives", "rates")


class Standing(Protocol):
    """What knows where bodies are."""

    def bodies(self) -> Data:
        """The entries of all bodies, with first guesses where they stand."""
        ...

    def moved(self, data: Data, operation: Move | Lay) -> Data:
        """The data with a body elsewhere."""
        ...

    def joined(self, data: Data, operation: Join) -> Data:
        """What a joint is that would hold two bodies as they stand."""
        ...


def changed(data: Data, operations: Sequence[Operation], standing: Standing) -> Data:
    """The data after all `operations`; a ModelError says which one cannot be done, and why."""
    for operation in operations:
        match operation:
            case Set(path=path, value=value):
                data = put(data, path, plain(value))
            case Delete(path=path, cascade=cascade):
                data = without(data, path)
                if cascade and len(path) == 2 and path[0] == "bodies":
                    data = _without_mentions(data, str(path[1]))
            case Rename(path=path, to=to):
                data = _renamed(data, path, to)
            case Copy(path=path, to=to, by=by):
                data = _copied(data, path, to, by)
            case Move() | Lay():
                _member(data, operation.path)
                data = standing.moved(data, operation)
            case Join(path=path):
                data = put(data, path, standing.joined(data, operation))
            case KeepPlace():
                data = {**data, "bodies": standing.bodies()}
    return data


def plain(value: Any, depth: int = 0) -> Any:
    """A value as a document can hold it: bounded in depth and size, whole numbers as they came."""
    if depth > DEEPEST:
        raise ModelError(f"a document is at most {DEEPEST} levels deep.")
    if isinstance(value, (dict, list)) and len(value) > MOST_ENTRIES:
        raise ModelError(f"a mapping or a list has at most {MOST_ENTRIES} entries.")
    if isinstance(value, dict):
        return {str(key): plain(entry, depth + 1) for key, entry in value.items()}
    if isinstance(value, list):
        return [plain(entry, depth + 1) for entry in value]
    return value


def put(data: Any, path: Path, value: Any) -> Any:
    """The data with a value at a path; mappings on the way come by themselves."""
    if not path:
        return value
    key, *rest = path
    if isinstance(data, list):
        at = _index(data, key, len(data) + 1)
        old = data[at] if at < len(data) else None
        return [*data[:at], put(old, rest, value), *data[at + 1 :]]
    if data is not None and not isinstance(data, dict):
        if not rest and isinstance(key, str) and key in ("value", "length"):
            return {key: value}
        raise ModelError(f"{shown(data)} has no part {shown(key)}: replace it as a whole.")
    old = data or {}
    return {**old, str(key): put(old.get(str(key)), rest, value)}


def without(data: Any, path: Path) -> Any:
    """The data without the value at a path; sections that become empty go too."""
    key, *rest = path
    if isinstance(data, list):
        at = _index(data, key, len(data))
        inner = [] if not rest else [without(data[at], rest)]
        return [*data[:at], *inner, *data[at + 1 :]]
    if not isinstance(data, dict) or str(key) not in data:
        known = data if isinstance(data, dict) else ()
        raise UnknownName(f"there is no {shown(key)} to take out.{nearest_name(str(key), known)}")
    left = {name: entry for name, entry in data.items() if name != str(key)}
    if rest:
        inner = without(data[str(key)], rest)
        left = {name: inner if name == str(key) else entry for name, entry in data.items()}
        if inner in ({}, []) and len(rest) == 1 and key in NAMED:
            del left[str(key)]
    return left


def _index(data: list[Any], key: str | int, most: int) -> int:
    if isinstance(key, bool) or not isinstance(key, int) or not 0 <= key < most:
        raise ModelError(f"a list of {len(data)} has no place {shown(key)}.")
    return key


def _member(data: Data, path: Path) -> tuple[Data, str]:
    """The mapping that holds a named member, and its name in it."""
    holder: Any = data
    for key in path[:-1]:
        holder = holder.get(str(key)) if isinstance(holder, dict) else None
    name = str(path[-1])
    if not isinstance(holder, dict) or name not in holder or len(path) < 2:
        known = holder if isinstance(holder, dict) else ()
        raise UnknownName(f"there is no {shown(name)} here.{nearest_name(name, known)}", name=name)
    return holder, name


def _renamed(data: Data, path: Path, to: str) -> Data:
    holder, name = _member(data, path)
    if to == name:
        return data
    if to in holder:
        raise ModelError(f"there is a {shown(to)} already: take another name.", name=to)
    entries = {to if key == name else key: entry for key, entry in holder.items()}
    data = put(data, list(path[:-1]), entries)
    if len(path) == 4 and path[0] == "bodies" and path[2] == "points":
        outline = data["bodies"][str(path[1])].get("outline")
        if isinstance(outline, list):
            own = [to if point == name else point for point in outline]
            data = put(data, ["bodies", path[1], "outline"], own)
        return _data(renamed(data, f"{path[1]}.{name}", f"{path[1]}.{to}"))
    return _data(renamed(data, name, to))


def _data(changed: Any) -> Data:
    return dict(changed)


def _copied(data: Data, path: Path, to: str, by: Sequence[float] | None) -> Data:
    holder, name = _member(data, path)
    if to in holder:
        raise ModelError(f"there is a {shown(to)} already: take another name.", name=to)
    entry = holder[name]
    if by is not None and isinstance(entry, dict) and isinstance(entry.get("at"), list):
        at = entry["at"]
        if not all(isinstance(c, (int, float)) for c in at):
            raise ModelError(f"{shown(name)} lies at {shown(at)}, which no number can be added to.")
        moves = [*by, 0.0][: len(at)]
        entry = {**entry, "at": [c + d for c, d in zip(at, moves, strict=False)]}
    return _data(put(data, [*path[:-1], to], entry))


def _without_mentions(data: Data, body: str) -> Data:
    """The data without the members that refer to a body that has gone, and those that name them."""
    gone = [body]
    while gone:
        name = gone.pop()
        for section in MOVING:
            for member, entry in dict(data.get(section) or {}).items():
                if mentions(entry, name) or mentions(member, name):
                    data = without(data, [section, member])
                    gone.append(member)
        outputs = data.get("outputs")
        if isinstance(outputs, list):
            kept = [one for one in outputs if not mentions(one, name)]
            data = {**data, "outputs": kept}
    return data
