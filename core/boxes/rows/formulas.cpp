#include "boxes/rows/formulas.hpp"

#include <cmath>

#include "tape/functions.hpp"

// What every operation gives: its value, and its slope.

namespace kempe::boxes {

Interval Formulas::forward(std::size_t k, const Interval* v) const {
    const Node& i = nodes_[k];
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
        case Op::table: return table_range(table(i.table), v[i.a], i.order);
        case Op::spline: return spline_range(spline(i.table), v[i.a], i.order);
        default: return v[i.a];
    }
}

Decoration Formulas::decoration(std::size_t k, const Interval* v) const {
    const Node& i = nodes_[k];
    const double* const block = i.op == Op::table ? table(i.table) : i.op == Op::spline ? spline(i.table) : nullptr;
    const bool has_two = operand_counts[static_cast<std::size_t>(i.op)] == 2;
    return kempe::decoration(i.op, v[i.a], v[has_two ? i.b : i.a], block, i.order);
}

double Formulas::forward(std::size_t k, const double* v) const {
    const Node& i = nodes_[k];
    switch (i.op) {
        case Op::add: return v[i.a] + v[i.b];
        case Op::sub: return v[i.a] - v[i.b];
        case Op::mul: return v[i.a] * v[i.b];
        case Op::div: return v[i.a] / v[i.b];
        case Op::neg: return -v[i.a];
        case Op::rec: return 1.0 / v[i.a];
        case Op::sqr: return v[i.a] * v[i.a];
        case Op::sqrt: return std::sqrt(v[i.a]);
        case Op::sin: return at_nearest([](double x) { return std::sin(x); }, v[i.a]);
        case Op::cos: return at_nearest([](double x) { return std::cos(x); }, v[i.a]);
        case Op::tan: return at_nearest([](double x) { return std::tan(x); }, v[i.a]);
        case Op::asin: return at_nearest([](double x) { return std::asin(x); }, v[i.a]);
        case Op::acos: return at_nearest([](double x) { return std::acos(x); }, v[i.a]);
        case Op::atan2: return at_nearest([](double y, double x) { return std::atan2(y, x); }, v[i.a], v[i.b]);
        case Op::exp: return at_nearest([](double x) { return std::exp(x); }, v[i.a]);
        case Op::log: return at_nearest([](double x) { return std::log(x); }, v[i.a]);
        case Op::tanh: return at_nearest([](double x) { return std::tanh(x); }, v[i.a]);
        case Op::table: return table_value(table(i.table), v[i.a], static_cast<std::int32_t>(i.order));
        case Op::spline: return spline_value(spline(i.table), v[i.a], static_cast<std::int32_t>(i.order));
        default: return v[i.a];
    }
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
        case Op::spline: return spline_range(spline(i.table), x, i.order + 1);
        case Op::neg: return -one;
        default: return one;
    }
}

double Formulas::slope(const Node& i, double x) const {
    switch (i.op) {
        case Op::sqr: return 2.0 * x;
        case Op::table: return table_value(table(i.table), x, static_cast<std::int32_t>(i.order) + 1);
        case Op::spline: return spline_value(spline(i.table), x, static_cast<std::int32_t>(i.order) + 1);
        case Op::neg: return -1.0;
        case Op::rec: return -1.0 / (x * x);
        case Op::sqrt: return 0.5 / std::sqrt(x);
        default: return middle(slope(i, Interval::point(x)));
    }
}

}  // namespace kempe::boxes
