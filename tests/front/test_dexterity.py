"""Dexterity: against closed forms of arms, and loop equations of a platform by hand."""

import json
import math

import numpy as np
import pytest

import kempe as kp
from kempe.cli.main import main
from kempe.errors import BadNumber, DriveError, KempeError, ModelError, UnknownName

EXACT = 1e-9  # of rates: rounding, after a position that is closed to 1e-12


def arm(*lengths):
    m = kp.Builder("arm", plane=True)
    before = m.ground.at(0, 0)
    for k, length in enumerate(lengths):
        bar = m.bar(f"b{k}", length)
        m.revolute(before, bar.start, name=f"j{k}")
        before = bar.end
    return m.build()


def by_hand(lengths, angles):
    """J (2, n) of the tip, by complex numbers."""
    turned = np.cumsum(angles)
    ends = np.cumsum(np.array(lengths) * np.exp(1j * turned))
    starts = np.concatenate([[0.0], ends[:-1]])
    J = 1j * (ends[-1] - starts)
    return np.array([J.real, J.imag])


@pytest.fixture(scope="module")
def two():
    over = {"j0.angle": ("-180 deg", "180 deg"), "j1.angle": ("0 deg", "180 deg")}
    return arm(1.0, 0.6).dexterity("b1.end", ["j0.angle", "j1.angle"], over, count=41)


def test_an_arm_of_two_bars_is_as_dexterous_as_the_sine_of_its_elbow(two):
    assert two.is_reached.all()
    elbow = two.over["j1.angle"]
    assert np.abs(two.manipulability - 0.6 * np.abs(np.sin(elbow))).max() < EXACT
    for i, k in ((0, 3), (7, 20), (33, 39)):
        J = by_hand((1.0, 0.6), (two.over["j0.angle"][i], elbow[k]))
        s = np.linalg.svd(J, compute_uv=False)
        assert np.abs(two.jacobian[i, k] - J).max() < EXACT
        assert two.conditioning[i, k] == pytest.approx(s[1] / s[0], abs=EXACT)


def test_what_it_reaches_is_a_ring(two):
    """Polygons of 40 corners lie within both circles: 0.4 % are missing; level lines add 0.1 %."""
    ring = math.pi * (1.6**2 - 0.4**2)
    inside = 20.0 / math.pi * math.sin(math.pi / 20.0)
    assert two.area() == pytest.approx(inside * ring, rel=1e-3)
    # and where conditioning is at least 1/4 it is a ring, too: the elbow between two angles
    q = np.linspace(0.0, math.pi, 20001)
    kept = [k for k in q[::50] if _condition((0.0, k)) >= 0.25]
    far, near = (math.sqrt(1.0 + 0.36 + 1.2 * math.cos(k)) for k in (kept[0], kept[-1]))
    assert two.area(0.25) == pytest.approx(math.pi * (far**2 - near**2), rel=0.03)
    # the index: the mean of conditioning over the ring, dA = r dr
    elbow = 0.5 * (q[1:] + q[:-1])
    weights = np.sin(elbow)  # r dr = -l1 l2 sin(q) dq
    known = np.array([_condition((0.0, k)) for k in elbow[::50]])
    assert two.index == pytest.approx((known * weights[::50]).sum() / weights[::50].sum(), rel=0.01)


def _condition(angles):
    s = np.linalg.svd(by_hand((1.0, 0.6), angles), compute_uv=False)
    return s[1] / s[0]


def test_an_arm_with_a_joint_to_spare_has_the_root_of_the_determinant():
    lengths = (1.0, 0.7, 0.4)
    over = {"j0.angle": (0, 1), "j1.angle": (0.2, 2.0), "j2.angle": (-1.0, 1.0)}
    found = arm(*lengths).dexterity("b2.end", list(over), over, count=4)
    assert found.is_reached.all()
    for cell in np.ndindex(found.is_reached.shape):
        J = by_hand(lengths, [x[k] for x, k in zip(over_values(found), cell, strict=True)])
        assert found.manipulability[cell] == pytest.approx(math.sqrt(np.linalg.det(J @ J.T)))


def over_values(found):
    return list(found.over.values())


def test_a_platform_moves_as_its_loops_say():
    """(P - E) . (P' - E') = 0 of both fore arms, E' = q' i (E - A)."""
    made = platform()
    over = {"hand.x": (0.2, 0.6), "hand.y": (0.5, 1.0)}
    found = made.dexterity("hand", ["A.angle", "B.angle"], over, count=5)
    assert found.is_reached.all()
    assert np.abs(found.values[..., 0] - found.over["hand.x"][:, None]).max() < EXACT
    for cell in np.ndindex(found.is_reached.shape):
        P = found.values[cell] @ [1.0, 1.0j]
        rows, moved = [], []
        for pivot, side in ((0.0, 1.0), (0.8, -1.0)):
            d = abs(P - pivot)
            x = (0.6**2 - 0.8**2 + d * d) / (2.0 * d)
            E = pivot + (P - pivot) / d * (x + 1j * side * math.sqrt(0.36 - x * x))
            rows.append([(P - E).real, (P - E).imag])
            moved.append(((P - E).conjugate() * 1j * (E - pivot)).real)
        J = np.linalg.solve(np.array(rows), np.diag(moved))
        assert np.abs(found.jacobian[cell] - J).max() < 1e-8
        s = np.linalg.svd(J, compute_uv=False)
        assert found.conditioning[cell] == pytest.approx(s[1] / s[0], abs=1e-8)


def platform():
    m = kp.Builder("five-bar", plane=True)
    left = m.bar("left", 0.6, at=(0, 0), angle="120 deg")
    right = m.bar("right", 0.6, at=(0.8, 0), angle="60 deg")
    fore = m.bar("fore", 0.8, at=(-0.3, 0.52), angle="40 deg")
    hand = m.bar("hand", 0.8, at=(0.4, 0.9), angle="-40 deg")
    m.revolute(m.ground.at(0, 0), left.start, name="A")
    m.revolute(m.ground.at(0.8, 0), right.start, name="B")
    m.revolute(left.end, fore.start)
    m.revolute(right.end, hand.end)
    m.revolute(fore.end, hand.start)
    return m.build()


def test_a_platform_on_legs_agrees_with_small_steps_of_its_legs():
    """Its legs are measured while its place is set, though they are driven otherwise."""
    made = kp.gallery.planar_platform()
    legs, of = [f"leg{k}.length" for k in (1, 2, 3)], ["PQ.x", "PQ.y", "PQ.angle"]
    here = made.assemble(at=0.0)
    over = {name: (here[name] - 0.2, here[name] + 0.2) for name in of}
    found = made.dexterity(of, legs, over, count=3, length=1.0)
    assert found.is_reached.all()
    cell, step = (2, 0, 1), 1e-6
    place = {name: float(found.over[name][k]) for name, k in zip(of, cell, strict=True)}
    there = made.solver(*of).update(place)
    lengths = {name: there[name] for name in legs}
    solver = made.solver(*legs)
    solver.update(lengths)
    for k, name in enumerate(legs):
        ends = [solver.update(lengths | {name: lengths[name] + s}) for s in (step, -step)]
        slope = [(ends[0][x] - ends[1][x]) / (2.0 * step) for x in of]
        assert np.abs(found.jacobian[cell][:, k] - slope).max() < 1e-7


def test_places_and_turns_of_a_hand_are_reached_where_its_wrist_is():
    """Dexterous in the strict sense is where every turn of the hand is reached."""
    made = arm(1.0, 0.6, 0.3)
    over = {"b2.x": (-1.5, 1.5), "b2.y": (-1.5, 1.5)}
    with pytest.raises(DriveError, match="3 freedoms and 2 drives"):
        made.dexterity("b2.end", ["j0.angle", "j1.angle"], over)
    over |= {"b2.angle": np.radians([-60.0, 0.0, 60.0])}
    with pytest.raises(ModelError, match="3 freedoms without its drives and 2 inputs"):
        made.dexterity("b2.end", ["j0.angle", "j1.angle"], over, count=5)
    inputs = ["j0.angle", "j1.angle", "j2.angle"]
    found = made.dexterity(["b2.x", "b2.y", "b2.angle"], inputs, over, count=12, length=0.3)
    x, y = found.over["b2.x"], found.over["b2.y"]
    wrist = np.hypot(x[:, None], y)
    assert (found.is_reached == ((wrist < 1.6) & (wrist > 0.4))[..., None]).all()
    # the turn adds a column (0, 0, length): det J = l1 l2 sin(elbow) length
    kept = found.is_reached[..., 0]
    elbow = np.arccos((wrist[kept] ** 2 - 1.0 - 0.36) / 1.2)
    expected = 0.6 * np.abs(np.sin(elbow)) * 0.3
    assert np.abs(found.manipulability[..., 1][kept] - expected).max() < 1e-8


def test_an_arm_in_space_is_singular_outstretched_and_above_its_base():
    """|det J| = l1 l2 |sin elbow| r, with r how far the tip is from the axis of the base."""
    m, facing = kp.Builder("arm"), (0.0, 1.0, 0.0)
    base, upper, lower = (
        m.bar(name, length) for name, length in (("a", 0.3), ("b", 1.0), ("c", 0.6))
    )
    m.revolute(m.ground.at(0, 0, 0), base.start, name="base")
    m.revolute(base.start.facing(facing), upper.start.facing(facing), name="shoulder")
    m.revolute(upper.end.facing(facing), lower.start.facing(facing), name="elbow")
    over = {"base.angle": (0.0, 1.0), "shoulder.angle": (-1.0, 0.5), "elbow.angle": (0.2, 2.0)}
    found = m.build().dexterity("c.end", list(over), over, count=4)
    assert found.is_reached.all()
    shoulder, elbow = over_values(found)[1][:, None], over_values(found)[2]
    r = np.abs(np.cos(shoulder) + 0.6 * np.cos(shoulder + elbow))
    assert np.abs(found.manipulability - 0.6 * np.abs(np.sin(elbow)) * r).max() < EXACT
    assert np.abs(np.hypot(found.values[..., 0], found.values[..., 1]) - r).max() < EXACT


@pytest.mark.parametrize(
    ("of", "inputs", "over", "kind", "word"),
    [
        ("b1.tip", ["j0.angle", "j1.angle"], {"j0.angle": (0, 1)}, UnknownName, "b1.tip"),
        ("b1.end", ["j0.angle", "j9.angle"], {"j0.angle": (0, 1)}, UnknownName, "j9"),
        ("b1.end", ["j0.angle", "j1.angle"], {"j7.angle": (0, 1)}, KempeError, "j7"),
        ("b1.end", ["j0.angle"], {"j0.angle": (0, 1)}, BadNumber, "at will"),
        ("b1.end", ["j0.angle", "j1.angle"], {}, BadNumber, "over what"),
        ("b1.end", ["j0.angle", "j1.angle"], {"j0.angle": (1, 0)}, BadNumber, "grow"),
        ("b1.end", ["j0.angle", "j1.angle"], {"j0.angle": 3}, BadNumber, "range"),
        ("b1.end", ["j0.angle", "j1.angle"], {"j0.angle": (0, math.nan)}, BadNumber, "finite"),
        (["b1.x", "b1.angle"], ["j0.angle", "j1.angle"], {"j0.angle": (0, 1)}, BadNumber, "length"),
        ("b1.end", [], {"j0.angle": (0, 1)}, BadNumber, "by what"),
        ("b1.end", ["j0.angle", "j0.angle"], {"j0.angle": (0, 1)}, BadNumber, "twice"),
        (["b1.x", "b1.x"], ["j0.angle", "j1.angle"], {"j0.angle": (0, 1)}, BadNumber, "twice"),
    ],
)
def test_what_makes_no_sense_is_refused(of, inputs, over, kind, word):
    with pytest.raises(kind, match=word):
        arm(1.0, 0.6).dexterity(of, inputs, over, count=3)


@pytest.mark.parametrize("conditioning", ["0.3", None, True, math.nan, 1.5])
def test_a_conditioning_is_a_number_from_zero_to_one(two, conditioning):
    with pytest.raises(BadNumber, match="between 0 and 1"):
        two.area(conditioning)


def test_the_command_tells_draws_and_refuses(tmp_path, capsys):
    file, picture = tmp_path / "arm.yaml", tmp_path / "arm.svg"
    arm(1.0, 0.6).save(file)
    asked = ["dexterity", str(file), "--of", "b1.end", "--by", "j0.angle", "--by", "j1.angle"]
    grid = ["--grid", "j0.angle=-180 deg..180 deg", "--grid", "j1.angle=0 deg..180 deg"]
    assert main([*asked, *grid, "--count", "9", "-o", str(picture), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["reached"] == 81
    assert told["manipulability"]["best"] == pytest.approx(0.6)
    assert picture.read_text().startswith("<?xml")
    assert main([*asked, "--grid", "j0.angle=3"]) == 2
    assert "write it as" in capsys.readouterr().err
