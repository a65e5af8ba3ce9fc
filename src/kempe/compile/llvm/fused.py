"""The kinematic sweep of a mechanism as native code: the function `kempe_sweep`."""

import hashlib
from typing import Final, final

import numpy as np

from kempe.compile.llvm.machine_code import MachineCode, machine_code, require_llvm
from kempe.compile.llvm.object_cache import ObjectCache
from kempe.compile.small.kinematic_tape import KinematicTape

NAME: Final = "kempe_sweep"


@final
class FusedSweep:
    """A kinematic tape and the loop around it, compiled into one function.

    `image` is the object file of a sweep of this very tape, made for this machine; without it the
    cache is asked, then the compiler. The code lives as long as this object.
    """

    def __init__(
        self,
        kinematic: KinematicTape,
        *,
        image: bytes | None = None,
        cache: ObjectCache | None = None,
    ) -> None:
        if image is not None:
            require_llvm()
            self._code = MachineCode(image, [NAME])
        else:
            self._code = _compiled(kinematic, cache)

    @property
    def image(self) -> bytes:
        """The object file, for whoever keeps it under a `machine_key` beside other blobs."""
        return self._code.image

    @property
    def address(self) -> int:
        """Where the function starts, for whoever calls it from C++."""
        return self._code.address(NAME)


def _compiled(kinematic: KinematicTape, cache: ObjectCache | None) -> MachineCode:
    """The code from the cache or the compiler; a stored image needs none of what is imported."""
    from kempe.compile.llvm.fused_text import STRUCTURE, sweep_effort, sweep_text

    return machine_code(
        lambda: sweep_text(kinematic),
        [NAME],
        sweep_effort(kinematic),
        f"sweep {_structure(kinematic, STRUCTURE)}",
        cache,
    )


def _structure(kinematic: KinematicTape, results: tuple[str, ...]) -> str:
    """A hash of all that the code depends on."""
    k = kinematic
    digest = hashlib.sha256(k.tape.key.encode())
    digest.update(repr((k.n_q, k.n_v, k.n_rows, k.n_spare, k.n_turns, k.n_parameters)).encode())
    for name in results:
        digest.update(repr(np.asarray(getattr(k, name)).tolist()).encode())
    return digest.hexdigest()
