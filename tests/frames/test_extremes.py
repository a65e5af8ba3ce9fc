"""Frames at the ends of the numbers: what has no finite answer is refused, on every way in."""

import contextlib
import json
import re
import warnings

import numpy as np
import pytest

from kempe.errors import KempeError
from kempe.frames import (
    ByFormula,
    ByFunction,
    FramedTensor,
    FramedVector,
    FrameGraph,
    KinematicState,
    Rigid,
    Sampled,
    Uniform,
    closure_errors,
    read_frames,
    reconciled,
)
from kempe.frames.states.arrays import FARTHEST
from kempe.geometry import Pose, Rotation, Vector

FAR = 1e308
TURN = Rotation.about([1.0, 2.0, -2.0], 0.7)


def state(far: float) -> KinematicState:
    return KinematicState("a", "world", [far, far, -far], TURN, angular_velocity=[0, far, far])


def sampled(far: float) -> Sampled:
    rows = [[far, far, -far], [-far, far, far]]
    return Sampled([0.0, 1.0], KinematicState("a", "world", rows, velocity=rows))


#: ways to give an edge that is too far away, or moves too fast
EDGES = {
    "a pose": lambda far: Pose(Vector(far, far, -far), TURN),
    "a state": state,
    "a steady motion": lambda far: Uniform(Rigid([0, 0, 1], TURN), velocity=[far, far, far]),
    "a steady turn": lambda far: Uniform(Rigid([0, 0, 1], TURN), angular_velocity=[far, far, far]),
    "samples": sampled,
    "samples close together": lambda far: Sampled(
        [0.0, 2.0 / far], KinematicState("a", "world", [[0, 0, 0], [1e90, 0, 0]])
    ),
    "a formula": lambda far: ByFormula(lambda t: Pose(Vector(far * (1 + t), far, -far), TURN)),
    "a function": lambda far: ByFunction(lambda t: state(far)),
}


@pytest.mark.parametrize("word", EDGES)
def test_an_edge_beyond_the_largest_distance_is_refused_by_its_names(word):
    graph = FrameGraph("world")

    def asked() -> KinematicState:
        graph.add("a", "world", EDGES[word](FAR))
        return graph.state("a", "world", 0.0)

    with pytest.raises(KempeError, match=re.escape(f"{FARTHEST:g}")):
        asked()
    if "a" in graph:
        with pytest.raises(KempeError, match="the edge from 'world' to 'a'"):
            graph.state("a", "world", [0.0, 1e-309])
    graph = FrameGraph("world")
    graph.add("a", "world", EDGES[word](1.0))
    assert np.isfinite(graph.state("a", "world", 0.0).acceleration).all()


def test_a_steady_motion_that_has_gone_too_far_is_refused_at_that_time():
    graph = FrameGraph("world")
    graph.add("a", "world", Uniform(Rigid(), velocity=[1e90, 0, 0]))
    assert graph.state("a", "world", 1.0).position[0] == 1e90
    with pytest.raises(KempeError, match="Choose a larger unit"):
        graph.state("a", "world", 1e300)


@pytest.mark.parametrize("seed", [*range(30), 108, 359])  # the last two: singular equations
def test_chains_of_edges_of_any_size_are_finite_or_refused(seed):
    """Own. The numbers of an answer are finite; nothing warns; nothing else is raised."""
    rng = np.random.default_rng(seed)

    def three() -> list[float]:
        return (rng.choice([-1.0, 1.0], 3) * 10.0 ** rng.uniform(-320, 308, 3)).tolist()

    def edge(k: int, up: int) -> object:
        kind = rng.integers(5)
        if kind == 0:
            return Rigid(three(), TURN)
        if kind == 1:
            return KinematicState(
                f"f{k}", f"f{up}", three(), TURN, velocity=three(), angular_velocity=three(),
                acceleration=three(), angular_acceleration=three(),
            )  # fmt: skip
        if kind == 2:
            return Uniform(Rigid(three()), velocity=three(), angular_velocity=three())
        if kind == 3:
            times = np.cumsum([0.0, *(10.0 ** rng.uniform(-300, 300, 2))])
            rows = [three() for _ in range(3)]
            return Sampled(times, KinematicState("", "", rows, velocity=rows, acceleration=rows))
        x = three()
        return ByFormula(lambda t: Pose(Vector(x[0] * t, x[1] + t, x[2]), Rotation.planar(x[0])))

    graph = FrameGraph("f0")
    names = ["f0"]
    for k in range(1, 7):
        up = int(rng.integers(len(names)))
        try:
            graph.add(f"f{k}", names[up], edge(k, int(names[up][1:])))
        except KempeError:
            continue
        names.append(f"f{k}")
    if len(names) > 2:
        with contextlib.suppress(KempeError):
            graph.close(names[-1], "f0", Rigid(three()))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in names:
            for t in (0.0, float(10.0 ** rng.uniform(-300, 300)), [0.0, 1.0]):
                try:
                    found = graph.state(name, names[-1], t)
                except KempeError:
                    continue
                assert all(np.isfinite(part).all() for part in found.parts), (name, t)
        for ask in (closure_errors, reconciled):
            try:
                answer = ask(graph, 0.0)
            except KempeError:
                continue
            for one in answer if ask is closure_errors else answer.corrections:
                numbers = [getattr(one, word) for word in type(one).__slots__]
                assert all(np.isfinite(x).all() for x in numbers if not isinstance(x, (str, tuple)))


def test_vectors_and_tensors_beyond_the_largest_number_are_refused():
    for make in (
        lambda: FramedVector([FAR, FAR, 0], "a"),
        lambda: FramedTensor(np.full((3, 3), FAR), "a"),
        lambda: FramedTensor(np.full((3, 3), 1e99), "a") @ FramedVector([1e99, 0, 0], "a"),
    ):
        with pytest.raises(KempeError, match=re.escape(f"{FARTHEST:g}")):
            make()


#: entries of a file with numbers that are too large
ENTRIES = {
    "position": {"position": [FAR, FAR, -FAR]},
    "moving": {"moving": {"velocity": [FAR, FAR, FAR]}},
    "state": {"state": {"acceleration": [FAR, FAR, FAR]}},
    "axis": {"rotation": {"axis": [FAR, FAR, FAR], "angle": 0.5}},
    "angle": {"rotation": {"axis": [0, 0, 1], "angle": FAR}},
    "quaternion": {"rotation": {"quaternion": [FAR, FAR, FAR, FAR]}},
    "matrix": {"rotation": {"matrix": [[FAR] * 3] * 3}},
    "rpy": {"rotation": {"rpy": [FAR] * 3}},
}


@pytest.mark.parametrize("word", ENTRIES)
def test_a_file_with_numbers_at_the_end_of_them_is_read_to_something_finite_or_refused(
    word, tmp_path
):
    path = tmp_path / "a.json"
    frames = [{"id": "world"}, {"id": "a", "parent": "world", **ENTRIES[word]}]
    path.write_text(json.dumps({"frames": frames}))
    try:
        graph = read_frames(path)
        found = [graph.state("a", "world", t) for t in (0.0, 1.0)]
    except KempeError as mistake:
        refusal = mistake.message
    else:
        refusal = "a.json"
        assert all(np.isfinite(part).all() for one in found for part in one.parts)
    assert "a.json" in refusal or "'world'" in refusal


def test_a_log_with_numbers_at_the_end_of_them_is_refused(tmp_path):
    (tmp_path / "a.csv").write_text(
        "frame,parent,t,x,y,z,qw,qx,qy,qz\na,w,0,0,0,0,1,0,0,0\na,w,1,1e308,1e308,0,1,0,0,0\n"
    )
    (tmp_path / "b.csv").write_text(
        "frame,parent,t,x,y,z,qw,qx,qy,qz\na,w,0,0,0,0,1e308,1e308,0,0\n"
    )
    for name in ("a.csv", "b.csv"):
        with pytest.raises(KempeError, match=name):
            read_frames(tmp_path / name)
