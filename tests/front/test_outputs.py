"""What can be read off a motion, by object and by formula, and chosen for tables."""

import csv

import numpy as np
import pytest

import kempe
from kempe import Builder, Inertia, Trajectory
from kempe.errors import ExpressionError, KempeError, ModelError, UnknownName
from kempe.forces import AppliedLoad, LineSpring, SpringDamper
from kempe.joints import Revolute
from kempe.model import Output

#: Two ways to the same number in double precision.
SAME = 1e-12


def pendulum(**options):
    m = Builder("pendulum", plane=True, gravity=(0, -9.81))
    bob = Inertia(1.0, (0.5, 0, 0), np.diag([0, 1 / 12, 1 / 12]))
    rod = m.bar("rod", 1.0, at=(0, 0), angle=-0.5, inertia=bob)
    hinge = m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
    spring = m.force(
        LineSpring(m.ground.at(1.2, 0.3), rod.end, 40.0, 0.4, free=0.4, **options), "spring"
    )
    return m, rod, hinge, spring


@pytest.fixture(scope="module")
def swing() -> Trajectory:
    return pendulum()[0].build().simulate(until=1.0, steps=20)


def test_a_spring_has_a_length_a_power_and_an_energy(swing):
    L = swing["spring.length"]
    end = swing["rod.end"].position - np.array([1.2, 0.3])
    assert pytest.approx(np.linalg.norm(end, axis=1), abs=SAME) == L.values
    assert swing["spring.energy"].values == pytest.approx(20.0 * (L.values - 0.4) ** 2, abs=1e-10)
    pull = 40.0 * (L.values - 0.4) + 0.4 * L.rate
    assert swing["spring.force"].magnitude.values == pytest.approx(np.abs(pull), abs=1e-10)
    assert swing["spring.power"].values == pytest.approx(-pull * L.rate, abs=1e-9)
    assert swing["spring.energy"].unit == "J"
    assert swing["spring.power"].unit == "W"


def test_energies_have_names(swing):
    for word in ("kinetic", "potential", "dissipated", "driven", "total"):
        assert np.array_equal(swing[f"energy.{word}"].values, getattr(swing.energy, word))


def test_what_springs_take_is_what_the_balance_lost():
    """Trapezoids over the samples: the force's power is the rate of everything it takes."""
    swing = pendulum()[0].build().simulate(until=1.0, steps=400)
    taken = -np.trapezoid(swing["spring.power"].values, swing.t)
    stored = swing["spring.energy"].values[-1] - swing["spring.energy"].values[0]
    assert taken == pytest.approx(stored + swing.energy.dissipated[-1], rel=1e-3)


def test_a_formula_of_columns_is_read_like_a_channel(swing):
    L = swing["spring.length"].values
    stored = swing["0.5 * 40 * (spring.length - 0.4)^2"]
    assert stored.values == pytest.approx(20.0 * (L - 0.4) ** 2, abs=SAME)
    both = swing["max(rod.angle.rate, 0) + 2e0 * hinge.force.x + t - pi"].values
    expected = np.maximum(swing["rod.angle"].rate, 0) + 2 * swing["hinge.force"].values[:, 0]
    assert both == pytest.approx(expected + swing.t - np.pi, abs=SAME)


def test_names_with_blanks_stand_between_back_quotes():
    m = Builder("blanks", plane=True)
    body = m.body("my rod", at=(0, 0), angle=0.2, inertia=Inertia(1.0, (0, 0, 0), np.eye(3)))
    m.force(SpringDamper(body.angle, 2.0), "a spring")
    motion = m.build().simulate(until=0.1, steps=2)
    double = motion["2 * `my rod.angle` + `a spring.effort`"].values
    assert double == pytest.approx(0.0 * motion.t, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("2 * sprung.length", UnknownName, "spring.length"),
        ("2 * rod.end", UnknownName, "rod.end.x"),
        ("3 +", ExpressionError, "no formula"),
        ("__import__('os').system('true')", ExpressionError, "no formula"),
        ("open(rod.angle)", ExpressionError, "no function 'open'"),
    ],
)
def test_a_formula_that_means_nothing_says_so(swing, text, kind, says):
    with pytest.raises(kind, match=says):
        swing[text]


def test_a_body_in_space_has_an_orientation_and_turns():
    m = Builder("spinner")
    m.body(
        "rock", at=(0, 0, 0), inertia=Inertia(1.0, (0, 0, 0), np.diag([1, 2, 2.5])), spin=(3, 1, 2)
    )
    motion = m.build().simulate(until=1.0, steps=200)
    w, alpha = motion["rock.angular_velocity"].values, motion["rock.angular_acceleration"].values
    assert w[0] == pytest.approx([3, 1, 2], abs=SAME)
    slope = np.gradient(w, motion.t, axis=0)
    assert np.abs(slope - alpha)[1:-1].max() < 1e-3 * np.abs(alpha).max()
    e = motion["rock.orientation"].values
    assert np.linalg.norm(e, axis=1) == pytest.approx(1.0)
    # The angular momentum of a free body stays, in world axes.
    R = np.array([kempe.Rotation.from_quaternion(row).matrix() for row in e])
    body = np.einsum("nji,nj->ni", R, w) * np.array([1, 2, 2.5])
    momentum = np.einsum("nij,nj->ni", R, body)
    assert np.abs(momentum - momentum[0]).max() < 1e-6
    names = list(motion.columns("rock.orientation"))
    assert names == ["t", *(f"rock.orientation.e{k}" for k in range(4))]


def test_a_drive_with_a_name_has_a_torque_and_a_power():
    m = Builder("motor", plane=True)
    rod = m.bar("rod", 1.0, inertia=Inertia(2.0, (0, 0, 0), np.eye(3)))
    hinge = m.add(Revolute(m.ground.at(0, 0), rod.start), "hinge")
    m.drive(hinge.angle, lambda t: 0.5 * t**2, name="motor")
    for motion in (m.build().simulate(until=1.0, steps=4), m.build().kinematics(1.0, steps=4)):
        assert motion["motor.torque"].values == pytest.approx(1.0, abs=1e-9)
        assert motion["motor.power"].values == pytest.approx(motion.t, abs=1e-9)


def chosen():
    m, rod, hinge, spring = pendulum()
    m.output(rod)
    m.output(hinge, "force")
    m.output("spring.length")
    m.output("0.5 * 40 * (spring.length - 0.4)^2", name="stored", unit="J")
    m.output("stored / 2", name="half")
    m.output(spring, "power")
    return m


COLUMNS = [
    *("t", "rod.x", "rod.vx", "rod.ax", "rod.y", "rod.vy", "rod.ay"),
    *("rod.angle", "rod.angle.rate", "rod.angle.acceleration"),
    *("rod.force.x", "rod.force.y", "rod.torque.z", "hinge.force.x", "hinge.force.y"),
    *("spring.length", "spring.length.rate", "spring.length.acceleration", "stored", "half"),
    "spring.power",
]


def test_tables_show_what_was_chosen_and_everything_can_still_be_read(tmp_path):
    motion = chosen().build().simulate(until=0.5, steps=5)
    assert list(motion.columns()) == COLUMNS
    assert motion["half"].values == pytest.approx(0.5 * motion["stored"].values)
    assert len(motion["rod.end"]) == 6
    with (motion.to_csv(tmp_path / "swing.csv")).open() as file:
        assert next(csv.reader(file)) == COLUMNS


def test_what_was_chosen_survives_saving(tmp_path):
    motion = chosen().build().simulate(until=0.5, steps=5)
    again = Trajectory.load(motion.save(tmp_path / "swing.npz"))
    assert list(again.columns()) == COLUMNS
    assert np.array_equal(again["half"].values, motion["half"].values)
    assert np.array_equal(again["2 * spring.power"].values, 2 * motion["spring.power"].values)


def test_outputs_stand_in_files_and_come_back(tmp_path):
    mechanism = chosen().build()
    again = kempe.load(mechanism.save(tmp_path / "pendulum.yaml"))
    assert again.model.outputs == mechanism.model.outputs
    assert list(again.simulate(until=0.5, steps=5).columns()) == COLUMNS


WRONG = {
    "an unknown part": ((("rodd",), {}), UnknownName),
    "an unknown word": ((("hinge.forse",), {}), UnknownName),
    "an unknown name in a formula": ((("2 * sprong.length",), {"name": "a"}), UnknownName),
    "a formula that is none": ((("2 *",), {"name": "a"}), ExpressionError),
    "itself": ((("2 * a",), {"name": "a"}), UnknownName),
    "a name that is taken": ((("2 * t",), {"name": "rod.angle"}), ModelError),
    "a unit that is none": ((("2 * t",), {"name": "a", "unit": "furlongs per"}), KempeError),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_an_output_that_cannot_be_is_refused_before_anything_is_computed(wrong):
    (given, options), kind = WRONG[wrong]
    m, *_ = pendulum()
    m.output(*given, **options)
    with pytest.raises(kind):
        m.build().simulate(until=1.0)


@pytest.mark.parametrize(
    "make",
    [
        lambda m: m.output(3.0),
        lambda m: m.output(""),
        lambda m: m.output("2 * t", unit="J"),
        lambda m: m.output("rod", "angle", name="a"),
    ],
)
def test_an_output_without_meaning_is_refused_at_once(make):
    with pytest.raises(ModelError):
        make(pendulum()[0])


def test_renaming_and_removing_parts_takes_outputs_along():
    m = chosen()
    m.rename({"spring": "coil"})
    mechanism = m.build()
    assert Output("0.5 * 40 * (coil.length - 0.4)^2", "stored", "J") in mechanism.model.outputs
    assert "coil.power" in mechanism.simulate(until=0.1, steps=1).columns()
    m = chosen()
    m.remove("spring")
    left = [output.title for output in m.build().model.outputs]
    assert left == ["rod", "hinge.force", "half"]


def test_two_markers_of_a_load_have_a_distance():
    m, rod, *_ = pendulum()
    none = kempe.drives.Ramp(0.0, 0.0)
    m.force(AppliedLoad(rod.end, (none, none, none), against=m.ground.at(1, 1)), "load")
    motion = m.build().simulate(until=0.1, steps=1)
    assert motion["load.length"].values[0] == pytest.approx(
        np.linalg.norm(motion["rod.end"].position[0] - 1.0)
    )


@pytest.mark.parametrize("name", ["double_pendulum", "heavy_top"])
def test_a_body_tells_what_all_of_it_together_exerts(name):
    """m a_C and the rate of angular momentum: the weight and what its joints and the next do."""
    motion = kempe.gallery.MECHANISMS[name]().simulate(until=1.0, steps=2000)
    body, t = motion.layout.model.moving[-1], motion.t
    hung = [j for j in motion.layout.model.joints if j.J.body == body.name]
    weight = body.inertia.mass * np.array(motion.layout.model.gravity)
    force = sum(motion[f"{j.name}.force"].values for j in hung)
    known = force + weight[: force.shape[1]]
    assert motion[f"{body.name}.force"].values == pytest.approx(known, abs=1e-9)
    assert motion[f"{body.name}.force"].unit == "N"
    if name == "heavy_top":
        spin = motion["top.angular_velocity"].values
        R = [kempe.Rotation.from_quaternion(e).matrix() for e in motion["top.orientation"].values]
        L = np.array([r @ body.inertia.tensor @ r.T @ w for r, w in zip(R, spin, strict=True)])
        rate = np.gradient(L, t, axis=0, edge_order=2)[5:-5]
        torque = motion["top.torque"].values[5:-5]
        # Central differences over half a millisecond of a spin at 50 Hz.
        assert np.abs(rate - torque).max() < 3e-2 * np.abs(torque).max()
    assert motion.columns(f"{body.name}.force")[f"{body.name}.force.x"].shape == t.shape


def test_a_body_without_mass_tells_no_force():
    motion = kempe.gallery.car_axis().simulate(until=0.1, steps=2)
    assert "road.force" not in motion.names
    assert "left.force" in motion.names
