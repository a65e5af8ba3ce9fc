"""ASMT files as a whole: masses, names, results, what is left out, what is refused."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Turn

import kempe
from kempe.errors import FileError
from kempe.files.documents.document import read_document
from kempe.foreign.asmt.reading import read_asmt

HERE = ((0.0, 0.0, 0.0), np.eye(3))
G = 9.81


def test_a_driven_bar_needs_the_torque_of_its_weight(pendulum, tmp_path):
    path = tmp_path / "bar.asmt"
    path.write_bytes(pendulum)
    mechanism = kempe.load(path)
    turn = mechanism.kinematics(until=1.0, steps=10)
    wanted = G * np.cos(np.pi * turn.t)  # at constant speed; the centre is 1 m away
    np.testing.assert_allclose(turn["hinge.angle.effort"].values, wanted, atol=1e-9)
    assert mechanism.imported.run.steps == 10


def test_saved_as_yaml_it_is_the_same_with_what_its_file_asks_for(pendulum, tmp_path):
    path = tmp_path / "bar.asmt"
    path.write_bytes(pendulum)
    document = read_document(kempe.load(path).save(tmp_path / "bar.yaml"))
    assert (document.run.until, document.run.steps) == (1.0, 10)
    ends = [
        m.kinematics(until=1.0, steps=3)["bar.tip"].position
        for m in map(kempe.load, [path, tmp_path / "bar.yaml"])
    ]
    np.testing.assert_array_equal(*ends)


def test_principal_moments_are_turned_into_the_frame_of_the_part(asmt, part):
    R = Turn.from_euler("ZYX", [0.5, -0.2, 1.0]).as_matrix()
    box = part({}, mass=3.0, moments=(2.0, 3.0, 4.0), centre=((0.1, 0.2, 0.3), R))
    found = read_asmt(asmt({"box": box}), "a.asmt").model.body("box").inertia
    np.testing.assert_allclose(found.tensor, R @ np.diag([2.0, 3.0, 4.0]) @ R.T, atol=1e-12)
    np.testing.assert_allclose(found.centre, [0.1, 0.2, 0.3])


def test_names_that_kempe_cannot_read_are_changed_and_said(asmt, part):
    parts = {"O - crank | #1": part({"x": HERE}), "a.b": part(), "a_b": part(), "ground": part()}
    found = read_asmt(asmt(parts), "a.asmt")
    assert [b.name for b in found.model.moving] == ["O - crank | #1", "a_b", "a_b_2", "ground_2"]
    said = [item.why for item in found.report.notes if "called" in item.why]
    assert said == ["is called 'a_b' here", "is called 'a_b_2' here", "is called 'ground_2' here"]
    assert "x_point" in found.model.body("O - crank | #1").points


ROWS = [*"XYZ", "Bryantx", "Bryanty", "Bryantz"]
ROWS += [f"{word}{axis}" for word in ("V", "Omega", "A", "Alpha") for axis in "XYZ"]
SERIES = [
    "TimeSeries",
    "Number\tInput\t1\t2",
    "Time\tInput\t0.0 \t0.5 ",
    "PartSeries\t/A/bar",
    *(f"{row}\t9 \t{k} \t{k + 0.5} " for k, row in enumerate(ROWS)),
    "RevoluteJointSeries /A/hinge",
    *(f"{w}onI\t0 \t{k} \t{-k} " for k, w in enumerate(["FX", "FY", "FZ", "TX", "TY", "TZ"])),
]


def test_series_are_read_without_the_column_before_assembly(pendulum):
    results = read_asmt(pendulum + "\n".join(SERIES).encode(), "a.asmt").results
    np.testing.assert_array_equal(results.t, [0.0, 0.5])
    bar = results.bodies["bar"]
    np.testing.assert_array_equal(bar.position, [[0, 1, 2], [0.5, 1.5, 2.5]])
    np.testing.assert_array_equal(bar.angular_acceleration[0], [15, 16, 17])
    wanted = Turn.from_euler("XYZ", [[3, 4, 5], [3.5, 4.5, 5.5]]).as_matrix()
    np.testing.assert_allclose(bar.rotation, wanted, atol=1e-14)
    np.testing.assert_array_equal(results.connectors["hinge"].torque[1], [-3, -4, -5])


@pytest.mark.parametrize("cut", [2, 5, 8])
def test_broken_series_are_left_out_and_said_with_their_line(pendulum, cut):
    lines = [*SERIES[:cut], "X\t1\toops", *SERIES[cut:]]
    found = read_asmt(pendulum + "\n".join(lines).encode(), "a.asmt")
    assert found.results is None
    (item,) = found.report.left_out
    assert (item.what, item.line) == ("time series", pendulum.count(b"\n") + cut + 1)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b"/A/bar/eye", b"/A/bar/eyes", "no marker '/A/bar/eyes'. Did you mean '/A/bar/eye'"),
        (b"/A/bar/eye", b"/A/pin", "itself"),
        (b"\t\t\t\tMass\n\t\t\t\t\t1.0", b"\t\t\t\tMass\n\t\t\t\t\t-1.0", "zero or more"),
        (b"tend\n\t\t\t1.0", b"tend\n\t\t\t-1.0", "after"),
        (b"pi*time", b"pi*", "missing"),
    ],
)
def test_a_mistake_is_told_with_its_line(pendulum, old, new, said):
    assert old in pendulum
    with pytest.raises(FileError, match=said) as mistake:
        read_asmt(pendulum.replace(old, new), "a.asmt")
    assert mistake.value.path == "a.asmt"
    assert mistake.value.line > 2


def test_a_mirrored_matrix_is_refused_and_a_skewed_one_is_straightened_and_said(asmt, part):
    skewed = np.eye(3) + 1e-5 * np.arange(9).reshape(3, 3)
    found = read_asmt(asmt({"box": part(at=((0, 0, 0), skewed))}), "a.asmt")
    assert any("nearest rotation" in item.why for item in found.report.notes)
    R = found.model.body("box").guess.rotation.matrix()
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-14)
    for wrong in (np.diag([1.0, 1.0, -1.0]), 2.0 * np.eye(3)):
        with pytest.raises(FileError, match="matrix"):
            read_asmt(asmt({"box": part(at=((0, 0, 0), wrong))}), "a.asmt")
