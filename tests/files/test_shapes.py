"""Shapes of bodies in files: solids, meshes below the folder, and nothing from elsewhere."""

import numpy as np
import pytest

import kempe
from kempe.errors import FileError
from kempe.geometry.solids import (
    Cone,
    Cuboid,
    Cylinder,
    Mesh,
    Plate,
    Revolution,
    SlenderBar,
    Sphere,
    Tube,
)

TETRAHEDRON = "v 0 0 0\nv 20 0 0\nv 0 30 0\nv 0 0 40\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
MODEL = """
version: 1
plane: {plane}
units: {{length: mm}}
bodies:
  ground:
    shapes:
      post: {{solid: {{type: sphere, radius: 5}}, at: [0, 80, 0]}}
  arm:
    length: 100
    shapes:
      jaw: {shape}
joints:
  hinge: {{type: revolute, I: ground, J: arm.start}}
drives:
  arm.angle: {{speed: 1}}
"""


@pytest.fixture
def model(tmp_path):
    def write(shape, plane="true"):
        (tmp_path / "model.yaml").write_text(MODEL.format(shape=shape, plane=plane))
        return tmp_path / "model.yaml"

    return write


def test_a_file_gives_solids_to_bodies_and_to_the_ground(model):
    path = model("{solid: {type: cuboid, sides: [100, 10, 10]}, at: [50, 0, 2], angle: 5 deg}")
    mechanism = kempe.load(path)
    shape = mechanism.model.body("arm").shapes[0]
    assert (shape.name, shape.solid) == ("jaw", Cuboid((0.1, 0.01, 0.01)))
    np.testing.assert_allclose([float(c) for c in shape.at.position], [0.05, 0, 0.002])
    assert mechanism.model.body("ground").shapes[0].solid == Sphere(0.005)
    found = mechanism.kinematics(until=3.0, steps=90).interference()
    assert len(found["arm.jaw", "ground.post"].touches) == 1


def test_a_mesh_is_read_from_a_file_beside_the_model_or_below(model, tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "jaw.obj").write_text(TETRAHEDRON)
    mechanism = kempe.load(model("{mesh: parts/jaw.obj, unit: mm}", "false"))
    assert mechanism.model.body("arm").shapes[0].solid.volume == pytest.approx(4e-6)


@pytest.mark.parametrize(
    ("shape", "complaint"),
    [
        ("{mesh: ../jaw.obj}", "leads out of the folder"),
        ("{mesh: /etc/passwd}", "leads out of the folder"),
        ("{mesh: link.obj}", "leads out of the folder"),
        ("{mesh: none.obj}", "none.obj"),
        ("{mesh: folder.obj}", "folder"),
        ("{mesh: jaw.txt}", "a mesh ends in"),
        ("{mesh: jaw.obj, unit: kg}", "kg"),
        ("{}", "a shape is a `solid` or a `mesh`"),
        ("{mesh: jaw.obj, solid: {type: sphere, radius: 1}}", "give one of them"),
        ("{solid: {type: sphere, radius: 1}, unit: mm}", "`unit` goes with a `mesh`"),
        ("{solid: {type: sphere, radius: -1}}", "radius"),
    ],
)
def test_what_is_no_shape_is_refused_with_its_place(shape, complaint, model, tmp_path):
    (tmp_path / "jaw.obj").write_text(TETRAHEDRON)
    (tmp_path / "jaw.txt").write_text(TETRAHEDRON)
    (tmp_path / "folder.obj").mkdir()
    outside = tmp_path.parent / "outside.obj"
    outside.write_text(TETRAHEDRON)
    (tmp_path / "link.obj").symlink_to(outside)
    path = model(shape)
    with pytest.raises(FileError, match=complaint) as refused:
        kempe.load(path)
    assert "model.yaml" in str(refused.value) or "obj" in str(refused.value)


@pytest.mark.parametrize("ending", ["yaml", "json"])
def test_every_solid_comes_back_from_a_file_to_the_last_digit(ending, tmp_path, same):
    m = kempe.Builder("solids")
    arm = m.bar("arm", 1.0)
    m.revolute(m.ground.at(0, 0), arm.start)
    (tmp_path / "jaw.obj").write_text(TETRAHEDRON)
    solids = (
        Cuboid((0.1, 0.2, 1 / 3)), Sphere(0.1), Cylinder(0.1, 0.7), Tube(0.3, 0.1, 0.2),
        SlenderBar(0.3), Plate(((0, 0), (1, 0), (0.1, 0.1), (0, 1)), 0.1),
        Mesh.read(tmp_path / "jaw.obj", unit="mm"), Cone(0.1, 0.2, 1 / 30), Cone(0.1, 0.2),
        Revolution(((0.1, 0), (0.2, 1 / 3), (0.1, 0.7))),
        Plate(((0, 0), (1, 0), (1, 1)), 0.1, ((0.7, 0.3, 1 / 30), (0.9, 0.1, 0.01))),
    )  # fmt: skip
    for k, solid in enumerate(solids):
        m.shape(arm, solid, at=(0.1 * k, 1 / 7, 0.3), angle=0.1 * k, name=f"s{k}")
    mechanism = m.build()
    loaded = kempe.load(mechanism.save(tmp_path / f"it.{ending}"))
    assert same(loaded.model.body("arm").shapes, mechanism.model.body("arm").shapes)


def test_shapes_stay_with_their_bodies_when_mechanisms_are_merged(model):
    path = model("{solid: {type: sphere, radius: 3}, at: [100, 0, 0]}")
    one = kempe.load(path)
    both = kempe.merge(
        one, one, rename={"arm": "second", "hinge": "other"}, identify={"second": "arm"}
    )
    assert [shape.name for shape in both.model.body("arm").shapes] == ["jaw", "jaw_2"]
    assert [shape.name for shape in both.model.body("ground").shapes] == ["post", "post_2"]


def test_a_shape_and_a_density_give_a_bar_its_inertia(tmp_path, same):
    """A round bar of radius r and length l about its end: m (r^2 / 4 + l^2 / 3)."""
    text = MODEL.replace("    shapes:\n      jaw: {shape}\n", "    {shape}\n")
    shape = "shape: {type: cylinder, radius: 4, length: 100}\n    density: 7.85 g/cm^3"
    (tmp_path / "bar.yaml").write_text(text.format(shape=shape, plane="false"))
    mechanism = kempe.load(tmp_path / "bar.yaml")
    inertia = mechanism.model.body("arm").inertia
    mass = 7850 * np.pi * 0.004**2 * 0.1
    assert inertia.mass == pytest.approx(mass, rel=1e-14)
    about_end = mass * (0.004**2 / 4 + 0.1**2 / 3)
    assert np.diag(inertia.about_origin())[1:] == pytest.approx([about_end] * 2, rel=1e-13)
    again = kempe.load(mechanism.save(tmp_path / "again.yaml"))
    assert "tensor" not in (tmp_path / "again.yaml").read_text()
    assert same(again.model.body("arm").shapes, mechanism.model.body("arm").shapes)
    assert (again.model.body("arm").inertia.tensor == inertia.tensor).all()


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ("density: 7850", "`density` goes with a `shape`"),
        ("shape: {type: sphere, radius: 1}\n    density: -1", "density"),
        ("shape: {type: slender_bar, length: 1}\n    density: 1", "no volume"),
        (
            "shape: {type: sphere, radius: 1}\n    density: 1\n    inertia: {mass: 1}",
            "leave one of them out",
        ),
    ],
)
def test_a_density_that_says_nothing_is_refused_with_its_place(entry, complaint, tmp_path):
    text = MODEL.replace("    shapes:\n      jaw: {shape}\n", "    {shape}\n")
    (tmp_path / "bar.yaml").write_text(text.format(shape=entry, plane="false"))
    with pytest.raises(FileError, match=complaint) as refused:
        kempe.load(tmp_path / "bar.yaml")
    assert "bar.yaml" in str(refused.value)
