"""Where a document names its members: "crank", "crank.end", "crank.angle", and in formulas."""

import re
from typing import Any

TEXTS = frozenset({"doc", "name", "unit", "units", "type", "file", "mesh"})  # no names of members
OWN = frozenset({"outline", "shapes"})  # of a body: names of its own points and shapes
MEASURED = frozenset({"drives", "rates"})  # sections whose keys are measures


def _pattern(name: str) -> re.Pattern[str]:
    """A name as a whole word: not a part of another, nor what stands after a dot."""
    return re.compile(rf"(?<![\w.\-]){re.escape(name)}(?![\w\-])")


def renamed(data: Any, old: str, new: str) -> Any:
    """The data with every mention of `old` changed: in texts, and in keys that name measures."""
    return _walked(data, _pattern(old), new, ())


def _walked(data: Any, pattern: re.Pattern[str], new: str, path: tuple[str, ...]) -> Any:
    if isinstance(data, str):
        return pattern.sub(lambda _: new, data)
    if isinstance(data, list):
        return [_walked(entry, pattern, new, path) for entry in data]
    if not isinstance(data, dict):
        return data
    found: dict[str, Any] = {}
    for key, entry in data.items():
        is_measure = "." in key or (len(path) == 1 and path[0] in MEASURED)
        name = pattern.sub(lambda _: new, key) if is_measure else key
        is_own = key in TEXTS and isinstance(entry, str)
        is_own = is_own or (key in OWN and len(path) == 2 and path[0] == "bodies")
        found[name] = entry if is_own else _walked(entry, pattern, new, (*path, key))
    return found


def mentions(data: Any, name: str) -> bool:
    """Whether data names a member."""
    pattern = _pattern(name)

    def found(entry: Any) -> bool:
        if isinstance(entry, str):
            return pattern.search(entry) is not None
        if isinstance(entry, list):
            return any(found(one) for one in entry)
        if isinstance(entry, dict):
            return any(
                found(key) or found(one)
                for key, one in entry.items()
                if not (key in TEXTS and isinstance(one, str))
            )
        return False

    return found(data)
