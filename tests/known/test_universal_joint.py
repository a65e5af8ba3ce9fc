"""Hooke's joint: output angle and ratio of speeds over a turn, at three bends; two in phase.

Source: omega_2 / omega_1 = cos b / (1 - sin^2 b sin^2 t), the transmission of Hooke's joint in any
text on kinematics; the figures below were computed apart from this library, from the geometry of
the cross.
"""

import math

import numpy as np
import pytest

import kempe
from kempe.geometry import Marker, Rotation
from kempe.joints import Revolute, Universal

#: What the case demands of angles and ratios of size 1.
DEMANDED = 1e-10
#: What it asks of the extreme ratios.
EXTREME = 1e-12

# bend (deg), input angle (deg), output angle (rad), ratio of speeds
FIGURES = np.array(
    [
        (10, 0, 0.0, 0.984807753012208),
        (10, 15, 0.25799747519273186, 0.9868010063723798),
        (10, 30, 0.5169953551017139, 0.9922880393974014),
        (10, 45, 0.7777440466288272, 0.9998828312811409),
        (10, 60, 1.0405433936703279, 1.0075947781548287),
        (10, 75, 1.3051442863869869, 1.0133161623452727),
        (10, 90, 1.5707963267948966, 1.015426611885745),
        (10, 105, 1.8364483672028058, 1.0133161623452727),
        (10, 120, 2.1010492599194652, 1.0075947781548287),
        (10, 135, 2.363848606960966, 0.9998828312811409),
        (10, 150, 2.624597298488079, 0.9922880393974014),
        (10, 165, 2.8835951783970613, 0.9868010063723798),
        (10, 180, 3.141592653589793, 0.984807753012208),
        (10, 195, 3.399590128782525, 0.9868010063723798),
        (10, 210, 3.658588008691507, 0.9922880393974014),
        (10, 225, 3.91933670021862, 0.9998828312811409),
        (10, 240, 4.18213604726012, 1.0075947781548287),
        (10, 255, 4.44673693997678, 1.0133161623452727),
        (10, 270, 4.71238898038469, 1.015426611885745),
        (10, 285, 4.978041020792599, 1.0133161623452727),
        (10, 300, 5.242641913509258, 1.0075947781548287),
        (10, 315, 5.505441260550759, 0.9998828312811409),
        (10, 330, 5.766189952077871, 0.9922880393974014),
        (10, 345, 6.025187831986854, 0.9868010063723798),
        (10, 360, 6.283185307179586, 0.984807753012208),
        (30, 0, 0.0, 0.8660254037844387),
        (30, 15, 0.22801528385743186, 0.8807755981746853),
        (30, 30, 0.46364760900080615, 0.9237604307034013),
        (30, 45, 0.7137243789447654, 0.9897433186107871),
        (30, 60, 0.9827937232473287, 1.0658774200423862),
        (30, 75, 1.2707371622259687, 1.1294802613871204),
        (30, 90, 1.5707963267948966, 1.1547005383792517),
        (30, 105, 1.870855491363825, 1.1294802613871204),
        (30, 120, 2.1587989303424635, 1.0658774200423862),
        (30, 135, 2.4278682746450273, 0.9897433186107871),
        (30, 150, 2.677945044588987, 0.9237604307034013),
        (30, 165, 2.9135773697323613, 0.8807755981746853),
        (30, 180, 3.141592653589793, 0.8660254037844387),
        (30, 195, 3.369607937447225, 0.8807755981746853),
        (30, 210, 3.6052402625905993, 0.9237604307034013),
        (30, 225, 3.8553170325345585, 0.9897433186107871),
        (30, 240, 4.124386376837122, 1.065877420042386),
        (30, 255, 4.412329815815761, 1.1294802613871204),
        (30, 270, 4.71238898038469, 1.1547005383792517),
        (30, 285, 5.012448144953617, 1.1294802613871207),
        (30, 300, 5.3003915839322575, 1.0658774200423862),
        (30, 315, 5.569460928234821, 0.989743318610787),
        (30, 330, 5.819537698178779, 0.9237604307034014),
        (30, 345, 6.055170023322154, 0.8807755981746853),
        (30, 360, 6.283185307179586, 0.8660254037844387),
        (45, 0, 0.0, 0.7071067811865476),
        (45, 15, 0.18724909954596924, 0.7316111068430778),
        (45, 30, 0.38759668665518077, 0.8081220356417687),
        (45, 45, 0.6154797086703874, 0.9428090415820635),
        (45, 60, 0.8860771237926137, 1.1313708498984758),
        (45, 75, 1.2085781815832388, 1.3254268020632423),
        (45, 90, 1.5707963267948966, 1.414213562373095),
        (45, 105, 1.9330144720065547, 1.3254268020632423),
        (45, 120, 2.2555155297971794, 1.131370849898476),
        (45, 135, 2.5261129449194053, 0.9428090415820635),
        (45, 150, 2.753995966934612, 0.8081220356417687),
        (45, 165, 2.954343554043824, 0.731611106843078),
        (45, 180, 3.141592653589793, 0.7071067811865476),
        (45, 195, 3.3288417531357624, 0.7316111068430778),
        (45, 210, 3.5291893402449737, 0.8081220356417687),
        (45, 225, 3.7570723622601805, 0.9428090415820635),
        (45, 240, 4.027669777382406, 1.1313708498984758),
        (45, 255, 4.3501708351730315, 1.3254268020632423),
        (45, 270, 4.71238898038469, 1.414213562373095),
        (45, 285, 5.074607125596347, 1.3254268020632425),
        (45, 300, 5.3971081833869725, 1.1313708498984758),
        (45, 315, 5.667705598509198, 0.9428090415820631),
        (45, 330, 5.895588620524405, 0.8081220356417689),
        (45, 345, 6.095936207633617, 0.7316111068430778),
        (45, 360, 6.283185307179586, 0.7071067811865476),
    ]
)
LARGEST_AT_30, SMALLEST_AT_30 = 1.1547005383792515, 0.8660254037844387
TURN = math.tau


def tilted(angle):
    """The frame of a shaft along (0, -sin angle, cos angle)."""
    return Rotation.about((1.0, 0.0, 0.0), angle)


def shaft(m, name, angle, point=(0.0, 0.0, 0.0), *, held=True):
    body = m.body(name, at=point, rotation=tilted(angle))
    if held:
        m.add(
            Revolute(Marker("ground", point, tilted(angle)), body.at(0, 0, 0)), name=f"{name}_pin"
        )
    return body


def cross(m, first, second, *, arm=(1, 0, 0), at=(0, 0, 0), name):
    """Arms along `arm` of one shaft and, square to it, along the other's y or x."""
    other = (0, 1, 0) if arm == (1, 0, 0) else (1, 0, 0)
    m.add(Universal(first.at(*at).facing(arm), second.at(0, 0, 0).facing(other)), name=name)


def single(bend):
    m = kempe.Builder("Hooke's joint")
    first, second = shaft(m, "first", 0.0), shaft(m, "second", bend)
    cross(m, first, second, name="cross")
    m.drive(first.angle, speed=1.0)
    return m.build()


@pytest.mark.parametrize("bend", [10, 30, 45])
def test_the_output_turns_as_published(bend):
    figures = FIGURES[FIGURES[:, 0] == bend]
    motion = single(math.radians(bend)).kinematics(until=TURN, steps=len(figures) - 1)
    assert motion.outcome.is_done, motion.outcome
    output = motion["second_pin.angle"]
    np.testing.assert_allclose(output.values, figures[:, 2], rtol=0, atol=DEMANDED)
    np.testing.assert_allclose(output.rate, figures[:, 3], rtol=0, atol=DEMANDED)


def test_the_ratio_varies_between_the_secant_and_the_cosine_of_the_bend():
    rate = single(math.radians(30)).kinematics(until=TURN, steps=360)["second_pin.angle"].rate
    assert rate.max() == pytest.approx(LARGEST_AT_30, abs=EXTREME)
    assert rate.min() == pytest.approx(SMALLEST_AT_30, abs=EXTREME)


def test_the_cross_turns_in_its_forks():
    """Its arms are square, so both angles return, and neither stands still."""
    motion = single(math.radians(30)).kinematics(until=TURN, steps=72)
    for word in ("heading", "back_heading"):
        angle = motion[f"cross.{word}"].values
        assert math.remainder(angle[-1] - angle[0], TURN) == pytest.approx(0.0, abs=DEMANDED)
        assert np.ptp(angle) > 0.5


@pytest.mark.parametrize("side", [1, -1], ids=["shafts parallel", "shafts symmetric"])
def test_two_joints_in_phase_keep_the_speed(side):
    """The second joint takes back what the first does, if the middle shaft's forks lie in one
    plane and both bends are equal: shafts parallel, or at the same angle the other way.
    """
    bend = math.radians(30)
    m = kempe.Builder("double Hooke's joint")
    first = shaft(m, "first", 0.0)
    middle = shaft(m, "middle", bend, held=False)
    end = (0.0, -math.sin(bend), math.cos(bend))  # of the middle shaft, 1 m long
    third = shaft(m, "third", bend - side * bend, end)
    # the middle shaft's two arms are both along its y
    cross(m, first, middle, name="front")
    cross(m, middle, third, arm=(0, 1, 0), at=(0, 0, 1), name="back")
    m.drive(first.angle, speed=1.0)
    motion = m.build().kinematics(until=TURN, steps=72)
    assert motion.outcome.is_done, motion.outcome
    np.testing.assert_allclose(motion["third_pin.angle"].rate, 1.0, rtol=0, atol=EXTREME)
