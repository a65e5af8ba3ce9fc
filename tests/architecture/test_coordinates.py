"""Only compile/layout knows where the numbers of a body lie in q and v; all others ask it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import kempe
from kempe.compile.layout.charts import PLANAR, SPATIAL
from kempe.compile.layout.coordinates import Coordinates

SOURCE = Path(kempe.__file__).parent
OWNER = SOURCE / "compile" / "layout"
BELOW = {"geometry", "algebra"}  # rooms that know of vectors, but of no mechanism
CHARTS = {"chart", "PLANAR", "SPATIAL"}
WIDTHS = {"n_q", "n_v", "n_frame"}
SIZES = {3, 6, 7}  # how many coordinates or velocities a body has
ARRAYS = {"q", "v", "a", "d", "x", "step", "home", "row", "samples", "other", "counts", "held"}


def last_word(node: ast.AST) -> str:
    """The word an expression ends with: q of motion.q[0], chart of layout.chart."""
    while isinstance(node, ast.Subscript | ast.Call):
        node = node.value if isinstance(node, ast.Subscript) else node.func
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def is_size(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value in SIZES


def breaches(tree: ast.AST) -> Iterator[int]:
    """The lines that count a body's numbers by hand."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and node.attr in WIDTHS
            and last_word(node.value) in CHARTS
        ):
            yield node.lineno  # chart.n_q
        elif isinstance(node, ast.Subscript) and last_word(node.value) in ARRAYS:
            parts = list(ast.walk(node.slice))
            counted = (ast.Mult, ast.FloorDiv, ast.Mod)
            products = [p for p in parts if isinstance(p, ast.BinOp) and isinstance(p.op, counted)]
            strides = [p.step for p in parts if isinstance(p, ast.Slice) and p.step is not None]
            if products or any(is_size(step) for step in strides):
                yield node.lineno  # q[k * n : (k + 1) * n], q[3 * k + 2], v[2::3]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            sides = (node.left, node.right)
            if any(is_size(s) for s in sides) and any(last_word(s) == "n_bodies" for s in sides):
                yield node.lineno  # 3 * layout.n_bodies
        elif isinstance(node, ast.Call) and last_word(node.func) == "reshape":
            assert isinstance(node.func, ast.Attribute)
            is_coordinates = last_word(node.func.value) in {"q", "v", "a"}
            if any(last_word(s) == "n_bodies" for s in node.args):
                yield node.lineno  # reshape(layout.n_bodies, n)
            elif is_coordinates and any(is_size(s) for s in node.args):
                yield node.lineno  # q.reshape(-1, 3)


BY_HAND = """
q[3 * k + 2]
motion.q[:, k * n : (k + 1) * n]
motion.v[:, k * layout.chart.n_v :]
q[layout.n_bodies * chart.n_q :]
x[: bodies * n].reshape(bodies, n)
step[:n].reshape(layout.n_bodies, n)
home[2::3]
state.q.reshape(-1, 3)
motion.a.reshape(k, b, 6)
slice(2, 3 * layout.n_bodies, 3)
[b * chart.n_q + k for b in bodies for k in range(size)]
row[k * n + 3 : k * n + 6]
held[k * n + _coordinate(layout, name, word)]
chart.seeds(frame, k * PLANAR.n_v)
"""
ASKED = """
q[at.q_of(k)]
motion.q[:, at.turn_of(k)]
q[at.angles]
at.v_by_body(step)[:, 0]
points.reshape(-1, 3)
numbers[6 * k : 6 * k + 6]
q[::stride]
np.zeros((len(t), layout.n_v))
"""


@pytest.mark.parametrize("line", BY_HAND.strip().splitlines())
def test_counting_by_hand_is_seen(line):
    assert list(breaches(ast.parse(line)))


@pytest.mark.parametrize("line", ASKED.strip().splitlines())
def test_asking_the_layout_is_allowed(line):
    assert not list(breaches(ast.parse(line)))


def test_nobody_but_the_layout_counts_coordinates():
    others = [
        path
        for path in sorted(SOURCE.rglob("*.py"))
        if OWNER not in path.parents and path.relative_to(SOURCE).parts[0] not in BELOW
    ]
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in others
        for line in sorted(set(breaches(ast.parse(path.read_text()))))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("chart", [PLANAR, SPATIAL], ids=["plane", "space"])
def test_every_coordinate_belongs_to_one_body_or_is_an_own_unknown(chart):
    at, n_own = Coordinates(chart, 4), 2
    q = np.arange(at.bodies_q.stop + n_own)
    v = np.arange(at.bodies_v.stop + n_own)
    by_q = [q[at.q_of(k)].tolist() for k in range(4)]
    by_v = [v[at.v_of(k)].tolist() for k in range(4)]
    assert [x for own in by_q for x in own] + q[at.own_q].tolist() == q.tolist()
    assert [x for own in by_v for x in own] + v[at.own_v].tolist() == v.tolist()
    assert at.q_by_body(q).tolist() == by_q
    assert at.v_by_body(v).tolist() == by_v
    for k in range(4):
        assert q[at.place_of(k)].tolist() + q[at.turn_of(k)].tolist() == by_q[k]
        assert v[at.way_of(k)].tolist() + v[at.spin_of(k)].tolist() == by_v[k]
        assert at.is_angular[at.spin_of(k)].all()
        assert not at.is_angular[at.way_of(k)].any()
        assert at.is_turn[at.turn_of(k)].all()
        assert not at.is_turn[at.place_of(k)].any()
    assert at.all_q_of([2, 0]).tolist() == by_q[2] + by_q[0]
    assert at.all_v_of([2, 0]).tolist() == by_v[2] + by_v[0]
    body, part = at.body_of(v[at.bodies_v])
    assert at.column_of(body, part).tolist() == v[at.bodies_v].tolist()
    assert at.group_of_each(n_own).tolist() == [*body.tolist(), 4, 5]


def test_angles_of_a_plane_are_the_last_number_of_every_body():
    at = Coordinates(PLANAR, 3)
    q = np.arange(at.bodies_q.stop + 1)
    assert q[at.angles].tolist() == [2, 5, 8]
    assert [at.angle_of(k) for k in range(3)] == [2, 5, 8]
