"""What every test shares."""

import os
import signal
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

from kempe.algebra import Expression, Graph, record_formula
from kempe.algebra.native import native_tape
from kempe.geometry import Pose, Rotation, Vector

# The same examples on every run and every machine; slow shared cores must not fail a test.
settings.register_profile("kempe", derandomize=True, deadline=None)

# A shell that starts tests in the background has Ctrl-C ignored, also where a test sends it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Names of tests hold no address: processes that share a run must collect the same ones."""
    for item in items:
        if " at 0x" in item.nodeid:
            raise pytest.UsageError(f"{item.nodeid}: give its parameters ids of their own")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compiled programs of this run only: an older one of the user's would hide what changed.

    Processes that share the run share them too, as those of a user do."""
    run = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        run = run.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KEMPE_CACHE", str(run / "cache"))
        yield


@pytest.fixture(scope="session", autouse=True)
def _nothing_outlives_a_power_cut() -> Iterator[None]:
    """Files of tests are not forced down to the disk: on a busy one each of them takes a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """Random numbers of this test alone, the same on every run."""
    seed = zlib.crc32(request.node.name.encode())
    print(f"seed {seed}")  # shown where the test fails
    return np.random.default_rng(seed)


@pytest.fixture(scope="session")
def traced() -> Callable[[str], list[Expression]]:
    """Inputs of a new graph by their names: x, y = traced("x y")."""

    def inputs(names: str) -> list[Expression]:
        graph = Graph()
        return [Expression(graph, graph.input(name)) for name in names.split()]

    return inputs


@pytest.fixture(scope="session")
def evaluate() -> Callable[..., np.ndarray]:
    """Numbers of traced values: evaluate([x, y], [x + y], [1.0, 2.0]) is [3.0]."""

    def numbers(
        inputs: Sequence[Expression], outputs: Sequence[Expression], point: Sequence[float]
    ) -> np.ndarray:
        tape = record_formula(inputs, outputs)
        rows = np.array([point], dtype=np.float64)
        return native_tape(tape).evaluate(rows, tape.outputs)[0]

    return numbers


@pytest.fixture(scope="session")
def hinged_bars() -> Callable[..., Any]:
    """Crank, coupler and rocker without guesses, hinged in a loop: hinged_bars(m, "abc", ...)."""

    def put(m: Any, names: Sequence[str], lengths: Sequence[float], ground: float) -> list[Any]:
        crank, coupler, rocker = bars = [m.bar(*each) for each in zip(names, lengths, strict=True)]
        m.revolute(m.ground.at(0, 0), crank.start)
        m.revolute(crank.end, coupler.start)
        m.revolute(coupler.end, rocker.end)
        m.revolute(rocker.start, m.ground.at(ground, 0))
        return bars

    return put


@pytest.fixture
def anywhere(rng: np.random.Generator) -> Callable[[], Pose]:
    """Poses at random, as plain numbers."""

    def pose() -> Pose:
        q = rng.normal(size=4)
        turn = Rotation.from_quaternion((q / np.linalg.norm(q)).tolist())
        return Pose(Vector(*rng.uniform(-1.0, 1.0, 3).tolist()), turn)

    return pose


@pytest.fixture(scope="session")
def moved() -> Callable[[Pose, Sequence[float]], Pose]:
    """A pose after a twist (v, w) in world axes: shifted by v, turned by w about its origin."""

    def along(X: Pose, twist: Sequence[float]) -> Pose:
        v, w = np.split(np.asarray(twist, dtype=float), 2)
        angle = float(np.linalg.norm(w))
        turn = Rotation.about(w, angle) if angle > 0.0 else Rotation.identity()
        return Pose(X.position + Vector(*v.tolist()), turn @ X.rotation)

    return along


@pytest.fixture(scope="session")
def sensitivity(moved: Callable[..., Pose]) -> Callable[..., np.ndarray]:
    """Derivatives (rows, 6) of rows(X_WI, X_WJ) to the twist of J, by central differences."""

    def matrix(rows: Callable[[Pose, Pose], Sequence[float]], X_WI: Pose, X_WJ: Pose) -> np.ndarray:
        step = 1e-6
        columns = []
        for k in range(6):
            ends = [
                np.array(rows(X_WI, moved(X_WJ, sign * step * np.eye(6)[k])), dtype=float)
                for sign in (1.0, -1.0)
            ]
            columns.append((ends[0] - ends[1]) / (2.0 * step))
        return np.array(columns).T

    return matrix
