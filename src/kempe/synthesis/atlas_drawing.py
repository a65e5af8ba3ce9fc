"""Drawing the linkages of an atlas at random: batches of variants, and files of them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from kempe.design.curves.fourier import described
from kempe.front import Mechanism
from kempe.interruption import keeps_what_is_done, put_off
from kempe.synthesis.atlas import Atlas, Part, held_part, part_of_file
from kempe.synthesis.atlas_files import AtlasFolder, Rows, written
from kempe.synthesis.linkages import LINKAGES, AbstractLinkage

CHUNK: Final = 8192
STEPS: Final = 144


@keeps_what_is_done
def drawn(
    count: int,
    kinds: Sequence[str],
    seed: int,
    path: str | Path | None,
    threads: int | None,
    progress: Callable[[float], None] | None,
) -> Atlas:
    """An atlas of so many linkages, chunk by chunk; each chunk has random numbers of its own."""
    each = -(-count // len(kinds))
    folder = None if path is None else AtlasFolder(Path(path))
    if folder is not None:
        folder.begin({"seed": seed, "chunk": CHUNK})
    chunks = [
        (kind, k, CHUNK if folder is not None else min(CHUNK, each - k * CHUNK))
        for k in range(-(-each // CHUNK))
        for kind in kinds
    ]
    homes: dict[str, Mechanism] = {}
    parts: list[Part] = []
    try:
        for done, (kind, k, size) in enumerate(chunks):
            file = None if folder is None else folder.file(kind, k)
            if file is not None and file.is_file():
                parts.append(part_of_file(kind, file))
            else:
                linkage = LINKAGES[kind]
                home = homes.setdefault(kind, linkage.home())
                rng = np.random.default_rng((seed, list(LINKAGES).index(kind), k))
                rows = _chunk(linkage, home, rng, size, threads)
                if file is not None:
                    written(file, [(kind, rows)])
                parts.append(held_part(kind, rows) if file is None else part_of_file(kind, file))
            if progress is not None:
                progress((done + 1) / len(chunks))
    except KeyboardInterrupt as stop:
        put_off(stop)
    return Atlas(parts)


def _chunk(
    linkage: AbstractLinkage,
    home: Mechanism,
    rng: np.random.Generator,
    count: int,
    threads: int | None,
) -> Rows:
    """Numbers and descriptors of those that move, of `count` linkages drawn at random."""
    drawn_now = linkage.drawn(rng, count)
    numbers = np.column_stack([drawn_now[name] for name in linkage.names]).astype(np.float32)
    columns = {name: numbers[:, k].astype(np.float64) for k, name in enumerate(linkage.names)}
    found = home.batch(
        linkage.parameters(columns), 1.0, STEPS, outputs=[linkage.point], threads=threads
    )
    ok = found.is_done
    xy = found[linkage.point].values[ok][:, :-1]
    if not len(xy):
        return numbers[:0], np.zeros((0, 0), dtype=np.float32)
    return numbers[ok], described(xy[..., 0] + 1j * xy[..., 1]).vectors.astype(np.float32)
