"""A tape: a formula as a flat program on a register file, the form every executor runs.

Registers are laid out as inputs, constants, temporaries. The code is cut into named sections that
share the registers: a loop runs the sections it needs, in the order it needs. A tape is data:
it serialises to bytes without pickling and is known by the hash of its content.
"""

import hashlib
import json
import struct
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.spline import Spline

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int32]

_MAGIC = b"kempe-tape-2"


@final
@dataclass(frozen=True, slots=True)
class Section:
    """The instructions code[start:stop], by name."""

    name: str
    start: int
    stop: int


@final
@dataclass(frozen=True, slots=True, eq=False)
class TapeTable:
    """A piecewise polynomial: breaks (k + 1,), coefficients (k, order), highest power first."""

    breaks: FloatArray
    coefficients: FloatArray


@final
@dataclass(frozen=True, eq=False)
class Tape:
    """A flat, serialisable, hashable program; `outputs` are registers of any kind."""

    code: IntArray  # (n, 5): operation, d, a, b, c
    constants: FloatArray
    n_inputs: int
    n_registers: int
    outputs: IntArray
    sections: tuple[Section, ...]
    tables: tuple[TapeTable, ...] = ()
    splines: tuple[Spline, ...] = ()

    @cached_property
    def key(self) -> str:
        """SHA-256 of the whole content."""
        return hashlib.sha256(self.to_bytes()).hexdigest()

    @cached_property
    def section_stops(self) -> IntArray:
        """Where each section ends in the code."""
        return np.array([s.stop for s in self.sections], dtype=np.int32)

    def section(self, name: str) -> Section:
        """The section of that name."""
        return next(s for s in self.sections if s.name == name)

    def to_bytes(self) -> bytes:
        """The tape as bytes: a JSON header with the shapes, then the arrays."""
        arrays: list[NDArray[Any]] = [self.code, self.constants, self.outputs]
        for table in self.tables:
            arrays += [table.breaks, table.coefficients]
        for spline in self.splines:
            arrays += [spline.breaks, spline.numerators, spline.denominators]
        header = json.dumps(
            {
                "inputs": self.n_inputs,
                "registers": self.n_registers,
                "tables": len(self.tables),
                "periodic": [s.is_periodic for s in self.splines],
                "sections": [[s.name, s.start, s.stop] for s in self.sections],
                "arrays": [[a.dtype.str, list(a.shape)] for a in arrays],
            }
        ).encode()
        body = b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)
        return _MAGIC + struct.pack("<Q", len(header)) + header + body

    @classmethod
    def from_bytes(cls, data: bytes) -> "Tape":
        """The tape that `to_bytes` wrote; ValueError where the bytes are no tape."""
        if not data.startswith(_MAGIC):
            raise ValueError("these bytes are no kempe tape")
        try:
            return cls._read(data)
        except (struct.error, KeyError, TypeError) as trouble:
            raise ValueError(f"these bytes are a damaged kempe tape: {trouble}") from None

    @classmethod
    def _read(cls, data: bytes) -> "Tape":
        start = len(_MAGIC) + 8
        (length,) = struct.unpack("<Q", data[len(_MAGIC) : start])
        header: dict[str, Any] = json.loads(data[start : start + length])
        arrays, offset = [], start + length
        for kind, shape in header["arrays"]:
            dtype, count = np.dtype(kind), int(np.prod(shape, dtype=np.int64))
            # The header may have any length, and the core reads whole words.
            words = np.require(np.frombuffer(data, dtype, count, offset), requirements="A")
            words.flags.writeable = False
            arrays.append(words.reshape(shape))
            offset += count * dtype.itemsize
        code, constants, outputs, *rest = arrays
        tables, pieces = rest[: 2 * header["tables"]], rest[2 * header["tables"] :]
        return cls(
            code=code,
            constants=constants,
            n_inputs=header["inputs"],
            n_registers=header["registers"],
            outputs=outputs,
            sections=tuple(Section(*s) for s in header["sections"]),
            tables=tuple(TapeTable(*pair) for pair in zip(tables[::2], tables[1::2], strict=True)),
            splines=tuple(
                Spline(pieces[3 * k], pieces[3 * k + 1], pieces[3 * k + 2], periodic)
                for k, periodic in enumerate(header["periodic"])
            ),
        )
