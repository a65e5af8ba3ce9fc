"""Simulations by the text for graphics cards are those of the processor, to the last digits."""

import shutil
from types import SimpleNamespace

import numpy as np
import pytest

import kempe as kp
from kempe.compile.cuda import run_text, runs
from kempe.ensembles import on_cards
from kempe.errors import BadNumber, MissingPart
from kempe.forces import SpringDamper, TorsionSpring
from kempe.geometry import Inertia

pytestmark = pytest.mark.skipif(shutil.which("c++") is None, reason="there is no C++ compiler")

DIGITS = 1e-12  # of the largest: steps are the same, and rounding is all but the same
HOW = {"analysis": "simulation", "threads": 1}


def pendula():
    """Double pendula from many starts, some of which go over the top."""
    start = {"top.angle": np.linspace(-2.0, 2.0, 6), "middle.angle.rate": np.linspace(0.0, 4.0, 6)}
    names = ["lower.P", "top.angle", "energy.total", "energy.kinetic"]
    return kp.gallery.double_pendulum(), {}, names, {"start": start, "derivatives": 2}


def lengths():
    """Double pendula of many lengths."""
    names = ["lower.P", "middle.angle", "energy.potential"]
    return kp.gallery.double_pendulum(), {"lower": np.linspace(0.7, 1.3, 4)}, names, {}


@kp.parametric
def _cart(stiffness=30.0, mass=2.0):
    m = kp.Builder("cart with a pendulum", plane=True, gravity=(0, -9.81))
    cart = m.body("cart", at=(0.3, 0.0), inertia=Inertia(mass, (0, 0, 0), np.eye(3)))
    own = Inertia(1.0, (0.4, 0.05, 0), np.diag([0.0, 0.02, 0.02]))
    rod = m.bar("rod", 0.8, inertia=own, angle=0.4)
    rail = m.prismatic(m.ground.at(0, 0), cart.at(0, 0), name="rail")
    hinge = m.revolute(cart.at(0, 0), rod.start, name="hinge")
    m.force(SpringDamper(rail.displacement, stiffness=stiffness, damping=2.0))
    m.force(TorsionSpring(hinge.angle, stiffness=3.0))
    return m.build()


def dampers():
    """A cart on a spring and a damper, whose works are read too."""
    names = ["rod.end", "rail.displacement", "energy.dissipated", "energy.total"]
    return _cart(), {"stiffness": np.linspace(5.0, 80.0, 4)}, names, {"derivatives": 1}


CASES = [pendula, lengths, dampers]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_the_text_for_cards_makes_the_steps_of_the_processor(case):
    mechanism, columns, names, how = case()
    how = HOW | how | {"until": 1.5, "steps": 60, "outputs": names}
    own = mechanism.batch(columns, **how)
    other = mechanism.batch(columns, device="emulated", **how)
    assert own.is_done.all()
    np.testing.assert_array_equal(own.outcomes, other.outcomes)
    for name in names:
        for mine, its in zip(own[name].orders, other[name].orders, strict=True):
            assert np.abs(mine - its).max() <= DIGITS * np.abs(mine).max(), name
    assert _by_the_device(mechanism, columns, how) == len(own)


def _by_the_device(mechanism, columns, how):
    """How many runs the text did by itself."""
    from kempe.ensembles import simulations

    taken = []
    take = simulations._Task._take

    def counted(task, numbers, found):
        taken.append(int(found[1].sum()))
        take(task, numbers, found)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulations._Task, "_take", counted)
        mechanism.batch(columns, device="emulated", **how)
    return sum(taken)


def test_summaries_are_those_of_the_processor():
    mechanism, columns, names, how = lengths()
    how = HOW | how | {"until": 1.0, "steps": 40, "outputs": names, "keep": "summary"}
    own, other = (mechanism.batch(columns, device=where, **how) for where in ("cpu", "emulated"))
    for name in names:
        for kind in ("min", "max", "mean", "last", "ptp"):
            mine, its = (getattr(one[name], kind)() for one in (own, other))
            assert mine == pytest.approx(its, rel=1e-12, abs=1e-13), (name, kind)


def test_what_is_stiff_is_left_to_the_processor():
    columns = {"stiffness": np.array([30.0, 1e9])}
    how = HOW | {"until": 0.2, "steps": 4, "outputs": ["rail.displacement"]}
    own = _cart().batch(columns, **how)
    other = _cart().batch(columns, device="emulated", **how)
    np.testing.assert_array_equal(own.outcomes, other.outcomes)
    assert own["rail.displacement"].values == pytest.approx(
        other["rail.displacement"].values, abs=1e-12
    )


@pytest.mark.parametrize(
    ("mechanism", "outputs", "why"),
    [
        (lambda: kp.gallery.double_pendulum(), ["middle.force"], "'middle.force' is no point"),
        (lambda: kp.gallery.heavy_top(), ["energy.total"], "space"),
    ],
    ids=["forces of joints", "space"],
)
def test_what_no_card_simulates_is_refused_and_said(mechanism, outputs, why):
    made = mechanism()
    name = next(k for k, v in made.parameters.items() if isinstance(v, float))
    column = {name: made.parameters[name] * np.array([1.0, 1.01])}
    how = HOW | {"until": 0.2, "steps": 2, "outputs": outputs, "device": "emulated"}
    with pytest.raises(BadNumber, match=why):
        made.batch(column, **how)


def test_without_a_card_it_says_what_is_missing():
    pendulum = kp.gallery.double_pendulum()
    how = HOW | {"until": 0.2, "steps": 2, "outputs": ["lower.P"], "device": "gpu"}
    try:
        from kempe.compile.cuda.card import the_card

        the_card()
    except MissingPart:
        with pytest.raises(MissingPart, match="gpu"):
            pendulum.batch({"lower": [1.0, 1.1]}, **how)


def test_the_method_has_the_numbers_of_the_processor_s():
    """Both texts list the method of order 8: they must not drift apart."""
    from pathlib import Path

    root = Path(__file__).parents[2]
    core = root / "core" / "dynamics" / "methods" / "tableaus.cpp"
    if not core.exists():
        pytest.skip("only in a checkout")
    whole = core.read_text()
    own = whole[whole.index("const Tableau& dop853()") : whole.index("// Order 5 with an")]
    other = run_text.part("dop853.inc")
    numbers = [set(_decimals(text)) for text in (own, other)]
    assert len(numbers[1]) > 90
    assert numbers[1] <= numbers[0]


def _decimals(text):
    words = text.replace("{", " ").replace("}", " ").replace(",", " ").replace(";", " ").split()
    return [word for word in words if "." in word and word.lstrip("-")[0].isdigit()]


class Full(Exception):
    """What CuPy raises where a card has no memory left."""


class SmallCard:
    """Runs as those of a card with room for a few: the emulation, a part at a time."""

    room = 0
    device_seconds = 0.0

    def __init__(self, task):
        pool = SimpleNamespace(free_bytes=lambda: 0, free_all_blocks=lambda: None)
        self.cupy = SimpleNamespace(
            cuda=SimpleNamespace(
                runtime=SimpleNamespace(memGetInfo=lambda: (1 << 40, 1 << 40)),
                memory=SimpleNamespace(OutOfMemoryError=Full),
            ),
            get_default_memory_pool=lambda: pool,
        )
        self.emulated = runs.EmulatedRuns(task)

    def run(self, times, tolerance, mine, out):
        def part(times, tolerance, mine, out, some):
            if some.stop - some.start > self.room:
                raise Full
            few = runs.RunArrays(*mine.part(some))
            own = np.ascontiguousarray(out[..., some])
            reached = self.emulated.run(times, tolerance, few, own)
            out[..., some] = own
            return reached

        card = SimpleNamespace(_part=part, _cupy=self.cupy)
        reached = runs.CardRuns.run(card, times, tolerance, mine, out)
        self.parts, self.left = card.parts, card.left
        return reached


@pytest.mark.parametrize(("room", "words"), [(2, "2 parts"), (0, "no room for 4 runs")])
def test_a_card_without_memory_runs_fewer_at_a_time_or_none_and_says_so(room, words, monkeypatch):
    monkeypatch.setattr(runs, "LEAST", 2)
    monkeypatch.setattr(runs, "THREADS", 1)
    monkeypatch.setattr(runs, "SHARE", 3e-10)  # of so much memory that all seem to fit
    monkeypatch.setattr(on_cards, "EmulatedRuns", SmallCard)
    monkeypatch.setattr(SmallCard, "room", room)
    mechanism, columns, names, how = lengths()
    how = HOW | how | {"until": 0.3, "steps": 6, "outputs": names}
    own = mechanism.batch(columns, **how)
    other = mechanism.batch(columns, device="emulated", **how)
    assert words in " ".join(other.notes)
    assert other.is_done.all()
    for name in names:
        off = np.abs(own[name].values - other[name].values).max()
        assert off <= DIGITS * np.abs(own[name].values).max()
