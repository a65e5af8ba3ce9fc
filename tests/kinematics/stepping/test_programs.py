"""Which program sweeps a model is decided by the model alone, not by what ran before it."""

import math
from pathlib import Path

import numpy as np
import pytest

import kempe
from kempe.compile.program.program import PROGRAMS
from kempe.equations import pivot_order, programs
from kempe.equations.pivot_order import common_order, own_order, suits
from kempe.kinematics.stepping.preparation import prepare

FOUR_BARS = (
    {"crank": 1.0, "coupler": 3.5, "rocker": 3.0, "ground": 4.0},
    {"crank": 0.9, "coupler": 0.021, "rocker": 0.9, "ground": 0.02},
    {"crank": 3.0, "coupler": 3.5, "rocker": 3.0, "ground": 4.0},
    {"crank": 0.003, "coupler": 40.0, "rocker": 2.0, "ground": 39.0},
)


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def emptied(name: str) -> None:
        monkeypatch.setenv("KEMPE_CACHE", str(tmp_path / name))
        PROGRAMS.clear()

    emptied("first")
    return emptied


def swept(lengths: dict[str, float], *, plane: bool) -> bytes:
    motion = kempe.gallery.four_bar(**lengths, plane=plane).kinematics(until=1.0, steps=50).motion
    return motion.q.tobytes() + motion.v.tobytes() + motion.a.tobytes()


@pytest.mark.parametrize("plane", [True, False])
def test_the_models_before_leave_no_trace_in_the_bits(empty_cache, plane: bool) -> None:
    alone = []
    for k, lengths in enumerate(FOUR_BARS):
        empty_cache(f"alone {k}")
        alone.append(swept(lengths, plane=plane))
    for turn in range(len(FOUR_BARS)):
        empty_cache(f"turn {turn}")
        order = np.roll(range(len(FOUR_BARS)), turn)
        found = {int(k): swept(FOUR_BARS[k], plane=plane) for k in order}
        PROGRAMS.clear()  # from the disk
        for k, bits in found.items():
            assert bits == alone[k]
            assert swept(FOUR_BARS[k], plane=plane) == alone[k]


def test_a_thousand_lengths_take_one_program(empty_cache, monkeypatch) -> None:
    made = []
    tape = programs.tape_program
    monkeypatch.setattr(programs, "tape_program", lambda t, *told: made.append(t) or tape(t, *told))
    for crank in np.linspace(0.5, 1.5, 1000):
        prepare(kempe.gallery.four_bar(crank=float(crank)).layout, 0.0)
    assert [len(t.dx) > 0 for t in made] == [False, True]


def test_a_model_that_the_common_order_does_not_suit_gets_its_own(empty_cache) -> None:
    """The legs of a platform stand all but upright: what leans in general is small here."""
    layout = kempe.gallery.stewart().layout
    found = prepare(layout, 0.0)
    kept = tuple(range(found.equations.program.shape.n_rows))
    common = common_order(found.equations, kept)
    own = found.equations.program.tape.order
    assert own != common
    assert suits(found.equations, own, kept, found.start)
    assert not suits(found.equations, common, kept, found.start)


def test_positions_without_a_value_decide_nothing(monkeypatch) -> None:
    """Around a start a formula may leave its domain; the start itself has numbers."""
    layout = kempe.gallery.four_bar().layout
    found = prepare(layout, 0.0)
    kept = tuple(range(found.equations.program.shape.n_rows))
    asked = (found.equations, kept, found.start)
    alone = pivot_order._markowitz(
        found.equations.program, kept, pivot_order._around(found.equations, found.start)[:1]
    )
    beside = [found.start.q, *(np.full(layout.n_q, np.nan) for _ in range(2))]
    monkeypatch.setattr(pivot_order, "_positions", lambda *_: beside)
    assert own_order(*asked) == alone
    assert suits(found.equations, found.equations.program.tape.order, kept, found.start)
    assert np.isfinite(pivot_order.pivot_sizes(found.equations, found.start)).all()


def test_pivots_are_measured_for_every_model_anew(empty_cache) -> None:
    small, large = (
        prepare(kempe.gallery.four_bar(**{n: x * k for n, x in FOUR_BARS[0].items()}).layout, 0.0)
        for k in (1.0, 1000.0)
    )
    assert small.equations.program is large.equations.program
    power = np.log10(large.pivots.max() / small.pivots.max()) / 3.0  # of a length
    assert power == pytest.approx(round(power), abs=1e-9)
    assert power >= 1


def test_an_unknown_plan_is_refused() -> None:
    with pytest.raises(kempe.errors.MissingPart, match="there is no plan 'medium'"):
        kempe.gallery.four_bar().kinematics(until=math.tau, plan="medium")


@pytest.mark.parametrize("name", ["four_bar", "four_bar_chain", "jansen", "scissor_lift", "rssr"])
def test_a_mechanism_is_solved_by_its_own_pivots(name: str) -> None:
    """Parallel bars make entries vanish that do not vanish beside their motion."""
    turn = getattr(kempe.gallery, name)().kinematics(until=1.0, steps=200)
    assert turn.motion.counts["fallbacks"] == 0
