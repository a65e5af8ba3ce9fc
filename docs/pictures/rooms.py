"""Draw the rooms of kempe as pyproject.toml orders them: `python docs/pictures/rooms.py`."""

import tomllib
from html import escape
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SOURCE, CORE = ROOT / "src" / "kempe", ROOT / "core"

WIDTH, CORE_WIDTH, MARGIN, GAP = 900, 150, 16, 7  # px
TITLE, LINE, PAD = 25, 17, 7  # px: a room's name, a line of sub-rooms, what is left below them
LETTER = 6.3  # px, of a sub-room's name
STYLE = """
text {font: 11.5px Helvetica, Arial, sans-serif; fill: #5c6570}
.b {font: bold 13px Helvetica, Arial, sans-serif; fill: #1c2430}
.box {fill: #f4f2ec; stroke: #5c6570; stroke-width: 1.2}
.cpp {fill: #dce6f1; stroke: #1d5fa6; stroke-width: 1.2}
.later {fill: #fcfbf8; stroke: #9aa3ad; stroke-width: 1.1; stroke-dasharray: 5 4}
.line {fill: none; stroke: #1d5fa6; stroke-width: 1.4}
"""

Layers = list[list[str]]


def layers() -> dict[str, Layers]:
    """For `kempe` and every room that has an order of its own: its layers from top to bottom."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return {
        container: [
            [room.strip("() ") for room in layer.replace("|", ":").split(":")]
            for layer in contract["layers"]
        ]
        for contract in tomllib.loads(text)["tool"]["importlinter"]["contracts"]
        for container in contract.get("containers", ())
    }


def is_room(path: Path) -> bool:
    """Whether a folder is a package."""
    return (path / "__init__.py").exists()


def sub_rooms(room: str, known: dict[str, Layers]) -> Layers:
    """The folders of a room, from top to bottom; beside each other where no order is stated."""
    folder = SOURCE / room
    if not is_room(folder):
        return []
    ordered = known.get(f"kempe.{room}")
    if ordered is None:
        names = sorted(path.name for path in folder.iterdir() if is_room(path))
        return [names] if names else []
    found = [[name for name in layer if is_room(folder / name)] for layer in ordered]
    return [layer for layer in found if layer]


def said(folder: Path, name: str) -> str:
    """A sub-room's name, with those of its own folders."""
    inside = sorted(p.name for p in (folder / name).iterdir() if p.is_dir() and is_room(p))
    return f"{name} ({', '.join(inside)})" if inside else name


def wrapped(words: list[str], width: float) -> list[str]:
    """Words joined by bars in as many lines as the width asks for."""
    lines: list[str] = []
    for word in words:
        if lines and LETTER * (len(lines[-1]) + len(word) + 3) <= width:
            lines[-1] += f" | {word}"
        else:
            lines.append(word)
    return lines


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "middle") -> str:
    """Words on the picture."""
    class_ = f' class="{kind}"' if kind else ""
    return f'<text{class_} x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(words)}</text>'


def box(x: float, y: float, width: float, height: float, kind: str) -> str:
    """A rounded box."""
    size = f'width="{width:g}" height="{height:g}"'
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" {size} rx="5"/>'


def row(rooms: list[str], known: dict[str, Layers], y: float) -> tuple[list[str], float]:
    """One layer of rooms beside each other, and its height."""
    space = WIDTH - CORE_WIDTH - 3 * MARGIN
    width = (space - GAP * (len(rooms) - 1)) / len(rooms)
    inside = {
        room: [
            line
            for layer in sub_rooms(room, known)
            for line in wrapped([said(SOURCE / room, name) for name in layer], width - 2 * PAD)
        ]
        for room in rooms
    }
    lines = max(len(found) for found in inside.values())
    height = TITLE + (LINE * lines + PAD if lines else 0)
    drawn = []
    for k, room in enumerate(rooms):
        x = MARGIN + k * (width + GAP)
        there = is_room(SOURCE / room) or (SOURCE / f"{room}.py").exists()
        drawn.append(box(x, y, width, height, "box" if there else "later"))
        title = room if there else f"{room} (not yet)"
        drawn.append(text(x + width / 2, y + 17, title, "b"))
        drawn += [
            text(x + width / 2, y + TITLE + 11 + LINE * n, line)
            for n, line in enumerate(inside[room])
        ]
    return drawn, height


def core_column(top: float, bottom: float, level: float) -> list[str]:
    """The folders of the C++ core at the right, and the one line that leads there."""
    x = WIDTH - CORE_WIDTH - MARGIN
    folders = sorted({p.parent.relative_to(CORE).as_posix() for p in CORE.rglob("*.cpp")} - {"."})
    drawn = [box(x, top, CORE_WIDTH, bottom - top, "cpp")]
    drawn.append(text(x + CORE_WIDTH / 2, top + 20, "core (C++)", "b"))
    drawn += [text(x + CORE_WIDTH / 2, top + 44 + LINE * n, name) for n, name in enumerate(folders)]
    drawn.append(f'<path class="line" d="M{x - MARGIN} {level:g}H{x}"/>')
    return drawn


def rooms_svg() -> str:
    """The picture."""
    known = layers()
    y, drawn, level = float(MARGIN), [], 0.0
    for layer in known["kempe"]:
        parts, height = row(layer, known, y)
        drawn += parts
        if "algebra" in layer:
            level = y + height / 2
        y += height + GAP
    drawn += core_column(MARGIN, y - GAP, level)
    height = y - GAP + MARGIN
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" height="{height:g}">'
    )
    title = "<title>The rooms of kempe, top to bottom; a room may only look down</title>"
    paper = f'<rect width="{WIDTH}" height="{height:g}" fill="#fcfbf8"/>'
    return "\n".join([head, title, f"<style>{STYLE}</style>", paper, *drawn, "</svg>", ""])


if __name__ == "__main__":
    (HERE / "rooms.svg").write_text(rooms_svg(), encoding="utf-8")
