"""A new joint is one file and one export line: nothing else knows its name.

A joint that a user writes in a file of his own needs not even the export: it is built, assembled,
swept, compiled, drawn and exported like kempe's own.
"""

import ast
import functools
import importlib.util
import inspect
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import kempe
import kempe.constraints
import kempe.couplers
import kempe.drives
import kempe.joints
import kempe.measures
from kempe.compile.llvm.machine_code import llvm_available
from kempe.export.writing import write
from kempe.kinematics.stepping.preparation import prepare

SOURCE = Path(kempe.__file__).parent
FAMILIES = {
    "joints": kempe.joints.AbstractJoint,
    "constraints": kempe.constraints.AbstractConstraint,
    "measures": kempe.measures.AbstractMeasure,
    "couplers": kempe.couplers.AbstractCoupler,
    "drives": kempe.drives.AbstractLaw,
}
#: Who makes joints, and so names them: builders and their mechanisms, the rail of a rider on a
#: curve, looser joints that are proposed. Of couplers also who draws teeth, racks and cams.
MAKERS = {
    "joints": (
        "front/",
        "gallery/",
        "dynamics/curve_riders.py",
        "foreign/",
        "kinematics/mobility/loosening.py",
        "kinematics/mobility/stiffening.py",
        "model/beam.py",
    ),
    "couplers": ("foreign/", "front/", "gallery/", "pictures/wheels.py"),
}
QUESTIONS = {"isinstance", "issubclass", "type"}

USERS_FILE = '''
"""A joint of a user: a pin on a parabola."""

from dataclasses import dataclass
from typing import ClassVar

import kempe


@dataclass(frozen=True)
class Parabola(kempe.AbstractJoint):
    """J stays on y = x^2 / (4 focus) in the frame of I."""

    focus: float = 0.25  # m

    rows: ClassVar[tuple[str, ...]] = ("m", "m")
    symbol: ClassVar[str] = "slot"

    def phi(self, X_WI, X_WJ):
        d = X_WJ.position - X_WI.position
        x, y, z = (d @ X_WI.axis(axis) for axis in (kempe.X, kempe.Y, kempe.Z))
        return [y - x * x / (4.0 * self.focus), z]

    def jacobian(self, X_WI, X_WJ):
        d = X_WJ.position - X_WI.position
        i, j, k = (X_WI.axis(axis) for axis in (kempe.X, kempe.Y, kempe.Z))
        slope = (d @ i) / (2.0 * self.focus)
        n = j - i * slope
        rows = []
        for a in (n, k):
            turn = a.cross(d)
            rows.append([*(-a), *turn, *a, 0.0, 0.0, 0.0])
        return rows


m = kempe.Builder("parabola", plane=True)
pin = m.body("pin", at=(0.5, 0.25))
m.add(Parabola(m.ground.at(0, 0), pin.at(0, 0)), name="curve")
m.hold(pin, angle=0.0)
m.drive(pin.x, start=0.5, speed=1.0)
mechanism = m.build()
'''


@pytest.fixture
def users_module(tmp_path):
    """The user's file, imported as his program would be."""
    path = tmp_path / "users_parabola.py"
    path.write_text(USERS_FILE)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[path.stem]


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("executor", ["vm", "auto"])
def test_a_user_s_joint_moves_like_kempe_s_own(users_module, plan, executor):
    turn = users_module.mechanism.kinematics(until=1.0, steps=100, plan=plan, executor=executor)
    assert turn.outcome.is_done
    x, y = turn["pin"].position.T
    np.testing.assert_allclose(x, 0.5 + turn.t, atol=1e-12)
    np.testing.assert_allclose(y, x * x, atol=1e-12)
    np.testing.assert_allclose(turn["pin"].velocity[:, 1], 2.0 * x, atol=1e-11)
    np.testing.assert_allclose(turn["pin"].acceleration[:, 1], 2.0, atol=1e-10)


@pytest.mark.skipif(not llvm_available(), reason="llvmlite does not work here")
def test_a_user_s_joint_is_compiled_as_a_whole(users_module):
    """Full speed: the same fused machine code, no Python in the loop."""
    program = prepare(users_module.mechanism.layout, 0.0).equations.program
    assert program.executor == "llvm"
    assert program.fused_address != 0


def test_a_user_s_joint_costs_newton_no_more_than_kempe_s_own(users_module):
    counts = users_module.mechanism.kinematics(until=1.0, steps=100).motion.counts
    assert counts["iterations"] <= 2 * 101
    assert counts["fallbacks"] == 0


def test_a_user_s_joint_is_drawn_and_exported(users_module, tmp_path):
    turn = users_module.mechanism.kinematics(until=1.0, steps=10)
    for ending in (".csv", ".svg", ".html"):
        assert write(turn, tmp_path / f"turn{ending}").stat().st_size > 0


# -- kempe's own -----------------------------------------------------------------------------


def members(room):
    module = getattr(kempe, room)
    return [
        name
        for name in module.__all__
        if inspect.isclass(thing := getattr(module, name))
        and issubclass(thing, FAMILIES[room])
        and not name.startswith("Abstract")
    ]


def names_used(path):
    """Every identifier in a file's code; comments and docstrings do not count."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                found.add(name)
            case ast.ImportFrom(names=imported):
                found |= {alias.name for alias in imported}
    return found


@functools.cache
def used_everywhere():
    """The names every file uses, by its path."""
    return {path.relative_to(SOURCE): names_used(path) for path in SOURCE.rglob("*.py")}


ALL = [(room, name) for room in ("joints", "couplers") for name in members(room)]


@pytest.mark.parametrize(("room", "name"), ALL, ids=[name for _, name in ALL])
def test_nobody_knows_a_member_by_name_but_who_makes_one(room, name):
    knowing = {
        path.as_posix()
        for path, used in used_everywhere().items()
        if name in used and path.parts[0] != room and not path.as_posix().startswith(MAKERS[room])
    }
    # a class of the same name in another room is no joint
    same = {p for p in knowing if _imports_from(SOURCE / p, f"kempe.{room}", name)}
    assert not same


@pytest.mark.parametrize(("room", "name"), ALL, ids=[name for _, name in ALL])
def test_nobody_asks_whether_something_is_of_a_member_s_class(room, name):
    """Who makes a joint may name it, but asks no joint what its class is."""
    asking = {
        path.as_posix()
        for path, used in used_everywhere().items()
        if name in used
        and path.parts[0] != room
        and name in _asked(SOURCE / path)
        and _imports_from(SOURCE / path, f"kempe.{room}", name)
    }
    assert not asking


def _asked(path):
    """Names that stand in a question after a class, in a comparison or as the key of a table."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        is_question = isinstance(node, ast.Call) and getattr(node.func, "id", "") in QUESTIONS
        if is_question or isinstance(node, (ast.Compare, ast.MatchClass)):
            found |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        if isinstance(node, ast.Dict):
            found |= {
                n.id for key in node.keys if key for n in ast.walk(key) if isinstance(n, ast.Name)
            }
    return found


def _imports_from(path, room, name):
    return any(
        isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith(room)
        and name in [alias.name for alias in node.names]
        for node in ast.walk(ast.parse(path.read_text()))
    )


@pytest.mark.parametrize(("room", "name"), ALL, ids=[name for _, name in ALL])
def test_a_member_is_one_file_and_one_export(room, name):
    """Inside its room: the file that defines it, one line of exports, and no third."""
    own = Path(inspect.getsourcefile(getattr(getattr(kempe, room), name)))
    files = {
        path.name
        for path, used in used_everywhere().items()
        if path.parts[0] == room and (name in used or _defines(SOURCE / path, name))
    }
    assert files <= {own.name, "__init__.py"}
    exports = (SOURCE / room / "__init__.py").read_text().splitlines()
    assert [line for line in exports if re.search(rf"\b{name}\b", line)] == [
        f"from kempe.{room}.{own.stem} import {name} as {name}"
    ]


def _defines(path, name):
    tree = ast.parse(path.read_text())
    return any(isinstance(node, ast.ClassDef) and node.name == name for node in tree.body)


@pytest.mark.parametrize("room", FAMILIES)
def test_every_class_of_a_family_s_room_is_exported(room):
    """A file that is not exported would escape every law."""
    module = getattr(kempe, room)
    for path in sorted((SOURCE / room).glob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                thing = getattr(importlib.import_module(f"kempe.{room}.{path.stem}"), node.name)
                if issubclass(thing, FAMILIES[room]):
                    assert node.name in module.__all__, f"{path.name} is not exported"
