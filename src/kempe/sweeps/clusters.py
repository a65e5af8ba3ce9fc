"""Many machines: the workers of a Dask or a Ray cluster, of the extra `cluster`."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Final, final

from kempe.errors import SweepError
from kempe.extras import extra
from kempe.sweeps.workers import AbstractWorkers

PATIENCE: Final = 10.0  # s for a scheduler to answer


def is_dask_client(thing: Any) -> bool:
    """Whether it is a client of Dask, or acts as one; nothing is imported for the question."""
    return all(hasattr(thing, name) for name in ("get_executor", "scheduler_info", "ncores"))


@final
class DaskWorkers(AbstractWorkers):
    """The workers of a Dask cluster, by its client or by the address of its scheduler.

    Chunks go through `Client.get_executor()`. A client that is given stays open. A worker that
    dies is Dask's to replace; a chunk that kills every worker it is given to counts as lost.
    """

    def __init__(self, cluster: Any) -> None:
        distributed = extra("distributed", "cluster", "a sweep on Dask")
        self._is_own = isinstance(cluster, str)
        if self._is_own:
            try:
                self.client = distributed.Client(cluster or None, timeout=PATIENCE)
            except (OSError, TimeoutError, ValueError) as trouble:
                said = " ".join(str(trouble).split())[:200]
                raise SweepError(
                    f"no Dask cluster answers at {cluster!r} ({said}): start one with `dask"
                    " scheduler` and `dask worker`, and give the scheduler's address, such as"
                    " 'dask:tcp://127.0.0.1:8786'.",
                    address=cluster,
                ) from None
        else:
            self.client = cluster
        self._losses = (distributed.KilledWorker,)
        self._executor = self.client.get_executor(retries=0)
        self.refuse_gone()
        threads = sum(self.client.ncores().values())
        if not threads:
            self.close()
            raise SweepError("the Dask cluster has no workers: start some with `dask worker`.")
        self.width = threads

    def submit(self, work: Callable[..., Any], *given: Any) -> "Future[Any]":
        self.refuse_gone()
        found: Future[Any] = self._executor.submit(work, *given)
        return found

    def is_loss(self, trouble: BaseException) -> bool:
        return isinstance(trouble, self._losses) or super().is_loss(trouble)

    def refuse_gone(self) -> None:
        """A SweepError where the scheduler is no longer there."""
        if self.client.status != "running":
            raise SweepError(
                f"the Dask cluster is gone (its client is {self.client.status!r}); what was"
                " finished is kept: go on with resume=True."
            )

    def renew(self) -> None:
        self.refuse_gone()

    def close(self) -> None:
        self._executor.shutdown(wait=False)
        if self._is_own:
            self.client.close()


@final
class RayWorkers(AbstractWorkers):
    """The workers of a Ray cluster: one that is running already, or the one at an address.

    Without an address, and where none is running, Ray starts one on this machine with `workers`
    processes, and it is ended with the sweep.
    """

    def __init__(self, address: str = "", workers: int | None = None) -> None:
        self.ray = extra("ray", "cluster", "a sweep on Ray")
        self._is_own = not self.ray.is_initialized()
        if self._is_own:
            how: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
            here = {"num_cpus": workers, "include_dashboard": False}
            try:
                self.ray.init(**how, **({"address": address} if address else here))
            except (OSError, RuntimeError, ValueError) as trouble:  # ConnectionError is an OSError
                said = " ".join(str(trouble).split())[:200]
                raise SweepError(
                    f"no Ray cluster answers at {address!r} ({said}): start one with `ray start"
                    " --head`, and give its address, or plain 'ray' for one on this machine.",
                    address=address,
                ) from None
        errors = self.ray.exceptions
        self._losses = (errors.WorkerCrashedError, errors.NodeDiedError, errors.OutOfMemoryError)
        self.width = max(1, int(self.ray.cluster_resources().get("CPU", 1)))
        self._remote = self.ray.remote(max_retries=0)(_call)

    def submit(self, work: Callable[..., Any], *given: Any) -> "Future[Any]":
        if not self.ray.is_initialized():
            raise SweepError(
                "the Ray cluster is gone; what was finished is kept: go on with resume=True."
            )
        found: Future[Any] = self._remote.remote(work, *given).future()
        return found

    def is_loss(self, trouble: BaseException) -> bool:
        return isinstance(trouble, self._losses) or super().is_loss(trouble)

    def close(self) -> None:
        if self._is_own:
            self.ray.shutdown()


def _call(work: Callable[..., Any], *given: Any) -> Any:
    return work(*given)
