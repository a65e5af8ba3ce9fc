#include <algorithm>

#include "boxes/rows/formulas.hpp"
#include "boxes/rows/quadratics.hpp"

// Formulas run forward, with derivatives. The derivative of a sum, product or quotient of two
// operands is written out; every other operation is a function of one operand and knows its slope.
//
// Slopes about a centre c: for f = g h, f(x) - f(c) = (g(x) - g(c)) h(x) + g(c) (h(x) - h(c)); for
// f = g / h, f(x) - f(c) = ((g(x) - g(c)) - f(c) (h(x) - h(c))) / h(x); for g^2 the slope is
// g(x) + g(c), half as wide as 2 g(x). For any other function the mean value theorem over the hull
// of x and c gives one.

namespace kempe::boxes {

Evaluation::Evaluation(const Formulas& formulas, const Quadratics* quadratics)
    : formulas_(formulas), quadratics_(quadratics), outputs_(formulas.outputs()), values_(formulas.n_nodes()),
      centres_(formulas.n_nodes()), gradients_(formulas.n_gradients(), Interval::point(0.0)),
      numbers_(formulas.n_nodes()), number_gradients_(formulas.n_gradients()), middles_(formulas.n_inputs()),
      radii_(formulas.n_inputs()), offs_(formulas.n_inputs()), narrowed_(formulas.n_nodes()) {
    const std::size_t n = formulas.n_inputs();
    for (std::size_t k = 0; k < formulas.constants().size(); ++k) {
        values_[n + k] = centres_[n + k] = formulas.constants()[k];
        numbers_[n + k] = middle(formulas.constants()[k]);
    }
    for (std::size_t j = 0; j < n; ++j) {
        gradients_[formulas.node(j).first] = Interval::point(1.0);
        number_gradients_[formulas.node(j).first] = 1.0;
    }
}

Decoration Evaluation::decoration(std::size_t output) const {
    Decoration least = formulas_.of_constants(output);
    for (const std::uint32_t k : formulas_.restricted(output)) {
        least = weaker(least, formulas_.decoration(k, values_.data()));
        if (least == Decoration::trivial) break;
    }
    return least;
}

namespace {

double square(double x) { return x * x; }

// What node k gives, the usual operations at once.
template <class Value> KEMPE_INLINE Value given(const Formulas& formulas, std::size_t k, const Value* v) {
    const Node& i = formulas.node(k);
    switch (i.op) {
        case Op::add: return v[i.a] + v[i.b];
        case Op::sub: return v[i.a] - v[i.b];
        case Op::mul: return v[i.a] * v[i.b];
        case Op::sqr: return square(v[i.a]);
        default: return formulas.forward(k, v);
    }
}

}  // namespace

void Evaluation::values(const Interval* x) {
    std::copy_n(x, formulas_.n_inputs(), values_.begin());
    Interval* const v = values_.data();
    for (std::size_t k = formulas_.first_operation(); k < formulas_.n_nodes(); ++k) v[k] = given(formulas_, k, v);
}

// Gradients over a box, as those in its middle and a radius; or slopes about c, which are gradients
// halfway from c to the box, as those at c and a radius.
void Evaluation::by_coefficients(const Interval* x, const double* c) {
    const std::size_t n = formulas_.n_inputs();
    for (std::size_t j = 0; j < n; ++j) {
        const Interval range = c == nullptr ? x[j] : scaled(0.5, x[j] + Interval::point(c[j]));
        const double at = c == nullptr ? middle(range) : c[j];
        middles_[j] = at;
        radii_[j] = larger(add_up(range.upper, -at), add_up(at, range.negated_lower));
    }
    for (std::size_t r = 0; r < outputs_.size(); ++r) {
        const Node& node = formulas_.node(outputs_[r]);
        double* const numbers = number_gradients_.data() + node.first;
        Interval* const g = gradients_.data() + node.first;
        if (c != nullptr) {
            double f_off;
            const double f = quadratics_->number(r, c, numbers, f_off, offs_.data());
            centres_[outputs_[r]] = {add_up(-f, f_off), add_up(f, f_off)};
        } else {
            quadratics_->number(r, middles_.data(), numbers);
        }
        quadratics_->spread(r, middles_.data(), radii_.data(), offs_.data());
        for (std::uint32_t e = 0; e < node.count; ++e)
            g[e] = {add_up(-numbers[e], offs_[e]), add_up(numbers[e], offs_[e])};
    }
}

void Evaluation::gradients(const Interval* x) {
    if (quadratics_ != nullptr) return by_coefficients(x, nullptr);
    std::copy_n(x, formulas_.n_inputs(), values_.begin());
    for (std::size_t k = formulas_.first_operation(); k < formulas_.n_nodes(); ++k) {
        values_[k] = given(formulas_, k, values_.data());
        derive<false>(k);
    }
}

void Evaluation::slopes(const Interval* x, const double* c) {
    if (quadratics_ != nullptr) return by_coefficients(x, c);
    const std::size_t n = formulas_.n_inputs();
    std::copy_n(x, n, values_.begin());
    for (std::size_t j = 0; j < n; ++j) centres_[j] = Interval::point(c[j]);
    for (std::size_t k = formulas_.first_operation(); k < formulas_.n_nodes(); ++k) {
        values_[k] = given(formulas_, k, values_.data());
        centres_[k] = given(formulas_, k, centres_.data());
        derive<true>(k);
    }
}

void Evaluation::numbers(const double* x) {
    if (quadratics_ != nullptr) {
        for (std::size_t r = 0; r < outputs_.size(); ++r)
            numbers_[outputs_[r]] =
                quadratics_->number(r, x, number_gradients_.data() + formulas_.node(outputs_[r]).first);
        return;
    }
    std::copy_n(x, formulas_.n_inputs(), numbers_.begin());
    for (std::size_t k = formulas_.first_operation(); k < formulas_.n_nodes(); ++k) {
        numbers_[k] = given(formulas_, k, numbers_.data());
        derive_numbers(k);
    }
}

void Evaluation::numbers_alone(const double* x) {
    std::copy_n(x, formulas_.n_inputs(), numbers_.begin());
    for (std::size_t k = formulas_.first_operation(); k < formulas_.n_nodes(); ++k)
        numbers_[k] = given(formulas_, k, numbers_.data());
}

template <bool about_centre>
void Evaluation::derive(std::size_t k) {
    const Node& i = formulas_.node(k);
    const std::int32_t* const in_a = formulas_.from_a(k);
    const std::int32_t* const in_b = formulas_.from_b(k);
    Interval* const g = gradients_.data() + i.first;
    const Interval* const ga = gradients_.data() + formulas_.node(i.a).first;
    const Interval* const gb = gradients_.data() + formulas_.node(i.b).first;
    const Interval zero = Interval::point(0.0);
    const auto from = [&zero](const Interval* all, std::int32_t at) -> const Interval& {
        return at >= 0 ? all[at] : zero;
    };
    switch (i.op) {
        case Op::add:
            for (std::uint32_t e = 0; e < i.count; ++e)
                g[e] = in_a[e] < 0 ? gb[in_b[e]] : in_b[e] < 0 ? ga[in_a[e]] : ga[in_a[e]] + gb[in_b[e]];
            return;
        case Op::sub:
            for (std::uint32_t e = 0; e < i.count; ++e)
                g[e] = in_a[e] < 0 ? -gb[in_b[e]] : in_b[e] < 0 ? ga[in_a[e]] : ga[in_a[e]] - gb[in_b[e]];
            return;
        case Op::mul: {
            const Interval& first = about_centre ? centres_[i.a] : values_[i.a];
            const Interval& second = values_[i.b];
            for (std::uint32_t e = 0; e < i.count; ++e)
                g[e] = in_a[e] < 0   ? first * gb[in_b[e]]
                       : in_b[e] < 0 ? ga[in_a[e]] * second
                                     : ga[in_a[e]] * second + first * gb[in_b[e]];
            return;
        }
        case Op::div: {
            const Interval& quotient = about_centre ? centres_[k] : values_[k];
            for (std::uint32_t e = 0; e < i.count; ++e)
                g[e] = (from(ga, in_a[e]) - quotient * from(gb, in_b[e])) / values_[i.b];
            return;
        }
        case Op::atan2: {
            Interval y = values_[i.a], x = values_[i.b];
            if (about_centre) y = hull(y, centres_[i.a]), x = hull(x, centres_[i.b]);
            const bool crosses = holds_zero(y) && x.lower() < 0.0;  // the cut, where the angle jumps
            const Interval r = square(x) + square(y);
            for (std::uint32_t e = 0; e < i.count; ++e)
                g[e] = crosses ? Interval::entire() : (x * from(ga, in_a[e]) - y * from(gb, in_b[e])) / r;
            return;
        }
        case Op::neg:
            for (std::uint32_t e = 0; e < i.count; ++e) g[e] = -ga[in_a[e]];
            return;
        default: break;
    }
    Interval slope;
    if (!about_centre) slope = formulas_.slope(i, values_[i.a]);
    else if (i.op == Op::sqr) slope = values_[i.a] + centres_[i.a];
    else slope = formulas_.slope(i, hull(values_[i.a], centres_[i.a]));
    for (std::uint32_t e = 0; e < i.count; ++e) g[e] = slope * ga[in_a[e]];
}

void Evaluation::derive_numbers(std::size_t k) {
    const Node& i = formulas_.node(k);
    const std::int32_t* const in_a = formulas_.from_a(k);
    const std::int32_t* const in_b = formulas_.from_b(k);
    double* const g = number_gradients_.data() + i.first;
    const double* const ga = number_gradients_.data() + formulas_.node(i.a).first;
    const double* const gb = number_gradients_.data() + formulas_.node(i.b).first;
    double to_a = 1.0, to_b = 0.0;
    switch (i.op) {
        case Op::add: to_b = 1.0; break;
        case Op::sub: to_b = -1.0; break;
        case Op::mul: to_a = numbers_[i.b], to_b = numbers_[i.a]; break;
        case Op::div: to_a = 1.0 / numbers_[i.b], to_b = -numbers_[k] / numbers_[i.b]; break;
        case Op::atan2: {
            const double y = numbers_[i.a], x = numbers_[i.b], r = x * x + y * y;
            to_a = x / r, to_b = -y / r;
            break;
        }
        default: to_a = formulas_.slope(i, numbers_[i.a]);
    }
    for (std::uint32_t e = 0; e < i.count; ++e)
        g[e] = (in_a[e] >= 0 ? to_a * ga[in_a[e]] : 0.0) + (in_b[e] >= 0 ? to_b * gb[in_b[e]] : 0.0);
}

}  // namespace kempe::boxes
