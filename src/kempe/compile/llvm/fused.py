"""The kinematic sweep of a mechanism as native code: `kempe_sweep` and `kempe_sweep_lanes`."""

import ctypes
import hashlib
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.tape import FloatArray
from kempe.compile.llvm.machine_code import MachineCode, machine_code, require_llvm
from kempe.compile.llvm.object_cache import ObjectCache
from kempe.compile.small.kinematic_tape import KinematicTape

Integers = NDArray[np.int64]
LANE_COUNT: Final = 8

_POINTER: Final = ctypes.c_void_p
_COUNT: Final = ctypes.c_int64
_Sweep = ctypes.CFUNCTYPE(_COUNT, _POINTER, _POINTER, _COUNT, _COUNT, *[_POINTER] * 6)
_SweepLanes = ctypes.CFUNCTYPE(_COUNT, _POINTER, _POINTER, _COUNT, _COUNT, *[_POINTER] * 7)


@final
@dataclass(frozen=True, slots=True, eq=False)
class SweepArrays:
    """What a sweep reads and writes; in lanes every array but times and limits ends in [8]."""

    parameters: FloatArray  # (n_parameters,)
    times: FloatArray  # (count,)
    state: FloatArray  # q, v, a, a_old, last, t, h_old, signs of the last accepted sample
    limits: FloatArray  # row, spare and step weights, floors of the pivots
    q: FloatArray  # (count, n_q)
    v: FloatArray  # (count, n_v)
    a: FloatArray  # (count, n_v)
    counts: Integers  # (1,): corrections made so far, over all lanes


@final
class FusedSweep:
    """A kinematic tape and the loop around it, compiled into one function.

    With `lanes` eight mechanisms of one structure are swept in step. `image` is the object file of
    a sweep of this very tape, made for this machine; without it the cache is asked, then the
    compiler. The code lives as long as this object; `address` is for whoever calls it from C++.
    """

    def __init__(
        self,
        kinematic: KinematicTape,
        *,
        lanes: bool = False,
        image: bytes | None = None,
        cache: ObjectCache | None = None,
    ) -> None:
        self._kinematic = kinematic
        self._lanes = LANE_COUNT if lanes else 1
        self._name = "kempe_sweep_lanes" if lanes else "kempe_sweep"
        if image is not None:
            require_llvm()
            self._code = MachineCode(image, [self._name])
        else:
            self._code = _compiled(kinematic, self._name, cache, lanes=lanes)

    @property
    def image(self) -> bytes:
        """The object file, for whoever keeps it under a `machine_key` beside other blobs."""
        return self._code.image

    @property
    def address(self) -> int:
        """Where the function starts."""
        return self._code.address(self._name)

    def run(self, arrays: SweepArrays, first: int, stop: int) -> int:
        """Sweep samples first .. stop - 1 with the scalar function.

        Returns the index of the sample that failed, or `stop`. The state is then that of the last
        accepted sample, and so are the rows before it.
        """
        if self._lanes != 1:
            raise ValueError("this sweep was compiled for lanes: use run_lanes")
        self._check(arrays, first, stop)
        return int(_Sweep(self.address)(*self._addresses(arrays, first, stop)))

    def run_lanes(self, arrays: SweepArrays, first: int, stop: int, failed_at: Integers) -> int:
        """Sweep eight mechanisms in step.

        `failed_at` (8,) says at which sample each lane failed, or `stop`; a lane with failed_at <
        first has failed before and is left alone. Returns the sample at which the last living
        lane failed, or `stop`.
        """
        if self._lanes == 1:
            raise ValueError("this sweep was compiled for one mechanism: use run")
        self._check(arrays, first, stop)
        _require_array("failed_at", failed_at, (self._lanes,), np.dtype(np.int64))
        values = self._addresses(arrays, first, stop)
        return int(_SweepLanes(self.address)(*values, failed_at.ctypes.data))

    def _check(self, arrays: SweepArrays, first: int, stop: int) -> None:
        k = self._kinematic
        if not 0 <= first <= stop <= len(arrays.times):
            raise ValueError(f"samples {first} .. {stop} are not in 0 .. {len(arrays.times)}")
        lanes = () if self._lanes == 1 else (self._lanes,)
        pivots = len(k.correct_pivots) + len(k.velocity_pivots)
        number = np.dtype(np.float64)
        shapes = {
            "parameters": (k.n_parameters, *lanes),
            "times": (len(arrays.times),),
            "state": (k.n_q + 3 * k.n_v + k.n_turns + 2 + len(k.blocks), *lanes),
            "limits": (k.n_rows + k.n_spare + k.n_v + pivots,),
            "q": (len(arrays.times), k.n_q, *lanes),
            "v": (len(arrays.times), k.n_v, *lanes),
            "a": (len(arrays.times), k.n_v, *lanes),
        }
        for name, shape in shapes.items():
            _require_array(name, getattr(arrays, name), shape, number)
        _require_array("counts", arrays.counts, (1,), np.dtype(np.int64))

    def _addresses(self, arrays: SweepArrays, first: int, stop: int) -> list[int]:
        before = [arrays.parameters.ctypes.data, arrays.times.ctypes.data, first, stop]
        after = (arrays.state, arrays.limits, arrays.q, arrays.v, arrays.a, arrays.counts)
        return [*before, *(array.ctypes.data for array in after)]


def _require_array(
    name: str, array: NDArray[np.generic], shape: tuple[int, ...], kind: np.dtype[np.generic]
) -> None:
    """Native code trusts its arrays: refuse what is not exactly as agreed."""
    if array.shape != shape or array.dtype != kind or not array.flags.c_contiguous:
        raise ValueError(
            f"{name} must be a contiguous {kind} array of shape {shape},"
            f" not {array.dtype} of shape {array.shape}"
        )


def _compiled(
    kinematic: KinematicTape, name: str, cache: ObjectCache | None, *, lanes: bool
) -> MachineCode:
    """The code from the cache or the compiler; a stored image needs none of what is imported."""
    from kempe.compile.llvm.fused_text import STRUCTURE, sweep_effort, sweep_text
    from kempe.compile.llvm.ir import EIGHT, SCALAR

    width = EIGHT if lanes else SCALAR
    return machine_code(
        lambda: sweep_text(kinematic, width),
        [name],
        sweep_effort(kinematic),
        f"sweep {width.count} {_structure(kinematic, STRUCTURE)}",
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
