"""Frame graphs in files: what is read is what was written, and mistakes say where they are."""

import json
from pathlib import Path

import numpy as np
import pytest

from kempe.errors import (
    BadNumber,
    CyclicFrames,
    Disconnected,
    DuplicateName,
    FrameError,
    KempeError,
    TwoParents,
    UnknownFrame,
)
from kempe.frames import (
    ByFormula,
    FrameGraph,
    Rigid,
    Sampled,
    Uniform,
    closure_errors,
    read_frames,
    read_urdf,
    write_frames,
)
from kempe.geometry import Pose, Rotation, Vector

ROUNDING = 1e-12
MANY = 100_000


def written(folder: Path, text: str, name: str = "frames.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def frames_json(*pairs: tuple[str, str | None]) -> str:
    return json.dumps({"frames": [{"id": name, "parent": parent} for name, parent in pairs]})


@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_what_was_written_is_read_again(suffix, tmp_path, any_state, apart) -> None:
    graph = FrameGraph("ground")
    graph.add("a", "ground", any_state("a", "ground"))
    fixed = any_state("b", "a")
    graph.add("b", "a", Rigid(fixed.position, fixed.rotation))
    graph.add("c", "b", Uniform(Rigid([1, 2, 3]), velocity=[1, 0, 0], angular_velocity=[0, 0, 2]))
    samples = any_state("d", "b", 5)
    graph.add("d", "b", Sampled(np.linspace(0, 1, 5), samples, extrapolate=0.25))
    graph.close("d", "a", any_state("d", "a"))
    graph.add("island")
    again = read_frames(write_frames(graph, tmp_path / f"frames.{suffix}"))
    assert list(again) == list(graph)
    for t in (0.0, 0.3, 1.2):
        for name in ("a", "b", "c", "d"):
            assert apart(again.state(name, "ground", t), graph.state(name, "ground", t)) < 1e-9
        assert closure_errors(again, t)[0].largest == pytest.approx(
            closure_errors(graph, t)[0].largest, rel=1e-9
        )


def test_a_function_of_time_is_not_written_and_the_mistake_says_what_to_do(tmp_path) -> None:
    graph = FrameGraph("a")
    graph.add("b", "a", ByFormula(lambda t: Pose(Vector(t, 0, 0), Rotation.identity())))
    with pytest.raises(FrameError, match=r"'a' to 'b' is a function of time.*sample it first"):
        write_frames(graph, tmp_path / "frames.yaml")


@pytest.mark.parametrize(
    "rotation",
    [
        "{axis: [0, 0, 2], angle: 0.5}",
        "{rpy: [0, 0, 0.5]}",
        f"{{quaternion: [{np.cos(0.25)}, 0, 0, {np.sin(0.25)}]}}",
        f"{{matrix: {Rotation.planar(0.5).matrix().tolist()}}}",
    ],
)
def test_a_rotation_can_be_written_in_four_ways(rotation, tmp_path) -> None:
    text = f"frames:\n- id: a\n- id: b\n  parent: a\n  rotation: {rotation}\n"
    state = read_frames(written(tmp_path, text)).state("b", "a")
    np.testing.assert_allclose(state.rotation, Rotation.planar(0.5).matrix(), atol=ROUNDING)


@pytest.mark.row("D10")
def test_roll_pitch_and_yaw_turn_about_fixed_axes_in_that_order(tmp_path) -> None:
    text = "frames: [{id: a}, {id: b, parent: a, rotation: {rpy: [0.1, 0.2, 0.3]}}]"
    R = read_frames(written(tmp_path, text)).state("b", "a").rotation
    x, y, z = (Rotation.about(np.eye(3)[k], a) for k, a in enumerate((0.1, 0.2, 0.3)))
    np.testing.assert_allclose(R, (z @ y @ x).matrix(), atol=ROUNDING)


def test_a_ring_of_parents_is_refused_and_told_in_full(tmp_path) -> None:
    text = frames_json(("a", "c"), ("b", "a"), ("c", "b"))
    with pytest.raises(CyclicFrames, match="a -> b -> c -> a"):
        read_frames(written(tmp_path, text))


def test_a_question_between_two_trees_names_both(tmp_path) -> None:
    graph = read_frames(written(tmp_path, frames_json(("a", None), ("b", None))))
    with pytest.raises(Disconnected, match=r"tree of 'a' \(1 frame: 'a'\) and the tree of 'b'"):
        graph.state("b", seen_from="a")


def test_a_chain_of_a_hundred_thousand_frames_is_read_whatever_its_order(tmp_path) -> None:
    pairs = [(f"f{k}", f"f{k - 1}" if k else None) for k in range(MANY)]
    graph = read_frames(written(tmp_path, frames_json(*reversed(pairs)), "frames.json"))
    assert len(graph) == MANY
    assert graph.state(f"f{MANY - 1}", "f0").position.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("frames: [{id: a}, {id: b}, {id: c, parent: a}, {id: c, parent: b}]", TwoParents, r"'c'"),
        ("frames: [{id: a}, {id: a}]", DuplicateName, r"frames\[1\].id"),
        ("frames: [{id: crane}, {id: b, parent: cran}]", UnknownFrame, "mean 'crane'"),
        ("frames: [{id: a}]\nloops: [{frame: b, seen_from: a}]", UnknownFrame, r"loops\[0\]"),
        ("frames: [{id: a, partent: b}]", FrameError, "mean 'parent'"),
        ("frames: [{id: 7}]", FrameError, r"frames\[0\].id must be a name"),
        ("frames: {a: b}", FrameError, "frames must be a list"),
        ("[1, 2]", FrameError, "must be a mapping"),
        ("frames: [{id: a}, {id: b, parent: a, position: [1, 2]}]", FrameError, r"\[1\].position"),
        ("frames: [{id: a}, {id: b, parent: a, position: [1, 2, .nan]}]", FrameError, "finite"),
        ("frames: [{id: a}, {id: b, parent: a, position: [1, 2, true]}]", FrameError, "finite"),
        (
            "frames: [{id: a}, {id: b, parent: a, rotation: {matrix: [[1,0,0],[0,1,0],[0,0,2]]}}]",
            BadNumber,
            r"frames\[1\].rotation: this is no rotation",
        ),
        (
            "frames: [{id: a}, {id: b, parent: a, rotation: {quaternion: [0, 0, 0, 0]}}]",
            BadNumber,
            "length 0",
        ),
        ("frames: [{id: a}, {id: b, parent: a, rotation: {axis: [1,0,0]}}]", FrameError, "angle"),
        ("frames: [{id: a}, {id: b, parent: a, log: none.csv}]", FrameError, "cannot be read"),
        ("frames: [{id: a", FrameError, "no YAML: line"),
        ('{"frames": [', FrameError, "no JSON"),
        ('{"frames": [], "frames": []}', FrameError, "twice"),
    ],
)
def test_a_mistake_in_a_file_is_told_with_its_place(text, kind, said, tmp_path) -> None:
    with pytest.raises(kind, match=said) as caught:
        read_frames(written(tmp_path, text))
    assert "frames.yaml" in str(caught.value)


def test_a_log_alone_is_a_graph_and_a_second_parent_in_it_a_loop(tmp_path, any_state) -> None:
    header = "frame,parent,t,x,y,z,qw,qx,qy,qz\n"
    rows = ["b,a,0,0,0,0,1,0,0,0", "b,a,1,1,0,0,1,0,0,0", "c,b,0,0,2,0,1,0,0,0"]
    rows += ["c,b,1,0,2,0,1,0,0,0", "c,a,0,0,2.5,0,1,0,0,0", "c,a,1,1,2.5,0,1,0,0,0"]
    graph = read_frames(written(tmp_path, header + "\n".join(rows), "log.csv"))
    state = graph.state("c", "a", 0.5)
    np.testing.assert_allclose(state.position, [0.5, 2, 0], atol=ROUNDING)
    np.testing.assert_allclose(state.velocity, [1, 0, 0], atol=ROUNDING)
    (error,) = closure_errors(graph, 0.5)
    assert float(error.position) == pytest.approx(0.5, abs=ROUNDING)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("t,x\n0,0\n", "lacks the columns y, z"),
        ("t,x,y,z,qw,qx,qy,qz\n", "lacks any sample"),
        ("t,x,y,z,qw,qx,qy,qz\n0,0,0,zero,1,0,0,0\n", ":2: z is 'zero'"),
        ("t,x,y,z,qw,qx,qy,qz\n0,0,0,0,2,0,0,0\n", "length 2"),
        ("t,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n", "which frames"),
        (
            "frame,parent,t,x,y,z,qw,qx,qy,qz\nb,a,1,0,0,0,1,0,0,0\nb,a,0,0,0,0,1,0,0,0\n",
            "increase",
        ),
    ],
)
def test_a_log_that_is_none_says_what_it_lacks(text, said, tmp_path) -> None:
    with pytest.raises((FrameError, BadNumber), match=said):
        read_frames(written(tmp_path, text, "log.csv"))


URDF = """<robot name="arm">
<link name="base"/><link name="upper"/><link name="hand"/><link name="tool"/>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
  <origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/><axis xyz="0 0 1"/></joint>
<joint name="slide" type="prismatic"><parent link="upper"/><child link="hand"/>
  <origin xyz="1 0 0"/><axis xyz="2 0 0"/></joint>
<joint name="weld" type="fixed"><parent link="hand"/><child link="tool"/></joint>
</robot>"""


def test_the_links_of_a_robot_are_frames(tmp_path) -> None:
    path = written(tmp_path, URDF, "arm.urdf")
    at_rest = read_frames(path).state("tool", "base")
    np.testing.assert_allclose(at_rest.position, [0, 1, 1], atol=ROUNDING)
    moved = read_urdf(path, {"shoulder": 0.5 * np.pi, "slide": 0.5}).state("tool", "base")
    np.testing.assert_allclose(moved.position, [-1.5, 0, 1], atol=ROUNDING)


def test_a_joint_that_mimics_another_follows_it(tmp_path) -> None:
    mimic = '<mimic joint="shoulder" multiplier="-2" offset="0.25"/><axis xyz="2 0 0"/>'
    path = written(tmp_path, URDF.replace('<axis xyz="2 0 0"/>', mimic), "arm.urdf")
    follows = read_urdf(path, {"shoulder": 0.5}).state("hand", "upper")
    np.testing.assert_allclose(follows.position, [1 - 2 * 0.5 + 0.25, 0, 0], atol=ROUNDING)
    own = read_urdf(path, {"shoulder": 0.5, "slide": 3.0}).state("hand", "upper")
    np.testing.assert_allclose(own.position, [4, 0, 0], atol=ROUNDING)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('<link name="tool"/>', "", "no link 'tool'"),
        ('<parent link="hand"/>', "", "'weld' lacks its parent"),
        ('xyz="0 0 1" rpy', 'xyz="0 0" rpy', "not three numbers"),
        ('<parent link="base"/>', '<parent link="tool"/>', "hangs on itself"),
        ('<child link="tool"/>', '<child link="hand"/>', "hangs on two joints"),
        ('<axis xyz="2 0 0"/>', '<mimic joint="slide"/>', "mimics 'slide', which follows nothing"),
        ('<axis xyz="2 0 0"/>', '<mimic joint="x"/>', "mimics 'x', which follows nothing"),
        (
            '<axis xyz="2 0 0"/>',
            '<mimic joint="shoulder" offset="far"/>',
            "mimics by 'far', which is no finite number",
        ),
        ("<robot", "<!DOCTYPE x><robot", "document type"),
        ("</robot>", "", "cannot be read"),
    ],
)
def test_a_mistake_in_a_robot_is_told(old, new, said, tmp_path) -> None:
    with pytest.raises(KempeError, match=said):
        read_frames(written(tmp_path, URDF.replace(old, new, 1), "arm.urdf"))
