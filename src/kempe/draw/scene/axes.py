"""Frames in space: every frame as three arrows, tied to the frame it hangs on."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from kempe.draw.scene.parts import DrawnBody, Frame, JointSymbol, PoseSeries
from kempe.draw.scene.scene import Scene
from kempe.draw.scene.shapes import Polyline
from kempe.errors import BadNumber
from kempe.frames import FrameGraph, KinematicState
from kempe.frames.networks.network import breadth_first
from kempe.geometry.rotations import Matrix

# The arrows of x, y and z: tones of the palette (red, green, blue), and one head, two, three, so
# that they can be told apart without colours.
TONES = (1, 2, 0)
HEAD, HALF_WIDTH = 0.2, 0.07  # of an arrow's length
SHARE = 0.14  # of the scene's size: an arrow's length
MOST = 400  # frames in one picture
DIGITS = 9  # behind the point, to which frames that coincide agree
NAMED = 3  # names of frames that coincide, in one label


def axes_scene(
    graph: FrameGraph,
    t: float | ArrayLike = 0.0,
    *,
    seen_from: str | None = None,
    frames: Iterable[str] | None = None,
    length: float | None = None,
    title: str = "frames",
) -> Scene:
    """A scene of frames as arrows x (one head), y (two), z (three), at a time or at many (s).

    All frames of the tree of `seen_from` are shown, by default those of the first root, or the
    `frames` named. `length` (m) is that of the arrows. Show it with `scene_svg` or `write_player`.

    Examples:
        >>> from kempe.draw import axes_scene, scene_svg
        >>> from kempe.frames import FrameGraph, Rigid
        >>> crane = FrameGraph("ground")
        >>> crane.add("boom", "ground", Rigid([0, 0, 2]))
        >>> scene_svg(axes_scene(crane), names=True).startswith("<svg")
        True
    """
    times = np.atleast_1d(np.asarray(t, dtype=np.float64))
    if not len(graph):
        raise BadNumber("there is no frame to draw.")
    eye = seen_from or next(name for name in graph if graph.parent(name) is None)
    shown = list(dict.fromkeys(_tree(graph, eye) if frames is None else frames))
    if len(shown) > MOST:
        raise BadNumber(
            f"{len(shown)} frames are too many for one picture, which holds {MOST}: choose some,"
            " frames=[...]."
        )
    states = {name: graph.state(name, eye, times) for name in shown}
    places = np.stack([state.position for state in states.values()])
    if length is None:
        reach = float(np.linalg.norm(np.ptp(places.reshape(-1, 3), axis=0)))
        length = SHARE * reach or 1.0
    groups = _coincident(states)
    bodies, taken = [], set()
    for names in groups:
        state, word = states[names[0]], _label(names)
        motion = PoseSeries(state.position, Matrix().quaternions(state.rotation))
        # Of frames in one place the first is named at its origin, the others at their arrows.
        is_first = (place := (state.position.round(DIGITS) + 0.0).tobytes()) not in taken
        taken.add(place)
        origin = {word: (0.0, 0.0, 0.0)} if is_first else {}
        bodies.append(DrawnBody(word, motion, _arrows(length), origin))
    drawn_as = {name: _label(names) for names in groups for name in names}
    return Scene(title, False, times, bodies, _ties(graph, drawn_as), names=True)


def _coincident(states: dict[str, KinematicState]) -> list[list[str]]:
    """Frames that are the same at all times shown: they are drawn once, with all their names."""
    groups: dict[bytes, list[str]] = {}
    for name, state in states.items():
        numbers = np.concatenate([state.position, state.rotation.reshape(-1, 9)], axis=1)
        groups.setdefault((numbers.round(DIGITS) + 0.0).tobytes(), []).append(name)
    return list(groups.values())


def _label(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _tree(graph: FrameGraph, name: str) -> list[str]:
    """The frames that can be seen from one, parents first."""
    root = name
    while (up := graph.parent(root)) is not None:
        root = up
    return list(breadth_first(graph.network, root).parent)


def _arrows(length: float) -> list[Polyline]:
    arrows = []
    for k, tone in enumerate(TONES):
        along, aside = length * np.eye(3)[k], length * np.eye(3)[(k + 1) % 3]
        line = [0.0 * along, along]
        for head in range(k + 1):
            tip = along * (1.0 - 0.5 * HEAD * head)
            barbs = [tip - HEAD * along + side * HALF_WIDTH * aside for side in (1, -1)]
            line += [tip, barbs[0], tip, barbs[1], tip]
        arrows.append(Polyline([tuple(p.tolist()) for p in line], colour=tone))
    return arrows


def _ties(graph: FrameGraph, drawn_as: dict[str, str]) -> list[JointSymbol]:
    origin = (0.0, 0.0, 0.0)
    ties = [(f, up, "tie") for f in drawn_as if (up := graph.parent(f)) is not None]
    ties += [(c.frame, c.reference, "coupled") for c in graph.closing]
    symbols = {}
    for frame, up, kind in ties:
        a, b = drawn_as.get(up), drawn_as.get(frame)
        if a is not None and b is not None and a != b:
            word = f"{b} seen from {a}"
            symbols[word, kind] = JointSymbol(word, kind, Frame(a, origin), Frame(b, origin))
    return list(symbols.values())
