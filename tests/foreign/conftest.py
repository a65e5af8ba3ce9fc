"""Other programs, in an environment of their own: KEMPE_PEERS names its Python."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
MUJOCO = """
import json, sys
import mujoco

model = mujoco.MjModel.from_xml_path(sys.argv[1])
data, step = mujoco.MjData(model), float(sys.argv[3])
model.opt.timestep, model.opt.integrator = step, mujoco.mjtIntegrator.mjINT_RK4
model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
model.opt.tolerance, model.opt.iterations = 1e-14, 500
model.eq_solref[:], model.eq_solimp[:] = [2 * step, 1], [0.9999, 0.9999, 0.001, 0.5, 2]
samples, n = [], round(float(sys.argv[2]) / step)
for k in range(n + 1):
    if k % (n // 10) == 0:
        mujoco.mj_forward(model, data)
        bodies = {model.body(b).name: data.xpos[b].tolist() for b in range(1, model.nbody)}
        samples.append({"t": data.time, "bodies": bodies})
    mujoco.mj_step(model, data)
masses = {model.body(b).name: float(model.body_mass[b]) for b in range(1, model.nbody)}
print(json.dumps({"samples": samples, "masses": masses}))
"""


@pytest.fixture(scope="session")
def mujoco() -> Callable[..., Any]:
    """mujoco(path, until) runs a file in MuJoCo: places (m) of bodies at 11 times, and masses."""
    python = Path(os.environ.get("KEMPE_PEERS", ROOT / ".venv-peers" / "bin" / "python"))
    if not python.is_file():
        pytest.skip("KEMPE_PEERS names no Python with mujoco, and there is no .venv-peers")
    tried = subprocess.run([python, "-c", "import mujoco"], capture_output=True, check=False)
    if tried.returncode:
        pytest.skip("the Python of the peers has no mujoco")

    def run(path: Path, until: float, step: float = 1e-4) -> Any:
        words = [str(python), "-c", MUJOCO, str(path), str(until), str(step)]
        found = subprocess.run(words, capture_output=True, text=True, check=False)
        assert found.returncode == 0, found.stderr
        return json.loads(found.stdout)

    return run
