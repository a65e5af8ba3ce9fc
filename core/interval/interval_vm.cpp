#include "interval/interval_vm.hpp"

#include <cfloat>

#include "tape/dispatch.hpp"

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

namespace {

struct NoNotes {
    void operator()(const Instruction&) const {}
};

// Writes down the decoration of every result before it overwrites an operand.
struct Notes {
    const Tape& tape;
    const Interval* r;
    Decoration* d;

    Decoration chosen(const Instruction& i) const {
        const bool is_strict = i.op == Op::where_positive;
        const Interval& x = r[i.a];
        if (x.is_empty()) return Decoration::trivial;
        if (is_strict ? x.lower() > 0.0 : x.lower() >= 0.0) return weaker(d[i.a], d[i.b]);
        if (is_strict ? x.upper <= 0.0 : x.upper < 0.0) return weaker(d[i.a], d[i.c]);
        return weaker(weaker(d[i.a], Decoration::defined), weaker(d[i.b], d[i.c]));
    }

    Decoration of(const Instruction& i) const {
        switch (i.op) {
            case Op::where_positive:
            case Op::where_not_negative: return chosen(i);
            case Op::table: return weaker(d[i.a], decoration(i.op, r[i.a], r[i.a], tape.table(i.b), i.c));
            case Op::spline: return weaker(d[i.a], decoration(i.op, r[i.a], r[i.a], tape.spline(i.b), i.c));
            default: break;
        }
        Decoration least = d[i.a];
        const int operands = operand_counts[static_cast<std::size_t>(i.op)];
        if (operands > 1) least = weaker(least, d[i.b]);
        if (operands > 2) least = weaker(least, d[i.c]);
        return weaker(least, decoration(i.op, r[i.a], r[operands > 1 ? i.b : i.a]));
    }

    void operator()(const Instruction& i) const {
        const Decoration found = of(i);
        d[i.d] = found;
        if (i.op == Op::sincos) d[i.b] = found;
    }
};

template <class Note>
void run(const Tape& tape, std::size_t section, Interval* registers, const Note& note) noexcept {
    const Instruction* i = tape.section(section);
    Interval* const r = registers;
    KEMPE_RUN
    KEMPE_DO(add, note(*i); r[i->d] = r[i->a] + r[i->b])
    KEMPE_DO(sub, note(*i); r[i->d] = r[i->a] - r[i->b])
    KEMPE_DO(mul, note(*i); r[i->d] = r[i->a] * r[i->b])
    KEMPE_DO(div, note(*i); r[i->d] = r[i->a] / r[i->b])
    KEMPE_DO(neg, note(*i); r[i->d] = -r[i->a])
    KEMPE_DO(rec, note(*i); r[i->d] = reciprocal(r[i->a]))
    KEMPE_DO(sqr, note(*i); r[i->d] = square(r[i->a]))
    KEMPE_DO(sqrt, note(*i); r[i->d] = square_root(r[i->a]))
    KEMPE_DO(sincos, note(*i); sincos(r[i->a], r[i->d], r[i->b]))
    KEMPE_DO(sin, note(*i); r[i->d] = sine(r[i->a]))
    KEMPE_DO(cos, note(*i); r[i->d] = cosine(r[i->a]))
    KEMPE_DO(tan, note(*i); r[i->d] = tangent(r[i->a]))
    KEMPE_DO(asin, note(*i); r[i->d] = arcsine(r[i->a]))
    KEMPE_DO(acos, note(*i); r[i->d] = arccosine(r[i->a]))
    KEMPE_DO(atan2, note(*i); r[i->d] = arctangent2(r[i->a], r[i->b]))
    KEMPE_DO(exp, note(*i); r[i->d] = exponential(r[i->a]))
    KEMPE_DO(log, note(*i); r[i->d] = logarithm(r[i->a]))
    KEMPE_DO(tanh, note(*i); r[i->d] = hyperbolic_tangent(r[i->a]))
    KEMPE_DO(abs, note(*i); r[i->d] = magnitude(r[i->a]))
    KEMPE_DO(min, note(*i); r[i->d] = minimum(r[i->a], r[i->b]))
    KEMPE_DO(max, note(*i); r[i->d] = maximum(r[i->a], r[i->b]))
    KEMPE_DO(pow, note(*i); r[i->d] = power(r[i->a], r[i->b]))
    KEMPE_DO(round, note(*i); r[i->d] = nearest_integer(r[i->a]))
    KEMPE_DO(where_positive, note(*i); r[i->d] = where_positive(r[i->a], r[i->b], r[i->c]))
    KEMPE_DO(where_not_negative, note(*i); r[i->d] = where_not_negative(r[i->a], r[i->b], r[i->c]))
    KEMPE_DO(table, note(*i); r[i->d] = table_range(tape.table(i->b), r[i->a], i->c))
    KEMPE_DO(muladd, note(*i); r[i->d] = r[i->a] * r[i->b] + r[i->c])
    KEMPE_DO(mulsub, note(*i); r[i->d] = r[i->a] * r[i->b] - r[i->c])
    KEMPE_DO(nmuladd, note(*i); r[i->d] = r[i->c] - r[i->a] * r[i->b])
    KEMPE_DO(copy, note(*i); r[i->d] = r[i->a])
    KEMPE_DO(spline, note(*i); r[i->d] = spline_range(tape.spline(i->b), r[i->a], i->c))
    KEMPE_STOP
}

}  // namespace

void run_section(const Tape& tape, std::size_t section, Interval* registers) noexcept {
    run(tape, section, registers, NoNotes{});
}

void run_section(const Tape& tape, std::size_t section, Interval* registers, Decoration* decorations) noexcept {
    run(tape, section, registers, Notes{tape, registers, decorations});
}

void load_decorations(const Tape& tape, const Interval* registers, Decoration* decorations) noexcept {
    const std::size_t given = tape.n_inputs() + tape.constants().size();
    for (std::size_t k = 0; k < given; ++k)
        decorations[k] = registers[k].is_empty() ? Decoration::trivial : Decoration::continuous;
}

}  // namespace kempe
