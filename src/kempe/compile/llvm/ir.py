"""Pieces of LLVM IR as text: types, constants, modules, a writer of functions, loops.

Nothing here imports llvmlite: the text is made first and compiled elsewhere. No instruction
carries a fast-math flag or may be contracted, so that every executor rounds alike.
"""

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final, final

LANE_COUNT: Final = 8

EXPECTED: Final = "!prof !0"  # on a branch: the first way is the usual one
UNCHANGING: Final = "!invariant.load !1"  # on a load: nobody writes there meanwhile
_METADATA: Final = '!0 = !{!"branch_weights", i32 100000, i32 1}\n!1 = !{}'


def hexadecimal(number: float) -> str:
    """The double as LLVM reads it without loss: sixteen hexadecimal digits."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"


@final
class Lanes:
    """How many numbers one value holds: one (a scalar) or several (SIMD lanes)."""

    __slots__ = ("count", "integer", "is_scalar", "real", "size", "truth")

    def __init__(self, count: int) -> None:
        self.count = count
        self.is_scalar = count == 1
        self.real = self._of("double")  # the type of a number
        self.integer = self._of("i64")  # of its bits
        self.truth = self._of("i1")  # of a comparison
        self.size = 8 * count  # bytes of a number, which is also how a register is aligned

    def constant(self, number: float) -> str:
        """A number, the same in every lane."""
        return self._everywhere("double", hexadecimal(number))

    def whole(self, number: int) -> str:
        """An integer, the same in every lane."""
        return self._everywhere("i64", str(number))

    def intrinsic(self, name: str, element: str = "f64") -> str:
        """The full name of an intrinsic that works lane by lane."""
        return f"llvm.{name}.{element if self.is_scalar else f'v{self.count}{element}'}"

    def _of(self, element: str) -> str:
        return element if self.is_scalar else f"<{self.count} x {element}>"

    def _everywhere(self, element: str, literal: str) -> str:
        return literal if self.is_scalar else f"splat ({element} {literal})"


SCALAR: Final = Lanes(1)
EIGHT: Final = Lanes(LANE_COUNT)


@final
@dataclass(slots=True)
class Module:
    """The text of one LLVM module: what it declares and defines, each name once."""

    pieces: dict[str, str] = field(default_factory=dict)

    def declare(self, result: str, name: str, operands: Sequence[str]) -> None:
        """Name a function that is defined elsewhere: an intrinsic or one of the core's."""
        if name not in self.pieces:
            self.pieces[name] = f"declare {result} @{name}({', '.join(operands)}) nounwind"

    def define(self, name: str, text: Callable[[], str]) -> None:
        """Add a function or a global; its text is asked for only where the name is new."""
        if name not in self.pieces:
            self.pieces[name] = ""  # taken, also while the text is being written
            self.pieces[name] = text()

    def text(self) -> str:
        """The whole module."""
        return "\n".join([*self.pieces.values(), _METADATA, ""])


@final
class Writer:
    """Writes the body of one function, giving every value a name of its own."""

    __slots__ = ("_numbers", "lanes", "lines", "module")

    def __init__(self, module: Module, lanes: Lanes) -> None:
        self.module = module
        self.lanes = lanes
        self.lines: list[str] = []
        self._numbers = count(1)

    def widened(self, lanes: Lanes) -> "Writer":
        """A writer of the same function whose values have so many lanes."""
        other = Writer(self.module, lanes)
        other.lines, other._numbers = self.lines, self._numbers
        return other

    def function(self, head: str) -> str:
        """The function with this head (all that stands before the brace) and the lines so far."""
        body = "\n".join(self.lines)
        return f"{head} {{\n{body}\n}}"

    def line(self, text: str) -> None:
        """An instruction without a value."""
        self.lines.append(f"  {text}")

    def label(self, name: str) -> None:
        """The beginning of a block."""
        self.lines.append(f"{name}:")

    def fresh(self, word: str) -> str:
        """A name that nothing else in the function has."""
        return f"{word}.{next(self._numbers)}"

    def value(self, instruction: str) -> str:
        """An instruction with a value; returns the value's name."""
        name = f"%v{next(self._numbers)}"
        self.lines.append(f"  {name} = {instruction}")
        return name

    # Numbers.

    def add(self, a: str, b: str) -> str:
        """a + b."""
        return self.value(f"fadd {self.lanes.real} {a}, {b}")

    def subtract(self, a: str, b: str) -> str:
        """a - b."""
        return self.value(f"fsub {self.lanes.real} {a}, {b}")

    def multiply(self, a: str, b: str) -> str:
        """a * b."""
        return self.value(f"fmul {self.lanes.real} {a}, {b}")

    def divide(self, a: str, b: str) -> str:
        """a / b."""
        return self.value(f"fdiv {self.lanes.real} {a}, {b}")

    def fused(self, a: str, b: str, c: str) -> str:
        """a * b + c, rounded once."""
        full, real = self.lanes.intrinsic("fma"), self.lanes.real
        self.module.declare(real, full, [real] * 3)
        return self.call(full, a, b, c)

    def negative(self, a: str) -> str:
        """-a: flips the sign bit."""
        return self.value(f"fneg {self.lanes.real} {a}")

    def magnitude(self, a: str) -> str:
        """|a|: clears the sign bit, also of a NaN."""
        return self.intrinsic("fabs", a)

    def intrinsic(self, name: str, a: str) -> str:
        """An LLVM intrinsic of one number that works lane by lane, such as sqrt."""
        full = self.lanes.intrinsic(name)
        self.module.declare(self.lanes.real, full, [self.lanes.real])
        return self.call(full, a)

    def call(self, name: str, *operands: str) -> str:
        """A function of numbers whose value is a number."""
        typed = ", ".join(f"{self.lanes.real} {operand}" for operand in operands)
        return self.value(f"call {self.lanes.real} @{name}({typed})")

    def gathered(self, scalars: Sequence[str]) -> str:
        """One number per lane, side by side."""
        if self.lanes.is_scalar:
            return scalars[0]
        kind, value = self.lanes.real, "poison"
        for lane, scalar in enumerate(scalars):
            value = self.value(f"insertelement {kind} {value}, double {scalar}, i64 {lane}")
        return value

    def scattered(self, value: str) -> list[str]:
        """The number of each lane."""
        if self.lanes.is_scalar:
            return [value]
        kind, lanes = self.lanes.real, range(self.lanes.count)
        return [self.value(f"extractelement {kind} {value}, i64 {lane}") for lane in lanes]

    # Truths.

    def compare(self, relation: str, a: str, b: str) -> str:
        """A comparison of numbers; under an ordered relation (o..) a NaN makes it false."""
        return self.value(f"fcmp {relation} {self.lanes.real} {a}, {b}")

    def choose(self, condition: str, a: str, b: str) -> str:
        """a where the condition holds, else b."""
        k = self.lanes.real
        return self.value(f"select {self.lanes.truth} {condition}, {k} {a}, {k} {b}")

    def both(self, a: str, b: str) -> str:
        """Whether a and b hold."""
        return self.value(f"and {self.lanes.truth} {a}, {b}")

    def any(self, condition: str) -> str:
        """Whether the condition holds in some lane."""
        if self.lanes.is_scalar:
            return condition
        name = f"llvm.vector.reduce.or.v{self.lanes.count}i1"
        self.module.declare("i1", name, [self.lanes.truth])
        return self.value(f"call i1 @{name}({self.lanes.truth} {condition})")

    # Bits.

    def bits(self, a: str) -> str:
        """The bits of a number."""
        return self.value(f"bitcast {self.lanes.real} {a} to {self.lanes.integer}")

    def number(self, bits: str) -> str:
        """The number with these bits."""
        return self.value(f"bitcast {self.lanes.integer} {bits} to {self.lanes.real}")

    def integer(self, operation: str, a: str, b: str) -> str:
        """An operation on bits: and, xor, add, shl, icmp sge, ..."""
        return self.value(f"{operation} {self.lanes.integer} {a}, {b}")

    def greater(self, a: str, b: str) -> str:
        """The greater of two integers."""
        kind, name = self.lanes.integer, self.lanes.intrinsic("smax", "i64")
        self.module.declare(kind, name, [kind, kind])
        return self.value(f"call {kind} @{name}({kind} {a}, {kind} {b})")

    # Memory.

    def at(self, base: str, index: int | str, element: str | None = None) -> str:
        """The address of an element of an array (of numbers, unless said otherwise)."""
        kind = self.lanes.real if element is None else element
        return self.value(f"getelementptr inbounds {kind}, ptr {base}, i64 {index}")

    def load(self, address: str, align: int = 8) -> str:
        """The number at an address."""
        return self.value(f"load {self.lanes.real}, ptr {address}, align {align}")

    def store(self, value: str, address: str, align: int = 8) -> None:
        """Write a number to an address."""
        self.line(f"store {self.lanes.real} {value}, ptr {address}, align {align}")

    def store_past(self, value: str, address: str, align: int) -> None:
        """Write a number that nobody reads soon, past the caches: no line is fetched for it."""
        self.module.define("nontemporal", lambda: "!1000 = !{i32 1}")
        where = f"ptr {address}, align {align}, !nontemporal !1000"
        self.line(f"store {self.lanes.real} {value}, {where}")


@final
class Loop:
    """Variables (stack slots, which the optimiser turns into registers) and counting."""

    __slots__ = ("w",)

    def __init__(self, writer: Writer) -> None:
        self.w = writer

    def declare(self, names: Sequence[str], kind: str | None = None) -> None:
        """Make room for variables, of numbers unless said otherwise."""
        for name in names:
            self.w.line(f"%slot.{name} = alloca {kind or self.w.lanes.real}")

    def get(self, name: str, kind: str | None = None) -> str:
        """What a variable holds now."""
        return self.w.value(f"load {kind or self.w.lanes.real}, ptr %slot.{name}")

    def set(self, name: str, value: str, kind: str | None = None) -> None:
        """Change a variable."""
        self.w.line(f"store {kind or self.w.lanes.real} {value}, ptr %slot.{name}")
