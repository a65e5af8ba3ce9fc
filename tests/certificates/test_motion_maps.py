"""Motion maps proved again: chart by chart in other arithmetic, and counted in other ways."""

import dataclasses

import numpy as np
import pytest

import kempe
from kempe.algebra.native import native_tape
from kempe.motion.verify.cover.blocks import BlockProof
from kempe.motion.verify.cover.covering import Watch
from kempe.motion.verify.long_charts import ChartArrays, LongCharts
from kempe.motion.verify.tape_run import run_tape
from kempe.motion.verify.verification import listed
from kempe.motion.verify.written.from_model import from_model
from kempe.motion.verify.written.planar_rows import Asked

SEED = 11
MOST_CHARTS = 400  # that are proved in a test, in arithmetic of many digits
STARTS = 200  # random positions from which Newton's method looks for solutions
FOUND = 1e-10  # residual of what counts as one
FAR = 3.0  # how far out starts lie of unknowns without bounds, which are of the size of 1
MAPS = {
    "crank-rocker": lambda: kempe.gallery.four_bar().motions(),
    "near change": lambda: kempe.gallery.four_bar(
        crank=1.0, rocker=1.2 - 1e-4, coupler=3.0, ground=2.8
    ).motions(),
    "piston": lambda: kempe.gallery.slider_crank().motions(),
    "piston with stops": lambda: kempe.gallery.slider_crank().motions(
        limits={"slider.x": (2.5, 3.5)}
    ),
    "slotted lever": lambda: kempe.gallery.quick_return().motions(),
    "six-bar": lambda: kempe.gallery.dyad_chain(dyads=2).motions(),
    "two tracks": lambda: kempe.gallery.barton_two_tracks().motions(),
    "stretching bar": lambda: kempe.gallery.barton_stretching_bar().motions(),
    "converter": lambda: kempe.gallery.barton_converter().motions(),
    "gears": lambda: kempe.gallery.hypocycloid().motions(),
}


@pytest.fixture(scope="module", params=MAPS)
def motions(request):
    return MAPS[request.param]()


def test_every_chart_and_link_holds_in_another_arithmetic(motions):
    counts = np.cumsum([len(c.charts["h"]) for c in motions.components])
    components = motions.components[: max(1, int((counts <= MOST_CHARTS).sum()))]
    proved = listed(dataclasses.replace(motions, components=components))
    assert proved.charts == sum(len(c.charts["h"]) for c in components)
    assert proved.holds, str(proved)


def test_ctrl_c_ends_a_proof_with_what_was_looked_at():
    motions = kempe.gallery.jansen().motions()
    told = []

    def stop(done, whole):
        told.append((done, whole))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as interrupt:
        kempe.verify(motions, tell=stop)
    proved = interrupt.value.result
    assert told[0][1] == sum(len(c.charts["h"]) for c in motions.components)
    assert 0 < proved.charts < told[0][1]
    assert proved.charts + proved.left == told[0][1]
    assert not proved.holds
    assert "were not looked at" in str(proved)


@pytest.mark.parametrize("name", ["jansen", "barton_two_tracks"])
def test_a_proof_that_runs_out_of_time_confirms_nothing(name):
    motions = getattr(kempe.gallery, name)().motions()
    proved = motions.verify(seconds=0.0)
    assert not proved.holds
    assert not proved.failures
    assert proved.left
    assert "were not looked at" in str(proved)


def test_a_cover_that_is_not_finished_in_time_says_how_much_of_it_is(monkeypatch):
    motions = kempe.gallery.jansen().motions()
    looks = []

    def is_over(_):
        looks.append(1)
        return len(looks) > 3

    monkeypatch.setattr(Watch, "is_over", property(is_over))
    heard = []
    proved = kempe.verify(motions, tell=lambda done, whole: heard.append((done, whole)))
    parts = sum(len(cover.unknown) for cover in motions.covers)
    assert not proved.holds
    assert not proved.failures
    assert proved.unproved[0].endswith(f"of {parts} parts were looked at in the time given")
    assert heard[-1][1] == parts
    assert motions.verify().holds is False  # the watch is still over
    monkeypatch.undo()
    assert motions.verify().holds


def test_a_component_that_is_listed_twice_is_found_out():
    honest = kempe.gallery.four_bar().motions()
    first, second = honest.components
    twice = dataclasses.replace(first, number=1)
    proved = listed(dataclasses.replace(honest, components=(first, twice)))
    assert proved.failures == ("component 0 and component 1 have a point in common",)
    assert listed(dataclasses.replace(honest, components=(first, second))).holds


def with_own_inverse(component):
    """The first chart with C = (J N)^-1 at its own centre, as doubles take it."""
    arrays = ChartArrays(component)
    long = LongCharts(arrays)
    m, p = arrays.m, [long.mp.mpf(float(e)) for e in arrays.p[0]]
    J = np.zeros((m, arrays.n))
    for row, (_, gradient) in enumerate(run_tape(component.block.tape, p, long.mp, m)):
        for j, g in gradient.items():
            J[row, j] = float(g)
    long.C = np.linalg.inv(J @ arrays.A[0][:m].T)[None]
    return long


@pytest.mark.parametrize("key", ["p", "A", "h", "w"])
@pytest.mark.parametrize("name", ["four_bar", "jansen"])
def test_doubles_accept_no_chart_that_intervals_refuse(name, key):
    """Charts are spoilt more and more: where the intervals stop believing, so do doubles."""
    mechanism = getattr(kempe.gallery, name)()
    motions = mechanism.motions()
    (rows,) = from_model(motions, mechanism.layout, Asked()).blocks
    chance = np.random.default_rng(SEED)
    believed = 0
    for size in (0.0, 1e-12, 1e-6, 1e-3, 0.03, 0.1, 0.3, 1.0, 3.0):
        component = motions.components[0]
        charts = dict(component.charts)
        spoilt = np.asarray(charts[key])
        charts[key] = spoilt * (1.0 + size * chance.uniform(0.0, 1.0, spoilt.shape))
        spoilt = dataclasses.replace(component, charts=charts)
        proof = BlockProof(motions.blocks[0], rows, [spoilt])
        told = bool(proof.flags_of(spoilt)[0]), with_own_inverse(spoilt).is_one_arc(0)
        assert told in ((True, True), (False, False), (False, True)), size
        believed += told[0]
    assert 0 < believed < 9


def _newton(block, x):
    """The solution near x, or None."""
    native, rows = native_tape(block.tape), block.tape.outputs[: block.n_equations]
    for _ in range(60):
        n = len(x)
        probes = np.vstack([x[None, :], x + 1e-7 * np.eye(n), x - 1e-7 * np.eye(n)])
        values = native.evaluate(np.ascontiguousarray(probes), rows)
        J = (values[1 : n + 1] - values[n + 1 :]).T / 2e-7
        if not np.isfinite(values).all():
            return None
        step = np.linalg.lstsq(J, values[0], rcond=None)[0]
        x = x - step * min(1.0, 0.5 / max(np.linalg.norm(step), 1e-300))
        if np.abs(values[0]).max() < FOUND and np.linalg.norm(step) < FOUND:
            return x
    return None


def _is_allowed(block, x):
    """Whether a solution lies within its limits and on its sides."""
    limited = block.limited > 0.0
    first = block.n_equations + block.n_redundant
    rows = block.tape.outputs[first : first + block.n_sides]
    sides = native_tape(block.tape).evaluate(np.ascontiguousarray(x[None, :]), rows)
    inside = ((x >= block.low) & (x <= block.high))[limited].all()
    return bool(inside and (sides > 0.0).all())


def _holder(motions, x):
    """The components whose charts hold a point."""
    found = set()
    for component in motions.components:
        charts, n = component.charts, len(x)
        A = np.asarray(charts["A"]).reshape(-1, n, n)
        d = x - charts["p"]
        round_ = component.block.period > 0.0
        period = component.block.period[round_]
        d[:, round_] -= period * np.round(d[:, round_] / period)
        z = np.einsum("kcj,kj->kc", A, d)
        inside = (np.abs(z[:, :-1]) <= charts["w"][:, None]).all(axis=1)
        if (inside & (np.abs(z[:, -1]) <= charts["h"])).any():
            found.add(component.number)
    return found


@pytest.mark.row("B5")
def test_solutions_found_from_random_starts_all_lie_on_listed_components(motions):
    block = motions.blocks[0]
    chance = np.random.default_rng(SEED)
    hit = set()
    low, high = np.maximum(block.low, -FAR), np.minimum(block.high, FAR)
    for _ in range(STARTS):
        x = _newton(block, chance.uniform(low, high))
        if x is not None and _is_allowed(block, x):
            holders = _holder(motions, x)
            assert len(holders) >= 1, x
            hit |= holders
    assert hit == set(range(len(motions)))


def test_a_forged_chart_is_found_out():
    honest = kempe.gallery.four_bar().motions()
    first = honest.components[0]
    charts = dict(first.charts)
    charts["h"] = charts["h"] * 3.0  # claims three times as much curve as was proved
    forged = dataclasses.replace(first, charts=charts)
    proved = listed(dataclasses.replace(honest, components=(forged,)))
    assert not proved.holds
    assert "is not proved" in proved.failures[0]


def test_a_forged_link_is_found_out():
    honest = kempe.gallery.four_bar().motions()
    first, second = honest.components
    charts = dict(first.charts)
    links = charts["links"].copy()
    links[0] = second.charts["links"][0]  # a point of the other loop
    charts["links"] = links
    forged = dataclasses.replace(first, charts=charts)
    proved = listed(dataclasses.replace(honest, components=(forged,)))
    assert any("link 0" in failure for failure in proved.failures)


@pytest.mark.parametrize(
    ("mechanism", "measures"),
    [
        (kempe.gallery.four_bar(), ("coupler.x", "coupler.y")),
        (kempe.gallery.dyad_chain(dyads=2), ("coupler2.x", "rocker2.angle")),
        (kempe.gallery.slider_crank(), ("slider.x",)),
        (kempe.gallery.drag_link(), ("coupler.x", "coupler.y")),
        (kempe.gallery.moving_triangle(), ("rocker.angle",)),
        (kempe.gallery.barton_two_tracks(), ("R.x",)),
        (kempe.gallery.barton_stretching_bar(), ("P.x", "Q.y")),
        (kempe.gallery.barton_piston(), ("P.x",)),
    ],
    ids=("four-bar", "six-bar", "piston", "drag link", "triangle", "tracks", "stretch", "points"),
)
def test_turning_points_touch_every_loop_at_least_twice(mechanism, measures):
    """A second count: a coordinate has a greatest and a least value on every closed curve."""
    motions = mechanism.motions()
    for measure in measures:
        turning = mechanism.turning_points(measure)
        assert turning.outcome == "complete"
        held = [_holder(motions, state.x[: len(motions.unknowns)]) for state in turning]
        assert all(len(h) == 1 for h in held)
        for number in range(len(motions)):
            assert sum(h == {number} for h in held) >= 2
