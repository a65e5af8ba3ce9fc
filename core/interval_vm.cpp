#include "interval_vm.hpp"

#include <cfloat>

#include "dispatch.hpp"

namespace kempe {

void load_constants(const Tape& tape, Interval* registers) noexcept {
    Interval* place = registers + tape.n_inputs();
    for (const double constant : tape.constants())
        *place++ = constant == constant ? interval_of_bounds(constant, constant) : Interval::empty();
}

Interval interval_of_bounds(double lower, double upper) noexcept {
    if (lower > upper) return Interval::empty();
    return Interval::of(smaller(lower, DBL_MAX), larger(upper, -DBL_MAX));
}

void run_section(const Tape& tape, std::size_t section, Interval* registers) noexcept {
    const Instruction* i = tape.section(section);
    Interval* const r = registers;
    KEMPE_RUN
    KEMPE_DO(add, r[i->d] = r[i->a] + r[i->b])
    KEMPE_DO(sub, r[i->d] = r[i->a] - r[i->b])
    KEMPE_DO(mul, r[i->d] = r[i->a] * r[i->b])
    KEMPE_DO(div, r[i->d] = r[i->a] / r[i->b])
    KEMPE_DO(neg, r[i->d] = -r[i->a])
    KEMPE_DO(rec, r[i->d] = reciprocal(r[i->a]))
    KEMPE_DO(sqr, r[i->d] = square(r[i->a]))
    KEMPE_DO(sqrt, r[i->d] = square_root(r[i->a]))
    KEMPE_DO(sincos, sincos(r[i->a], r[i->d], r[i->b]))
    KEMPE_DO(sin, r[i->d] = sine(r[i->a]))
    KEMPE_DO(cos, r[i->d] = cosine(r[i->a]))
    KEMPE_DO(tan, r[i->d] = tangent(r[i->a]))
    KEMPE_DO(asin, r[i->d] = arcsine(r[i->a]))
    KEMPE_DO(acos, r[i->d] = arccosine(r[i->a]))
    KEMPE_DO(atan2, r[i->d] = arctangent2(r[i->a], r[i->b]))
    KEMPE_DO(exp, r[i->d] = exponential(r[i->a]))
    KEMPE_DO(log, r[i->d] = logarithm(r[i->a]))
    KEMPE_DO(tanh, r[i->d] = hyperbolic_tangent(r[i->a]))
    KEMPE_DO(abs, r[i->d] = magnitude(r[i->a]))
    KEMPE_DO(min, r[i->d] = minimum(r[i->a], r[i->b]))
    KEMPE_DO(max, r[i->d] = maximum(r[i->a], r[i->b]))
    KEMPE_DO(pow, r[i->d] = power(r[i->a], r[i->b]))
    KEMPE_DO(round, r[i->d] = nearest_integer(r[i->a]))
    KEMPE_DO(where_positive, r[i->d] = where_positive(r[i->a], r[i->b], r[i->c]))
    KEMPE_DO(where_not_negative, r[i->d] = where_not_negative(r[i->a], r[i->b], r[i->c]))
    KEMPE_DO(table, r[i->d] = table_range(tape.table(i->b), r[i->a], i->c))
    KEMPE_DO(muladd, r[i->d] = r[i->a] * r[i->b] + r[i->c])
    KEMPE_DO(mulsub, r[i->d] = r[i->a] * r[i->b] - r[i->c])
    KEMPE_DO(nmuladd, r[i->d] = r[i->c] - r[i->a] * r[i->b])
    KEMPE_DO(copy, r[i->d] = r[i->a])
    KEMPE_DO(spline, r[i->d] = spline_range(tape.spline(i->b), r[i->a], i->c))
    KEMPE_STOP
}

}  // namespace kempe
