"""A .glb file, read back by its specification, puts every point where the trajectory puts it."""

import io
import json
import struct

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import kempe

SINGLE = 1e-6  # of the size: the file holds single precision
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


class Glb:
    """The parts of a file."""

    def __init__(self, content: bytes) -> None:
        magic, version, length = struct.unpack_from("<4sII", content)
        assert (magic, version, length) == (b"glTF", 2, len(content))
        size, kind = struct.unpack_from("<I4s", content, 12)
        assert kind == b"JSON"
        assert size % 4 == 0
        self.json = json.loads(content[20 : 20 + size])
        block, kind = struct.unpack_from("<I4s", content, 20 + size)
        assert kind == b"BIN\0"
        self.block = content[28 + size : 28 + size + block]
        assert 28 + size + block == len(content)
        assert self.json["buffers"][0]["byteLength"] <= block

    def numbers(self, accessor: int) -> np.ndarray:
        facts = self.json["accessors"][accessor]
        view = self.json["bufferViews"][facts["bufferView"]]
        assert facts["componentType"] == 5126
        width = WIDTHS[facts["type"]]
        rows = np.frombuffer(self.block, "<f4", facts["count"] * width, view["byteOffset"])
        rows = rows.reshape(-1, width).astype(float)
        assert view["byteLength"] == 4 * rows.size
        assert facts["min"] == pytest.approx(rows.min(axis=0))
        assert facts["max"] == pytest.approx(rows.max(axis=0))
        return rows

    def node(self, name: str) -> int:
        return next(k for k, node in enumerate(self.json["nodes"]) if node["name"] == name)

    def channel(self, node: int, path: str) -> tuple[np.ndarray, np.ndarray]:
        animation = self.json["animations"][0]
        wanted = {"node": node, "path": path}
        channel = next(c for c in animation["channels"] if c["target"] == wanted)
        sampler = animation["samplers"][channel["sampler"]]
        assert sampler["interpolation"] == "LINEAR"
        return self.numbers(sampler["input"])[:, 0], self.numbers(sampler["output"])

    def carried(self, name: str, point: tuple[float, float, float]) -> np.ndarray:
        """Where a point of a node goes (n, 3), as a viewer with y up shows it."""
        node = self.node(name)
        _, shift = self.channel(node, "translation")
        _, turn = self.channel(node, "rotation")
        inside = Rotation.from_quat(turn).apply(point) + shift
        root = self.json["nodes"][self.json["scenes"][0]["nodes"][0]]
        assert node in root["children"]
        return Rotation.from_quat(root.get("rotation", [0, 0, 0, 1])).apply(inside)


def written(motion, tmp_path, **kind):
    return Glb(motion.animate(tmp_path / "motion.glb", **kind).read_bytes())


def test_a_point_in_the_plane_goes_where_the_trajectory_says(tmp_path):
    motion = kempe.gallery.four_bar().kinematics(until=2.0, steps=50)
    file = written(motion, tmp_path, trace="coupler.P")
    point = motion.layout.model.body("coupler").points["P"]
    found = file.carried("coupler", point)
    assert found[:, :2] == pytest.approx(motion["coupler.P"].position, abs=4 * SINGLE)
    times, _ = file.channel(file.node("coupler"), "rotation")
    assert times == pytest.approx(motion.t - motion.t[0], abs=SINGLE)


def test_a_point_in_space_stands_upright(tmp_path):
    """What is z here is y for a viewer of glTF, and y is away from it."""
    motion = kempe.gallery.rssr().kinematics(until=1.0, steps=40)
    file = written(motion, tmp_path)
    body = motion.layout.model.body("rocker")
    name, point = next(iter(body.points.items()))
    x, y, z = np.asarray(motion[f"rocker.{name}"].position).T
    found = file.carried("rocker", point)
    assert found == pytest.approx(np.column_stack([x, z, -y]), abs=4 * SINGLE)


def test_a_rod_reaches_from_one_end_to_the_other(tmp_path):
    motion = kempe.gallery.rssr().kinematics(until=1.0, steps=40)
    file = written(motion, tmp_path)
    rod = next(j for j in motion.layout.model.joints if j.symbol == "rod")
    node = file.node(rod.name)
    _, shift = file.channel(node, "translation")
    _, turn = file.channel(node, "rotation")
    _, scale = file.channel(node, "scale")
    tip = shift + Rotation.from_quat(turn).apply(np.array([0.0, 0.0, 1.0]) * scale)
    ends = [np.asarray(_place(motion, marker)) for marker in (rod.I, rod.J)]
    assert shift == pytest.approx(ends[0], abs=4 * SINGLE)
    assert tip == pytest.approx(ends[1], abs=4 * SINGLE)


def _place(motion, marker):
    for name, (body, place) in motion.subject.points.items():
        if body == marker.body and np.allclose(place, marker.position):
            return motion[name].position
    raise AssertionError(marker)


@pytest.mark.parametrize("name", ["four_bar", "planetary_train", "stewart", "differential"])
def test_surfaces_are_closed_and_another_reader_takes_them(name, tmp_path):
    trimesh = pytest.importorskip("trimesh")
    motion = kempe.gallery.MECHANISMS[name]().kinematics(until=1.0, steps=4)
    content = motion.animate(tmp_path / "motion.glb").read_bytes()
    scene = trimesh.load(io.BytesIO(content), file_type="glb")
    meshes = [g for g in scene.geometry.values() if isinstance(g, trimesh.Trimesh)]
    assert len(meshes) >= len(motion.subject.bodies)
    for mesh in meshes:
        mesh.merge_vertices(merge_norm=True)
        assert mesh.volume > 0.0


def test_what_stands_still_has_no_channel_and_all_starts_where_the_motion_does(tmp_path):
    motion = kempe.gallery.four_bar().kinematics(until=1.0, steps=10)
    file = written(motion, tmp_path)
    moving = {channel["target"]["node"] for channel in file.json["animations"][0]["channels"]}
    assert moving == {file.node(name) for name in ("crank", "coupler", "rocker")}
    for node in moving:
        for path in ("translation", "rotation"):
            start = file.json["nodes"][node][path]
            assert start == pytest.approx(file.channel(node, path)[1][0].tolist(), abs=SINGLE)
