"""What pydantic finds wrong with a document, as a message that helps."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NoReturn

from pydantic import ValidationError

from kempe.errors import nearest_name
from kempe.files.schema.schema import MEMBER, WAYS, document_model, families
from kempe.files.schema.shapes import UNKNOWN_KEY
from kempe.files.syntax.source import LONGEST_SHOWN, AbstractSource, Key, Path, shown

PORTION = 5000  # entries of a section that are checked at a time
_SHAPES = {
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "list_type": "a list",
    "tuple_type": "a list",
    "string_type": "a text",
    "bool_type": "true or false",
    "int_type": "a whole number",
}

BOUNDS = {
    "greater_than_equal": ("at least", "ge"),
    "greater_than": ("more than", "gt"),
    "less_than_equal": ("at most", "le"),
    "less_than": ("less than", "lt"),
}


def validate(source: AbstractSource, data: Any, original: Any = None) -> None:
    """Refuse data that is no document; `original` maps a path to where it stood in the file."""
    for part in _portions(data):
        try:
            document_model().model_validate(part)
        except ValidationError as trouble:
            _complain(source, data, trouble, original or (lambda path: path))


def _portions(data: Any) -> Iterator[Any]:
    """The document in portions, so that a file of mistakes does not make a list of all of them."""
    longest = max((len(x) for x in data.values() if isinstance(x, Mapping)), default=0)
    if longest <= PORTION:
        yield data
        return
    rest = {key: iter(x.items()) for key, x in data.items() if isinstance(x, Mapping)}
    others = {key: x for key, x in data.items() if key not in rest}
    for k in range(0, longest, PORTION):
        part = {key: dict(islice(items, PORTION)) for key, items in rest.items()}
        needed = {"version": data["version"]} if "version" in data else {}
        yield (others if k == 0 else needed) | {key: x for key, x in part.items() if x or k == 0}


def _complain(
    source: AbstractSource, data: Any, trouble: ValidationError, original: Any
) -> NoReturn:
    mistakes = trouble.errors(include_url=False, include_context=True)
    first = _path(mistakes[0]["loc"], data)
    inside = [m for m in mistakes if _path(m["loc"], data)[: len(first)] == first]
    mistake = max(inside, key=lambda m: len(_path(m["loc"], data)))  # of a union: what came nearest
    path, message, of_key = _explained(data, mistake)
    others = len({_path(m["loc"], data) for m in mistakes if m not in inside})
    more = f" (and {others} more)" if others else ""
    source.refuse(original(path), message + more, of_key=of_key, value=mistake["input"])


def _explained(data: Any, mistake: Any) -> tuple[Path, str, bool]:
    kind, value = mistake["type"], mistake["input"]
    path = _path(mistake["loc"], data)
    what = _called(path) or "the document"
    if kind == UNKNOWN_KEY:
        key, known = mistake["ctx"]["key"], mistake["ctx"]["known"]
        return (*path, key), f"{shown(key)} has no meaning here.{nearest_name(key, known)}", True
    if kind == "missing":
        return path[:-1], f"{shown(path[-1])} is missing in {_holder(path)}.", False
    if kind.startswith(MEMBER):
        is_named = isinstance(value, Mapping) and "type" in value
        where = (*path, "type") if is_named else path
        return where, _no_member(kind.removeprefix(MEMBER), value, what), False
    if kind == "literal_error":
        known = re.findall(r"'([^']*)'", mistake["ctx"]["expected"]) or [mistake["ctx"]["expected"]]
        return path, f"{what} cannot be {shown(value)}.{nearest_name(str(value), known)}", False
    if kind in _SHAPES:
        return path, f"{what} must be {_SHAPES[kind]}, not {shown(value)}.", False
    if kind in ("too_short", "too_long"):
        wanted = mistake["ctx"].get("min_length", mistake["ctx"].get("max_length"))
        side = "at least" if kind == "too_short" else "at most"
        return path, f"{what} needs {side} {wanted} entries: {shown(value)}.", False
    if kind == "string_pattern_mismatch":  # only ways on from dead points have a pattern
        return path, f"{what} cannot be {shown(value)}.{nearest_name(str(value), WAYS)}", False
    if kind in BOUNDS:
        word, key = BOUNDS[kind]
        bound = mistake["ctx"][key]
        return path, f"{what} must be {word} {bound:g}, not {shown(value)}.", False
    if kind in ("number", "name"):
        return path, f"{what}: {mistake['msg']}", kind == "name"
    return path, f"{what} cannot be {shown(value)}: {mistake['msg'].lower()}.", False


def _path(loc: tuple[Key, ...], data: Any) -> Path:
    """The path of pydantic's location, without the tags of its unions."""
    path: list[Key] = []
    for key in loc:
        inside = isinstance(data, (dict, list))
        if inside and (key in data if isinstance(data, dict) else key in range(len(data))):
            data = data[key]
        elif not inside or (isinstance(key, str) and (isinstance(data, list) or key[:1] in "<[")):
            continue  # the tag of a union
        path.append(key)
    return tuple(path)


def _holder(path: Path) -> str:
    return _called(path[:-1]) or "the document"


def _called(path: Path) -> str:
    """A path as messages show it; a key that is too long is cut."""
    words = [str(key) for key in path]
    return ".".join(w if len(w) <= LONGEST_SHOWN else f"{w[:LONGEST_SHOWN]}..." for w in words)


def _no_member(family: str, value: Any, what: str) -> str:
    words = next(list(f.words) for f in families() if f.name == family)
    word = value.get("type") if isinstance(value, Mapping) else value
    if word is None or not isinstance(word, str):
        example = words[0] if words else "?"
        return f"{what} must say what {family} it is, such as type: {example}."
    return f"{what}: there is no {family} type {shown(word)}.{nearest_name(word, words)}"
