"""Words of bars: those that see lines alone say the same wherever a bar ends on its line."""

import numpy as np
import pytest

import kempe.constraints
from kempe.constraints import AbstractBarConstraint
from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.curves import Circle
from kempe.geometry.surfaces import SphereSurface

FIELDS = {
    "angle": 0.7,
    "length": 0.4,
    "curve": Circle((0.3, 0.2), 1.1),
    "surface": SphereSurface((0.3, 0.2, 0.1), 1.1),
}
ROUNDED = 1e-12  # rows of the size of 1
SAMPLES = 50
KINDS = [
    kind
    for kind in vars(kempe.constraints).values()
    if isinstance(kind, type)
    and issubclass(kind, AbstractBarConstraint)
    and not kind.__name__.startswith("Abstract")
]


def signs(rows: list[float]) -> list[int]:
    """Of rows, 0 where a row vanishes."""
    return [0 if abs(row) < ROUNDED else int(np.sign(row)) for row in rows]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_word_of_lines_says_the_same_of_a_direction(kind: type[AbstractBarConstraint]) -> None:
    wanted = kind.__dataclass_fields__  # type: ignore[attr-defined]
    own = kind(**{name: value for name, value in FIELDS.items() if name in wanted})
    of_length_1 = own.with_lengths(dict.fromkeys((bar.length for bar in own.bars), 1.0))
    rng, same = np.random.default_rng(8), []
    for _ in range(SAMPLES):
        X = [
            Pose(Vector(*rng.normal(size=2), 0.0), Rotation.planar(float(rng.normal())))
            for _ in range(own.frames)
        ]
        t = [float(rng.uniform(0.0, 1.0)) for _ in own.unknowns]
        directions = [u / float(u.norm) for u in own.vectors(*X)]
        same.append(signs(own.phi(*X, *t)) == signs(of_length_1.rows_along(directions, *X, *t)))
    assert all(same) == own.sees_lines
