"""Four-bars that all but fold flat: the hardest to sweep without a jump."""

import cmath
import math
from collections.abc import Iterator

import numpy as np

from linkage_campaigns.dyads import SixBar

# By how much the longest and the shortest link differ from the other two, shares of a length.
NARROWEST, WIDEST = -12.0, -2.0


def narrow_four_bars(rng: np.random.Generator) -> Iterator[SixBar]:
    """Two lengths sum to the other two but for a hair, or opposite ones are alike but for a hair.

    Where the links lie in one line the branches come as near to each other as the root of the
    hair; they meet at a dead point, or just miss each other.
    """
    while True:
        a, b, c = rng.uniform(0.5, 2.0, 3).tolist()
        hair = float(rng.choice((-1.0, 1.0)) * 10.0 ** rng.uniform(NARROWEST, WIDEST))
        alike = rng.random() < 0.5
        d = b if alike else b + c - a
        if alike:
            c = a  # nearly a parallelogram
        if d <= 0.2:
            continue
        D = cmath.rect(d + hair, rng.uniform(0.0, math.tau))
        start = float(rng.uniform(0.0, math.tau))
        linkage = SixBar(a, b, c, D, start, int(rng.choice((-1, 1))))
        if linkage.rooms(np.array([start]))[0][0] > 1e-3:
            yield linkage
