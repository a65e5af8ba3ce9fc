"""The assembly nearest to what was given is the start, whichever body it was given of."""

import math

import numpy as np
import pytest

import kempe as kp
from kempe.compile.layout.layout import Layout
from kempe.equations import equations_of
from kempe.kinematics.check.assembly import assemble
from kempe.kinematics.closing import attempts as nearest_start
from kempe.kinematics.closing.nearest import nearest
from kempe.kinematics.closing.placement import given_poses

EXACT = 1e-9  # of an angle: what is left of closing to 1e-12, through a badly placed hinge
LENGTHS = {"crank": 1.0, "coupler": 2.6, "rocker": 2.2, "ground": 2.4}
ROD = kp.Inertia(1.0, (0.5, 0, 0), np.diag([0.0, 0.1, 0.1]))


def ends(angle, *, open_down=False):
    """Angles of coupler and rocker where the crank stands at an angle, by the cosine rule."""
    crank, coupler, rocker, ground = LENGTHS.values()
    tip = crank * np.exp(1j * angle)
    gap = tip - ground
    lean = math.acos((rocker**2 + abs(gap) ** 2 - coupler**2) / (2.0 * rocker * abs(gap)))
    turn = np.angle(gap) + (lean if open_down else -lean)
    end = ground + rocker * np.exp(1j * turn)
    return float(np.angle(end - tip)), float(turn)


def four_bar(start=0.9, **guesses):
    """A four-bar driven by its crank; guesses of bodies are (x, y, angle), or an angle alone."""
    m = kp.Builder("four-bar", plane=True)
    bars = {}
    for name, length in list(LENGTHS.items())[:3]:
        guess, at = guesses.get(name), {}
        if isinstance(guess, tuple):
            at = {"at": guess[:2], "angle": guess[2]}
        elif guess is not None:
            at = {"angle": guess}
        bars[name] = m.bar(name, length, inertia=ROD, **at)
    crank, coupler, rocker = bars.values()
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(rocker.start, m.ground.at(LENGTHS["ground"], 0))
    m.drive(crank.angle, start=start, rpm=6)
    return m


def apart(a, b):
    """How far two angles are from each other on the circle."""
    return abs(math.remainder(a - b, math.tau))


@pytest.mark.parametrize("down", [False, True], ids=["up", "down"])
@pytest.mark.parametrize("turns", [0, 1, -2])
@pytest.mark.parametrize("off", [0.0, 0.2, -0.2], ids=["exact", "more", "less"])
def test_a_guess_of_the_rocker_chooses_the_branch(down, turns, off):
    _, rocker = ends(0.9, open_down=down)
    guess = (LENGTHS["ground"], 0.0, rocker + off + turns * math.tau)
    m = four_bar(rocker=guess).build()
    turn = m.kinematics(until=0.1, steps=2)
    assert apart(turn["rocker.angle"].values[0], rocker) < EXACT
    assert bool(turn.notes) == (off != 0.0)
    assert all("'rocker' by 11.5 deg" in note for note in turn.notes)


@pytest.mark.parametrize("down", [False, True], ids=["up", "down"])
def test_a_guess_of_the_coupler_chooses_the_branch(down):
    coupler, rocker = ends(0.9, open_down=down)
    guess = (math.cos(0.9), math.sin(0.9), coupler)
    turn = four_bar(coupler=guess).build().kinematics(until=0.1, steps=2)
    assert apart(turn["rocker.angle"].values[0], rocker) < EXACT
    assert turn.notes == ()


@pytest.mark.parametrize("down", [False, True], ids=["up", "down"])
def test_an_angle_alone_says_nothing_of_the_place(down):
    _, rocker = ends(0.9, open_down=down)
    turn = four_bar(rocker=rocker).build().kinematics(until=0.1, steps=2)
    assert apart(turn["rocker.angle"].values[0], rocker) < EXACT
    assert turn.notes == ()


def test_a_guess_of_the_driven_crank_leaves_the_branch_as_it_is_without():
    plain = four_bar().build().kinematics(until=0.1, steps=2)
    told = four_bar(crank=(0.0, 0.0, 0.9)).build().kinematics(until=0.1, steps=2)
    assert apart(plain["rocker.angle"].values[0], told["rocker.angle"].values[0]) < EXACT


def test_a_guess_that_the_drive_forbids_is_kept_as_nearly_as_can_be():
    """The crank is driven elsewhere than it was guessed: it moves, and that is told."""
    turn = four_bar(crank=(0.0, 0.0, 0.4)).build().kinematics(until=0.1, steps=2)
    (note,) = turn.notes
    assert "'crank' by 28.6 deg" in note


@pytest.mark.parametrize("off", [0.0, 0.3])
@pytest.mark.parametrize("down", [False, True], ids=["up", "down"])
def test_every_analysis_starts_alike(down, off):
    _, rocker = ends(0.9, open_down=down)
    mechanism = four_bar(rocker=(LENGTHS["ground"], 0.0, rocker + off)).build()
    turn = mechanism.kinematics(until=0.1, steps=2)
    swing = mechanism.simulate(until=0.1, steps=2)
    put, held = mechanism.assemble(), mechanism.assemble(at=0.0)
    starts = [swing["rocker.angle"].values[0], put["rocker.angle"], held["rocker.angle"]]
    for angle in starts:
        assert apart(angle, turn["rocker.angle"].values[0]) < EXACT
    assert swing.notes == put.notes == held.notes == turn.notes
    assert bool(turn.notes) == (off != 0.0)


@pytest.mark.parametrize("down", [False, True], ids=["up", "down"])
def test_a_wish_for_one_angle_chooses_the_branch(down):
    _, rocker = ends(0.9, open_down=down)
    put = four_bar().build().assemble({"rocker.angle": rocker}, values={"crank.angle": 0.9})
    assert apart(put["rocker.angle"], rocker) < EXACT
    assert put.notes == ()


@pytest.mark.parametrize("down", [False, True], ids=["up", "down"])
def test_a_file_with_a_guess_of_the_rocker_starts_there(down, tmp_path):
    _, rocker = ends(0.9, open_down=down)
    for guess in ((LENGTHS["ground"], 0.0, rocker), rocker):
        path = four_bar(rocker=guess).build().save(tmp_path / "four_bar.yaml")
        turn = kp.Mechanism.load(path).kinematics(until=0.1, steps=2)
        assert apart(turn["rocker.angle"].values[0], rocker) < EXACT
        assert turn.notes == ()


def test_an_angle_of_0_alone_survives_a_file(tmp_path):
    path = four_bar(rocker=0.0).build().save(tmp_path / "four_bar.yaml")
    body = kp.Mechanism.load(path).model.body("rocker")
    assert body.anywhere
    assert body.guess is not None


def test_what_no_drive_holds_comes_as_near_as_it_can():
    """A pendulum's bar was put beside its pin: the nearest is the foot of a perpendicular.

    x = r (cos a, sin a) for its origin at r from the pin; |x - p|^2 + (a - b)^2 is least, lengths
    in sizes of the machine.
    """
    m = kp.Builder("pendulum", plane=True)
    bar = m.body("bar", at=(0.1, 1.0), angle=0.0, inertia=ROD)
    m.revolute(m.ground.at(0, 0), bar.at(-1.0, 0.0))
    start = m.build().simulate(until=0.01, steps=1)["bar.angle"].values[0]
    a = np.linspace(0.0, np.pi / 2, 200_001)
    cost = (np.cos(a) - 0.1) ** 2 + (np.sin(a) - 1.0) ** 2 + a**2
    assert start == pytest.approx(a[cost.argmin()], abs=1e-5)  # the spacing of a


def test_an_assembly_of_a_mechanism_with_a_curve_is_found():
    """Its own unknowns used to end the search in an error about shapes."""
    bead = kp.gallery.bead_on_wire()
    put = bead.assemble()
    assert put.residual <= 1e-12
    assert set(put.moved) == {b.name for b in bead.model.moving}


def hanging(count, rng, off):
    """A chain of bars, none quite where its hinges want it."""
    m = kp.Builder("chain", plane=True)
    at, last = 0j, m.ground.at(0, 0)
    for k, angle in enumerate(0.3 * np.sin(np.arange(count))):
        x, y, turn = np.array([at.real, at.imag, angle]) + off * rng.normal(size=3)
        bar = m.bar(f"bar{k}", 1.0, at=(x, y), angle=turn, inertia=ROD)
        m.revolute(last, bar.start)
        at, last = at + np.exp(1j * angle), bar.end
    return m.build()


def test_of_a_long_chain_only_the_nearest_assembly_is_made_nearer(monkeypatch):
    """Sixty steps of a solve in n_v unknowns, for each of six that are far away, took minutes."""
    made = []

    def counted(*arguments, **keywords):
        made.append(nearest(*arguments, **keywords))
        return made[-1]

    monkeypatch.setattr(nearest_start, "nearest", counted)
    chain = Layout(hanging(60, np.random.default_rng(1), 0.05).model)
    start = assemble(equations_of(chain), 0.0)
    assert len(made) == 1
    given = given_poses(chain)
    aside = 0.05 * math.sqrt(chain.n_v)  # what the noise itself is worth
    assert given.distance(chain, start.q) < aside


BESIDE_A_DEAD_POINT = """
version: 1
name: plate on three bars
plane: true
bodies:
  plate:
    at: [0.34607978650358445, 0.9365646807736605]
    points:
      c0: [0.0, 0.0]
      c1: [0.9764730176091113, 0.0]
      c2: [1.1044202856099266, 0.6971370862729209]
    outline: [c0, c1, c2]
  l2: {points: {start: [0.0, 0.0], end: [3.5786270218463594, 0.0]}, outline: [start, end]}
  l1: {points: {start: [0.0, 0.0], end: [2.983716170151133, 0.0]}, outline: [start, end]}
  l0: {points: {start: [0.0, 0.0], end: [0.4487697402376422, 0.0]}, outline: [start, end]}
  crank: {points: {start: [0.0, 0.0], end: [0.7279969086642974, 0.0]}, outline: [start, end]}
joints:
  revolute1:
    type: revolute
    I: l1.start
    J: {body: ground, at: [-1.5283777721614369, -0.5974692552927658]}
  revolute2: {type: revolute, I: plate.c2, J: l2.end}
  revolute3:
    type: revolute
    I: {body: ground, at: [-1.0395644382894327, -1.696657953946327]}
    J: l2.start
  revolute4: {type: revolute, I: crank.start, J: ground}
  revolute5: {type: revolute, I: l0.end, J: plate.c0}
  revolute6: {type: revolute, I: l0.start, J: crank.end}
  revolute7: {type: revolute, I: l1.end, J: plate.c1}
drives:
  crank.angle: {type: ramp, start: 0.793650931617397, speed: 1.0, acceleration: 0.0}
"""


FAR_FROM_DEAD_POINTS = """
version: 1
name: plate on three bars
plane: true
bodies:
  crank: {points: {start: [0.0, 0.0], end: [0.4132936004521597, 0.0]}, outline: [start, end]}
  l1: {points: {start: [0.0, 0.0], end: [2.1196217783480833, 0.0]}, outline: [start, end]}
  l2:
    at: [0.44200771609670353, 1.0201232399748985]
    angle: -1.0073171140487038
    points: {start: [0.0, 0.0], end: [2.0145667564819894, 0.0]}
    outline: [start, end]
  l0: {points: {start: [0.0, 0.0], end: [0.7015529098783662, 0.0]}, outline: [start, end]}
  plate:
    points:
      c0: [0.0, 0.0]
      c1: [1.4276848135657603, 0.0]
      c2: [0.3128831361483819, 1.022700647519444]
    outline: [c0, c1, c2]
joints:
  revolute1: {type: revolute, I: crank.start, J: ground}
  revolute2:
    type: revolute
    I: l2.start
    J: {body: ground, at: [-1.0544534820034994, 1.0424293645052978]}
  revolute3: {type: revolute, I: plate.c2, J: l2.end}
  revolute4: {type: revolute, I: l0.end, J: plate.c0}
  revolute5: {type: revolute, I: plate.c1, J: l1.end}
  revolute6:
    type: revolute
    I: {body: ground, at: [0.469606839513518, 0.7853019612385226]}
    J: l1.start
  revolute7: {type: revolute, I: crank.end, J: l0.start}
drives:
  crank.angle: {type: ramp, start: -0.6070561651359441, speed: 1.0, acceleration: 0.0}
"""


def test_the_nearest_of_all_is_taken_where_no_search_comes_near(tmp_path):
    path = tmp_path / "plate.yaml"
    path.write_text(FAR_FROM_DEAD_POINTS)
    plate = kp.load(path)
    guess = plate.model.body("l2").guess
    x, y, angle = guess.position.x, guess.position.y, guess.rotation.angle

    def distance(at) -> float:
        way = (at["l2"] - [x, y]) / plate.layout.size
        return float(way @ way) + math.remainder(at["l2.angle"] - angle, math.tau) ** 2

    everywhere = [distance(plate.assemble(one)) for one in plate.assemblies(at=0.0)]
    assert len(everywhere) == 4
    nearest_of_all = pytest.approx(min(everywhere), rel=1e-9)
    assert distance(plate.assemble()) == nearest_of_all
    assert distance(plate.kinematics(until=0.1, steps=2).state(0)) == nearest_of_all


def test_the_nearer_of_two_assemblies_beside_a_dead_point_is_taken(tmp_path):
    path = tmp_path / "plate.yaml"
    path.write_text(BESIDE_A_DEAD_POINT)
    plate = kp.load(path)
    wished = plate.model.body("plate").guess.position

    def distance(at) -> float:
        way = (at["plate"] - [wished.x, wished.y]) / plate.layout.size
        return float(way @ way) + math.remainder(at["plate.angle"], math.tau) ** 2

    everywhere = [distance(plate.assemble(one)) for one in plate.assemblies(at=0.0)]
    assert len(everywhere) == 4
    assert distance(plate.assemble()) == pytest.approx(min(everywhere), rel=1e-9)
