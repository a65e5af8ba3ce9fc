"""The text for graphics cards gives the digits of the processor; summaries are those of samples."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import kempe
from kempe.compile.cuda import emulated
from kempe.errors import BadNumber, MissingPart, UnknownName

HOW = {"until": 1.0, "steps": 120, "derivatives": 2}
COUNT = 30
pytestmark = pytest.mark.skipif(shutil.which("c++") is None, reason="there is no C++ compiler")


def four_bars() -> tuple[kempe.Mechanism, dict[str, np.ndarray], list[str]]:
    """Four-bars, some of which cannot turn."""
    rng = np.random.default_rng(7)
    usual = {"crank": 1.0, "coupler": 3.5, "rocker": 3.0, "ground": 4.0}
    columns = {name: x * rng.uniform(0.75, 1.25, COUNT) for name, x in usual.items()}
    return kempe.gallery.four_bar(start=0.0), columns, ["coupler.P", "rocker.angle"]


def loops_in_space() -> tuple[kempe.Mechanism, dict[str, np.ndarray], list[str]]:
    """Loops of two hinges and two balls, whose bodies turn by quaternions."""
    rssr = kempe.gallery.rssr()
    usual = {k: v for k, v in rssr.parameters.items() if isinstance(v, float)}
    rng = np.random.default_rng(4)
    columns = {k: v * rng.uniform(0.97, 1.03, COUNT) for k, v in list(usual.items())[:3]}
    return rssr, columns, [rssr.model.moving[-1].name]


def redundant_four_bars() -> tuple[kempe.Mechanism, dict[str, np.ndarray], list[str]]:
    """Four hinges in space, of which three rows are watched and not solved."""
    columns = {"crank": np.linspace(0.8, 1.2, COUNT), "rocker": np.linspace(3.2, 2.8, COUNT)}
    return kempe.gallery.four_bar(start=0.0, plane=False), columns, ["coupler.P", "rocker.angle"]


def driven_by_tables() -> tuple[kempe.Mechanism, dict[str, np.ndarray], list[str]]:
    """Four-bars whose crank follows a table of angles."""

    @kempe.parametric
    def four_bar(crank: float = 1.0, rocker: float = 3.0) -> kempe.Mechanism:
        m = kempe.Builder("driven by a table", plane=True)
        first, middle, last = m.bar("crank", crank), m.bar("coupler", 3.5), m.bar("rocker", rocker)
        m.revolute(m.ground.at(0, 0), first.start)
        m.revolute(first.end, middle.start)
        m.revolute(middle.end, last.end)
        m.revolute(last.start, m.ground.at(4, 0))
        times = np.linspace(0.0, 1.0, 9)
        m.drive(first.angle, kempe.drives.Table(list(zip(times, np.sin(3.0 * times), strict=True))))
        return m.build()

    rng = np.random.default_rng(2)
    columns = {"crank": rng.uniform(0.9, 1.1, COUNT), "rocker": rng.uniform(2.9, 3.1, COUNT)}
    return four_bar(), columns, ["rocker.angle", "crank.angle"]


CASES = [four_bars, loops_in_space, redundant_four_bars, driven_by_tables]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_the_text_for_cards_gives_the_digits_of_the_processor(case) -> None:
    mechanism, columns, outputs = case()
    own = mechanism.batch(columns, outputs=outputs, **HOW)
    other = mechanism.batch(columns, outputs=outputs, device="emulated", **HOW)
    assert own.is_done.any()
    np.testing.assert_array_equal(own.outcomes, other.outcomes)
    np.testing.assert_array_equal(own.samples, other.samples)
    for name in outputs:
        for mine, its in zip(own[name].orders, other[name].orders, strict=True):
            np.testing.assert_array_equal(mine, its)


@pytest.mark.parametrize("device", ["cpu", "emulated"])
def test_a_summary_is_that_of_all_samples(device) -> None:
    mechanism, columns, outputs = four_bars()
    full = mechanism.batch(columns, outputs=outputs, **HOW)
    short = mechanism.batch(columns, outputs=outputs, keep="summary", device=device, **HOW)
    assert not full.is_done.all()
    np.testing.assert_array_equal(full.outcomes, short.outcomes)
    for name in outputs:
        for k in range(3):
            for what in ("min", "max", "mean", "last", "ptp"):
                expected, found = (getattr(one[name], what)(k) for one in (full, short))
                np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
            assert np.isnan(short[name].max(k)[~full.is_done]).all()
            assert not np.isnan(short[name].max(k)[full.is_done]).any()


def test_samples_of_a_summary_are_refused() -> None:
    mechanism, columns, outputs = four_bars()
    short = mechanism.batch(columns, outputs=outputs, keep="summary", until=1.0, steps=10)
    for read in ("values", "rate"):
        with pytest.raises(BadNumber, match=r"derivatives=1|a summary was kept"):
            getattr(short["coupler.P"], read)
    with pytest.raises(BadNumber, match="0, 1 or 2"):
        short["coupler.P"].min(3)


@pytest.mark.parametrize(
    ("how", "words"),
    [({"device": "gqu"}, "not 'gqu'. Did you mean 'gpu'"), ({"keep": "sumary"}, "'summary'")],
)
def test_unknown_words_are_told(how, words) -> None:
    mechanism, columns, outputs = four_bars()
    with pytest.raises(UnknownName, match=words):
        mechanism.batch(columns, outputs=outputs, until=1.0, **how)


def test_without_a_card_it_says_what_is_missing() -> None:
    mechanism, columns, outputs = four_bars()
    try:
        import cupy

        if cupy.cuda.runtime.getDeviceCount():
            pytest.skip("this machine has a card")
    except Exception:
        pass
    with pytest.raises(MissingPart, match=r"kempe\[gpu\]|shows none"):
        mechanism.batch(columns, outputs=outputs, until=1.0, device="gpu")


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
def test_a_cards_compiler_takes_the_text(tmp_path: Path, monkeypatch) -> None:
    seen: list[str] = []
    compiled = emulated.compiled
    monkeypatch.setattr(
        emulated, "compiled", lambda text, name: seen.append(text) or compiled(text, name)
    )
    mechanism, columns, outputs = four_bars()
    mechanism.batch(columns, outputs=outputs, until=1.0, steps=4, device="emulated")
    source, made = tmp_path / "sweep.cu", tmp_path / "sweep.ptx"
    source.write_text(seen[0])
    flags = ["-std=c++17", "--fmad=false", "-arch=sm_75", "-ptx"]
    told = subprocess.run(["nvcc", *flags, "-o", made, source], capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    assert ".entry kempe_sweep" in made.read_text()
