"""The page of the five sources, made from docs/rows.toml and the marks of tests when it is built.

A page that says `<!-- rows -->` gets the tables in that place: what each row asks for, the command
that shows it, the tests that carry its mark, and a picture of the gallery.
"""

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PLACE = "<!-- rows -->"
MARK = "pytest.mark.row"
FOLDER = "gallery"  # of the pages of entries
SHOWN = 3  # tests of a row, at most; how many more there are is said


@dataclass(frozen=True)
class Row:
    """One row: its name, as B5, what it asks for, and what shows it."""

    name: str
    what: str
    command: str
    picture: str
    open: str


def groups() -> dict[str, tuple[str, list[Row]]]:
    """By letter: the key of the source, and the rows in their order."""
    data: dict[str, Any] = tomllib.loads((ROOT / "docs" / "rows.toml").read_text(encoding="utf-8"))
    found = {}
    for letter, group in data.items():
        rows = [
            Row(f"{letter}{n}", r["what"], r["command"], r["picture"], r.get("open", ""))
            for n, r in group.items()
            if n != "source"
        ]
        found[letter] = (group["source"], rows)
    return found


def marked() -> dict[str, list[str]]:
    """By row: the tests that carry its mark, as tests/a/test_b.py::test_c, or a whole file."""
    found: dict[str, list[str]] = {}
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        text = file.read_text(encoding="utf-8")
        if MARK not in text:
            continue
        path = file.relative_to(ROOT).as_posix()
        for name, rows in _marks(ast.parse(text)):
            for row in rows:
                found.setdefault(row, []).append(f"{path}::{name}" if name else path)
    return found


def _marks(tree: ast.Module) -> Iterator[tuple[str, list[str]]]:
    """(test, rows) of every mark; an empty name for a mark of the whole file."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
            values = node.value.elts if isinstance(node.value, ast.List) else [node.value]
            for value in values:
                yield "", _rows(value)
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                yield node.name, _rows(decorator)


def _rows(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Call) and ast.unparse(node.func) == MARK:
        return [str(ast.literal_eval(argument)) for argument in node.args]
    return []


def tables() -> str:
    """A table for every source."""
    tests, parts = marked(), []
    for letter, (source, rows) in groups().items():
        lines = [f"## {letter}. [{source}]", "", "| | what | command | tests | picture |"]
        lines.append("| --- | --- | --- | --- | --- |")
        lines += [_line(row, tests.get(row.name, [])) for row in rows]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _line(row: Row, tests: list[str]) -> str:
    what = f"{row.what} **Open:** {row.open}" if row.open else row.what
    command = f"`{row.command}`" if row.command else ""
    names = [f"`{test.removeprefix('tests/')}`" for test in tests[:SHOWN]]
    if len(tests) > SHOWN:
        names.append(f"and {len(tests) - SHOWN} more")
    file = f"pictures/gallery/{row.picture}.svg"
    seen = (
        f"[![{row.picture}]({file}){{width=120}}]({FOLDER}/{row.picture}.md)" if row.picture else ""
    )
    return f"| {row.name} | {what} | {command} | {'<br>'.join(names)} | {seen} |"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """What MkDocs calls for every page."""
    return markdown.replace(PLACE, tables()) if PLACE in markdown else markdown
