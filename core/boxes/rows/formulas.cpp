#include "boxes/rows/formulas.hpp"

#include <cmath>

#include "tape/functions.hpp"

// What every operation gives: its value, and its slope.

namespace kempe::boxes {

namespace {

// Numbers answer to the names of intervals.
double reciprocal(double x) { return 1.0 / x; }
double square(double x) { return x * x; }
double square_root(double x) { return std::sqrt(x); }
double magnitude(double x) { return std::abs(x); }
double sine(double x) {
    return at_nearest([](double a) { return std::sin(a); }, x);
}
double cosine(double x) {
    return at_nearest([](double a) { return std::cos(a); }, x);
}
double tangent(double x) {
    return at_nearest([](double a) { return std::tan(a); }, x);
}
double arcsine(double x) {
    return at_nearest([](double a) { return std::asin(a); }, x);
}
double arccosine(double x) {
    return at_nearest([](double a) { return std::acos(a); }, x);
}
double arctangent2(double y, double x) {
    return at_nearest([](double b, double a) { return std::atan2(b, a); }, y, x);
}
double exponential(double x) {
    return at_nearest([](double a) { return std::exp(a); }, x);
}
double logarithm(double x) {
    return at_nearest([](double a) { return std::log(a); }, x);
}
double hyperbolic_tangent(double x) {
    return at_nearest([](double a) { return std::tanh(a); }, x);
}
double table_range(const double* block, double x, std::uint32_t order) {
    return table_value(block, x, static_cast<std::int32_t>(order));
}
Interval spline_of(const Formulas& formulas, const Node& i, const Interval& x, std::uint32_t order) {
    return formulas.spline_range(i, x, order);
}
double spline_of(const Formulas& formulas, const Node& i, double x, std::uint32_t order) {
    return spline_value(formulas.spline(i.table), x, static_cast<std::int32_t>(order));
}

// What an operation gives, of intervals or of numbers v.
template <class Value>
Value result(const Formulas& formulas, const Node& i, const Value* v) {
    switch (i.op) {
        case Op::add: return v[i.a] + v[i.b];
        case Op::sub: return v[i.a] - v[i.b];
        case Op::mul: return v[i.a] * v[i.b];
        case Op::div: return v[i.a] / v[i.b];
        case Op::neg: return -v[i.a];
        case Op::rec: return reciprocal(v[i.a]);
        case Op::sqr: return square(v[i.a]);
        case Op::sqrt: return square_root(v[i.a]);
        case Op::sin: return sine(v[i.a]);
        case Op::cos: return cosine(v[i.a]);
        case Op::tan: return tangent(v[i.a]);
        case Op::asin: return arcsine(v[i.a]);
        case Op::acos: return arccosine(v[i.a]);
        case Op::atan2: return arctangent2(v[i.a], v[i.b]);
        case Op::exp: return exponential(v[i.a]);
        case Op::log: return logarithm(v[i.a]);
        case Op::tanh: return hyperbolic_tangent(v[i.a]);
        case Op::abs: return magnitude(v[i.a]);
        case Op::table: return table_range(formulas.table(i.table), v[i.a], i.order);
        case Op::spline: return spline_of(formulas, i, v[i.a], i.order);
        default: return v[i.a];
    }
}

}  // namespace

Interval Formulas::forward(std::size_t k, const Interval* v) const { return result(*this, nodes_[k], v); }

double Formulas::forward(std::size_t k, const double* v) const { return result(*this, nodes_[k], v); }

Decoration Formulas::decoration(std::size_t k, const Interval* v) const {
    const Node& i = nodes_[k];
    const double* const block = i.op == Op::table ? table(i.table) : i.op == Op::spline ? spline(i.table) : nullptr;
    const bool has_two = operand_counts[static_cast<std::size_t>(i.op)] == 2;
    return kempe::decoration(i.op, v[i.a], v[has_two ? i.b : i.a], block, i.order);
}

Interval Formulas::slope(const Node& i, const Interval& x) const {
    const Interval one = Interval::point(1.0);
    switch (i.op) {
        case Op::sqr: return scaled(2.0, x);
        case Op::rec: return -reciprocal(square(x));
        case Op::sqrt: return reciprocal(scaled(2.0, square_root(x)));
        case Op::sin: return cosine(x);
        case Op::cos: return -sine(x);
        case Op::tan: return one + square(tangent(x));
        case Op::asin: return reciprocal(square_root(one - square(x)));
        case Op::acos: return -reciprocal(square_root(one - square(x)));
        case Op::exp: return exponential(x);
        case Op::log: return reciprocal(x);
        case Op::tanh: return one - square(hyperbolic_tangent(x));
        case Op::table: return table_range(table(i.table), x, i.order + 1);
        case Op::spline: return spline_of(*this, i, x, i.order + 1);
        case Op::neg: return -one;
        default: return one;
    }
}

double Formulas::slope(const Node& i, double x) const {
    switch (i.op) {
        case Op::sqr: return 2.0 * x;
        case Op::table: return table_range(table(i.table), x, i.order + 1);
        case Op::spline: return spline_of(*this, i, x, i.order + 1);
        case Op::neg: return -1.0;
        case Op::rec: return -1.0 / (x * x);
        case Op::sqrt: return 0.5 / std::sqrt(x);
        default: return middle(slope(i, Interval::point(x)));
    }
}

}  // namespace kempe::boxes
