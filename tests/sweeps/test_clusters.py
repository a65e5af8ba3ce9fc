"""The same sweep on a cluster of Dask and on one of Ray, each of one worker on this machine."""

import subprocess
import sys
from pathlib import Path

import pytest

import kempe
from kempe.errors import SweepError
from kempe.front.sweep import Sweep
from tests.sweeps.asked import FOUR_BAR, same, sizes

CRANKS = {"crank": "0.6..1.4 in 17"}
ROOT = Path(__file__).resolve().parents[2]
CANNOT_START = 77
# In a process of its own: Ray leaves processes, threads and warnings behind.
ON_RAY = f"""
import sys
import kempe, ray
from tests.sweeps.asked import FOUR_BAR, sizes
try:
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="ERROR",
             object_store_memory=80 * 2**20, runtime_env=None)
except Exception:
    sys.exit({CANNOT_START})
kempe.sweep(FOUR_BAR, over={CRANKS}, analysis=sizes, executor="ray", chunk=5, seed=4,
            folder=sys.argv[1])
assert ray.is_initialized(), "what was there before is left"
ray.shutdown()
"""


@pytest.fixture(scope="module")
def plain():
    return kempe.sweep(FOUR_BAR, over=CRANKS, analysis=sizes, executor="serial", chunk=5, seed=4)


@pytest.fixture(scope="module")
def dask_client():
    distributed = pytest.importorskip("distributed")
    try:
        cluster = distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=None, processes=True
        )
    except (OSError, RuntimeError, TimeoutError) as trouble:
        pytest.skip(f"no cluster of Dask starts here: {trouble}")
    with cluster, distributed.Client(cluster) as client:
        yield client


def test_dask_finds_the_same_by_client_and_by_address(dask_client, plain, monkeypatch):
    monkeypatch.setattr("kempe.sweeps.clusters.PATIENCE", 60.0)  # of a machine that is busy
    asked = {"over": CRANKS, "analysis": sizes, "chunk": 5, "seed": 4}
    same(kempe.sweep(FOUR_BAR, executor=dask_client, **asked), plain)
    address = f"dask:{dask_client.scheduler.address}"
    same(kempe.sweep(FOUR_BAR, executor=address, **asked), plain)
    assert dask_client.status == "running"  # what was given is left open


def test_ray_finds_the_same(plain, tmp_path):
    pytest.importorskip("ray")
    ran = subprocess.run([sys.executable, "-c", ON_RAY, str(tmp_path / "s")], cwd=ROOT, check=False)
    if ran.returncode == CANNOT_START:
        pytest.skip("no cluster of Ray starts here")
    assert ran.returncode == 0
    same(Sweep.load(tmp_path / "s"), plain)


def test_a_dask_cluster_that_is_not_there_is_said(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("kempe.sweeps.clusters.PATIENCE", 0.3)
    with pytest.raises(SweepError, match=r"no Dask cluster answers at 'tcp://127.0.0.1:9'"):
        kempe.sweep(FOUR_BAR, over=CRANKS, analysis=sizes, executor="dask:tcp://127.0.0.1:9")
