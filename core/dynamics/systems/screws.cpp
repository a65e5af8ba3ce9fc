#include "dynamics/systems/screws.hpp"

#include <cmath>

#include "kinematics/manifold.hpp"

namespace kempe {

namespace {

constexpr double small_square = 0.25;  // of an angle: series are exact to rounding up to here

// (1 - cos s) / s^2 and (s - sin s) / s^3, from x = s^2.
void arc(double x, double& a, double& b) {
    if (x < small_square) {
        a = 1.0 / 2 -
            x * (1.0 / 24 - x * (1.0 / 720 - x * (1.0 / 40320 - x * (1.0 / 3628800 - x * (1.0 / 479001600)))));
        b = 1.0 / 6 -
            x * (1.0 / 120 - x * (1.0 / 5040 - x * (1.0 / 362880 - x * (1.0 / 39916800 - x * (1.0 / 6227020800.0)))));
        return;
    }
    const double s = std::sqrt(x), half = std::sin(0.5 * s);
    a = 2.0 * half * half / x;
    b = (s - std::sin(s)) / (s * x);
}

// c2 and c4 of the rate, from x = s^2: 1 + c2 z^2 + c4 z^4 touches (z/2) coth(z/2) at z = i s.
void brackets(double x, double& c2, double& c4) {
    constexpr double b[] = {
        1.0 / 12, 1.0 / 720, 1.0 / 30240, 1.0 / 1209600, 1.0 / 47900160, 691.0 / 1307674368000.0, 1.0 / 74724249600.0};
    if (x < small_square) {
        c2 = b[0] - x * x * (b[2] + x * (2.0 * b[3] + x * (3.0 * b[4] + x * (4.0 * b[5] + x * 5.0 * b[6]))));
        c4 = -(b[1] + x * (2.0 * b[2] + x * (3.0 * b[3] + x * (4.0 * b[4] + x * (5.0 * b[5] + x * 6.0 * b[6])))));
        return;
    }
    const double s = std::sqrt(x), sine = std::sin(0.5 * s), cotangent = std::cos(0.5 * s) / sine;
    const double h = 0.5 * s * cotangent, slope = 0.5 * cotangent - 0.25 * s / (sine * sine);
    c4 = (1.0 - h + 0.5 * s * slope) / (x * x);
    c2 = -0.5 * slope / s + 2.0 * c4 * x;
}

// [u, x] = (u_w x x_v + u_v x x_w, u_w x x_w)
Twist bracket(const Twist& u, const Twist& x) {
    Twist out;
    double other[3];
    cross(u.w, x.v, out.v);
    cross(u.v, x.w, other);
    cross(u.w, x.w, out.w);
    for (int k = 0; k < 3; ++k) out.v[k] += other[k];
    return out;
}

}  // namespace

Turn Turn::of(bool plane, const double* q) {
    if (plane) {
        const double c = std::cos(q[2]), s = std::sin(q[2]);
        return {{{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}};
    }
    const double w = q[3], x = q[4], y = q[5], z = q[6];
    return {{{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)},
             {2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)},
             {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)}}};
}

void Turn::forth(double* x) const {
    const double given[3] = {x[0], x[1], x[2]};
    for (std::size_t k = 0; k < 3; ++k) x[k] = r[k][0] * given[0] + r[k][1] * given[1] + r[k][2] * given[2];
}

void Turn::back(double* x) const {
    const double given[3] = {x[0], x[1], x[2]};
    for (std::size_t k = 0; k < 3; ++k) x[k] = r[0][k] * given[0] + r[1][k] * given[1] + r[2][k] * given[2];
}

void Screws::move(const double* q, const double* u, double* out) const {
    const Manifold one{1, plane};
    const std::size_t linear = plane ? 2 : 3;
    for (std::size_t b = 0; b < bodies; ++b, q += each_q(), u += each(), out += each_q()) {
        const Twist by(plane, u);
        double first[3], second[3], a, c, way[6] = {};
        arc(by.w[0] * by.w[0] + by.w[1] * by.w[1] + by.w[2] * by.w[2], a, c);
        cross(by.w, by.v, first);
        cross(by.w, first, second);
        const Turn R = Turn::of(plane, q);
        for (std::size_t k = 0; k < linear; ++k)
            for (std::size_t j = 0; j < 3; ++j) way[k] += R.r[k][j] * (by.v[j] + a * first[j] + c * second[j]);
        if (plane) way[2] = by.w[2];
        else
            for (std::size_t k = 0; k < 3; ++k) way[3 + k] = by.w[k];
        one.move(q, way, out);
    }
}

void Screws::way(const double* q, const double* other, double* u) const {
    for (std::size_t b = 0; b < bodies; ++b, q += each_q(), other += each_q(), u += each()) {
        const Turn R = Turn::of(plane, q);
        Twist to;
        double p[3], first[3], second[3];
        for (std::size_t k = 0; k < 3; ++k) {
            p[k] = 0.0;
            for (std::size_t j = 0; j < (plane ? 2 : 3); ++j) p[k] += R.r[j][k] * (other[j] - q[j]);
        }
        if (plane) to.w[2] = other[2] - q[2];
        else {
            const double w = q[3] * other[3] + q[4] * other[4] + q[5] * other[5] + q[6] * other[6];
            double v[3];  // of conj(q) other
            cross(q + 4, other + 4, v);
            for (int k = 0; k < 3; ++k) v[k] = q[3] * other[4 + k] - other[3] * q[4 + k] - v[k];
            const double sine = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), sign = w < 0.0 ? -1.0 : 1.0;
            const double angle = 2.0 * std::atan2(sine, std::abs(w));
            for (int k = 0; k < 3; ++k) to.w[k] = sign * v[k] * (sine > 0.0 ? angle / sine : 2.0);
        }
        // V^-1 = 1 - [w]x / 2 + c [w]x^2, c = (1 - (s/2) cot(s/2)) / s^2
        const double x = to.w[0] * to.w[0] + to.w[1] * to.w[1] + to.w[2] * to.w[2], s = std::sqrt(x);
        const double c = x < 1e-4 ? 1.0 / 12 + x * (1.0 / 720 + x / 30240)
                                  : (1.0 - 0.5 * s * std::cos(0.5 * s) / std::sin(0.5 * s)) / x;
        cross(to.w, p, first);
        cross(to.w, first, second);
        for (int k = 0; k < 3; ++k) to.v[k] = p[k] - 0.5 * first[k] + c * second[k];
        to.put(plane, u);
    }
}

void Screws::rate(const double* u, const double* V, double* out) const {
    for (std::size_t b = 0; b < bodies; ++b, u += each(), V += each(), out += each()) {
        const Twist by(plane, u), now(plane, V);
        double c2, c4;
        brackets(by.w[0] * by.w[0] + by.w[1] * by.w[1] + by.w[2] * by.w[2], c2, c4);
        const Twist first = bracket(by, now), second = bracket(by, first);
        const Twist fourth = bracket(by, bracket(by, second));
        Twist sum;
        for (int k = 0; k < 3; ++k) {
            sum.v[k] = now.v[k] + 0.5 * first.v[k] + c2 * second.v[k] + c4 * fourth.v[k];
            sum.w[k] = now.w[k] + 0.5 * first.w[k] + c2 * second.w[k] + c4 * fourth.w[k];
        }
        sum.put(plane, out);
    }
}

void Screws::to_body(const double* q, const double* v, double* out) const {
    for (std::size_t b = 0; b < bodies; ++b, q += each_q(), v += each(), out += each()) {
        Twist made(plane, v);
        Turn::of(plane, q).back(made.v);
        made.put(plane, out);
    }
}

void Screws::to_world(const double* q, const double* v, double* out) const {
    for (std::size_t b = 0; b < bodies; ++b, q += each_q(), v += each(), out += each()) {
        Twist made(plane, v);
        Turn::of(plane, q).forth(made.v);
        made.put(plane, out);
    }
}

}  // namespace kempe
