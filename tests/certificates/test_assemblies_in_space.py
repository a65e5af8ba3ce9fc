"""Every assembly in space that is listed is proved again, in mpmath's intervals.

Krawczyk's operator K(X) = x - C f(x) + (1 - C J(X)) (X - x) maps the box X into its inside: then X
holds one solution of the block's equations, and no other. C is any matrix; here NumPy's inverse.
"""

import mpmath
import numpy as np
import pytest

import kempe
from kempe.motion.verify.tape_run import run_tape

HALF = 1e-8  # of a box about a listed position, in unknowns of the size of 1


def jacobian(block, rows):
    n = len(block.places)
    return [[row[1].get(j, mpmath.iv.mpf(0)) for j in range(n)] for row in rows]


def is_proved(block, x):
    """Whether one solution, and no other, lies within HALF of x."""
    iv, n = mpmath.iv, len(block.places)
    middle = [iv.mpf(float(c)) for c in x]
    box = [c + iv.mpf([-HALF, HALF]) for c in middle]
    f = [row[0] for row in run_tape(block.tape, middle, iv, block.n_equations)]
    J = jacobian(block, run_tape(block.tape, box, iv, block.n_equations))
    C = np.linalg.inv([[float(entry.mid) for entry in row] for row in J])
    for i in range(n):
        moved = -sum((iv.mpf(float(C[i, k])) * f[k] for k in range(n)), iv.mpf(0))
        for j in range(n):
            left = iv.mpf(1 if i == j else 0) - sum(
                (iv.mpf(float(C[i, k])) * J[k][j] for k in range(n)), iv.mpf(0)
            )
            moved += left * iv.mpf([-HALF, HALF])
        if not (moved.a > -HALF and moved.b < HALF):
            return False
    return True


@pytest.mark.parametrize(
    "name", ["octahedral_platform", "spherical_four_bar", "six_r_arm", "stewart", "rssr"]
)
def test_one_solution_and_no_other_is_near_every_listed_assembly(name):
    found = kempe.gallery.MECHANISMS[name]().assemblies(at=0)
    assert str(found.outcome) == "complete"
    assert len(found) >= 2
    for block in found.blocks:
        places = list(block.places)
        points = np.array([state.x[places] for state in found])
        apart = np.abs(points[:, None] - points[None]).max(axis=2) + np.eye(len(points))
        assert apart.min() > 2.0 * HALF
        assert all(is_proved(block, x) for x in points)


def test_a_position_beside_an_assembly_is_not_proved():
    found = kempe.gallery.spherical_four_bar().assemblies(at=0)
    (block,) = found.blocks
    aside = found[0].x[list(block.places)] + 1e-6
    assert not is_proved(block, aside)
