"""Meshes that robots name: read from their own folder, turned and scaled, and nowhere else."""

import numpy as np
import pytest

import kempe
from kempe.foreign.mjcf.reading import read_mjcf
from kempe.foreign.urdf.reading import read_urdf_model
from kempe.geometry.solids import Cuboid, Mesh

SIZES = (0.2, 0.4, 0.6)
CORNERS = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.2, 0.2) for z in (-0.3, 0.3)]
FACES = ["1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"]  # seen from outside
BOX = "\n".join([*(f"v {x} {y} {z}" for x, y, z in CORNERS), *(f"f {face}" for face in FACES)])
OPEN = "\n".join(BOX.split("\n")[:-1])
ROUNDING = 1e-12


@pytest.fixture
def robots(tmp_path):
    """A folder of a robot, its files in one folder below and its meshes in another."""
    folder = tmp_path / "arm"
    for name in ("urdf", "meshes"):
        (folder / name).mkdir(parents=True)
    (folder / "meshes" / "box.obj").write_text(BOX)
    (folder / "urdf" / "box.obj").write_text(BOX)
    (folder / "urdf" / "open.obj").write_text(OPEN)
    (tmp_path / "outside.obj").write_text(BOX)
    return folder / "urdf"


def urdf(mesh):
    shape = f"<visual><origin xyz='1 0 0'/><geometry><mesh {mesh}/></geometry></visual>"
    joint = "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>"
    return f"<robot name='r'><link name='a'/><link name='b'>{shape}</link>{joint}</robot>".encode()


@pytest.mark.parametrize(
    "named", ["box.obj", "./box.obj", "package://arm/meshes/box.obj", "package://other/box.obj"]
)
def test_a_mesh_of_a_urdf_is_a_shape(robots, named):
    (robots / "r.urdf").write_bytes(urdf(f"filename='{named}'"))
    mechanism = kempe.load(robots / "r.urdf")
    (shape,) = mechanism.model.body("b").shapes
    assert shape.solid.volume == pytest.approx(np.prod(SIZES), rel=ROUNDING)
    assert float(shape.at.position.x) == 1.0
    assert not mechanism.imported.report.left_out


def test_a_scale_that_mirrors_leaves_the_mesh_facing_outwards(robots):
    found = read_urdf_model(urdf("filename='box.obj' scale='2 1 -1'"), str(robots / "r.urdf"))
    (shape,) = found.model.body("b").shapes
    assert shape.solid.volume == pytest.approx(2.0 * np.prod(SIZES), rel=ROUNDING)


@pytest.mark.parametrize(
    ("mesh", "why"),
    [
        ("filename='../../outside.obj'", "leads out of the folder"),
        ("filename='/etc/passwd'", "leads out of the folder"),
        ("filename='file:///etc/passwd'", "leads out of the folder"),
        ("filename='package://arm/../../outside.obj'", "leads out of the folder"),
        ("filename='link.obj'", "leads out of the folder"),
        ("filename='none.obj'", "no such file"),
        ("filename='box.dae'", "a mesh ends in"),
        ("filename='box.obj' scale='0 1 1'", "a scale of 0"),
        ("filename=''", ""),
    ],
)
def test_a_mesh_that_cannot_be_had_is_left_out_and_said(robots, mesh, why):
    (robots / "link.obj").symlink_to(robots.parents[1] / "outside.obj")
    (robots / "box.dae").write_text("<x/>")
    found = read_urdf_model(urdf(mesh), str(robots / "r.urdf"))
    assert not found.model.body("b").shapes
    (said,) = found.report.left_out
    assert why in said.why


def mjcf(geom, mesh="<mesh name='m' file='box.obj'/>", compiler=""):
    body = f"<body name='b'><joint axis='1 0 0' pos='0 0 1'/>{geom}</body>"
    assets = f"<asset>{mesh}</asset>"
    return f"<mujoco>{compiler}{assets}<worldbody>{body}</worldbody></mujoco>".encode()


GEOM = "<geom type='mesh' mesh='m' pos='0.1 0 0' euler='0 30 0' density='700'/>"


def test_a_mesh_of_mjcf_weighs_what_its_volume_does(robots):
    found = read_mjcf(mjcf(GEOM), str(robots / "r.xml"))
    body = found.model.body("b")
    (shape,) = body.shapes
    assert isinstance(shape.solid, Mesh)
    wanted = Cuboid(SIZES).inertia(density=700.0, at=shape.at)
    assert body.inertia.mass == pytest.approx(wanted.mass, rel=ROUNDING)
    np.testing.assert_allclose(body.inertia.tensor, wanted.tensor, atol=ROUNDING)
    assert not found.report.left_out


def test_a_mesh_of_mjcf_moves_as_in_mujoco(mujoco, robots):
    path = robots / "r.xml"
    path.write_bytes(mjcf(GEOM))
    found = mujoco(path, 0.5)
    motion = kempe.load(path).simulate(until=0.5, steps=10)
    wanted = np.array([sample["bodies"]["b"] for sample in found["samples"]])
    np.testing.assert_allclose(motion["b"].position, wanted, atol=2e-6)
    assert found["masses"]["b"] == pytest.approx(700.0 * np.prod(SIZES), rel=1e-6)


@pytest.mark.parametrize(
    ("text", "whys"),
    [
        (mjcf("<geom type='mesh' mesh='n'/>"), ["there is no such mesh", "not read"]),
        (mjcf(GEOM, "<mesh name='m' file='box.obj' refpos='1 0 0'/>"), ["refpos"]),
        (mjcf(GEOM, "<mesh name='m' file='../x.obj'/>"), ["leads out of the folder"]),
        (mjcf(GEOM, compiler="<compiler meshdir='/etc'/>"), ["leads out of the folder"]),
        (mjcf(GEOM, "<mesh name='m' file='open.obj'/>"), ["has no volume"]),
        (mjcf(GEOM.replace("density='700'", "mass='0'")), []),
    ],
)
def test_what_a_mesh_of_mjcf_lacks_is_said(robots, text, whys):
    said = [item.why for item in read_mjcf(text, str(robots / "r.xml")).report.left_out]
    assert len(said) == len(whys)
    assert all(why in one for why, one in zip(whys, said, strict=True))
