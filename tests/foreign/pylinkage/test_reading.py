"""Linkages that pylinkage saved move here as there."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import kempe
from kempe.errors import FileError

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples" / "foreign" / "four_bar.pylinkage.json"
#: crank pin, elbow and tracker after 1, 4, 7 and 10 steps: pylinkage 1.3.0, 10 digits
PRINTED = {
    1: ((-0.0998334166, 0.9950041653), (2.9161941389, 2.9707515641), (0.8429291726, 2.7588632017)),
    4: ((-0.3894183423, 0.9210609940), (2.6504899653, 2.8598640993), (0.5747941538, 2.6732865110)),
    7: ((-0.6442176872, 0.7648421873), (2.3857111911, 2.7192042295), (0.3109991665, 2.5219878165)),
    10: ((-0.8414709848, 0.5403023059), (2.1447271366, 2.5608519290), (0.0748561897, 2.3180380875)),
}
SAME = 1e-9  # m: the digits that were printed
STEPPED = """
import json, sys
from pylinkage.mechanism.serialization import mechanism_from_json
linkage = mechanism_from_json(sys.argv[1])
names = [joint.name for joint in linkage.joints]
places = [dict(zip(names, step)) for step, _ in zip(linkage.step(), range(40))]
print(json.dumps([{n: [float(x) for x in p] for n, p in at.items()} for at in places]))
"""


def places(motion, k):
    return [motion[name].position[k] for name in ("crank.B", "coupler.elbow", "coupler.P")]


def changed(tmp_path, **words):
    """The example with some of its entries changed, as a file."""
    data = json.loads(EXAMPLE.read_text(encoding="utf-8")) | words
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_a_crank_rocker_is_after_every_step_where_pylinkage_has_it():
    motion = kempe.load(EXAMPLE).kinematics(until=10.0, steps=10)
    for k, wanted in PRINTED.items():
        np.testing.assert_allclose(places(motion, k), wanted, atol=SAME)


def test_pylinkage_itself_goes_the_same_way():
    python = Path(os.environ.get("KEMPE_PEERS", ROOT / ".venv-peers" / "bin" / "python"))
    if not python.is_file():
        pytest.skip("KEMPE_PEERS names no Python with pylinkage, and there is no .venv-peers")
    if subprocess.run([python, "-c", "import pylinkage"], capture_output=True).returncode:
        pytest.skip("the Python of the peers has no pylinkage")
    words = [str(python), "-c", STEPPED, str(EXAMPLE)]
    stepped = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    motion = kempe.load(EXAMPLE).kinematics(until=40.0, steps=40)
    for k, at in enumerate(stepped, 1):
        wanted = [at[name] for name in ("B", "elbow", "P")]
        np.testing.assert_allclose(places(motion, k), wanted, atol=SAME)


def test_the_file_asks_for_one_turn_and_says_what_a_step_is():
    imported = kempe.load(EXAMPLE).imported
    assert imported.run.until == pytest.approx(2 * np.pi / 0.1)
    assert imported.report.left_out == ()
    assert any("step" in note.what for note in imported.report.notes)


def test_joints_that_slide_are_left_out_and_said(tmp_path):
    joints = [
        {"id": "A", "type": "ground", "position": [0, 0]},
        {"id": "B", "type": "revolute", "position": [1, 0]},
        {"id": "S", "type": "prismatic", "position": [2, 0], "axis": [1, 0]},
    ]
    links = [{"id": "arm", "type": "arc_driver", "joints": ["A", "B", "S"], "motor_joint": "A"}]
    mechanism = kempe.load(changed(tmp_path, joints=joints, links=links))
    said = [item.what for item in mechanism.imported.report.left_out]
    assert said == ["prismatic joint 'S'", "motor of 'arm'"]
    assert mechanism.imported.run.until == pytest.approx(np.pi / 0.1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"links": 3}, "'links' must be a list"),
        ({"links": [{"id": "a", "joints": ["A", "Q"]}]}, "no joint 'Q'"),
        ({"joints": [{"id": "A", "type": "ground", "position": [0]}]}, "two numbers"),
        ({"joints": [{"id": "A", "position": [0, 0]}] * 2}, "two joints have the id 'A'"),
        ({"links": [{"id": "a", "type": "drivr", "joints": []}]}, "Did you mean 'driver'"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path, words, said):
    with pytest.raises(FileError, match=said) as refused:
        kempe.load(changed(tmp_path, **words))
    assert refused.value.line == 1


def test_models_of_kempe_in_json_stay_what_they_are(tmp_path):
    kempe.gallery.four_bar().save(tmp_path / "four_bar.json")
    assert kempe.load(tmp_path / "four_bar.json").imported is None
