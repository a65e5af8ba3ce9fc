#include "tape/functions.hpp"

#include <algorithm>

namespace kempe {

std::size_t table_piece(const double* block, double x) noexcept {
    const auto pieces = static_cast<std::size_t>(block[0]);
    const double* const interior = block + 3;
    return static_cast<std::size_t>(std::upper_bound(interior, interior + (pieces - 1), x) - interior);
}

double falling_factorial(std::size_t power, std::size_t order) noexcept {
    double factor = 1.0;
    for (std::size_t k = 0; k < order; ++k) factor *= static_cast<double>(power - k);
    return factor;
}

double table_value(const double* block, double x, std::int32_t order) noexcept {
    const auto pieces = static_cast<std::size_t>(block[0]);
    const auto terms = static_cast<std::size_t>(block[1]);
    const auto derivative = static_cast<std::size_t>(order);
    if (derivative >= terms) return 0.0;
    const std::size_t piece = x == x ? table_piece(block, x) : 0;
    const double* const c = block + 2 + (pieces + 1) + piece * terms;
    const double u = x - block[2 + piece];
    double sum = c[0] * falling_factorial(terms - 1, derivative);
    for (std::size_t j = 1; j < terms - derivative; ++j)
        sum = sum * u + c[j] * falling_factorial(terms - 1 - j, derivative);
    return sum;
}

}  // namespace kempe

double kempe_sin(double x) {
    double sine, cosine;
    kempe::sincos(x, sine, cosine);
    return sine;
}
double kempe_cos(double x) {
    double sine, cosine;
    kempe::sincos(x, sine, cosine);
    return cosine;
}
double kempe_tan(double x) { return std::tan(x); }
double kempe_asin(double x) { return std::asin(x); }
double kempe_acos(double x) { return std::acos(x); }
double kempe_atan2(double y, double x) { return std::atan2(y, x); }
double kempe_exp(double x) { return std::exp(x); }
double kempe_log(double x) { return std::log(x); }
double kempe_tanh(double x) { return std::tanh(x); }
double kempe_pow(double x, double y) { return std::pow(x, y); }
double kempe_table(const double* block, double x, std::int32_t order) { return kempe::table_value(block, x, order); }
