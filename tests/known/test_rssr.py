"""The spatial four-bar RSSR, a crank-rocker with skew axes, against its closed form.

Source: P cos psi + Q sin psi = S from |B(psi) - A(theta)|^2 = l^2 ([Uicker], [HartenbergDenavit]);
crank 1 about z, rocker 3 about a skew axis, coupler 5, input speed 2 rad/s. The figures below were
computed apart from this library, rates by implicit differentiation.
"""

import math

import numpy as np
import pytest

import kempe
from kempe.geometry import Marker, Rotation
from kempe.joints import Revolute, Rod, Spherical, Universal

#: What the case demands: angles to 1e-10, rates to 1e-9 of numbers up to 4.
ANGLE, RATE = 1e-10, 1e-9
EXTREME = 1e-12  # rad: of the angles at 0 and 180 degrees
CRANK, ROCKER, COUPLER, SPEED = 1.0, 3.0, 5.0, 2.0
PIVOT, AXIS = (4.0, 0.5, 1.0), (0.0, 0.9578262852211513, 0.2873478855663454)

# mode, theta (deg), psi, its rate and acceleration
ROCKING = np.array(
    [
        (1, 0, 0.9923964349663068, -0.2754550658189215, 2.5769983116109225),
        (1, 15, 0.9787040003909322, 0.06520121459993507, 2.5309087584688053),
        (1, 30, 1.0076872908437586, 0.3661741578407022, 2.011054956698815),
        (1, 45, 1.0708670472302027, 0.5836145138155688, 1.3033489071027011),
        (1, 60, 1.1564542135006626, 0.7095691901933964, 0.6406341852003367),
        (1, 75, 1.253230775298574, 0.7577531935388375, 0.12202990444756687),
        (1, 90, 1.3523168008840152, 0.7481693480804723, -0.2452385712679454),
        (1, 105, 1.447373930618527, 0.6988395007211838, -0.49142339371984106),
        (1, 120, 1.5341304786336751, 0.6231814646313953, -0.6533593351753094),
        (1, 135, 1.6097669278296465, 0.5300898517915146, -0.7623011046367048),
        (1, 150, 1.672384146051705, 0.4249187731002769, -0.8410196357210163),
        (1, 165, 1.720612052950738, 0.31056774767558165, -0.904493004275934),
        (1, 180, 1.7533505248601609, 0.18839550570199315, -0.9615714471616331),
        (1, 195, 1.7696155503168907, 0.058917796641859824, -1.0164901127997445),
        (1, 210, 1.7684655210404232, -0.07764991448754227, -1.0696434562013621),
        (1, 225, 1.7489951036567977, -0.22087546501055655, -1.1171153853852631),
        (1, 240, 1.710405530357555, -0.36942036587185034, -1.1484231150155733),
        (1, 255, 1.652190539202472, -0.5199151776085588, -1.1421087668846706),
        (1, 270, 1.5745127973360011, -0.6651385893535217, -1.0597629978198577),
        (1, 285, 1.4788685369588563, -0.7914736122963166, -0.8419326511547992),
        (1, 300, 1.3690969750644113, -0.8764315693281457, -0.4155499645159656),
        (1, 315, 1.2525818501565853, -0.8888211146866484, 0.26986739213622857),
        (1, 330, 1.1410051970053896, -0.796313314786454, 1.165924525876501),
        (1, 345, 1.0493997468244514, -0.5838980690845067, 2.0496660002183202),
        (-1, 0, -1.5223993404168548, -0.08139376809589438, -1.8683921652399482),
        (-1, 15, -1.5484695032026001, -0.31018613007666596, -1.5621968210561146),
        (-1, 30, -1.6009090283618743, -0.47827838684698104, -0.9823287392873904),
        (-1, 45, -1.6701611705794674, -0.5666764918949687, -0.38268817077537376),
        (-1, 60, -1.7461775423503014, -0.5846874263224836, 0.07905518874413942),
        (-1, 75, -1.8210807476964241, -0.5533126451521387, 0.3748021001917017),
        (-1, 90, -1.8897465308198842, -0.4922044716461562, 0.541503290976921),
        (-1, 105, -1.9492489607551753, -0.41507584045849805, 0.6269140927053846),
        (-1, 120, -1.9980715083761218, -0.3299874353674903, 0.6681058173608307),
        (-1, 135, -2.03547523623127, -0.24105996108001435, 0.688452656399696),
        (-1, 150, -2.061093813467362, -0.15010149419222427, 0.7005245618975411),
        (-1, 165, -2.0747131284410587, -0.057789792484258425, 0.7095368725743748),
        (-1, 180, -2.0761782333408743, 0.03554528991321214, 0.7159377421108988),
        (-1, 195, -2.06538333493015, 0.1294146472563021, 0.7170481205801945),
        (-1, 210, -2.042316527571514, 0.2228228689361268, 0.7078831319014305),
        (-1, 225, -2.007145165630687, 0.31397704780319313, 0.6811781826368666),
        (-1, 240, -1.960341500729255, 0.3999444994133266, 0.6265799808585867),
        (-1, 255, -1.9028623041215846, 0.47615435784558524, 0.52911926351268),
        (-1, 270, -1.8364077612232765, 0.5356829076874475, 0.3676169453013028),
        (-1, 285, -1.763784315858248, 0.5684193725750494, 0.114937173092693),
        (-1, 300, -1.6893607629526826, 0.5606133496283093, -0.25536415052859673),
        (-1, 315, -1.6194914772347826, 0.4961515409054333, -0.7476154501174745),
        (-1, 330, -1.5625282259707367, 0.362044457399852, -1.301164864417269),
        (-1, 345, -1.5277155811086969, 0.15998350425424077, -1.749444759447651),
    ]
)
MODES = {1: 0.9923964349663068, -1: -1.5223993404168548}  # psi at theta = 0

# The rocker's frame at psi = 0: x along the world's x, z along its axis.
FRAME = Rotation.from_matrix(
    np.column_stack([(1.0, 0.0, 0.0), np.cross(AXIS, (1.0, 0.0, 0.0)), AXIS])
)


def arms(mode):
    m = kempe.Builder("RSSR")
    crank = m.body("crank", at=(0, 0, 0), points={"A": (CRANK, 0, 0)})
    turned = FRAME @ Rotation.planar(MODES[mode] + 0.05)  # a guess, not the answer
    rocker = m.body("rocker", at=PIVOT, rotation=turned, points={"B": (ROCKER, 0, 0)})
    m.revolute(m.ground.at(0, 0, 0), crank.at(0, 0, 0), name="input")
    m.add(Revolute(Marker("ground", PIVOT, FRAME), rocker.at(0, 0, 0)), name="output")
    m.drive(crank.angle, speed=SPEED)
    return m, crank, rocker


def with_a_rod(mode):
    m, crank, rocker = arms(mode)
    m.add(Rod(crank.A, rocker.B, length=COUPLER))
    return m


def with_a_coupler(mode, second):
    m, crank, rocker = arms(mode)
    end = FRAME.apply(
        kempe.Vector(*(ROCKER * np.array([math.cos(MODES[mode]), math.sin(MODES[mode]), 0.0])))
    )
    B = kempe.Vector(*PIVOT) + end
    along = np.array([B.x - CRANK, B.y, B.z])
    coupler = m.body(
        "coupler",
        at=(CRANK, 0, 0),
        rotation=Rotation.with_z(along),
        points={"A": (0, 0, 0), "B": (0, 0, COUPLER)},
    )
    m.add(Spherical(crank.A, coupler.A), name="ball")
    if second is Spherical:
        m.add(Spherical(coupler.B, rocker.B), name="socket")
    else:  # a fork on the rocker, across the coupler: its pin is square to the rocker's axis
        m.add(Universal(coupler.B.facing((1, 0, 0)), rocker.B), name="socket")
    return m


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "model",
    [with_a_rod, lambda mode: with_a_coupler(mode, Universal)],
    ids=["rod", "coupler in a fork"],
)
def test_the_rocker_turns_as_published(model, mode):
    figures = ROCKING[ROCKING[:, 0] == mode]
    until = math.radians(figures[-1, 1]) / SPEED
    motion = model(mode).build().kinematics(until=until, steps=len(figures) - 1)
    assert motion.outcome.is_done, motion.outcome
    output = motion["output.angle"]
    np.testing.assert_allclose(output.values, figures[:, 2], rtol=0, atol=ANGLE)
    np.testing.assert_allclose(output.rate, figures[:, 3], rtol=0, atol=RATE)
    np.testing.assert_allclose(output.acceleration, figures[:, 4], rtol=0, atol=RATE)


@pytest.mark.parametrize(
    ("mode", "k", "psi"),
    [(1, 0, 0.9923964349663068), (1, -1, 1.7533505248601609), (-1, 0, -1.5223993404168548)],
)
def test_the_rocker_stands_as_published_at_both_ends_of_half_a_turn(mode, k, psi):
    half = with_a_rod(mode).build().kinematics(until=math.pi / SPEED, steps=36)
    assert half["output.angle"].values[k] == pytest.approx(psi, abs=EXTREME)


@pytest.mark.parametrize("mode", MODES)
def test_both_modes_turn_fully(mode):
    motion = with_a_rod(mode).build().kinematics(until=math.tau / SPEED, steps=72)
    assert motion.outcome.is_done, motion.outcome
    first, last = motion["output.angle"].values[[0, -1]]
    assert last == pytest.approx(first, abs=ANGLE)


def test_a_coupler_between_two_balls_spins_by_itself_and_that_is_said():
    """Mobility 2 by count: one freedom is the coupler's spin about its own axis."""
    motion = with_a_coupler(1, Spherical).build().kinematics(until=0.01, steps=2)
    assert "1 freedom is not driven" in motion.outcome.message
    assert any("the spin of 'coupler'" in note for note in motion.notes)


@pytest.mark.parametrize("free", ["refuse", "nearest"])
@pytest.mark.parametrize("mode", MODES)
def test_a_coupler_between_two_balls_turns_as_published_where_its_spin_is_left_alone(mode, free):
    figures = ROCKING[ROCKING[:, 0] == mode]
    until = math.radians(figures[-1, 1]) / SPEED
    mechanism = with_a_coupler(mode, Spherical).build()
    motion = mechanism.kinematics(until=until, steps=len(figures) - 1, free=free)
    assert motion.outcome.is_done, motion.outcome
    output = motion["output.angle"]
    np.testing.assert_allclose(output.values, figures[:, 2], rtol=0, atol=ANGLE)
    np.testing.assert_allclose(output.rate, figures[:, 3], rtol=0, atol=RATE)
    np.testing.assert_allclose(output.acceleration, figures[:, 4], rtol=0, atol=RATE)
