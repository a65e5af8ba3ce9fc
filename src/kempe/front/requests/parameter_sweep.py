"""What a sweep over parameters is asked for: its plan, its chunks, its folder, its workers."""

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, final

from kempe.errors import BadNumber, SweepError, UnknownName, nearest_name
from kempe.front.requests.batch import in_bytes
from kempe.front.sweep import Sweep
from kempe.notebook import told
from kempe.results.memory import memory
from kempe.sweeps.analyses import AbstractAnalysis, AbstractMotion, Function
from kempe.sweeps.chunk import Question
from kempe.sweeps.plan import Plan, levels_of
from kempe.sweeps.running import Cut, Run, SweepProgress
from kempe.sweeps.store import (
    FORMAT,
    MANIFEST,
    AbstractStore,
    FolderStore,
    MemoryStore,
    read_manifest,
)
from kempe.sweeps.table import RESERVED
from kempe.sweeps.workers import AHEAD, AbstractWorkers, is_starting, workers_of

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism

BATCHED: Final = (256, 8192)  # variants of a chunk, at least and at most, that are swept in lanes
SINGLE: Final = (1, 50)  # and of those that are asked one by one
CHUNKS: Final = 64  # into which a sweep is cut where that gives such sizes


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """The arguments of `kempe.sweep` that say what is found, and where it is kept."""

    over: Mapping[str, Any]
    analysis: AbstractAnalysis | Callable[..., Any]
    sampling: str
    count: int | None
    seed: int
    chunk: int | None
    folder: str | Path | None
    resume: bool
    memory: float | str | None


def swept_over(
    mechanism: "Mechanism",
    asked: Asked,
    executor: Any,
    count: int | None,
    tell: Callable[[SweepProgress], None] | None,
) -> Sweep:
    """The sweep that is asked for."""
    if executor in (None, "processes") and is_starting():
        raise SystemExit(1)  # a script without a guard, imported by a process that it spawned
    analysis = _analysis(asked.analysis)
    _refuse_unknown(mechanism, asked.over)
    plan = Plan.of(asked.over, asked.sampling, asked.count, asked.seed)
    analysis.refuse(mechanism)
    _refuse_twice(analysis, plan)
    workers = workers_of(executor, count)
    try:
        if workers.is_elsewhere:
            _refuse_bound(mechanism)
        manifest = _manifest(mechanism, plan, analysis, asked, workers)
        store = _store(asked, manifest)
        try:
            cut = Cut(plan.size, manifest["chunk"])
            question = Question(mechanism, analysis, plan.seed)
            with told(tell, lambda far: (far.share, f"{far.done:,} of {far.total:,}")) as shown:
                Run(plan, cut, question, store, shown).run(workers)
        finally:
            store.close()
    finally:
        workers.close()
    return Sweep(store, manifest)


def _analysis(given: Any) -> AbstractAnalysis:
    if isinstance(given, AbstractAnalysis):
        return given
    if isinstance(given, type) or not callable(given):
        raise BadNumber(
            "`analysis` is one of kempe.sweeps, such as Kinematics(['max(rocker.angle)'],"
            f" until=1.0), or a function of a mechanism, not {given!r}."
        )
    return Function(given)


def _refuse_unknown(mechanism: "Mechanism", over: Mapping[str, Any]) -> None:
    known = mechanism.parameters
    for name in over:
        if not known:
            raise UnknownName(
                f"{mechanism.name!r} has no parameters: load it from a file that names some, or"
                " build it in a function marked `kempe.parametric`.",
                name=name,
            )
        if name not in known:
            message = f"there is no parameter {name!r}.{nearest_name(name, known)}"
            raise UnknownName(message, name=name)
        if name in RESERVED:
            raise BadNumber(f"a column of every sweep is called {name!r}: rename the parameter.")


def _refuse_twice(analysis: AbstractAnalysis, plan: Plan) -> None:
    """A BadNumber where a reading would take the column of a parameter."""
    if isinstance(analysis, AbstractMotion):
        for one in analysis.wanted:
            if one.text in plan.names:
                raise BadNumber(
                    f"{one.text!r} is a parameter that is swept over and a reading too: one column"
                    " cannot hold both. Read a formula of it, such as"
                    f" {'0 + ' + one.text!r}, or rename one of them.",
                    name=one.text,
                )


def _refuse_bound(mechanism: "Mechanism") -> None:
    """A SweepError where the function that builds variants is bound to this process."""
    if mechanism.parameters and "_made" in mechanism.__getstate__():
        state = mechanism.__getstate__()
        if state["_made"] is None and state["_document"] is None:
            raise SweepError(
                f"the function that builds {mechanism.name!r} cannot be imported by another"
                " process: define it at the top of a module, or take executor='threads'."
            )


def _manifest(
    mechanism: "Mechanism",
    plan: Plan,
    analysis: AbstractAnalysis,
    asked: Asked,
    workers: AbstractWorkers,
) -> dict[str, Any]:
    """All that a sweep is, as JSON; a sweep that goes on has the same."""
    from kempe import __version__

    old = _old(asked)
    chunk = asked.chunk
    if chunk is None:
        chunk = old.get("chunk") or _chunk(plan, analysis, asked, workers)
    if isinstance(chunk, bool) or not isinstance(chunk, int) or chunk < 1:
        raise BadNumber(f"`chunk` is a number of variants, 1 or more, not {chunk!r}.")
    return {
        "format": FORMAT,
        "kempe": __version__,
        "mechanism": mechanism.name,
        "model": digest_of(mechanism),
        "parameters": list(plan.names),
        "sampling": plan.sampling,
        "size": plan.size,
        "base": plan.base,
        "seed": plan.seed,
        "levels": (
            {name: x.tolist() for name, x in levels_of(plan).items()}
            if plan.sampling == "grid"
            else None
        ),
        "digest": plan.refuse_not_finite(),
        "chunk": chunk,
        "analysis": analysis.facts,
    }


def _old(asked: Asked) -> dict[str, Any]:
    """The manifest of a sweep that is to go on; empty where there is none."""
    if not asked.resume or asked.folder is None:
        return {}
    folder = Path(asked.folder)
    return read_manifest(folder) if (folder / MANIFEST).exists() else {}


def _store(asked: Asked, manifest: Mapping[str, Any]) -> AbstractStore:
    if asked.folder is not None:
        return FolderStore.begun(Path(asked.folder), manifest, resume=asked.resume)
    if asked.resume:
        raise BadNumber("what is to be resumed? Give the `folder` of the sweep.")
    return MemoryStore()


def digest_of(mechanism: "Mechanism") -> str:
    """One hash of how parts are connected, of all dimensions, and of what a file says."""
    layout = mechanism.layout
    said = "" if mechanism.document is None else json.dumps(mechanism.document.data, default=repr)
    digest = hashlib.sha256(layout.parameters.astype("<f8").tobytes())
    digest.update(f"{layout.key}{sorted(mechanism.parameters.items())!r}{said}".encode())
    return digest.hexdigest()


def _chunk(plan: Plan, analysis: AbstractAnalysis, asked: Asked, workers: AbstractWorkers) -> int:
    """Variants of a chunk: as suits the analysis, and as the bound on memory allows."""
    least, most = BATCHED if analysis.is_batched else SINGLE
    wished = min(max(math.ceil(plan.size / CHUNKS), least), most)
    room = memory()
    limit = in_bytes(asked.memory) or (room / 2 if room is not None else math.inf)
    one = 8 * (analysis.width + len(plan.names))
    held = workers.width * (1 + AHEAD)
    if one * held > limit and asked.memory is not None:
        raise BadNumber(
            f"a single variant takes {one / 1e6:.3g} MB, and {held} are held at a time: {limit:g}"
            " bytes of memory are too few. Ask for fewer steps, or take fewer workers."
        )
    if asked.folder is None and isinstance(analysis, AbstractMotion):
        kept = (
            8
            * plan.size
            * sum(
                1 if one.reduction else getattr(analysis, "steps", 1) + 1 for one in analysis.wanted
            )
        )
        if kept > limit:
            raise BadNumber(
                f"what is read of {plan.size:,} variants takes {kept / 1e9:.3g} GB, and"
                f" {limit / 1e9:.3g} GB are allowed: give a `folder`, or read numbers such as"
                " 'max(rocker.angle)' in place of curves."
            )
    return int(max(1, min(wished, limit // (one * held))))
