#include <algorithm>

#include "boxes/rows/formulas.hpp"

// Formulas run backward: from what a result may be to what its operands may be (HC4-revise).
// Source: [BenhamouGoualard].

namespace kempe::boxes {

namespace {

constexpr int most_shavings = 6;
constexpr double shaving = 0.25;         // of an operand's width, cut off a side at a time
constexpr double least_shaved = 1e-12;   // an operand narrower than this is left alone

}  // namespace

// What tells nothing new is not passed on: a result that was not narrowed narrows no operand, as
// what is left of an operand is reached with what is left of the others.
KEMPE_INLINE bool Evaluation::meet(std::size_t node, const Interval& found) {
    Interval& value = values_[node];
    if (within(value, found)) return !value.is_empty();
    const Interval left = intersection(value, found);
    if (left.is_empty()) return false;
    if (node >= formulas_.n_inputs() && node < formulas_.first_operation()) return true;  // a number stays
    value = left;
    narrowed_[node] = 1;
    return true;
}

// Sums and products with a number: one operand is to be met.
KEMPE_INLINE bool Evaluation::backward_by_number(const Node& i, const Interval& r) {
    const bool first = i.a >= formulas_.n_inputs() && i.a < formulas_.first_operation();
    const std::uint32_t moving = first ? i.b : i.a;
    const Interval& number = values_[first ? i.a : i.b];
    Interval found;
    switch (i.op) {
        case Op::add: found = r - number; break;
        case Op::sub: found = first ? number - r : r + number; break;
        case Op::mul:
            if (holds_zero(number)) return true;
            found = r * formulas_.inverse(first ? i.a : i.b);
            break;
        default: return true;
    }
    return meet(moving, found);
}

bool Evaluation::backward(std::size_t k) {
    const Interval r = values_[k];
    if (r.is_empty()) return false;
    if (!narrowed_[k]) return true;
    const Node& i = formulas_.node(k);
    const Interval a = values_[i.a];
    if (a.is_empty()) return false;
    if (i.has_number && (i.op == Op::add || i.op == Op::sub || i.op == Op::mul)) return backward_by_number(i, r);
    switch (i.op) {
        case Op::add: {
            const Interval b = values_[i.b];
            return meet(i.a, r - b) && meet(i.b, r - a);
        }
        case Op::sub: {
            const Interval b = values_[i.b];
            return meet(i.a, r + b) && meet(i.b, a - r);
        }
        case Op::mul: {
            const Interval b = values_[i.b];
            if (!holds_zero(b) && !meet(i.a, r / b)) return false;
            return holds_zero(a) || meet(i.b, r / a);
        }
        case Op::div: {
            const Interval b = values_[i.b];
            if (!meet(i.a, r * b)) return false;
            return holds_zero(r) || meet(i.b, a / r);
        }
        case Op::neg: return meet(i.a, -r);
        case Op::rec: return holds_zero(r) || meet(i.a, reciprocal(r));
        case Op::sqr: {
            const Interval root = square_root(r);
            if (root.is_empty()) return false;
            const Interval below = intersection(a, -root), above = intersection(a, root);
            return meet(i.a, below.is_empty() ? above : above.is_empty() ? below : hull(below, above));
        }
        case Op::sqrt: {
            const Interval positive = intersection(r, Interval::of(0.0, infinity));
            return !positive.is_empty() && meet(i.a, square(positive));
        }
        case Op::exp: return meet(i.a, logarithm(r));
        case Op::log: return meet(i.a, exponential(r));
        case Op::sin:
        case Op::cos:
        case Op::spline:
        case Op::table: return shave(i, r);
        default: return true;
    }
}

// Cuts slices off both sides of an operand where the function cannot reach its target.
bool Evaluation::shave(const Node& i, const Interval& target) {
    Interval x = values_[i.a];
    if (!(width(x) < infinity)) return true;
    const auto range = [&](const Interval& part) {
        if (i.op == Op::sin) return sine(part);
        if (i.op == Op::cos) return cosine(part);
        return i.op == Op::spline ? formulas_.spline_range(i, part, i.order)
                                  : table_range(formulas_.table(i.table), part, i.order);
    };
    if (narrowed_[i.a] && within(range(x), target)) return true;
    for (const bool upper : {false, true})
        for (int cut = 0; cut < most_shavings; ++cut) {
            const double part = shaving * width(x);
            if (part < least_shaved) return meet(i.a, x);
            const double edge = upper ? x.upper - part : x.lower() + part;
            const Interval slice = upper ? Interval::of(edge, x.upper) : Interval::of(x.lower(), edge);
            if (!intersection(range(slice), target).is_empty()) break;
            x = upper ? Interval::of(x.lower(), edge) : Interval::of(edge, x.upper);
        }
    return meet(i.a, x);
}

bool Evaluation::project(Interval* x, std::span<const Interval> targets) {
    values(x);
    std::fill(narrowed_.begin(), narrowed_.end(), std::uint8_t{0});
    for (std::size_t r = 0; r < targets.size(); ++r)
        if (!meet(outputs_[r], targets[r])) return false;
    for (std::size_t k = formulas_.n_nodes(); k-- > formulas_.first_operation();)
        if (!backward(k)) return false;
    for (std::size_t j = 0; j < formulas_.n_inputs(); ++j) x[j] = values_[j];
    return true;
}

}  // namespace kempe::boxes
