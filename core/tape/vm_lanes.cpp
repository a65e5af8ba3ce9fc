#include <cmath>

#include "tape/dispatch.hpp"
#include "tape/functions.hpp"
#include "tape/spline.hpp"
#include "tape/vm.hpp"

// On x86-64 the executor is compiled for three generations of vectors, and the processor is asked
// once which of them it has.
#if KEMPE_VECTORS && defined(__x86_64__) && (!defined(__clang__) || __clang_major__ >= 17)
#define KEMPE_GENERATIONS 1
#else
#define KEMPE_GENERATIONS 0
#endif

namespace kempe {

namespace {

template <class Function>
KEMPE_INLINE Lanes each(const Lanes& x, Function function) {
    Lanes result;
    for (int l = 0; l < lane_count; ++l) result[l] = function(x[l]);
    return result;
}

template <class Function>
KEMPE_INLINE Lanes each(const Lanes& x, const Lanes& y, Function function) {
    Lanes result;
    for (int l = 0; l < lane_count; ++l) result[l] = function(x[l], y[l]);
    return result;
}

#if KEMPE_VECTORS

KEMPE_INLINE Lanes magnitude(const Lanes& x) { return number_of(bits_of(x) & 0x7fffffffffffffffu); }
KEMPE_INLINE Lanes smaller(const Lanes& x, const Lanes& y) { return x < y ? x : y; }
KEMPE_INLINE Lanes larger(const Lanes& x, const Lanes& y) { return x > y ? x : y; }
KEMPE_INLINE Lanes reciprocal(const Lanes& x) { return 1.0 / x; }
KEMPE_INLINE Lanes if_positive(const Lanes& x, const Lanes& y, const Lanes& z) { return x > 0.0 ? y : z; }
KEMPE_INLINE Lanes if_not_negative(const Lanes& x, const Lanes& y, const Lanes& z) { return x >= 0.0 ? y : z; }
KEMPE_INLINE Lanes nearest_integers(const Lanes& x) {
    constexpr double whole = 0x1p+52;
    const Lanes size = magnitude(x);
    const Lanes near = number_of(bits_of((size + whole) - whole) | (bits_of(x) & 0x8000000000000000u));
    return size < whole ? near : x;
}
KEMPE_INLINE void sincos_lanes(const Lanes& angle, Lanes& sine, Lanes& cosine) {
    const Lanes x = angle;  // the results may lie in the same register
    QuarterTurns<Lanes> q;
    reduce(x, q);
    sincos_of(q, sine, cosine);
    for (int l = 0; l < lane_count; ++l)
        if (!(std::abs(x[l]) <= sincos_near)) [[unlikely]] {
            sine[l] = std::sin(x[l]);
            cosine[l] = std::cos(x[l]);
        }
}

#else

KEMPE_INLINE Lanes magnitude(const Lanes& x) {
    return each(x, [](double a) { return std::abs(a); });
}
KEMPE_INLINE Lanes smaller(const Lanes& x, const Lanes& y) {
    return each(x, y, [](double a, double b) { return a < b ? a : b; });
}
KEMPE_INLINE Lanes larger(const Lanes& x, const Lanes& y) {
    return each(x, y, [](double a, double b) { return a > b ? a : b; });
}
KEMPE_INLINE Lanes reciprocal(const Lanes& x) {
    return each(x, [](double a) { return 1.0 / a; });
}
KEMPE_INLINE Lanes if_positive(const Lanes& x, const Lanes& y, const Lanes& z) {
    Lanes result;
    for (int l = 0; l < lane_count; ++l) result[l] = x[l] > 0.0 ? y[l] : z[l];
    return result;
}
KEMPE_INLINE Lanes if_not_negative(const Lanes& x, const Lanes& y, const Lanes& z) {
    Lanes result;
    for (int l = 0; l < lane_count; ++l) result[l] = x[l] >= 0.0 ? y[l] : z[l];
    return result;
}
KEMPE_INLINE Lanes nearest_integers(const Lanes& x) { return each(x, nearest_integer); }
KEMPE_INLINE void sincos_lanes(const Lanes& angle, Lanes& sine, Lanes& cosine) {
    const Lanes x = angle;  // the results may lie in the same register
    for (int l = 0; l < lane_count; ++l) sincos(x[l], sine[l], cosine[l]);
}

#endif

KEMPE_INLINE Lanes square_root(const Lanes& x) {
    return each(x, [](double a) { return std::sqrt(a); });
}

KEMPE_INLINE Lanes table_values(const double* block, const Lanes& x, std::uint32_t order) {
    return each(x, [=](double a) { return table_value(block, a, static_cast<std::int32_t>(order)); });
}

KEMPE_INLINE Lanes spline_values(const double* block, const Lanes& x, std::uint32_t order) {
    return each(x, [=](double a) { return spline_value(block, a, static_cast<std::int32_t>(order)); });
}

using Executor = void (*)(const Tape&, const Instruction*, Lanes*) noexcept;

#define KEMPE_EXECUTOR run_plain
#define KEMPE_TARGET
#include "tape/vm_lanes.inc"

#if KEMPE_GENERATIONS

#define KEMPE_EXECUTOR run_v3
#define KEMPE_TARGET __attribute__((target("arch=x86-64-v3")))
#include "tape/vm_lanes.inc"

#define KEMPE_EXECUTOR run_v4
#define KEMPE_TARGET __attribute__((target("arch=x86-64-v4")))
#include "tape/vm_lanes.inc"

Executor best_executor() {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v4")) return run_v4;
    if (__builtin_cpu_supports("x86-64-v3")) return run_v3;
    return run_plain;
}

#else

Executor best_executor() { return run_plain; }

#endif

const Executor executor = best_executor();

}  // namespace

void load_constants_lanes(const Tape& tape, double* registers) noexcept {
    double* lane = registers + lane_count * tape.n_inputs();
    for (const double constant : tape.constants())
        for (int l = 0; l < lane_count; ++l) *lane++ = constant;
}

void run_section_lanes(const Tape& tape, std::size_t section, double* registers) noexcept {
    executor(tape, tape.section(section), reinterpret_cast<Lanes*>(registers));
}

}  // namespace kempe
