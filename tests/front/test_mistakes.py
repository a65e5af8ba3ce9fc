"""Bad input: a typed error that says what, where, how much and what to do, and that pickles."""

import math
import pickle
import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import kempe
from kempe import errors
from kempe.drives import Ramp
from kempe.errors import (
    AssemblyError,
    BadConnection,
    BadNumber,
    DriveError,
    DuplicateName,
    FormulaError,
    KempeError,
    MissingPart,
    ModelError,
    TracingError,
    UnitError,
    UnknownName,
)
from kempe.geometry import GROUND, Marker, Rotation
from kempe.joints import Absolute, AbstractJoint, Rod
from kempe.measures import Gauge, Turn
from kempe.model import Body


def hinge(**members):
    """A user's joint, right but for what is given: a hinge in the plane."""

    def phi(self, X_WI, X_WJ):
        return list(X_WI.position - X_WJ.position)

    return dataclass(frozen=True)(
        type("Hinge", (AbstractJoint,), {"rows": ("m", "m", "m"), "phi": phi, **members})
    )


def with_hinge(bench, formula, **members):
    """The four-bar with a user's joint in the place of A."""
    bench.m.remove("A")
    kind = hinge(phi=formula, **members)
    bench.m.add(kind(bench.m.ground.at(0, 0), bench.crank.start), name="A")
    return bench.run()


def _if(self, I, J):
    d = I.position - J.position
    return [d.x, d.y, d.z] if d.x > 0 else [d.y, d.x, d.z]


def weld(bench):
    """The rocker is welded to the ground where it stands: nothing can move."""
    angle = float(bench.run()["rocker.angle"].values[0])
    bench.m.fixed(bench.m.ground.at(4, 0).turned(angle), bench.rocker.start, name="weld")
    return bench.run()


#: what is wrong -> (how it comes about, the error, words of what, where, how much and what to do)
NAMES = {
    "a name of nothing": (
        lambda b: b.crank.point("tip"),
        UnknownName,
        ["'crank'", "'tip'", "'start'"],
    ),
    "a point nobody has": (lambda b: b.crank.tip, UnknownName, ["'crank' has no 'tip'", "'start'"]),
    "a point of the ground": (
        lambda b: b.m.ground.point("O"),
        UnknownName,
        ["the ground has no named points", "ground.at(x, y)"],
    ),
    "a freedom a joint does not have": (
        lambda b: b.m.drive(b.A.displacement),
        UnknownName,
        ["joint 'A' (Revolute) has no 'displacement'", "'angle'"],
    ),
    "a joint on a body nobody made": (
        lambda b: b.m.revolute(Marker("crnk"), b.rocker.end),
        UnknownName,
        ["'crnk'", "Did you mean 'crank'"],
    ),
    "a drive on a body nobody made": (
        lambda b: (
            b.m.drive(Gauge("w.angle", Turn(), Marker(GROUND), Marker("wheel"))),
            b.m.build(),
        ),
        UnknownName,
        ["the drive on 'w.angle'", "'wheel'", "'crank'"],
    ),
    "a sweep over nothing": (
        lambda b: b.run(until=None, over=("crank.angel", 0, 1)),
        UnknownName,
        ["'crank.angel'", "Did you mean 'crank.angle'"],
    ),
    "a reading of nothing": (
        lambda b: b.run()["crank.angel"],
        UnknownName,
        ["'crank.angel'", "Did you mean 'crank.angle'"],
    ),
    "two bodies of one name": (lambda b: b.m.bar("crank", 1.0), DuplicateName, ["'crank'"]),
    "a joint called as a body": (
        lambda b: b.m.revolute(b.crank.end, b.rocker.end, name="crank"),
        DuplicateName,
        ["'crank'"],
    ),
    "two joints of one name": (
        lambda b: b.m.revolute(b.crank.end, b.rocker.end, name="A"),
        DuplicateName,
        ["'A'"],
    ),
    "a body called ground": (lambda b: b.m.body("ground"), DuplicateName, ["'ground'"]),
    "two drives on one measure": (
        lambda b: b.m.drive(b.crank.angle, rpm=30),
        DuplicateName,
        ["'crank.angle' is driven already", "one drive per measure"],
    ),
    "a point called as an end of the bar": (
        lambda b: b.m.bar("arm", 1.0, points={"end": (1, 1)}),
        DuplicateName,
        ["'arm'", "'end'"],
    ),
    "a point called as a measure": (
        lambda b: b.m.bar("arm", 1.0, points={"angle": (1, 1)}),
        ModelError,
        ["'arm'", "'angle'"],
    ),
    "a body without a name": (lambda b: b.m.body(""), BadNumber, ["must have letters"]),
    "a body with a dot": (lambda b: b.m.body("a.b"), BadNumber, ["'a.b'", "no dot"]),
    "a joint with a dot": (
        lambda b: b.m.revolute(b.crank.end, b.rocker.end, name="a.b"),
        ModelError,
        ["'a.b'", "no dot"],
    ),
    "an outline through nothing": (
        lambda b: b.m.body("plate", points={"p": (0, 0)}, outline=("p", "q")),
        UnknownName,
        ["'plate'", "'q'", "'p'"],
    ),
}
NUMBERS = {
    "a point of one number": (lambda b: b.m.body("w", points={"p": (1,)}), BadNumber, ["2 or 3"]),
    "a point of four": (lambda b: b.m.body("w", points={"p": (1, 2, 3, 4)}), BadNumber, ["4"]),
    "a place of one number": (lambda b: b.m.body("w", at=(1,)), BadNumber, ["2 or 3"]),
    "a point that is a number": (
        lambda b: b.m.body("w", points={"p": 3.0}),
        BadNumber,
        ["2 or 3", "3.0"],
    ),
    "a point of words": (
        lambda b: b.m.body("w", points={"p": "ab"}),
        BadNumber,
        ["point 'p' of body 'w'", "2 or 3 coordinates", "'ab'"],
    ),
    "NaN in a point": (
        lambda b: b.m.body("w", points={"p": (math.nan, 0)}),
        BadNumber,
        ["point 'p' of body 'w'", "nan"],
    ),
    "infinity in a place": (
        lambda b: b.crank.at(math.inf, 0),
        BadNumber,
        ["a place on 'crank'", "inf"],
    ),
    "NaN as a length": (lambda b: b.m.bar("w", math.nan), BadNumber, ["bar 'w'", "nan"]),
    "infinity as a length": (lambda b: b.m.bar("w", math.inf), BadNumber, ["bar 'w'", "inf"]),
    "a length of zero": (lambda b: b.m.bar("w", 0), BadNumber, ["'w'", "0", "positive length"]),
    "a negative length": (lambda b: b.m.bar("w", -2), BadNumber, ["'w'", "-2", "positive length"]),
    "a length that is none": (lambda b: b.m.bar("w", None), BadNumber, ["None"]),
    "a length in degrees": (
        lambda b: b.m.bar("w", "3 deg"),
        UnitError,
        ["bar 'w'", "'deg'", "length"],
    ),
    "an angle in metres": (
        lambda b: b.m.body("w", angle="3 m"),
        UnitError,
        ["the first guess of body 'w'", "'m'", "angle"],
    ),
    "NaN as an angle": (lambda b: b.m.body("w", angle=math.nan), BadNumber, ["'w'", "nan"]),
    "a rod of no length": (
        lambda b: b.m.add(Rod(b.crank.end, b.rocker.end, length=0.0)),
        BadNumber,
        ["rod", "positive", "0"],
    ),
    "a rod of negative length": (
        lambda b: b.m.add(Rod(b.crank.end, b.rocker.end, length=-1.0)),
        BadNumber,
        ["rod", "positive", "-1"],
    ),
    "an endless rod": (
        lambda b: b.m.add(Rod(b.crank.end, b.rocker.end, length=math.inf)),
        BadNumber,
        ["inf"],
    ),
    "NaN as a rod": (
        lambda b: b.m.add(Rod(b.crank.end, b.rocker.end, length=math.nan)),
        BadNumber,
        ["nan"],
    ),
    "a coordinate held at NaN": (
        lambda b: b.m.add(Absolute(Marker(GROUND), Marker("crank"), x=math.nan)),
        BadNumber,
        ["x", "nan"],
    ),
    "nothing held": (
        lambda b: b.m.hold(b.crank),
        BadNumber,
        ["holds nothing", "at least one of x, y, z"],
    ),
    "a quaternion that is not unit": (
        lambda b: b.m.body("w", rotation=Rotation.from_quaternion([1.0, 1.0, 0.0, 0.0])),
        BadNumber,
        ["length 1", "1.41421356", "Divide"],
    ),
    "a guess of NaN": (
        lambda b: b.m.body("w", at=(0, 0), rotation=Rotation.about([0, 0, math.nan], 1.0)),
        BadNumber,
        ["three numbers"],
    ),
    "a direction of zero": (
        lambda b: b.m.prismatic(b.crank.end, b.rocker.end, along=(0, 0)),
        BadNumber,
        ["not all zero"],
    ),
    "a direction of one number": (
        lambda b: b.m.prismatic(b.crank.end, b.rocker.end, along=(1,)),
        BadNumber,
        ["2 or 3 numbers"],
    ),
    "a drive at NaN": (
        lambda b: b.m.drive(b.rocker.angle, start=math.nan),
        BadNumber,
        ["the drive on 'rocker.angle'", "nan"],
    ),
    "a drive with an endless speed": (
        lambda b: b.m.drive(b.rocker.angle, Ramp(0.0, math.inf)),
        BadNumber,
        ["speed", "inf"],
    ),
    "rpm of a word": (
        lambda b: b.m.drive(b.rocker.angle, rpm="fast"),
        UnitError,
        ["the drive on 'rocker.angle'", "'fast'"],
    ),
    "a sweep to nowhere": (lambda b: b.run(until=None), BadNumber, ["`until`", "`over`"]),
    "a sweep both ways": (
        lambda b: b.run(over=("crank.angle", 0, 1)),
        BadNumber,
        ["either `until` or `over`"],
    ),
    "a sweep back in time": (lambda b: b.run(until=-1.0), BadNumber, ["-1 s", "later than 0"]),
    "a sweep of no time": (lambda b: b.run(until=0.0), BadNumber, ["0 s", "later than 0"]),
    "a sweep to NaN": (lambda b: b.run(until=math.nan), BadNumber, ["nan"]),
    "a sweep in metres": (lambda b: b.run(until="3 m"), UnitError, ["'m'", "time"]),
    "a sweep of no steps": (lambda b: b.run(steps=0), BadNumber, ["`steps`", "between 1 and"]),
    "half a step": (lambda b: b.run(steps=2.5), BadNumber, ["`steps`", "2.5"]),
    "steps that are true": (lambda b: b.run(steps=True), BadNumber, ["`steps`", "True"]),
    "too many steps": (lambda b: b.run(steps=10**12), BadNumber, ["`steps`", "1000000000000"]),
    "a sweep between one value": (
        lambda b: b.run(until=None, over=("crank.angle", 1, 1)),
        BadNumber,
        ["'crank.angle'", "two different ends"],
    ),
    "a sweep over one value": (
        lambda b: b.run(until=None, over=("crank.angle", 1)),
        BadNumber,
        ["over", "measure, from, to"],
    ),
}
CONNECTIONS = {
    "a joint of a body with itself": (
        lambda b: b.m.revolute(b.crank.start, b.crank.end),
        BadConnection,
        ["connects body 'crank' to itself", "two bodies"],
    ),
    "a joint of the ground with itself": (
        lambda b: b.m.revolute(b.m.ground.at(0, 0), b.m.ground.at(1, 0)),
        BadConnection,
        ["'ground' to itself"],
    ),
    "a joint on a number": (
        lambda b: b.m.revolute(3.0, b.crank.end),
        BadConnection,
        ["crank.end", "3.0"],
    ),
    "a joint on a measure": (
        lambda b: b.m.revolute(b.crank.angle, b.rocker.end),
        BadConnection,
        ["crank.end", "the measure 'crank.angle'"],
    ),
    "a drive on a place": (
        lambda b: b.m.drive(b.crank.end, rpm=3),
        BadConnection,
        ["crank.angle", "a place on 'crank'"],
    ),
    "rpm of a length": (
        lambda b: b.m.drive(b.crank.x, rpm=60),
        BadConnection,
        ["'crank.x' is a length", "not rpm"],
    ),
    "a drive on the ground": (
        lambda b: b.m.drive(b.m.ground.angle, rpm=1),
        BadConnection,
        ["'ground.angle'", "two places of 'ground'", "moving part"],
    ),
    "a point off the plane": (
        lambda b: (b.m.body("w", points={"p": (0, 0, 1)}), b.m.build()),
        BadConnection,
        ["'p' of body 'w'", "1 m off the plane", "plane=False"],
    ),
    "a joint off the plane": (
        lambda b: (b.m.revolute(b.crank.at(0, 0, 2), b.rocker.end, name="E"), b.m.build()),
        BadConnection,
        ["'E'", "2 m off the plane", "plane=False"],
    ),
    "a hinge lying in the plane": (
        lambda b: (
            b.m.reattach("A", J=b.crank.start.facing((1, 0))),
            b.run(),
        ),
        AssemblyError,
        ["the axes of 'A' out of line by 1 rad", "Straighten"],
    ),
    "a held coordinate off the plane": (
        lambda b: (b.m.hold(b.crank, z=1, name="lift"), b.run()),
        BadConnection,
        ["joint 'lift' cannot hold in the plane", "plane=False"],
    ),
}
DRIVES = {
    "no drive at all": (
        lambda b: (b.m.remove("crank.angle"), b.run()),
        DriveError,
        ["'four-bar' has no drive", "builder.drive(crank.angle"],
    ),
    "too many drives": (
        lambda b: (b.m.drive(b.rocker.angle, rpm=1), b.run()),
        DriveError,
        [
            "2 drives",
            "'crank.angle', 'rocker.angle'",
            "1 freedom",
            "Remove the drive on 'rocker.angle'",
        ],
    ),
    "too few drives": (
        lambda b: (b.m.remove("C"), b.run()),
        DriveError,
        ["3 freedoms and 1 drive", "'coupler'", "Add 2 drives"],
    ),
    "nothing to drive": (weld, DriveError, ["1 drive", "0 freedoms", "cannot move at all"]),
    "a law that is no function": (
        lambda b: b.m.drive(b.rocker.angle, 3.0),
        BadNumber,
        ["function of t", "3.0"],
    ),
    "a law without an answer": (
        lambda b: (b.m.remove("crank.angle"), b.m.drive(b.crank.angle, lambda t: None), b.run()),
        KempeError,
        ["the law of the drive on 'crank.angle'", "None", "one number"],
    ),
    "a law of two arguments": (
        lambda b: (
            b.m.remove("crank.angle"),
            b.m.drive(b.crank.angle, lambda t, u: t),
            b.run(),
        ),
        FormulaError,
        ["the law of the drive on 'crank.angle'", "TypeError", "'u'"],
    ),
    "a law with math.sin": (
        lambda b: (
            b.m.remove("crank.angle"),
            b.m.drive(b.crank.angle, lambda t: math.sin(t)),
            b.run(),
        ),
        TracingError,
        ["crank.angle", "np.sin(x)"],
    ),
    "a law with an if": (
        lambda b: (
            b.m.remove("crank.angle"),
            b.m.drive(b.crank.angle, lambda t: 0.1 if t > 1 else t),
            b.run(),
        ),
        TracingError,
        ["crank.angle", "kempe.where"],
    ),
    "a law that is NaN": (
        lambda b: (
            b.m.remove("crank.angle"),
            b.m.drive(b.crank.angle, lambda t: np.sqrt(t - 1.0)),
            b.run(),
        ),
        DriveError,
        ["the drive on 'crank.angle' has no value to start from", "nan at t = 0 s", "Start where"],
    ),
    "an executor nobody has": (lambda b: b.run(executor="abacus"), MissingPart, ["'abacus'", "vm"]),
    "a plan nobody has": (lambda b: b.run(plan="cunning"), MissingPart, ["'cunning'", "small"]),
}
FORMULAS = {
    "too few rows": (
        lambda b: with_hinge(b, lambda self, I, J: list(I.position - J.position)[:2]),
        FormulaError,
        ["Hinge.phi (joint 'A')", "returned 2 rows", "declares 3"],
    ),
    "too many rows": (
        lambda b: with_hinge(b, lambda self, I, J: [*(I.position - J.position), I.position.x]),
        FormulaError,
        ["Hinge.phi (joint 'A')", "returned 4 rows", "declares 3"],
    ),
    "no list": (
        lambda b: with_hinge(b, lambda self, I, J: I.position - J.position),
        FormulaError,
        ["Hinge.phi (joint 'A')", "Vector", "[row, row, ...]"],
    ),
    "nothing returned": (
        lambda b: with_hinge(b, lambda self, I, J: None),
        FormulaError,
        ["Hinge.phi (joint 'A')", "NoneType", "[row, row, ...]"],
    ),
    "a row that is a vector": (
        lambda b: with_hinge(b, lambda self, I, J: [I.position - J.position] * 3),
        FormulaError,
        ["Hinge.phi (joint 'A')", "row 1", "Vector"],
    ),
    "a row that is None": (
        lambda b: with_hinge(b, lambda self, I, J: [I.position.x, None, J.position.x]),
        FormulaError,
        ["Hinge.phi (joint 'A')", "row 2", "None"],
    ),
    "a row that is a comparison": (
        lambda b: with_hinge(b, lambda self, I, J: [I.position.x > 0, I.position.y, J.position.x]),
        FormulaError,
        ["Hinge.phi (joint 'A')", "row 1", "Condition"],
    ),
    "a row that is constant": (
        lambda b: with_hinge(b, lambda self, I, J: [*list(I.position - J.position)[:2], 1.0]),
        KempeError,
        ["'A'", "row 3"],
    ),
    "math.sin": (
        lambda b: with_hinge(b, lambda self, I, J: [math.sin(I.position.x), 0.0, 0.0]),
        TracingError,
        ["Hinge.phi (joint 'A')", "`math` module", "np.sin(x)"],
    ),
    "an if": (
        lambda b: with_hinge(b, _if),
        TracingError,
        ["Hinge.phi (joint 'A')", "Python `if`", "kempe.where"],
    ),
    "an ==": (
        lambda b: with_hinge(b, lambda self, I, J: [I.position.x == 0, 0.0, 0.0]),
        TracingError,
        ["Hinge.phi (joint 'A')", "`==`", "kempe.where"],
    ),
    "a numpy function that is not available": (
        lambda b: with_hinge(b, lambda self, I, J: [np.floor(I.position.x), 0.0, 0.0]),
        TracingError,
        ["Hinge.phi (joint 'A')", "numpy.floor is not available", "rint"],
    ),
    "a formula that is NaN": (
        lambda b: with_hinge(
            b,
            lambda self, I, J: [
                np.sqrt(-1.0 - J.position.x * J.position.x),
                I.position.y - J.position.y,
                I.position.z - J.position.z,
            ],
        ),
        AssemblyError,
        ["'A' has no value", "'four-bar'", "row 1 is nan", "mend the formula"],
    ),
    "a formula that fails": (
        lambda b: with_hinge(b, lambda self, I, J: [I.place.x, 0.0, 0.0]),
        FormulaError,
        ["Hinge.phi (joint 'A') failed with AttributeError", "'place'"],
    ),
}
ASSEMBLIES = {
    "bars that do not reach": (
        lambda b: (
            b.m.replace("rocker", Body("rocker", {"start": (0, 0, 0), "end": (0.2, 0, 0)})),
            b.m.reattach("C", J=Marker("rocker", (0.2, 0.0, 0.0))),
            b.m.replace("coupler", Body("coupler", {"start": (0, 0, 0), "end": (0.5, 0, 0)})),
            b.m.reattach("C", I=Marker("coupler", (0.5, 0.0, 0.0))),
            b.run(),
        ),
        AssemblyError,
        ["the loop", "cannot be closed", "'ground' is 4 m", "reach only 1.7 m", "Shorten 'ground'"],
    ),
    "a wrong first guess": (
        lambda b: (
            b.m.remove("crank.angle"),
            b.m.drive(b.rocker.angle, start=0.0, rpm=1),
            b.run(),
        ),
        AssemblyError,
        [
            "cannot be put together at t = 0 s",
            "proved",
            "the loop",
            "open by",
            "Start ",
        ],
    ),
}
MISTAKES = NAMES | NUMBERS | CONNECTIONS | DRIVES | FORMULAS | ASSEMBLIES


@pytest.fixture
def mistake(request, bench):
    """The error that a mistake ends in, whatever it is."""
    make, kind, words = MISTAKES[request.param]
    with pytest.raises(Exception) as caught:  # noqa: PT011
        make(bench)
    return caught.value, kind, words


@pytest.mark.parametrize("mistake", MISTAKES, indirect=True)
def test_a_mistake_is_a_typed_error_that_says_what_where_and_what_to_do(mistake):
    error, kind, words = mistake
    assert isinstance(error, kind), f"{type(error).__name__}: {error}"
    assert type(error).__module__ == "kempe.errors"
    said = str(error)
    for word in words:
        assert word in said
    assert "\n" not in said
    assert re.search(r"[.?]$", said), "a sentence ends somewhere"


@pytest.mark.parametrize("mistake", MISTAKES, indirect=True)
def test_a_mistake_survives_a_pickle_with_its_facts(mistake):
    error, *_ = mistake
    twin = pickle.loads(pickle.dumps(error))
    assert type(twin) is type(error)
    assert str(twin) == str(error)
    assert repr(twin.facts) == repr(error.facts)  # NaN is not equal to itself


def test_every_error_of_the_list_is_a_kempe_error():
    kinds = [
        k for k in vars(errors).values() if isinstance(k, type) and k.__module__ == "kempe.errors"
    ]
    assert len(kinds) > 10
    for kind in kinds:
        assert issubclass(kind, KempeError)
        twin = pickle.loads(pickle.dumps(kind("what is wrong.", joint="A", error=0.5)))
        assert type(twin) is kind
        assert twin.facts == {"joint": "A", "error": 0.5}


def test_an_attribute_that_is_missing_is_missing_in_python_s_way_too(bench):
    assert not hasattr(bench.crank, "tip")
    assert getattr(bench.A, "displacement", None) is None


# -- what must not be refused ----------------------------------------------------------------


@dataclass(frozen=True)
class Bead(AbstractJoint):
    """J stays on the parabola y = x^2 / size of marker I."""

    size: float = 2.0

    rows: ClassVar[int] = 1

    def phi(self, X_WI, X_WJ):
        d = X_WJ.position - X_WI.position
        x, y = d @ X_WI.rotation.x, d @ X_WI.rotation.y
        return [y - x * x / self.size]


def test_a_formula_of_one_s_own_is_no_mistake():
    m = kempe.Builder("bead", plane=True)
    bead = m.body("bead", at=(1, 0.5))
    m.add(Bead(m.ground.at(0, 0), bead.at(0, 0)))
    m.hold(bead, angle=0.3)
    m.drive(bead.x, start=1.0, speed=1.0)
    turn = m.build().kinematics(until=1.0, steps=10)
    x, y = turn["bead"].position.T
    assert y == pytest.approx(x * x / 2.0, abs=1e-12)
    assert turn["bead"].velocity[:, 1] == pytest.approx(x, abs=1e-12)
    assert turn["bead"].acceleration[:, 1] == pytest.approx(1.0, abs=1e-11)


WRONG_TYPES = {
    "units": lambda m, turn: turn.columns("crank.angle", units=(1,)),
    "through": lambda m, turn: m.kinematics(until=1.0, through=5),
    "ways": lambda m, turn: m.kinematics(until=1.0, through=("momentum", 3)),
    "solver": lambda m, turn: m.solver().update(5),
    "limits": lambda m, turn: m.drag(limits={"crank.angle": 5}),
    "nothing": lambda m, turn: m.drag().to("crank.end", None),
    "number": lambda m, turn: m.drag().to("crank.end", 5),
    "time": lambda m, turn: turn["d(rocker.angle)/d(t)"],
    "column": lambda m, turn: turn["d(coupler.P.x)/d(crank.angle)"],
    "quoted": lambda m, turn: kempe.Builder().body("a`b"),
}


@pytest.mark.parametrize("wrong", WRONG_TYPES)
def test_what_is_of_another_kind_is_refused_in_words(wrong):
    mechanism = kempe.gallery.four_bar()
    with pytest.raises(kempe.KempeError) as refused:
        WRONG_TYPES[wrong](mechanism, mechanism.kinematics(until=1.0, steps=4))
    assert "Did you mean" not in str(refused.value)


@pytest.mark.parametrize("word", ["vx", "az", "speed", "force", "torque", "pitch", "orientation"])
def test_no_point_is_called_as_what_is_read_off_its_body(word):
    with pytest.raises(kempe.KempeError, match=f"'rod.{word}' is read off the body itself"):
        kempe.Builder(plane=True).body("rod", points={word: (1, 0)})


DIGITS = 10**400  # more than any double has


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda four_bar: four_bar.kinematics(until=DIGITS), "more than 308 digits"),
        (lambda four_bar: four_bar.kinematics(until=1.0, steps=DIGITS), "far beyond that"),
        (lambda four_bar: kempe.Builder("b", plane=True).bar("a", DIGITS), "more than 308 digits"),
        (lambda four_bar: kempe.Inertia(10**5000, (0, 0, 0), 1.0), "more than 308 digits"),
        (lambda four_bar: kempe.Inertia(1.0, (0, 0, 0), math.inf), "not finite"),
        (lambda four_bar: kempe.Builder("b", units=["mm"]), "a unit of length, such as 'mm'"),
        (lambda four_bar: kempe.Builder(["b"]), "called by a text, not ['b']"),
        (lambda four_bar: kempe.Builder("b").body("a", angle=""), "'' is not a number"),
        (lambda four_bar: kempe.Builder("b", gravity=None), "2 or 3 components, not None"),
        (lambda four_bar: four_bar.assemblies("crank.angle"), "by names, {name: number, ...}"),
        (lambda four_bar: four_bar.assemblies(limits={"crank.angle": 5}), "two values, not 5"),
        (lambda four_bar: four_bar.drag(limits={"crank.angle": (1, 2, 3)}), "two values, not"),
        (lambda four_bar: four_bar.drag(limits=["crank.angle"]), "by names, {name: (low, high)"),
        (lambda four_bar: four_bar.batch(["crank"], until=1, outputs=["P"]), "{name: array, ...}"),
        (lambda four_bar: four_bar.batch({"crank": [1.0]}, until=1, outputs=5), "text, such as"),
        (
            lambda four_bar: four_bar.batch({"crank": [DIGITS]}, until=1, outputs=["P"]),
            "'crank' is no column of numbers",
        ),
        (
            lambda four_bar: four_bar.batch({"crank": [[1.0], [1, 2]]}, until=1, outputs=["P"]),
            "'crank' is no column of numbers",
        ),
        (lambda _: kempe.gallery.hanging_four_bar().preload(5), "a name is text"),
        (lambda four_bar: four_bar.path(1, 2), "where the path starts is a position, not 1"),
        (lambda four_bar: four_bar.tolerances({"crank": DIGITS}, of="rocker.angle"), "be finite"),
        (lambda four_bar: four_bar.kinematics(until=0.1, steps=2).gradient("P", 5), "is text"),
        (lambda four_bar: four_bar.kinematics(until=0.1).interference(between=5), "is text"),
        (lambda four_bar: four_bar.kinematics(until=0.1).animate("a.html", trace=5), "is text"),
    ],
)
def test_what_is_no_number_no_mapping_or_no_pair_is_refused_in_words(call, says):
    with pytest.raises(KempeError, match=re.escape(says)) as refused:
        call(kempe.gallery.four_bar())
    assert len(str(refused.value)) < 300  # and not a page of digits
