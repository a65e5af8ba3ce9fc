"""What a document means: units, parameters, markers, joints, measures and laws."""

import math
import pickle
from pathlib import Path

import numpy as np
import pytest

import kempe
from kempe.drives import Ramp, TextFormula
from kempe.errors import BadNumber, FileError, UnknownName
from kempe.files.documents.document import read_document
from kempe.geometry import Marker, Rotation
from kempe.geometry.specific import Cylindrical, EulerAngles, SpecificRates

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples" / "models").glob("*.yaml"))
START = "version: 1\nplane: true\n"
PAIR = START + "bodies: {a: {length: 1, points: {P: [0.5, 0.5]}}, b: {}}\n"


def refused(document, text):
    def read():
        found = document(text)
        return found.model, found.run

    with pytest.raises(FileError) as refusal:
        read()
    return refusal.value


def assert_told(document, text, says, line):
    mistake = refused(document, text)
    assert says in mistake.message
    assert mistake.line == line


# -- the examples ------------------------------------------------------------------------------


def test_an_example_moves_as_it_asks(example):
    mechanism = kempe.load(example)
    run = mechanism.document.run
    steps = run.steps or 90
    turn = (
        mechanism.kinematics(until=run.until, steps=steps, through=run.through, free=run.free)
        if run.over is None
        else mechanism.kinematics(over=run.over, steps=steps, through=run.through, free=run.free)
    )
    assert turn.outcome.is_done
    assert all(point in turn for point in run.trace)


#: Closed forms hold to rounding of a converged sample.
EXACT = 1e-9


def turned(name, **values):
    path = next(p for p in EXAMPLES if p.stem == name)
    mechanism = kempe.load(path)
    mechanism = mechanism.with_parameters(values) if values else mechanism
    run = mechanism.document.run
    return mechanism.kinematics(until=run.until, steps=run.steps or 360)


def test_the_slider_moves_by_twice_the_crank():
    assert turned("slider_crank")["slider.x"].ptp("mm") == pytest.approx(80.0, rel=EXACT)


def test_the_yoke_moves_as_a_sine():
    turn = turned("scotch_yoke")
    wanted = 0.025 * np.cos(2 * np.pi * turn.t)
    assert turn["yoke.x"].values == pytest.approx(wanted, abs=EXACT)


def test_the_inversor_draws_a_straight_line():
    path = turned("peaucellier")["far_upper.start"].position
    wanted = (0.1**2 - 0.06**2) / 0.06  # (long^2 - short^2) / (2 arm)
    assert path[:, 0] == pytest.approx(np.full(len(path), wanted), abs=EXACT)
    assert np.ptp(path[:, 1]) > 0.01


def test_the_wheel_turns_half_as_fast_the_other_way():
    turn = turned("gear_pair")
    assert turn["wheel.angle"].values == pytest.approx(
        -0.5 * turn["pinion.angle"].values, abs=EXACT
    )


def test_the_rack_moves_by_the_radius_times_the_turn():
    turn = turned("rack_and_pinion")
    assert turn["rack.x"].values[-1] == pytest.approx(0.03, abs=EXACT)
    assert turn["pinion.angle"].values[-1] == pytest.approx(0.03 / 0.015, abs=EXACT)


def test_the_pantograph_doubles():
    turn = turned("pantograph")
    small, large = turn["short_left.end"].position, turn["long_right.end"].position
    assert large == pytest.approx(2.0 * small, abs=EXACT)


def test_the_trammel_draws_an_ellipse():
    x, y = turned("elliptic_trammel")["bar.pen"].position.T
    assert (x / 0.04) ** 2 + (y / 0.1) ** 2 == pytest.approx(np.ones(len(x)), abs=EXACT)


def test_the_merged_mechanism_is_that_of_the_library():
    found = turned("sung_combined")
    known = kempe.gallery.sung_combined().kinematics(until=0.1, steps=100)
    for name in ("body7.x", "body8.angle", "body6.angle"):
        assert (found[name].values == known[name].values).all()


# -- units and parameters ----------------------------------------------------------------------


def test_springs_and_loads_are_read_with_their_units(document):
    forces = document(
        """
version: 1
plane: true
bodies: {block: {at: [0.3, 0], angle: 0}}
joints: {rail: {type: prismatic, I: ground, J: block, axis: [1, 0, 0]}}
forces:
  coil: {type: nonlinear_spring, gauge: block.x, law: "50 * t", free: 100 mm, damper: "2 * t"}
  wind: {type: formula_load, at: block, force: ["-k * x", "0", "0"], seen: [block.x],
         names: [x], constants: [k], values: [3 N/mm]}
  main: {type: torsion_spring, gauge: block.angle, stiffness: 3 N*m/rad, theta_init: 720 deg}
"""
    ).model.forces
    coil, wind, main = forces
    assert coil.free == 0.1
    assert (coil.law.text, coil.damper.text) == ("50 * t", "2 * t")
    assert wind.values == (3000.0,)
    assert main.theta_init == pytest.approx(4 * math.pi)


def test_a_body_may_start_with_rates_of_any_coordinates(document):
    body = document(
        """
version: 1
bodies:
  top:
    spin: {coordinates: {type: euler_angles, sequence: ZXZ}, rates: [1.5, null, 60 rpm]}
    velocity: {coordinates: cylindrical, rates: [2 mm/s, 0, 0.3]}
"""
    ).model.body("top")
    assert body.spin == SpecificRates(EulerAngles("ZXZ"), (1.5, None, 2 * math.pi))
    assert body.velocity == SpecificRates(Cylindrical(), (0.002, 0.0, 0.3))


@pytest.mark.parametrize(
    ("start", "says"),
    [
        ("spin: {coordinates: euler_parameters, rates: [1, 2]}", "4 coordinates"),
        ("spin: {coordinates: cylindrical, rates: [1, 2, 3]}", "cylindrical"),
        ("spin: {coordinates: euler_parametres, rates: [1, 2, 3, 4]}", "euler_parameters"),
        ("velocity: {coordinates: {type: spherical}}", "rates"),
    ],
)
def test_a_start_that_cannot_be_is_refused(document, start, says):
    message = refused(document, f"version: 1\nbodies: {{top: {{{start}}}}}\n")
    assert says in str(message)


def test_bare_numbers_are_in_the_documents_units(document):
    text = START + "units: {length: mm, angle: deg}\nbodies: {a: {at: [30, 1 cm], angle: 90}}"
    guess = document(text).model.bodies[0].guess
    assert list(guess.position)[:2] == [0.03, 0.01]
    assert guess.rotation.angle == math.pi / 2


def test_without_units_bare_numbers_are_si(document):
    model = document(START + "bodies: {a: {length: 30}}").model
    assert model.bodies[0].points["end"] == (30.0, 0.0, 0.0)
    assert model.length_unit == "m"


def test_lengths_are_shown_in_the_documents_unit(document):
    assert document(START + "units: {length: mm}").model.length_unit == "mm"
    assert document(START + "units: {shown: mm}").model.length_unit == "mm"


def test_inertia_follows_the_units_of_mass_and_length(document):
    text = START + (
        "units: {length: mm, mass: g}\n"
        "bodies: {a: {inertia: {mass: 2, centre: [1, 2], tensor: [1, 1, 1 kg*m^2]}}}"
    )
    with pytest.raises(FileError, match="no body has the principal moments"):
        _ = document(text).model
    text = text.replace("1 kg*m^2", "2")
    inertia = document(text).model.bodies[0].inertia
    assert inertia.mass == 0.002
    assert inertia.centre.tolist() == [0.001, 0.002, 0.0]
    assert np.diag(inertia.tensor) == pytest.approx([1e-9, 1e-9, 2e-9], rel=1e-15)


def test_parameters_are_made_of_each_other_in_any_order(document):
    text = "version: 1\nparameters: {c: a + b, b: 2 * a, a: 1 in, d: {value: 5, unit: mm}}"
    scope = document(text).scope
    assert scope.parameters["c"].value == pytest.approx(3 * 0.0254)
    assert scope.parameters["d"].value == 0.005


def test_an_expression_knows_lengths_from_angles(document):
    text = START + (
        "units: {length: mm, angle: deg}\n"
        "parameters: {a: 3 cm, b: 40, c: 'atan2(b, 30)', d: 'asin(0.5)'}\n"
        "bodies: {x: {at: [a, b], angle: c}, y: {angle: d + c - c}, z: {at: [sqrt(a^2), 0]}}"
    )
    x, y, z = (body.guess for body in document(text).model.bodies)
    assert list(x.position)[:2] == [0.03, 0.04]
    assert x.rotation.angle == math.atan2(40, 30)
    assert y.rotation.angle == pytest.approx(math.pi / 6)
    assert z.position.x == pytest.approx(0.03)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ("{a: a}", "made of each other"),
        ("{a: b, b: c, c: a}", "made of each other"),
        ("{a: b + 1}", "there is no 'b'"),
        ("{a: 1 mm, b: 2 deg, c: a + b}", "a length and an angle cannot be added"),
        ("{a: 1 mm, b: a + 1}", "a length and a plain number cannot be added"),
        ("{a: 1 mm, b: sin(a)}", "sin of a length"),
        ("{a: 1 mm, b: 2^a}", "an exponent is a plain number"),
        ("{a: 1 mm, b: 2, c: a^b}", "needs a number as its exponent"),
        ("{a: 1 furlog}", "there is no unit 'furlog'"),
        ("{a: {value: 1 mm, unit: deg}}", "is a length"),
        ("{a: {value: 1, unt: mm}}", "Did you mean 'unit'"),
        ("{t: 1}", "cannot be the name of a parameter"),
        ("{pi: 1}", "cannot be the name of a parameter"),
        ("{a b: 1}", "cannot be the name of a parameter"),
        ("{a: .inf}", "not finite"),
        ("{a: [1]}", "no number"),
        ("{a: true}", "no number"),
        ("{a: }", "no number"),
    ],
)
def test_a_parameter_without_meaning_is_refused(document, parameters, says):
    assert_told(document, f"version: 1\nparameters: {parameters}", says, line=2)


def test_zero_goes_with_everything(document):
    text = "version: 1\nparameters: {a: 1 mm, b: 'max(a, 0)', c: 'if(a > 0, a, 0)'}"
    assert document(text).parameters["c"].value == 0.001


# -- bodies and markers ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marker", "body", "position", "rotation"),
    [
        ("ground", "ground", (0, 0, 0), Rotation.identity()),
        ("a", "a", (0, 0, 0), Rotation.identity()),
        ("a.end", "a", (1, 0, 0), Rotation.identity()),
        ("{body: a, point: P}", "a", (0.5, 0.5, 0), Rotation.identity()),
        ("{body: a, at: [1, 2]}", "a", (1, 2, 0), Rotation.identity()),
        ("{body: a, angle: 0.3}", "a", (0, 0, 0), Rotation.planar(0.3)),
        ("{body: a, axis: [1, 0]}", "a", (0, 0, 0), Rotation.with_z([1, 0, 0])),
        (
            "{body: a, quaternion: [0.6, 0, 0, 0.8]}",
            "a",
            (0, 0, 0),
            Rotation.from_quaternion([0.6, 0, 0, 0.8]),
        ),
        (
            "{body: a, matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}",
            "a",
            (0, 0, 0),
            Rotation.from_matrix([[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
        ),
    ],
)
def test_a_marker_is_a_place_on_a_body(document, marker, body, position, rotation, same):
    joint = document(PAIR + f"joints: {{J: {{type: revolute, I: {marker}, J: b}}}}").model.joints[0]
    assert (joint.I.body, joint.I.position) == (body, position)
    assert same(joint.I.rotation, Marker(body, position, rotation).rotation)


@pytest.mark.parametrize(
    ("marker", "says"),
    [
        ("c", "there is no body 'c'"),
        ("a.Q", "no point 'Q'"),
        ("''", "there is no body ''"),
        ("{at: [0, 0]}", "'body' is missing"),
        ("{body: a, at: [0, 0, 1]}", "off the plane"),
        ("{body: a, at: [0, 0], point: P}", "give one of them"),
        ("{body: a, at: [0, 1 kg]}", "is a mass"),
        ("{body: a, angle: 1, axis: [1, 0]}", "give one of them"),
        ("{body: a, angle: 1, matrix: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}", "no turn by 1 rad"),
        ("7", "must be a text"),
        ("[a, b]", "must be a text"),
    ],
)
def test_a_marker_without_meaning_is_refused(document, marker, says):
    assert_told(
        document, PAIR + f"joints: {{J: {{type: revolute, I: {marker}, J: b}}}}", says, line=4
    )


def test_a_bar_is_a_body_with_two_ends(document):
    body = document(PAIR).model.bodies[0]
    assert list(body.points) == ["start", "end", "P"]
    assert body.outline == ("start", "end", "P")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("{length: 0}", "positive length"),
        ("{length: 1, points: {end: [0, 0]}}", "already"),
        ("{outline: [P]}", "no point 'P'"),
        ("{lenght: 1}", "Did you mean 'length'"),
        ("{points: {P: 1}}", "must be a list"),
        ("[1]", "must be a mapping"),
        ("{inertia: {mass: 1, tensor: [1, 2]}}", "at least 3"),
        ("{inertia: {}}", "'mass' is missing"),
    ],
)
def test_a_body_without_meaning_is_refused(document, body, says):
    assert says in refused(document, START + f"bodies: {{a: {body}}}").message


def test_the_ground_may_have_points(document):
    model = document(START + "bodies: {ground: {points: {O: [1, 0]}}, a: {}}\n"
                     "joints: {J: {type: revolute, I: ground.O, J: a}}").model  # fmt: skip
    assert model.joints[0].I.position == (1.0, 0.0, 0.0)
    assert [body.name for body in model.moving] == ["a"]


# -- joints, measures and laws -----------------------------------------------------------------


def test_flip_turns_marker_j_round(document, same):
    text = PAIR + "joints: {J: {type: revolute, I: a, J: b, flip: true}}"
    plain = document(text.replace(", flip: true", "")).model.joints[0]
    assert same(document(text).model.joints[0], plain.flipped())


def test_an_axis_turns_both_markers(document):
    text = PAIR + "joints: {J: {type: prismatic, I: a, J: b, axis: [0, 1]}}"
    joint = document(text).model.joints[0]
    assert [list(m.rotation.z) for m in joint.markers] == [[0, 1, 0], [0, 1, 0]]
    twice = text.replace("I: a", "I: {body: a, angle: 1}")
    assert "turned already" in refused(document, twice).message


DRIVEN = PAIR + "joints: {J: {type: revolute, I: ground, J: a}}\n"


@pytest.mark.parametrize(
    ("law", "made"),
    [
        ("{speed: 60 rpm, start: 90 deg}", Ramp(math.pi / 2, math.tau)),
        ("{type: ramp, speed: 2, acceleration: 1 deg/s^2}", Ramp(0.0, 2.0, math.pi / 180)),
        ("0.5", Ramp(0.5)),
        ("90 deg", Ramp(math.pi / 2)),
        ("2 * h", Ramp(1.0)),
        ("sin(t)", TextFormula("sin(t)")),
        ("h * t", TextFormula("h * t", ("h",), (0.5,))),
        ("q * t", TextFormula("q * t", ("q",), (math.pi / 2,))),
        ("{law: sin(t), name: motor}", TextFormula("sin(t)")),
        ("{type: text_formula, text: k + t, names: [k], values: [3], scale: 2}",
         TextFormula("k + t", ("k",), (3.0,), 2.0)),
    ],
)  # fmt: skip
def test_a_drive_takes_a_law_in_many_words(document, law, made):
    text = DRIVEN + f"parameters: {{h: 0.5, q: 90 deg}}\ndrives: {{J.angle: {law}}}"
    assert document(text).model.drives[0].law == made


def test_a_formula_without_units_is_in_the_documents_units(document):
    text = DRIVEN + "units: {angle: deg}\nparameters: {q: 90 deg}\ndrives: {J.angle: 90 * t}"
    law = document(text).model.drives[0].law
    assert law.value(1.0) == pytest.approx(math.pi / 2)
    law = document(text.replace("90 * t", "q * t")).model.drives[0].law
    assert law.value(1.0) == pytest.approx(math.pi / 2)


@pytest.mark.parametrize(
    ("drives", "says"),
    [
        ("{J.angel: 1}", "Did you mean 'J.angle'"),
        ("{J.angle: 3 mm}", "is a length"),
        ("{J.angle: {speed: 3}, a.angle: {sped: 3}}", "Did you mean 'speed'"),
        ("{J.angle: {type: rmp}}", "Did you mean 'ramp'"),
        ("{J.angle: h * t}", "there is no 'h'"),
        ("{J.angle: 3 mm * t}", "where an angle is needed"),
        ("{J.angle: t + 1/0}", "divides by zero"),
        ("{J.angle: }", "no number"),
        ("{J.angle: [1]}", "no number"),
        ("{J.angle: {law: t, gauge: {measure: turn, I: a}}}", "'J' is missing"),
    ],
)
def test_a_drive_without_meaning_is_refused(document, drives, says):
    assert_told(document, DRIVEN + f"drives: {drives}", says, line=5)


def test_a_length_in_a_formula_that_drives_an_angle_is_refused(document):
    text = DRIVEN + "parameters: {h: 1 mm}\ndrives: {J.angle: h * t}"
    assert "is a length, where an angle is needed" in refused(document, text).message


def test_a_gauge_is_a_measure_with_a_name(document):
    text = DRIVEN + (
        "gauges: {swing: {measure: turn, I: a, J: b},"
        " lift: {measure: {type: displacement, axis: y}, I: ground, J: a.P}}\ndrives: {swing: 1}"
    )
    model = document(text).model
    assert [gauge.name for gauge in model.gauges] == ["swing", "lift"]
    assert model.drives[0].gauge.name == "swing"
    assert model.gauges[1].J.position == (0.5, 0.5, 0.0)
    assert "already" in refused(document, text.replace("swing", "a.angle", 1)).message


def test_couplers_take_measures_by_name_or_in_place(document):
    text = PAIR + (
        "couplers: {c: {type: combination, gauges: [a.angle, {measure: turn, I: a, J: b}],"
        " coefficients: [1, 2], constant: 90 deg}}"
    )
    coupler = document(text).model.couplers[0]
    assert [g.name for g in coupler.gauges] == ["a.angle", "b.angle"]
    assert coupler.constant == math.pi / 2
    assert "give one each" in refused(document, text.replace("[1, 2]", "[1]")).message


# -- the run -----------------------------------------------------------------------------------


def test_the_run_is_read_in_si(document):
    run = document(DRIVEN + "run: {until: 500 ms, steps: 7, outputs: [a.csv, b/c.html]}").run
    assert (run.until, run.steps, run.outputs) == (0.5, 7, ("a.csv", "b/c.html"))
    run = document(DRIVEN + "run: {over: [J.angle, 0, 90 deg]}").run
    assert run.over == ("J.angle", "0.0 rad", f"{math.pi / 2!r} rad")


def test_the_run_says_how_to_go_on_from_dead_points_and_with_free_parts(document):
    run = document(DRIVEN + "run: {through: momentum, free: nearest}").run
    assert (run.through, run.free) == ("momentum", "nearest")
    run = document(DRIVEN + "run: {through: [momentum, branch 2]}").run
    assert (run.through, run.free) == (("momentum", "branch 2"), "refuse")


@pytest.mark.parametrize(
    ("run", "says"),
    [
        ("{through: luck}", "run.through"),
        ("{through: [momentum, branch 0]}", "run.through"),
        ("{free: fall}", "cannot be 'fall'"),
        ("{until: 1 m}", "is a length"),
        ("{until: 1, over: [J.angle, 0, 1]}", "give one of them"),
        ("{over: [J.angel, 0, 1]}", "Did you mean 'J.angle'"),
        ("{over: [J.angle, 0]}", "run.over"),
        ("{steps: 0}", "run.steps"),
        ("{steps: 1.5}", "whole number"),
        ("{analysis: magic}", "cannot be 'magic'"),
        ("{outputs: [/etc/passwd]}", "leads out"),
        ("{outputs: [../a.csv]}", "leads out"),
    ],
)
def test_a_run_without_meaning_is_refused(document, run, says):
    assert says in refused(document, DRIVEN + f"run: {run}").message


def test_a_measure_that_is_none_gets_the_same_answer_in_a_file_and_in_a_call(document):
    in_file = refused(document, DRIVEN + "run: {over: [a.angel, 0, 1]}").message
    with pytest.raises(UnknownName) as called:
        kempe.Mechanism(document(DRIVEN).model).kinematics(over=("a.angel", 0, 1))
    assert called.value.message in in_file
    assert "ground." not in in_file


# -- other values ------------------------------------------------------------------------------


def test_other_parameters_make_a_variant_without_compiling(four_bar, document):
    one = document(four_bar)
    two = one.with_parameters({"crank": 31, "rocker": "7.5 cm", "frame": 105})
    assert two.model.body("crank").points["end"][0] == 0.031
    assert two.model.body("rocker").points["end"][0] == 0.075
    assert two.model.joint("D").I.position[0] == 0.105
    assert one.model.body("crank").points["end"][0] == 0.03
    keys = {kempe.Mechanism(d.model).layout.key for d in (one, two)}
    assert len(keys) == 1


def test_a_bare_value_is_in_the_unit_of_its_parameter(document):
    text = START + "parameters: {a: 3 cm, b: {value: 1, unit: in}}\nbodies: {x: {at: [a, b]}}"
    place = document(text).with_parameters({"a": 4, "b": 2}).model.bodies[0].guess.position
    assert list(place)[:2] == [0.04, 0.0508]


def test_a_parameter_that_does_not_exist_is_refused_by_name(document, four_bar):
    with pytest.raises(UnknownName, match="Did you mean 'crank'"):
        document(four_bar).with_parameters({"crnk": 1})
    with pytest.raises(BadNumber):
        document(four_bar).with_parameters({"crank": None})
    text = four_bar.replace("crank: 30", "crank: 30 mm")
    with pytest.raises(FileError, match="is a mass"):
        _ = document(text).with_parameters({"crank": "3 kg"}).model


def test_a_text_for_a_bare_parameter_is_turned_into_the_documents_unit(document):
    text = START + "units: {length: mm}\nparameters: {a: 3, b: a + 1}\nbodies: {x: {at: [a, b]}}"
    changed = document(text).with_parameters({"a": "1 cm"})
    assert list(changed.model.bodies[0].guess.position)[:2] == [0.01, 0.011]


# -- files -------------------------------------------------------------------------------------


def test_what_is_no_model_file_is_refused(tmp_path):
    (tmp_path / "a.txt").write_text("version: 1", encoding="utf-8")
    (tmp_path / "b.yaml").mkdir()
    for name, says in (("a.txt", "ends in"), ("b.yaml", "no file"), ("c.yaml", "no such file")):
        with pytest.raises(FileError, match=says):
            read_document(tmp_path / name)


def test_a_mistake_can_be_pickled(document):
    mistake = refused(document, "version: 1\nbodis: {}")
    again = pickle.loads(pickle.dumps(mistake))
    assert str(again) == str(mistake)
    assert str(again).startswith("a.yaml:2:1: 'bodis' has no meaning here. Did you mean 'bodies'")
    assert (again.path, again.line, again.column) == ("a.yaml", 2, 1)


def test_more_than_one_mistake_is_counted(document):
    mistake = refused(document, "version: 1\nplane: 1\nname: 2\nbodies: 3")
    assert mistake.message.endswith("(and 2 more)")
