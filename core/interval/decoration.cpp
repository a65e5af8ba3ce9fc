#include "interval/decoration.hpp"

#include <cmath>

namespace kempe {

bool is_continuous_everywhere(Op op) {
    switch (op) {
        case Op::div:
        case Op::rec:
        case Op::sqrt:
        case Op::tan:
        case Op::asin:
        case Op::acos:
        case Op::atan2:
        case Op::log:
        case Op::pow:
        case Op::round:
        case Op::where_positive:
        case Op::where_not_negative:
        case Op::table:
        case Op::spline: return false;
        default: return true;
    }
}

namespace {

bool holds_zero(const Interval& x) { return x.lower() <= 0.0 && x.upper >= 0.0; }

Decoration continuous_if(bool holds) { return holds ? Decoration::continuous : Decoration::trivial; }

// The angle jumps where it meets its cut, y = 0 and x < 0, also from one side: a scalar zero may carry
// either sign. It is not defined at the origin.
Decoration arctangent_decoration(const Interval& y, const Interval& x) {
    if (!holds_zero(y) || x.lower() > 0.0) return Decoration::continuous;
    return x.upper < 0.0 ? Decoration::defined : Decoration::trivial;
}

Decoration rounding_decoration(const Interval& x) {
    const Interval rounded = nearest_integer(x);
    return rounded.is_point() ? Decoration::continuous : Decoration::defined;
}

}  // namespace

Decoration power_decoration(const Interval& x, const Interval& y) {
    if (x.lower() > 0.0) return Decoration::continuous;
    if (y.is_point() && std::abs(y.upper) < infinity && std::trunc(y.upper) == y.upper)
        return continuous_if(y.upper >= 0.0 || !holds_zero(x));
    return continuous_if(x.lower() == 0.0 && y.lower() > 0.0);  // 0^y = 0
}

Decoration decoration(Op op, const Interval& a, const Interval& b, const double* block, std::size_t order) {
    if (a.is_empty() || b.is_empty()) return Decoration::trivial;
    switch (op) {
        case Op::div: return continuous_if(!holds_zero(b));
        case Op::rec: return continuous_if(!holds_zero(a));
        case Op::sqrt: return continuous_if(a.lower() >= 0.0);
        case Op::tan: return continuous_if(!has_tangent_pole(a));
        case Op::asin:
        case Op::acos: return continuous_if(a.lower() >= -1.0 && a.upper <= 1.0);
        case Op::atan2: return arctangent_decoration(a, b);
        case Op::log: return continuous_if(a.lower() > 0.0);
        case Op::pow: return power_decoration(a, b);
        case Op::round: return rounding_decoration(a);
        case Op::table: return table_decoration(block, a, order);
        case Op::spline: return spline_decoration(block, a, order);
        default: return Decoration::continuous;
    }
}

}  // namespace kempe
