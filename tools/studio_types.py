"""Write the types of the studio's messages for its page: studio/src/messages.ts.

They follow from the server's own schema; a test compares them. Run it after a change of
src/kempe/studio/messages.
"""

import json
import re
from pathlib import Path
from typing import Any

from kempe.studio.messages.replies import schema

OUTPUT = Path(__file__).resolve().parent.parent / "studio" / "src" / "messages.ts"
Schema = dict[str, Any]


def typescript() -> str:
    """The types of every message, and which answer belongs to which request."""
    whole = schema()
    lines = [
        "// What page and server say to each other. Written by tools/studio_types.py from the",
        "// schema of the server: change src/kempe/studio/messages instead.",
        "",
    ]
    asked = _reached("Request", whole["$defs"], set())
    for name, definition in whole["$defs"].items():
        lines += _said(definition.get("description", ""))
        lines += [*_definition(name, definition, is_asked=name in asked), ""]
    lines.append("/** The answer to each request. */")
    lines.append("export interface Answers {")
    lines += [f"  {word}: {answer};" for word, answer in whole["answers"].items()]
    lines.append("}")
    return "\n".join(lines) + "\n"


def _reached(name: str, known: Schema, found: set[str]) -> set[str]:
    """The types that a type is made of."""
    if name not in found:
        found.add(name)
        for inner in re.findall(r"#/\$defs/(\w+)", json.dumps(known[name])):
            _reached(inner, known, found)
    return found


def _said(description: str) -> list[str]:
    first = description.split("\n\n")[0].replace("\n", " ")
    return [f"/** {first} */"] if first else []


def _definition(name: str, definition: Schema, *, is_asked: bool) -> list[str]:
    """A type; what the server says has every field, what a page asks may leave out some."""
    if definition.get("type") != "object" or "properties" not in definition:
        return [f"export type {name} = {_type(definition)};"]
    lines = [f"export interface {name} {{"]
    required = set(definition.get("required", ()))
    for key, value in definition["properties"].items():
        mark = "" if key in required or not is_asked else "?"
        lines.append(f"  {key}{mark}: {_type(value)};")
    return [*lines, "}"]


def _type(part: Schema) -> str:
    """The type of one schema."""
    if "$ref" in part:
        return str(part["$ref"].rsplit("/", 1)[-1])
    if "const" in part:
        return _literal(part["const"])
    if "enum" in part:
        return " | ".join(_literal(value) for value in part["enum"])
    for word in ("anyOf", "oneOf"):
        if word in part:
            return " | ".join(dict.fromkeys(_type(one) for one in part[word]))
    kind = part.get("type")
    if kind == "array":
        inner = _type(part.get("items", {}))
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if kind == "object":
        values = part.get("additionalProperties", {})
        return f"Record<string, {_type(values) if isinstance(values, dict) else 'unknown'}>"
    plain = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean"}
    return {**plain, "null": "null"}.get(str(kind), "unknown")


def _literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


if __name__ == "__main__":
    OUTPUT.write_text(typescript(), encoding="utf-8")
