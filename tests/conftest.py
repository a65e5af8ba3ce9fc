"""What every test shares."""

import zlib
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest
from hypothesis import settings

from kempe.algebra import Expression, Graph, record_formula
from kempe.algebra.native import native_tape

# The same examples on every run and every machine; slow shared cores must not fail a test.
settings.register_profile("kempe", derandomize=True, deadline=None)


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compiled programs of this run only: an older one of the user's would hide what changed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KEMPE_CACHE", str(tmp_path_factory.mktemp("cache")))
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
