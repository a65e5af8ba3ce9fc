"""Drake's four-bar with ideal pins: where it rests, and how it swings about it.

Source: Drake, examples/multibody/four_bar: bars of 4 m and 20 kg, hinges 2 m apart, g = 9.8 m/s^2;
at rest qA = 75.52 deg and qB = qC = 104.48 deg. The frequency follows from its one coordinate.
"""

import math

import mpmath as mp
import numpy as np
import pytest

import kempe

MASS, LENGTH, GROUND, G, MOMENT = 20.0, 4.0, 2.0, 9.8, 29.46666666666666
PRINTED = 0.005  # deg
EXACT = 1e-10  # of a frequency


def four_bar(start: float) -> kempe.Mechanism:
    m = kempe.Builder("Drake's four-bar", plane=True, gravity=(0, -G))
    inertia = kempe.Inertia(MASS, (LENGTH / 2, 0, 0), np.diag([0.1, MOMENT, MOMENT]))
    A = m.bar("A", LENGTH, at=(0, 0), angle=-start, inertia=inertia)
    B = m.bar("B", LENGTH, angle=math.pi, inertia=inertia)
    C = m.bar("C", LENGTH, angle=start - math.pi, inertia=inertia)
    m.revolute(m.ground.at(0, 0), A.start, name="WA")
    m.revolute(A.end, B.start, name="AB")
    m.revolute(B.end, C.end, name="BC")
    m.revolute(m.ground.at(-GROUND, 0), C.start, name="WC")
    return m.build()


@pytest.mark.parametrize("start", [0.5, 1.0, 2.0])
def test_it_rests_at_the_angles_that_are_printed(start):
    rest = four_bar(start).statics()
    assert rest.stable is True
    a = -rest["WA.angle"]
    assert math.degrees(a) == pytest.approx(75.52, abs=PRINTED)
    assert a == pytest.approx(math.acos(0.25), abs=1e-11)  # cos a = (L - ground) / 2 L
    assert math.degrees(-rest["WC.angle"]) == pytest.approx(104.48, abs=PRINTED)
    assert rest["WA.force"][1] == pytest.approx(1.5 * MASS * G, rel=1e-10)


def test_it_swings_at_the_frequency_of_its_one_coordinate():
    linear = four_bar(1.0).linearize(coordinates=("WA.angle",))
    with mp.workdps(40):
        length, ground = mp.mpf(LENGTH), mp.mpf(GROUND)

        def others(a):  # of B and C, from the loop: z down, x to the right
            x, z = length * mp.cos(a), length * mp.sin(a)
            ex, ez = -ground - x, -z
            far = mp.hypot(ex, ez)
            up = mp.sqrt(length**2 - far**2 / 4)
            px, pz = x + ex / 2 - up * ez / far, z + ez / 2 + up * ex / far
            if pz < 0 or abs(pz - z) > length:
                px, pz = x + ex / 2 + up * ez / far, z + ez / 2 - up * ex / far
            return mp.atan2(pz - z, px - x), mp.atan2(pz, px + ground)

        def low(a):
            b, _ = others(a)
            _, c = others(a)
            half = length / 2
            return half * mp.sin(a) + (length * mp.sin(a) + half * mp.sin(b)) + half * mp.sin(c)

        rest = mp.acos(mp.mpf("0.25"))
        assert abs(mp.diff(low, rest)) < mp.mpf("1e-12")
        wb, wc = (mp.diff(lambda a, k=k: others(a)[k], rest) for k in (0, 1))
        b = others(rest)[0]
        half = length / 2
        vx = -length * mp.sin(rest) - half * mp.sin(b) * wb
        vz = length * mp.cos(rest) + half * mp.cos(b) * wb
        about = MOMENT + MASS * half**2
        inertia = about + MASS * (vx**2 + vz**2) + MOMENT * wb**2 + about * wc**2
        stiffness = -MASS * mp.mpf(G) * mp.diff(low, rest, 2)
        exact = float(mp.sqrt(stiffness / inertia) / (2 * mp.pi))
    assert linear.frequencies == pytest.approx([exact], rel=EXACT)
    assert exact == pytest.approx(0.2747827807, abs=1e-9)
