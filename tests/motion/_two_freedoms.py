"""Mechanisms of two freedoms whose positions make a known surface."""

import itertools
import math

import kempe
from kempe.geometry import GROUND, Marker, Rotation
from kempe.geometry.surfaces import TorusSurface

COARSE = kempe.Effort(resolution=1e-2)


def rod_in_space():
    """A point held by a rod of 1 m: a sphere."""
    m = kempe.Builder("point on a rod")
    P = m.point("P", at=(1.0, 0.0, 0.0))
    m.stick("rod", m.ground.at(0.0, 0.0, 0.0), P, 1.0)
    return m.build()


def point_on_torus(radius=2.0, tube=1.0):
    """A point on a torus: that torus."""
    m = kempe.Builder("point on a torus")
    m.point("P", at=(radius + tube, 0.0, 0.0), on=TorusSurface((0.0, 0.0, 0.0), radius, tube))
    return m.build()


def arm_of_two(upper=1.0, lower=0.8):
    """Two bars in a row, free to turn: a torus of two angles."""
    m = kempe.Builder("arm", plane=True)
    a = m.bar("upper", upper, at=(0.0, 0.0), angle=0.3)
    b = m.bar("lower", lower, at=(upper * math.cos(0.3), upper * math.sin(0.3)), angle=1.0)
    m.revolute(m.ground.at(0.0, 0.0), a.start, name="O")
    m.revolute(a.end, b.start, name="A")
    return m.build()


def two_hinges_in_space():
    """Two bodies on hinges whose axes cross askew: a torus of two angles."""
    m = kempe.Builder("two hinges")
    m.body("base", points={"P": (1.0, 0.0, 0.0)})
    m.body("hand", points={"Q": (0.5, 0.0, 0.0)})
    m.revolute(Marker(GROUND), Marker("base"), name="base_hinge")
    askew = Rotation.about((1.0, 0.0, 0.0), 1.1)
    m.revolute(Marker("base", (1.0, 0.0, 0.0), askew), Marker("hand"), name="tip")
    return m.build()


def five_bar(lengths):
    """A closed chain of four bars and the ground, of these lengths."""
    m = kempe.Builder("five-bar", plane=True)
    bars = [m.bar(f"bar{k}", length) for k, length in enumerate(lengths[:4])]
    m.revolute(m.ground.at(0.0, 0.0), bars[0].start)
    for a, b in itertools.pairwise(bars):
        m.revolute(a.end, b.start)
    m.revolute(bars[3].end, m.ground.at(lengths[4], 0.0))
    return m.build()


def pentagons(lengths):
    """(components, Euler characteristic) of all planar pentagons with sides of these lengths.

    With a_k the number of sets of k + 1 sides, the longest among them, that are shorter than the
    other sides together, the Betti numbers are a_0 + a_2, 2 a_1, a_0 + a_2 where no set is as long
    as the others.

    Source: Farber and Schuetz, Homology of planar polygon spaces, Geometriae Dedicata 125 (2007),
    theorem 1.
    """
    longest = max(range(5), key=lambda k: lengths[k])
    half = sum(lengths) / 2.0
    a = [0] * 5
    for size in range(1, 6):
        for chosen in itertools.combinations(range(5), size):
            a[size - 1] += longest in chosen and sum(lengths[k] for k in chosen) < half
    return a[0] + a[2], 2 * (a[0] + a[2]) - 2 * a[1]
