"""Print what is worth a look in the source: large folders, long functions, deep imports.

`python tools/alarms.py` lists folders of more than 15 files (families of words, the gallery and the
commands excepted: there, one file a member is the point), functions of more than 60 lines, and
chains of imports of more than 8 files inside one room. Alarms are no errors: it exits with 0.
"""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src" / "kempe"
CORE = SOURCE.parent.parent / "core"
FILES, LINES, CHAIN = 15, 60, 8
#: one file a member: words of the trade, mechanisms, commands
FAMILIES = {
    *("joints", "couplers", "drives", "forces", "constraints", "measures", "gallery", "cli"),
    *(
        "geometry/curves",
        "geometry/surfaces",
        "geometry/rotations",
        "geometry/specific",
        "geometry/solids",
    ),
}


def large_folders() -> Iterator[str]:
    """Folders with more files than one sees at a glance; `__init__.py` is not counted."""
    for base in (SOURCE, CORE):
        for folder in sorted([base, *(p for p in base.rglob("*") if p.is_dir())]):
            files = [
                p
                for p in folder.iterdir()
                if p.suffix in {".py", ".cpp", ".js"} and p.name != "__init__.py"
            ]
            name = folder.relative_to(base).as_posix()
            if len(files) > FILES and not (base is SOURCE and name in FAMILIES):
                yield f"{folder.relative_to(SOURCE.parent.parent)}: {len(files)} files"


def long_functions() -> Iterator[str]:
    """Functions of more lines than a screen shows."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > LINES:
                    where = path.relative_to(SOURCE.parent.parent)
                    yield f"{where}:{node.lineno} {node.name}: {lines} lines"


def imports() -> dict[str, set[str]]:
    """For every module, the modules that it imports when it is loaded."""
    names = {
        ".".join(("kempe", *path.relative_to(SOURCE).with_suffix("").parts)): path
        for path in SOURCE.rglob("*.py")
        if path.name != "__init__.py"
    }
    found: dict[str, set[str]] = {}
    for name, path in names.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        wanted = [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module]
        words = {f"{n.module}.{a.name}" for n in wanted for a in n.names}
        found[name] = ({str(n.module) for n in wanted} | words) & names.keys()
    return found


def deep_chains() -> Iterator[str]:
    """The longest chain of imports inside every room, where it is longer than one remembers."""
    wanted = imports()
    rooms = {name.split(".")[1] for name in wanted}

    @cache
    def longest(name: str) -> tuple[str, ...]:
        room = name.split(".")[1]
        below = [longest(other) for other in wanted[name] if other.split(".")[1] == room]
        return (name, *max(below, key=len, default=()))

    for room in sorted(rooms):
        chain = max((longest(n) for n in wanted if n.split(".")[1] == room), key=len)
        if len(chain) > CHAIN:
            steps = " > ".join(name.removeprefix(f"kempe.{room}.") for name in chain)
            yield f"{room}: {len(chain)} files: {steps}"


def main() -> int:
    """Print every alarm under its heading."""
    for heading, alarms in (
        (f"Folders of more than {FILES} files", large_folders()),
        (f"Functions of more than {LINES} lines", long_functions()),
        (f"Chains of more than {CHAIN} imports inside a room", deep_chains()),
    ):
        lines = list(alarms)
        print(f"{heading}: {len(lines)}")
        for line in lines:
            print(f"  {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
