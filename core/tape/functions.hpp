#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "tape/lanes.hpp"

// The functions of a tape. Every executor (scalar, lanes, compiled) performs these very IEEE
// operations in this order, without fused multiply-add, so that their results agree bit for bit.

namespace kempe {

// Sine and cosine of |x| <= sincos_near, all roundings to nearest:
//
//   shifted = x * two_over_pi + rounder;   quadrant = low bits of shifted;   n = shifted - rounder
//   a = x - n * half_pi_1;   b = n * half_pi_2;   f = n * half_pi_3
//   e = a - b;   r = e - f;   tail = ((a - e) - b) + ((e - r) - f)
//   z  = r * r;   zz = z * z
//   P  = (s1 + z * s2) + zz * ((s3 + z * s4) + zz * (s5 + z * s6))
//   Q  = (c1 + z * c2) + zz * ((c3 + z * c4) + zz * (c5 + z * c6))
//   s  = r + ((r * z) * P + tail)
//   half = 0.5 * z;   w = 1 - half;   c = w + (((1 - w) - half) + (zz * Q - r * tail))
//   swap s and c where bit 0 of quadrant is set
//   negate s where bit 1 of quadrant, c where bit 1 of quadrant + 1 is set
//
// Beyond sincos_near, and for a NaN, the C library answers.
//
// Error. n has at most 16 bits and half_pi_1, half_pi_2 have 36, so both products are exact, and so
// is a (Sterbenz). No double up to 1e5 is closer than 2^-60.4 to a multiple of pi/2 (all 63663
// multiples were searched), and pi/2 less its three parts is below 2^-130, so x - n pi/2 is known to
// 2^-113: r has the right sign. r + tail is exact but for that, and for (a - e) - b where |a| < |b|,
// which happens for |r| < 2^-21 only and costs 1 ulp there. P and Q are off by less than 2^-57.9 and
// 2^-63.9 of the result; leaving the factor cos r of the tail out costs 0.15 ulp. In all s and c are
// within 1.1 ulp of the truth, 2 ulp for |r| < 2^-21; 0.9 ulp was the worst of 5e6 samples.
//
// Own: minimax coefficients by linear programming in 160-bit arithmetic, lower ones rounded first.
// The scheme: [CodyWaite].
inline constexpr double sincos_near = 1e5;
inline constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
inline constexpr double rounder = 0x1.8p+52;  // adding it leaves the nearest integer in the low bits
inline constexpr double half_pi_1 = 0x1.921fb54440000p+0;
inline constexpr double half_pi_2 = 0x1.68c234c4c0000p-39;
inline constexpr double half_pi_3 = 0x1.98a2e03707345p-77;
inline constexpr double sine_coefficients[6] = {-0x1.5555555555549p-3, 0x1.111111110f87ep-7,   -0x1.a01a019c0f004p-13,
                                                0x1.71de35741edebp-19, -0x1.ae5e62dba66c1p-26, 0x1.5d91f0c503428p-33};
inline constexpr double cosine_coefficients[6] = {0x1.555555555554bp-5,  -0x1.6c16c16c15015p-10,
                                                  0x1.a01a019c8f24fp-16, -0x1.27e4f7f190c94p-22,
                                                  0x1.1ee9dbce75942p-29, -0x1.8fa6842a5e7d2p-37};

// x = n pi/2 + r + tail with |r| <= pi/4 (1 + 1e-10), and tail below 1 ulp of r.
template <class Number>
struct QuarterTurns {
    Number shifted;  // n + rounder
    Number n;
    Number r;
    Number tail;
};

template <class Number>
KEMPE_INLINE void reduce(const Number& x, QuarterTurns<Number>& q) {
    q.shifted = x * two_over_pi + rounder;
    q.n = q.shifted - rounder;
    const Number a = x - q.n * half_pi_1;
    const Number b = q.n * half_pi_2;
    const Number f = q.n * half_pi_3;
    const Number e = a - b;
    q.r = e - f;
    q.tail = ((a - e) - b) + ((e - q.r) - f);
}

// c[0] + c[1] z + ... + c[5] z^5, with a short chain of dependent operations.
template <class Number>
KEMPE_INLINE Number quintic(const double (&c)[6], const Number& z, const Number& zz) {
    return (c[0] + z * c[1]) + zz * ((c[2] + z * c[3]) + zz * (c[4] + z * c[5]));
}

template <class Number>
KEMPE_INLINE void sincos_of(const QuarterTurns<Number>& q, Number& sine, Number& cosine) {
    const Number z = q.r * q.r;
    const Number zz = z * z;
    const Number s = q.r + ((q.r * z) * quintic(sine_coefficients, z, zz) + q.tail);
    const Number half = 0.5 * z;
    const Number w = 1.0 - half;
    const Number fourth = zz * quintic(cosine_coefficients, z, zz) - q.r * q.tail;
    const Number c = w + (((1.0 - w) - half) + fourth);
    const auto quadrant = bits_of(q.shifted);
    const auto swap = -(quadrant & 1);  // all bits, or none
    const auto exchange = (bits_of(s) ^ bits_of(c)) & swap;
    sine = number_of((bits_of(s) ^ exchange) ^ ((quadrant & 2) << 62));
    cosine = number_of((bits_of(c) ^ exchange) ^ (((quadrant + 1) & 2) << 62));
}

inline void sincos(double x, double& sine, double& cosine) {
    if (!(std::abs(x) <= sincos_near)) {
        sine = std::sin(x);
        cosine = std::cos(x);
        return;
    }
    QuarterTurns<double> q;
    reduce(x, q);
    sincos_of(q, sine, cosine);
}

// The nearest integer, halves to even; the sign of zero is that of x.
inline double nearest_integer(double x) {
    constexpr double whole = 0x1p+52;  // from here on every double is an integer
    const double magnitude = std::abs(x);
    return magnitude < whole ? std::copysign((magnitude + whole) - whole, x) : x;
}

// The derivative of a table (see TableBlock) at x; x beyond the breaks uses the end pieces.
// A break belongs to the piece on its right.
double table_value(const double* block, double x, std::int32_t order) noexcept;

// The number of interior breaks at or below x: the piece that holds x.
std::size_t table_piece(const double* block, double x) noexcept;

// power (power - 1) ... (power - order + 1): the factor that `order` derivatives give u^power.
double falling_factorial(std::size_t power, std::size_t order) noexcept;

}  // namespace kempe

// The same functions for compiled code, which calls them by address.
extern "C" {
double kempe_sin(double x);
double kempe_cos(double x);
double kempe_tan(double x);
double kempe_asin(double x);
double kempe_acos(double x);
double kempe_atan2(double y, double x);
double kempe_exp(double x);
double kempe_log(double x);
double kempe_tanh(double x);
double kempe_pow(double x, double y);
double kempe_table(const double* block, double x, std::int32_t order);
}
