"""The functions of a tape in LLVM IR: sine and cosine, calls of the core, piecewise polynomials.

Everything here does, bit for bit, what `core/tape/functions.hpp` does.
"""

from collections.abc import Sequence
from typing import Final

from kempe.algebra.spline import Spline
from kempe.algebra.tape import TapeTable
from kempe.compile.llvm.ir import EXPECTED, SCALAR, Lanes, Module, Writer, hexadecimal

TWO_OVER_PI: Final = float.fromhex("0x1.45f306dc9c883p-1")
ROUNDER: Final = float.fromhex("0x1.8p+52")  # adding it leaves the nearest integer in the low bits
HALF_PI_PARTS: Final = (
    float.fromhex("0x1.921fb54440000p+0"),
    float.fromhex("0x1.68c234c4c0000p-39"),
    float.fromhex("0x1.98a2e03707345p-77"),
)
NEAR: Final = 1.0e5  # |x| up to which the reduction by three parts is good enough
SINE: Final = (
    float.fromhex("-0x1.5555555555549p-3"),
    float.fromhex("0x1.111111110f87ep-7"),
    float.fromhex("-0x1.a01a019c0f004p-13"),
    float.fromhex("0x1.71de35741edebp-19"),
    float.fromhex("-0x1.ae5e62dba66c1p-26"),
    float.fromhex("0x1.5d91f0c503428p-33"),
)
COSINE: Final = (
    float.fromhex("0x1.555555555554bp-5"),
    float.fromhex("-0x1.6c16c16c15015p-10"),
    float.fromhex("0x1.a01a019c8f24fp-16"),
    float.fromhex("-0x1.27e4f7f190c94p-22"),
    float.fromhex("0x1.1ee9dbce75942p-29"),
    float.fromhex("-0x1.8fa6842a5e7d2p-37"),
)


def sincos(writer: Writer, x: str) -> tuple[str, str]:
    """Sine and cosine of a number, bit for bit those of the C++ core."""
    module, lanes = writer.module, writer.lanes
    name = f"sincos_x{lanes.count}"
    module.define(name, lambda: _sincos_text(module, lanes, name))
    pair = f"{{{lanes.real}, {lanes.real}}}"
    both = writer.value(f"call {pair} @{name}({lanes.real} {x})")
    sine = writer.value(f"extractvalue {pair} {both}, 0")
    cosine = writer.value(f"extractvalue {pair} {both}, 1")
    return sine, cosine


def sincos_together(writer: Writer, angles: Sequence[str]) -> list[tuple[str, str]]:
    """Sines and cosines of several scalars, side by side in SIMD lanes.

    Every lane performs the operations of the scalar function, so the results are the same.
    """
    wide = writer.widened(Lanes(1 << (len(angles) - 1).bit_length()))
    fill = [angles[-1]] * (wide.lanes.count - len(angles))
    sines, cosines = sincos(wide, wide.gathered([*angles, *fill]))
    pairs = zip(wide.scattered(sines), wide.scattered(cosines), strict=True)
    return list(pairs)[: len(angles)]


def core_function(writer: Writer, name: str, *operands: str) -> str:
    """A function of numbers that the C++ core exports, called once per lane."""
    writer.module.declare("double", name, ["double"] * len(operands))
    return _lane_by_lane(writer, name, operands)


def table_function(writer: Writer, table: TapeTable, index: int, order: int, x: str) -> str:
    """The derivative of a table: the core's function on a copy that the module carries along.

    So an object in the cache holds no address of this process.
    """
    pieces, terms = table.coefficients.shape
    block = [pieces, terms, *table.breaks.tolist(), *table.coefficients.ravel().tolist()]
    return _piecewise(writer, "table", block, index, order, x)


def spline_function(writer: Writer, spline: Spline, index: int, order: int, x: str) -> str:
    """The derivative of a spline, in the same way."""
    return _piecewise(writer, "spline", spline.block, index, order, x)


def _piecewise(
    writer: Writer, kind: str, block: list[float], index: int, order: int, x: str
) -> str:
    module, data, name = writer.module, f"{kind}_{index}", f"{kind}_{index}_{order}"
    module.declare("double", f"kempe_{kind}", ["ptr", "double", "i32"])
    module.define(data, lambda: _block_text(block, data))
    module.define(name, lambda: _piecewise_call_text(module, kind, name, data, order))
    return _lane_by_lane(writer, name, (x,))


def _sincos_text(module: Module, lanes: Lanes, name: str) -> str:
    """Cody-Waite reduction in three parts, then polynomials of z = r^2 in short chains.

    n = round(2 x / pi), x = n pi / 2 + r + tail; the quadrant n mod 4 swaps and negates. Beyond
    |x| = 1e5, and for a NaN, the C library answers through the core.

    Source: [CodyWaite]; the coefficients are those of core/tape/functions.hpp.
    """
    w, real = Writer(module, lanes), lanes.real
    rounder = lanes.constant(ROUNDER)
    shifted = w.add(w.multiply("%x", lanes.constant(TWO_OVER_PI)), rounder)
    r, tail = _reduced(w, w.subtract(shifted, rounder))
    s, c = _in_quadrant(w, w.bits(shifted), *_kernels(w, r, tail))
    far = w.compare("ugt", w.magnitude("%x"), lanes.constant(NEAR))
    near = w.value(f"xor i1 {w.any(far)}, true")
    w.line(f"br i1 {near}, label %done, label %distant, {EXPECTED}")
    w.label("distant")
    far_s = w.choose(far, core_function(w, "kempe_sin", "%x"), s)
    far_c = w.choose(far, core_function(w, "kempe_cos", "%x"), c)
    w.line("br label %done")
    w.label("done")
    pair = f"{{{real}, {real}}}"
    sine = w.value(f"phi {real} [{s}, %0], [{far_s}, %distant]")
    cosine = w.value(f"phi {real} [{c}, %0], [{far_c}, %distant]")
    half = w.value(f"insertvalue {pair} poison, {real} {sine}, 0")
    w.line(f"ret {pair} {w.value(f'insertvalue {pair} {half}, {real} {cosine}, 1')}")
    return w.function(f"define internal {pair} @{name}({real} %x) alwaysinline nounwind")


def _reduced(w: Writer, n: str) -> tuple[str, str]:
    """x - n pi / 2 as r + tail.

    a = x - n p1, b = n p2, f = n p3, e = a - b, r = e - f, tail = ((a - e) - b) + ((e - r) - f).
    """
    products = [w.multiply(n, w.lanes.constant(part)) for part in HALF_PI_PARTS]
    a, b, f = w.subtract("%x", products[0]), products[1], products[2]
    e = w.subtract(a, b)
    r = w.subtract(e, f)
    tail = w.add(
        w.subtract(w.subtract(a, e), b),
        w.subtract(w.subtract(e, r), f),
    )
    return r, tail


def _kernels(w: Writer, r: str, tail: str) -> tuple[str, str]:
    """Sine and cosine of r + tail, |r| <= pi / 4.

    z = r^2, s = r + ((r z) P(z) + tail); half = z / 2, u = 1 - half,
    c = u + (((1 - u) - half) + (z^2 Q(z) - r tail)).
    """
    one = w.lanes.constant(1.0)
    z = w.multiply(r, r)
    zz = w.multiply(z, z)
    cubic = w.multiply(w.multiply(r, z), _quintic(w, SINE, z, zz))
    s = w.add(r, w.add(cubic, tail))
    half = w.multiply(w.lanes.constant(0.5), z)
    u = w.subtract(one, half)
    lost = w.subtract(w.subtract(one, u), half)
    fourth = w.subtract(w.multiply(zz, _quintic(w, COSINE, z, zz)), w.multiply(r, tail))
    return s, w.add(u, w.add(lost, fourth))


def _quintic(w: Writer, c: Sequence[float], z: str, zz: str) -> str:
    """(c0 + z c1) + zz ((c2 + z c3) + zz (c4 + z c5)): few dependent operations."""

    def pair(k: int) -> str:
        return w.add(w.lanes.constant(c[k]), w.multiply(z, w.lanes.constant(c[k + 1])))

    return w.add(pair(0), w.multiply(zz, w.add(pair(2), w.multiply(zz, pair(4)))))


def _in_quadrant(w: Writer, quadrant: str, s: str, c: str) -> tuple[str, str]:
    """Swap by bit 0 of the quadrant; negate sine by its bit 1, cosine by that of quadrant + 1."""
    one = w.lanes.whole(1)
    odd = w.integer("icmp ne", w.integer("and", quadrant, one), w.lanes.whole(0))
    sine = _with_sign(w, w.choose(odd, c, s), quadrant)
    cosine = _with_sign(w, w.choose(odd, s, c), w.integer("add", quadrant, one))
    return sine, cosine


def _with_sign(w: Writer, a: str, quadrant: str) -> str:
    """a, negated where bit 1 of the quadrant is set."""
    two = w.integer("and", quadrant, w.lanes.whole(2))
    sign = w.integer("shl", two, w.lanes.whole(62))
    return w.number(w.integer("xor", w.bits(a), sign))


def _lane_by_lane(writer: Writer, name: str, operands: Sequence[str]) -> str:
    """A function of scalars, called for each lane."""
    lanes = writer.lanes
    if lanes.is_scalar:
        return writer.call(name, *operands)
    many = f"{name}_x{lanes.count}"
    writer.module.define(
        many, lambda: _lane_by_lane_text(writer.module, lanes, name, many, len(operands))
    )
    return writer.call(many, *operands)


def _lane_by_lane_text(module: Module, lanes: Lanes, name: str, many: str, arity: int) -> str:
    w, real = Writer(module, lanes), lanes.real
    operands = zip(*(w.scattered(f"%x{i}") for i in range(arity)), strict=True)
    typed = (", ".join(f"double {x}" for x in one) for one in operands)
    results = [w.value(f"call double @{name}({one})") for one in typed]
    w.line(f"ret {real} {w.gathered(results)}")
    parameters = ", ".join(f"{real} %x{i}" for i in range(arity))
    return w.function(f"define internal {real} @{many}({parameters}) noinline nounwind")


def _block_text(block: list[float], name: str) -> str:
    """The core's block of a table or spline."""
    items = ", ".join(f"double {hexadecimal(number)}" for number in block)
    return f"@{name} = private unnamed_addr constant [{len(block)} x double] [{items}], align 8"


def _piecewise_call_text(module: Module, kind: str, name: str, data: str, order: int) -> str:
    w = Writer(module, SCALAR)
    value = w.value(f"call double @kempe_{kind}(ptr @{data}, double %x, i32 {order})")
    w.line(f"ret double {value}")
    return w.function(f"define internal double @{name}(double %x) nounwind")
