"""Data as text: JSON that is canonical, and YAML as a person would write it.

What a plain word of YAML 1.2 means: `1e-3` is a number, `on` and `yes` are words.

Source: YAML 1.2.2, section 10.3.2 (core schema).
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from kempe.files.syntax.json_reader import whole_number

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_DECIMAL = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]{1,20}|0x[0-9a-fA-F]{1,16}")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


def plain_value(text: str) -> bool | int | float | str | None:
    """The value of an unquoted scalar."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "-+.0123456789":
        return text
    if _DECIMAL.fullmatch(text):
        return whole_number(text)
    if _BASED.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text) or _NOT_FINITE.fullmatch(text):
        return float(re.sub(r"\.(?=[inIN])", "", text))
    return text


def is_plain_text(text: str) -> bool:
    """Whether a text may stand in YAML without quotes and still means itself."""
    return bool(_SAFE.fullmatch(text)) and isinstance(plain_value(text), str)


_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./ +*^()-]*(?<! )")


WIDTH = 96  # columns of a YAML line that holds a whole mapping or list
FIRST = ("version", "name", "doc", "plane", "gravity", "units", "parameters")
LATER = (
    "use",
    "dimensions",
    "merge",
    "remove",
    "bodies",
    "beams",
    "joints",
    "gauges",
    "couplers",
    "forces",
    "drives",
    "events",
    "rates",
)
NAMED = frozenset(
    {
        "parameters",
        "bodies",
        "beams",
        "joints",
        "couplers",
        "forces",
        "events",
        "drives",
        "gauges",
        "rates",
        "points",
        "shapes",
    }
)


def json_text(data: Mapping[str, Any]) -> str:
    """Canonical JSON: keys sorted, named parts in the model's order and on lines of their own."""
    lines = []
    for key in sorted(data):
        value = _sorted(data[key], key)
        if key in NAMED and isinstance(value, Mapping) and value:
            inside = ",\n".join(f"  {_json(k)}: {_json(v)}" for k, v in value.items())
            lines.append(f" {_json(key)}: {{\n{inside}\n }}")
        else:
            lines.append(f" {_json(key)}: {_json(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _rank(key: str) -> int:
    order = (*FIRST, *LATER)
    return order.index(key) if key in order else len(order)


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


def yaml_text(data: Mapping[str, Any]) -> str:
    """YAML 1.2: a line for every part, in the order in which one reads a model."""
    top = dict(sorted(data.items(), key=lambda item: _rank(item[0])))
    return "\n".join(_block(top, 0)) + "\n"


WRITERS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    ".json": json_text,
    ".yaml": yaml_text,
    ".yml": yaml_text,
}


def _sorted(data: Any, key: str) -> Any:
    if isinstance(data, Mapping):
        names = list(data) if key in NAMED else sorted(data)
        return {name: _sorted(data[name], name if key not in NAMED else "") for name in names}
    return [_sorted(x, "") for x in data] if isinstance(data, (list, tuple)) else data


def _block(data: Mapping[str, Any], indent: int) -> list[str]:
    lines = []
    for key, value in data.items():
        head = f"{' ' * indent}{_scalar(key)}:"
        line = f"{head} {_flow(value)}"
        is_section = indent == 0 and isinstance(value, Mapping) and key not in ("units", "run")
        if isinstance(value, Mapping) and value and (is_section or len(line) > WIDTH):
            lines += [head, *_block(value, indent + 2)]
        elif isinstance(value, (list, tuple)) and value and len(line) > WIDTH:
            lines += [head, *(f"{' ' * (indent + 2)}- {_flow(x)}" for x in value)]
        else:
            lines.append(line)
    return lines


def _flow(data: Any) -> str:
    if isinstance(data, Mapping):
        return "{" + ", ".join(f"{_scalar(k)}: {_flow(v)}" for k, v in data.items()) + "}"
    if isinstance(data, (list, tuple)):
        return "[" + ", ".join(_flow(x) for x in data) + "]"
    return _scalar(data)


def _scalar(data: Any) -> str:
    if not isinstance(data, str):
        return _json(data)
    if is_plain_text(data):
        return data
    quoted = _json(data)
    return "".join(c if c.isprintable() else _escaped(c) for c in quoted)


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
