"""The crank and slotted lever against its closed form.

Source: closed form of the machine that [Haug1989] and [Nikravesh1988] use; lever pivot at (0, 0),
crank pivot at (0, 1.2), crank 0.5, one radian a second. The figures below were computed apart from
this library.
"""

import math

import numpy as np
import pytest

import kempe
from kempe.joints import PinInSlot, PointOnLine

#: What the case demands of angle, rate and acceleration, all of size 1.
DEMANDED = 1e-10
EXTREME = 1e-12  # and of the ends of the swing and the extreme speeds

# crank angle (deg), lever angle, its rate and acceleration, distance of the pin from the lever's
# pivot
LEVER = np.array(
    [
        (0, 1.176005207095135, 0.14792899408284022, 0.2499912468050838, 1.3),
        (10, 1.2053352997900841, 0.18657450805488543, 0.19511217565624425, 1.3778163205595717),
        (20, 1.2406388359245457, 0.21672388466370898, 0.15207926785994505, 1.4492840204703847),
        (30, 1.2805973918439069, 0.24017467248908295, 0.11791196550448872, 1.5132745950421556),
        (40, 1.3241642802651057, 0.25826226385104517, 0.09028324248711762, 1.5688674678327188),
        (50, 1.3704933765607024, 0.2719654152544141, 0.0674113795872364, 1.6153183375863636),
        (60, 1.4188845049161982, 0.28198983069764605, 0.04792783252360439, 1.652038281802612),
        (70, 1.4687414510107681, 0.28882970502797395, 0.03075966618927259, 1.6785800978633965),
        (80, 1.51953903603357, 0.2928106553506637, 0.015033819917948627, 1.6946295476046231),
        (90, 1.5707963267948966, 0.29411764705882354, 5.234598571564099e-18, 1.7),
        (100, 1.6220536175562232, 0.2928106553506637, -0.01503381991794862, 1.6946295476046231),
        (110, 1.672851202579025, 0.28882970502797395, -0.03075966618927258, 1.6785800978633965),
        (120, 1.722708148673595, 0.2819898306976461, -0.047927832523604365, 1.652038281802612),
        (130, 1.7710992770290908, 0.2719654152544141, -0.0674113795872364, 1.6153183375863636),
        (140, 1.8174283733246877, 0.2582622638510452, -0.09028324248711761, 1.5688674678327188),
        (150, 1.8609952617458863, 0.24017467248908295, -0.11791196550448872, 1.5132745950421556),
        (160, 1.9009538176652474, 0.21672388466370904, -0.15207926785994505, 1.4492840204703847),
        (170, 1.936257353799709, 0.18657450805488546, -0.19511217565624436, 1.3778163205595715),
        (180, 1.965587446494658, 0.14792899408284024, -0.2499912468050838, 1.3),
        (190, 1.9872632001510837, 0.09841314114956318, -0.3203131181165548, 1.2172190381355705),
        (200, 1.999132888073613, 0.03500215698375703, -0.40978114671974286, 1.1311833750587026),
        (210, 1.9984654092925087, -0.04587155963302756, -0.5204462068025326, 1.044030650891055),
        (220, 1.9818991634756098, -0.14768611203437393, -0.6481080511373656, 0.9584648498386119),
        (230, 1.9455945638613517, -0.27197868574039247, -0.7725781057343477, 0.8779217893737611),
        (240, 1.8858878060191546, -0.41430220049664346, -0.8429732912601735, 0.8067028668962779),
        (250, 1.8008605076489732, -0.5580244525450969, -0.7721601329396164, 0.7499125649413468),
        (260, 1.692888915067147, -0.6707281835429701, -0.4800059903380815, 0.7129030062956322),
        (270, 1.5707963267948968, -0.7142857142857143, -5.462710211940089e-16, 0.7),
        (280, 1.4487037385226467, -0.6707281835429704, 0.48000599033808045, 0.7129030062956322),
        (290, 1.3407321459408197, -0.5580244525450967, 0.772160132939617, 0.749912564941347),
        (300, 1.2557048475706387, -0.4143022004966438, 0.8429732912601733, 0.8067028668962778),
        (310, 1.1959980897284415, -0.27197868574039274, 0.7725781057343482, 0.8779217893737609),
        (320, 1.1596934901141835, -0.1476861120343742, 0.6481080511373664, 0.9584648498386116),
        (330, 1.1431272442972846, -0.0458715596330278, 0.5204462068025334, 1.0440306508910546),
        (340, 1.1424597655161803, 0.03500215698375703, 0.40978114671974253, 1.1311833750587028),
        (350, 1.1543294534387096, 0.09841314114956322, 0.3203131181165548, 1.2172190381355705),
    ]
)
TIME_RATIO = 1.7533173721938302
SWING = 0.8595508626090554
FASTEST, SLOWEST = 0.29411764705882354, -0.7142857142857143


def machine(*, plane, joint=PinInSlot):
    m = kempe.Builder("quick return", plane=plane)
    crank = m.bar("crank", 0.5, at=(0, 1.2), angle=0)
    lever = m.bar("lever", 1.9, at=(0, 0), angle=1.18)
    m.revolute(m.ground.at(0, 1.2), crank.start)
    m.revolute(m.ground.at(0, 0), lever.start)
    m.add(joint(lever.start.facing((1, 0)), crank.end), name="slot")
    m.drive(crank.angle, speed=1.0)
    return m.build()


@pytest.fixture(scope="module", params=[True, False], ids=["plane", "space"])
def turn(request):
    motion = machine(plane=request.param).kinematics(until=math.radians(350), steps=35)
    assert motion.outcome.is_done, motion.outcome
    return motion


def test_the_lever_turns_as_published(turn):
    lever = turn["lever.angle"]
    np.testing.assert_allclose(lever.values, LEVER[:, 1], rtol=0, atol=DEMANDED)
    np.testing.assert_allclose(lever.rate, LEVER[:, 2], rtol=0, atol=DEMANDED)
    np.testing.assert_allclose(lever.acceleration, LEVER[:, 3], rtol=0, atol=DEMANDED)


def test_the_pin_slides_as_published(turn):
    slide = turn["slot.displacement"]
    np.testing.assert_allclose(slide.values, LEVER[:, 4], rtol=0, atol=DEMANDED)


def test_the_swing_and_the_extreme_speeds_are_the_published_ones():
    """Fastest and slowest where the crank is along the line of pivots: 90 and 270 degrees."""
    motion = machine(plane=True).kinematics(until=math.tau, steps=4)
    rate = motion["lever.angle"].rate
    assert rate[1] == pytest.approx(FASTEST, abs=EXTREME)
    assert rate[3] == pytest.approx(SLOWEST, abs=EXTREME)
    # the ends of the swing, where crank and lever are square
    ends = [math.pi + math.asin(0.5 / 1.2), math.tau - math.asin(0.5 / 1.2)]
    angles = []
    for end in ends:
        lever = machine(plane=True).kinematics(until=end, steps=1)["lever.angle"]
        assert lever.rate[-1] == pytest.approx(0.0, abs=DEMANDED)
        angles.append(lever.values[-1])
    assert angles[0] - angles[1] == pytest.approx(SWING, abs=EXTREME)
    back = ends[1] - ends[0]
    assert (math.tau - back) / back == pytest.approx(TIME_RATIO, abs=EXTREME)


def test_a_point_on_a_line_is_a_pin_in_a_slot_in_the_plane(turn):
    motion = machine(plane=True, joint=PointOnLine).kinematics(until=math.radians(350), steps=35)
    np.testing.assert_allclose(
        motion["lever.angle"].values, turn["lever.angle"].values, rtol=0, atol=DEMANDED
    )
