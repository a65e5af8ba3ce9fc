"""A batch that is larger than memory: chunk after chunk, into files of a folder.

The folder holds `batch.json`, the manifest, written once before anything is computed; `values.npy`,
an array (variants, orders, scalars, rows) that is filled chunk by chunk; and for every finished
chunk `done/000012.json`, which says how its variants ended. A chunk is marked when its values are
on disk, so that nothing of one that was killed half-way is ever taken for finished: asked for
again, the batch goes on with the chunks that are not marked.
"""

import hashlib
import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.batch.asking import Swept
from kempe.disk import content_of, replace_file
from kempe.errors import BadNumber, FileError, SweepError
from kempe.front.batch import Batch
from kempe.front.requests.batch import (
    Draw,
    batch_of,
    columns_beside,
    columns_of,
    in_bytes,
    names_of,
    refuse_unknown_parameters,
)
from kempe.front.requests.ensemble import NOTHING_VARIES, AskedSimulation, refuse_other_analysis
from kempe.front.requests.parameter_sweep import digest_of
from kempe.outcome import Ending
from kempe.results.memory import memory
from kempe.results.state import State

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism

FloatArray = NDArray[np.float64]
Mapped = np.memmap[Any, np.dtype[np.float64]]
Made = Callable[
    [Mapping[str, FloatArray], Mapping[str, FloatArray]], Batch
]  # of columns and starts

MANIFEST, VALUES, DONE = "batch.json", "values.npy", "done"
FORMAT: Final = 1
LARGEST_MANIFEST: Final = 16_000_000  # bytes
LARGEST_CHUNK: Final = 64_000_000  # bytes, of how a chunk ended
COPIES: Final = 4  # of a chunk's values: as it is computed, as it is written, and numbers beside
FEW: Final = 8  # variants that tell how much one takes
ANEW: Final = "delete the folder, and the same call computes it anew"
SHARE: Final = 8  # of the machine's memory, where nothing is said: one part
UNKNOWN: Final = 2.0**30  # bytes, where nothing is known of the machine


@final
@dataclass(frozen=True, slots=True, eq=False)
class Stored:
    """What a folder is to hold: columns of all variants, what makes a chunk, and its facts."""

    mechanism: "Mechanism"
    columns: dict[str, FloatArray]
    starts: dict[str, FloatArray]
    made: Made
    asked: Mapping[str, Any]  # all that decides what comes of it, to be written

    @property
    def count(self) -> int:
        """How many variants there are."""
        return len(next(iter((self.columns or self.starts).values())))

    def part(self, which: slice) -> Batch:
        """The batch of some variants, in memory."""
        columns, starts = (
            {name: column[which] for name, column in of.items()}
            for of in (self.columns, self.starts)
        )
        return self.made(columns, starts)

    @property
    def digest(self) -> str:
        """A hash of the mechanism, the columns and all that is asked of them."""
        digest = hashlib.sha256(digest_of(self.mechanism).encode())
        digest.update(json.dumps(self.asked, sort_keys=True, default=repr).encode())
        for of in (self.columns, self.starts):
            for name, column in of.items():
                digest.update(name.encode() + column.astype("<f8").tobytes())
        return digest.hexdigest()


def stored_batch(asked: Stored, folder: Path, limit: float | None) -> Batch:
    """The batch in a folder: what is missing there is computed, within `limit` bytes a chunk."""
    first = asked.part(slice(0, min(FEW, asked.count)))
    one = first._swept.values
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "digest": asked.digest,
        "variants": asked.count,
        "shape": list(one.shape[:-1]),
        "chunk": _chunk(one, asked.count, limit),
    }
    manifest = _begun(folder, manifest)
    values = _opened(folder, (asked.count, *one.shape[:-1]))
    notes: dict[str, None] = dict.fromkeys(first.notes)
    chunk = int(manifest["chunk"])
    parts = {k: slice(k * chunk, min(asked.count, (k + 1) * chunk)) for k in _numbers(asked, chunk)}
    for k, which in parts.items():
        if not _mark(folder, k).exists():
            part = asked.part(which)
            if (part.outcomes == Ending.INTERRUPTED.value).any():
                raise KeyboardInterrupt  # what is finished is in the folder
            _fill(folder, k, part, values, which)
            notes |= dict.fromkeys(part.notes)
    return _gathered(asked, folder, first, parts, list(notes))


def _numbers(asked: Stored, chunk: int) -> range:
    return range(math.ceil(asked.count / chunk))


def _chunk(one: FloatArray, count: int, limit: float | None) -> int:
    """How many variants a chunk has; a BadNumber where not one fits."""
    room = memory()
    most = limit if limit is not None else (UNKNOWN if room is None else room / SHARE)
    each = COPIES * one.nbytes / one.shape[-1]
    fit = int(most / each)
    if fit < 1:
        raise BadNumber(
            f"a variant alone takes {each / 1e6:.3g} MB, and {most / 1e6:.3g} MB are allowed: allow"
            ' more memory, ask for fewer steps or outputs, or keep="summary".'
        )
    if fit >= count:
        return count
    return max(1, fit - fit % 8)


def _begun(folder: Path, manifest: dict[str, Any]) -> dict[str, Any]:
    """The manifest of a folder that is made, or that holds a part of this very batch."""
    path = folder / MANIFEST
    if path.exists():
        found = _read(path, LARGEST_MANIFEST)
        if found.get("format") != FORMAT or found.get("digest") != manifest["digest"]:
            raise SweepError(
                f"the folder {str(folder)!r} holds another batch: ask for the same one to go on"
                " with it, or name another folder.",
                folder=str(folder),
            )
        if type(found.get("chunk")) is not int or found["chunk"] < 1:
            raise _damaged(path, "it does not say how large chunks are")
        return found
    try:
        (folder / DONE).mkdir(parents=True, exist_ok=True)
        if any((folder / DONE).iterdir()) or (folder / VALUES).exists():
            raise SweepError(
                f"the folder {str(folder)!r} holds values without a manifest: name another one.",
                folder=str(folder),
            )
    except OSError as trouble:
        message = f"no folder can be made there: {trouble.strerror or trouble}."
        raise FileError(message, path=str(folder)) from None
    replace_file(path, json.dumps(manifest, indent=1).encode())
    return manifest


def _read(path: Path, most: int) -> dict[str, Any]:
    try:
        found = json.loads(content_of(path, most))
        if not isinstance(found, dict):
            raise ValueError("it is no object")
    except ValueError as trouble:
        raise _damaged(path, str(trouble)) from None
    return found


def _damaged(path: Path, reason: str) -> FileError:
    advice = ANEW if path.name == MANIFEST else "delete it, and the same call computes its chunk"
    return FileError(
        f"this is no file of a batch, or it is damaged ({reason}): {advice}.", path=str(path)
    )


def _opened(folder: Path, shape: tuple[int, ...]) -> Mapped:
    """The array of all values, mapped into memory; made at its full length where it is not there.

    Its disk is taken at once: a full one is found before anything is computed.
    """
    path = folder / VALUES
    is_begun = any((folder / DONE).glob("*.json"))
    try:
        if not path.exists():
            if is_begun:
                raise FileError(f"the values of finished chunks are gone: {ANEW}.", path=str(path))
            part = folder / f".{VALUES}.part"
            made = np.lib.format.open_memmap(part, mode="w+", dtype=np.float64, shape=shape)
            size = part.stat().st_size
            del made
            if hasattr(os, "posix_fallocate"):
                with part.open("r+b") as file:
                    os.posix_fallocate(file.fileno(), 0, size)
            part.replace(path)
        np.lib.format.open_memmap(
            path, mode="r"
        )  # "r+" would lengthen a file that was cut, by zeros
        found = np.lib.format.open_memmap(path, mode="r+")
    except OSError as trouble:
        reason = trouble.strerror or trouble
        raise FileError(f"the values cannot be kept: {reason}.", path=str(path)) from None
    except ValueError as trouble:
        message = f"the values are damaged ({trouble}): {ANEW}."
        raise FileError(message, path=str(path)) from None
    if found.shape != shape or found.dtype != np.float64:
        raise FileError(f"these are not the values of this batch: {ANEW}.", path=str(path))
    return found


def _mark(folder: Path, k: int) -> Path:
    return folder / DONE / f"{k:06d}.json"


def _fill(folder: Path, k: int, part: Batch, values: Mapped, which: slice) -> None:
    """Write a chunk, wait until it is on disk, and mark it."""
    swept = part._swept
    values[which] = np.moveaxis(swept.values, -1, 0)
    values.flush()
    told = {
        "samples": swept.samples.tolist(),
        "endings": swept.endings.tolist(),
        "reasons": {str(j): why for j, why in swept.reasons.items()},
        "seconds": swept.device_seconds,
        "parts": swept.parts,
    }
    replace_file(_mark(folder, k), json.dumps(told).encode())


def _gathered(
    asked: Stored, folder: Path, first: Batch, parts: Mapping[int, slice], notes: list[str]
) -> Batch:
    """The whole batch, its values mapped from the file as they are read."""
    count = asked.count
    samples = np.zeros(count, dtype=np.int64)
    endings = np.zeros(count, dtype=np.int8)
    reasons: dict[int, str] = {}
    seconds, most = 0.0, 1
    for k, which in parts.items():
        told = _read(_mark(folder, k), LARGEST_CHUNK)
        try:
            samples[which], endings[which] = told["samples"], told["endings"]
            reasons |= {which.start + int(j): why for j, why in told["reasons"].items()}
            seconds, most = seconds + told["seconds"], max(most, told["parts"])
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            raise _damaged(_mark(folder, k), "it does not say how its variants ended") from None
    try:
        mapped = np.load(folder / VALUES, mmap_mode="r")
    except (OSError, ValueError) as trouble:
        raise FileError(
            f"the values cannot be read: {trouble}.", path=str(folder / VALUES)
        ) from None
    values = mapped.transpose(1, 2, 3, 0)
    swept = Swept(values, samples, endings, reasons, first._swept.is_summary, seconds, most)

    def begun(k: int) -> State:
        return asked.part(slice(k, k + 1)).start(0)

    start = None if first._begun is None else begun
    return Batch(asked.mechanism, asked.columns, first.t, first._readings, swept, notes, start)


def batch_in(
    folder: str | Path,
    mechanism: "Mechanism",
    parameters: Mapping[str, Any],
    outputs: Sequence[str],
    simulation: AskedSimulation,
    analysis: str,
    how: Mapping[str, Any],
) -> Batch:
    """The batch in a folder that `Mechanism.batch` is asked for."""
    until, steps, over = how["span"]
    derivatives, threads, limit = how["limits"]
    is_simulated = refuse_other_analysis(analysis, simulation, over, how["where"][0])
    draw, starts = Draw(*how["draw"]), dict[str, FloatArray]()
    if is_simulated:
        refuse_unknown_parameters(mechanism, parameters)
        if not parameters and not simulation.start:
            raise BadNumber(NOTHING_VARIES)
        columns, starts = columns_beside(parameters, simulation.start, draw)
    else:
        columns = columns_of(mechanism, parameters, draw)
    inside = {**how, "draw": (None, draw.seed), "limits": (derivatives, threads, None)}

    def made(columns: Mapping[str, FloatArray], starts: Mapping[str, FloatArray]) -> Batch:
        if is_simulated:
            return replace(simulation, start=starts).batch(mechanism, columns, outputs, **inside)
        return batch_of(mechanism, columns, outputs, **inside)

    asked = {
        "outputs": names_of(outputs),
        "analysis": analysis,
        "span": (until, steps, repr(over)),
        "derivatives": derivatives,
        "keep": how["where"][1],
        "method": repr(simulation.method),
        "tolerance": simulation.tolerance,
    }
    if not isinstance(folder, (str, os.PathLike)):
        raise BadNumber(f"`folder` is a path, not {folder!r}.")
    stored = Stored(mechanism, columns, starts, made, asked)
    return stored_batch(stored, Path(folder), in_bytes(limit))
