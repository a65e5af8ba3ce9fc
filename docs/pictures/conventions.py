"""Draw the pictures of the page on conventions: `python docs/pictures/conventions.py`."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kempe.draw import View
from kempe.geometry.rotations import exp_so3

HERE = Path(__file__).parent
Floats = NDArray[np.float64]
INK, MUTED, PAPER, FAINT = "#1c2430", "#5c6570", "#fcfbf8", "#d9d3c5"
TONES = {"x": "#bd4426", "y": "#2c7a4b", "z": "#1d5fa6"}
ROWS = View(azimuth=-28.0, elevation=26.0).rows
LONG = 74.0  # px, an axis
QUARTER = 0.5 * np.pi


def seen(points: Iterable[Floats], at: tuple[float, float]) -> Floats:
    """Points (n, 3), in axes' lengths, on the paper."""
    flat = LONG * np.asarray(list(points)) @ ROWS[:2].T
    return np.asarray(at) + flat * [1.0, -1.0]


def line(
    points: Floats, tone: str, width: float = 2.2, *, head: bool = True, dash: str = ""
) -> str:
    """A polyline, with an arrowhead at its end."""
    d = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    marker = f' marker-end="url(#a{tone[1:]})"'
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="{d}" fill="none" stroke="{tone}" stroke-width="{width}"{marker}{dashes}/>'


def text(x: float, y: float, words: str, kind: str = "s", anchor: str = "middle") -> str:
    """Words on the paper."""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>'


def triad(R: Floats, at: tuple[float, float], *, faint: bool = False) -> list[str]:
    """Three arrows along the columns of R, named."""
    items = []
    for k, letter in enumerate("xyz"):
        tip = R[:, k]
        tone = FAINT if faint else TONES[letter]
        items.append(line(seen([0 * tip, tip], at), tone, 1.6 if faint else 2.2))
        if not faint:
            x, y = seen([1.17 * tip], at)[0]
            items.append(text(x, y + 4, letter, "i"))
    return items


def turn_about(axis: Floats, at: tuple[float, float], radius: float = 0.33) -> str:
    """A curled arrow, right-handed about an axis, on it at half its length."""
    side = np.cross(axis, [0.31, 0.52, 0.77])
    side /= np.linalg.norm(side)
    up = np.cross(axis, side)
    angles = np.linspace(0.3, 0.3 + 1.55 * np.pi, 40)
    ring = [0.62 * axis + radius * (np.cos(a) * side + np.sin(a) * up) for a in angles]
    return line(seen(ring, at), MUTED, 1.5)


def page(name: str, title: str, width: int, height: int, items: list[str]) -> None:
    """Write a picture beside this script."""
    tones = {INK, MUTED, FAINT, *TONES.values()}
    heads = "".join(
        f'<marker id="a{t[1:]}" viewBox="0 0 10 10" refX="8.4" refY="5" markerWidth="10"'
        f' markerHeight="10" orient="auto" markerUnits="userSpaceOnUse">'
        f'<path d="M0 1L9 5L0 9Z" fill="{t}"/></marker>'
        for t in sorted(tones)
    )
    style = (
        f".s {{font: 12.5px Helvetica, Arial, sans-serif; fill: {MUTED}}}"
        f".b {{font: bold 14px Helvetica, Arial, sans-serif; fill: {INK}}}"
        f".i {{font: italic 15px Georgia, 'Times New Roman', serif; fill: {INK}}}"
        f".m {{font: 13px Menlo, Consolas, monospace; fill: {INK}}}"
    )
    svg = "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}"'
            f' width="{width}" height="{height}">',
            f"<title>{title}</title><defs>{heads}</defs><style>{style}</style>",
            f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
            *items,
            "</svg>\n",
        ]
    )
    (HERE / f"{name}.svg").write_text(svg, encoding="utf-8")


def order() -> None:
    """A quarter turn about z, then one about x: of the moving frame, and of the fixed one."""
    one, z, x = np.eye(3), exp_so3([0, 0, QUARTER]), exp_so3([QUARTER, 0, 0])
    rows = [
        ("Capitals: the second turn is about the frame's own x", [one, z, z @ x], "Z, then X"),
        ("Small letters: the second turn is about the fixed x", [one, z, x @ z], "z, then x"),
    ]
    items: list[str] = []
    for k, (words, stages, short) in enumerate(rows):
        top = 24.0 + 230.0 * k
        items.append(text(24, top, words, "b", "start"))
        product = "R = Rz Rx" if k == 0 else "R = Rx Rz"
        items.append(text(736, top, f"{short}: {product}", "m", "end"))
        for j, R in enumerate(stages):
            at = (130.0 + 250.0 * j, top + 130.0)
            if j:
                items += triad(stages[j - 1], at, faint=True)
            items += triad(R, at)
            if j < 2:
                axis = one[:, 2] if j == 0 else (z[:, 0] if k == 0 else one[:, 0])
                items.append(turn_about(axis, at))
                if k == 1 and j == 1:  # the fixed x is no axis of the frame any more
                    items.append(line(seen([0 * axis, axis], at), MUTED, 1.3, dash="5 4"))
            caption = ["start", "after a quarter turn about z", "after another"][j]
            items.append(text(at[0], top + 202.0, caption))
    page("rotation_order", "Turns about moving and about fixed axes", 760, 470, items)


def signs() -> None:
    """Positive turns about x, y and z."""
    items = [
        text(
            24,
            26,
            "A positive turn is right-handed: thumb along the axis, fingers turn",
            "b",
            "start",
        )
    ]
    words = ["about x: from y to z", "about y: from z to x", "about z: from x to y"]
    for k, axis in enumerate(np.eye(3)):
        at = (125.0 + 250.0 * k, 150.0)
        items += triad(np.eye(3), at)
        a, b = np.eye(3)[(k + 1) % 3], np.eye(3)[(k + 2) % 3]
        arc = [0.75 * (np.cos(t) * a + np.sin(t) * b) for t in np.linspace(0.08, 1.45, 30)]
        items.append(line(seen(arc, at), INK, 1.8))
        items.append(turn_about(axis, at, 0.2))
        items.append(text(at[0], 240.0, words[k]))
    page("rotation_signs", "The sign of a turn", 760, 262, items)


def quaternions() -> None:
    """The same quaternion with its scalar first and last."""
    names, step = ["w", "x", "y", "z"], 96.0
    rows = [
        (70.0, names, 'Quaternion() or Quaternion("first")', "kempe, MuJoCo, Eigen's constructor"),
        (190.0, ["x", "y", "z", "w"], 'Quaternion("last")', "SciPy, ROS, Eigen's memory, glTF"),
    ]
    items = [text(24, 26, "One rotation by t about the unit axis a", "b", "start")]
    places: list[dict[str, float]] = []
    for y, letters, code, who in rows:
        at = {}
        for k, letter in enumerate(letters):
            x = 40.0 + step * k
            tone = INK if letter == "w" else TONES[letter]
            value = "cos t/2" if letter == "w" else f"a{letter} sin t/2"
            items.append(
                f'<rect x="{x}" y="{y - 24}" width="{step - 8}" height="48" rx="6" fill="white"'
                f' stroke="{tone}" stroke-width="{2.6 if letter == "w" else 1.6}"/>'
            )
            items.append(text(x + 0.5 * (step - 8), y - 4, letter, "i"))
            items.append(text(x + 0.5 * (step - 8), y + 15, value))
            at[letter] = x + 0.5 * (step - 8)
        places.append(at)
        items.append(text(440, y - 4, code, "m", "start"))
        items.append(text(440, y + 15, who, "s", "start"))
    for letter in names:
        a, b = places[0][letter], places[1][letter]
        tone = INK if letter == "w" else TONES[letter]
        items.append(line(np.array([[a, 96.0], [b, 164.0]]), tone, 1.6))
    page("quaternion_orders", "Scalar first and scalar last", 760, 232, items)


if __name__ == "__main__":
    for picture in (order, signs, quaternions):
        picture()
