"""Random states, and the numbers of a chain worked out with fifty digits."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kempe.frames import KinematicState
from kempe.geometry.rotations import exp_so3

PARTS = (
    "position",
    "rotation",
    "velocity",
    "angular_velocity",
    "acceleration",
    "angular_acceleration",
)


def state_of(numbers: dict[str, Any], frame: str, reference: str) -> KinematicState:
    rates = {word: numbers[word] for word in PARTS[2:]}
    return KinematicState(frame, reference, numbers["position"], numbers["rotation"], **rates)


def difference(a: KinematicState, b: KinematicState) -> float:
    """The largest difference of any number of two states of the same frames."""
    assert (a.frame, a.reference) == (b.frame, b.reference)
    return max(float(np.abs(getattr(a, w) - getattr(b, w)).max()) for w in PARTS)


@pytest.fixture(scope="session")
def chain() -> dict[str, Any]:
    """The four edges and the states that follow from them."""
    data = json.loads((Path(__file__).parent / "frame_chain.json").read_text())
    names = ["ground", "one", "two", "three", "four"]
    ground, one, *_, last = names
    return {
        "edges": [state_of(e, names[k + 1], names[k]) for k, e in enumerate(data["edges"])],
        "from_ground": [
            state_of(e, names[k + 1], ground) for k, e in enumerate(data["from_ground"])
        ],
        "last_from_first": state_of(data["last_from_first"], last, one),
        "ground_from_last": state_of(data["ground_from_last"], ground, last),
    }


@pytest.fixture
def any_state(rng: np.random.Generator) -> Callable[..., KinematicState]:
    """A random state, of one instant or of n."""

    def state(frame: str, reference: str, n: int | None = None) -> KinematicState:
        shape = (3,) if n is None else (n, 3)
        p, phi, v, w, a, alpha = rng.normal(size=(6, *shape))
        return KinematicState(
            frame,
            reference,
            p,
            exp_so3(phi),
            velocity=v,
            angular_velocity=w,
            acceleration=a,
            angular_acceleration=alpha,
        )

    return state


@pytest.fixture(scope="session")
def apart() -> Callable[[KinematicState, KinematicState], float]:
    """The largest difference of any number of two states of the same frames."""
    return difference
