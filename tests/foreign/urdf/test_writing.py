"""URDF files that kempe writes: read by Pinocchio, and read again by kempe, they move as before."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import kempe

ROOT = Path(__file__).resolve().parents[3]
PINOCCHIO = """
import json, sys
import numpy as np
import pinocchio

model = pinocchio.buildModelFromUrdf(sys.argv[1])
data, values = model.createData(), json.loads(sys.argv[2])
q = pinocchio.neutral(model)
for name, value in values.items():
    joint = model.joints[model.getJointId(name)]
    turned = [np.cos(value), np.sin(value)]
    q[joint.idx_q : joint.idx_q + joint.nq] = value if joint.nq == 1 else turned
pinocchio.forwardKinematics(model, data, q)
masses = {model.names[k]: [model.inertias[k].mass, *(data.oMi[k] * model.inertias[k].lever)]
          for k in range(1, model.njoints)}
print(json.dumps(masses))
"""
ARM = """<mujoco><compiler angle="radian"/><worldbody>
<body name="a" pos="0.1 0.2 0.3" euler="0.4 0.5 0.6">
  <joint name="x" axis="0 1 1" pos="0.1 0 -0.2"/>
  <geom type="box" size="0.1 0.2 0.3" pos="0.1 0 -0.3"/>
  <body name="b" pos="0 0.2 -0.6"><joint name="y" type="slide" axis="1 0 1"/>
    <geom size="0.1" pos="0 0 0.1"/>
    <body name="c" pos="1 0 0" zaxis="1 1 1"><joint name="z" pos="0.1 0.1 0"/>
      <geom size="0.1" pos="0 0.3 0"/></body></body></body>
</worldbody></mujoco>"""


@pytest.fixture
def pinocchio():
    """pinocchio(path, values): mass and centre of mass in the world of what hangs on each joint."""
    python = Path(os.environ.get("KEMPE_PEERS", ROOT / ".venv-peers" / "bin" / "python"))
    if not python.is_file():
        pytest.skip("KEMPE_PEERS names no Python with pinocchio, and there is no .venv-peers")
    if subprocess.run([python, "-c", "import pinocchio"], capture_output=True).returncode:
        pytest.skip("the Python of the peers has no pinocchio")

    def run(path, values):
        words = [str(python), "-c", PINOCCHIO, str(path), json.dumps(values)]
        found = subprocess.run(words, capture_output=True, text=True, check=False)
        assert found.returncode == 0, found.stderr
        return json.loads(found.stdout.strip().splitlines()[-1])

    return run


def centres(put, model):
    return {b.name: put[f"{b.name}.centre_of_mass"] for b in model.moving}


def test_an_arm_stands_in_pinocchio_where_it_stands_here(pinocchio, tmp_path):
    (tmp_path / "arm.xml").write_text(ARM)
    arm = kempe.load(tmp_path / "arm.xml")
    arm.export(tmp_path / "arm.urdf")
    values = {"x": 0.7, "y": -0.3, "z": 1.9}
    found = pinocchio(tmp_path / "arm.urdf", values)
    words = {"x.angle": 0.7, "y.displacement": -0.3, "z.angle": 1.9}
    ours = centres(arm.assemble(values=words), arm.model)
    for joint, body in (("x", "a"), ("y", "b"), ("z", "c")):
        mass, *place = found[joint]
        assert mass == pytest.approx(arm.model.body(body).inertia.mass, rel=1e-12)
        np.testing.assert_allclose(place, ours[body], atol=1e-9)


def test_a_loop_that_is_written_is_closed_where_it_starts_and_falls_alike(tmp_path):
    first = kempe.load(ROOT / "examples" / "foreign" / "four_bar.urdf")
    report = first.export(tmp_path / "again.urdf")
    again = kempe.load(tmp_path / "again.urdf")
    assert any("where it starts" in note.why for note in report.notes)
    ends = []
    for mechanism in (first, again):
        motion = mechanism.simulate(until=0.3, steps=6)
        ends.append(
            {b: motion[f"{b}.centre_of_mass"].position for b in ("crank", "coupler", "rocker")}
        )
    for body, places in ends[0].items():
        np.testing.assert_allclose(ends[1][body], places, atol=1e-6, err_msg=body)
    assert np.ptp(ends[0]["coupler"], axis=0).max() > 0.01


def test_limits_dampers_and_mimics_come_back(tmp_path):
    text = """<robot name="r"><link name="o"/><link name="a"/><link name="b"/>
<joint name="x" type="revolute"><parent link="o"/><child link="a"/><axis xyz="0 0 1"/>
  <limit lower="-1" upper="2"/><dynamics damping="0.5"/></joint>
<joint name="y" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/>
  <mimic joint="x" multiplier="0.25"/></joint></robot>"""
    (tmp_path / "a.urdf").write_text(text)
    kempe.load(tmp_path / "a.urdf").export(tmp_path / "b.urdf")
    model = kempe.load(tmp_path / "b.urdf").model
    stop = next(event for event in model.events if event.gauge.name == "x.angle")
    assert (stop.low, stop.high) == (-1.0, 2.0)
    assert model.forces[0].damping == 0.5
    put = kempe.load(tmp_path / "b.urdf").assemble(values={"x.angle": 0.8})
    assert put["y.displacement"] == pytest.approx(0.2, abs=1e-10)


def test_what_the_format_cannot_hold_is_listed(tmp_path):
    report = kempe.gallery.four_bar().export(tmp_path / "a.urdf")
    assert "drive on 'crank.angle'" in [item.what for item in report.left_out]
