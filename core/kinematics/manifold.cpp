#include "kinematics/manifold.hpp"

#include <algorithm>
#include <cmath>

namespace kempe {

namespace {

// cos(s/2) and sin(s/2)/s, from x = s^2.
void half_angle(double x, double& c, double& k) {
    if (x < 0.25) {  // series in x/4, exact to rounding there
        const double y = 0.25 * x;
        c = 1.0 +
            y * (-1.0 / 2 +
                 y * (1.0 / 24 + y * (-1.0 / 720 + y * (1.0 / 40320 + y * (-1.0 / 3628800 + y * (1.0 / 479001600))))));
        k = 0.5 *
            (1.0 + y * (-1.0 / 6 +
                        y * (1.0 / 120 + y * (-1.0 / 5040 +
                                              y * (1.0 / 362880 + y * (-1.0 / 39916800 + y * (1.0 / 6227020800.0)))))));
        return;
    }
    const double s = std::sqrt(x);
    c = std::cos(0.5 * s);
    k = std::sin(0.5 * s) / s;
}

// (1 - (s/2) cot(s/2)) / s^2, from x = s^2.
double cotangent_part(double x) {
    if (x < 0.25) {
        return 1.0 / 12 +
               x * (1.0 / 720 +
                    x * (1.0 / 30240 + x * (1.0 / 1209600 + x * (1.0 / 47900160 + x * (691.0 / 1307674368000.0 +
                                                                                       x * (1.0 / 74724249600.0))))));
    }
    const double s = std::sqrt(x);
    return (1.0 - 0.5 * s * std::cos(0.5 * s) / std::sin(0.5 * s)) / x;
}

}  // namespace

void Manifold::move(const double* q, const double* u, double* out) const {
    if (plane) {
        for (std::size_t k = 0; k < 3 * bodies; ++k) out[k] = q[k] + u[k];
        return;
    }
    for (std::size_t b = 0; b < bodies; ++b, q += 7, u += 6, out += 7) {
        for (int k = 0; k < 3; ++k) out[k] = q[k] + u[k];
        double c, s;
        half_angle(u[3] * u[3] + u[4] * u[4] + u[5] * u[5], c, s);
        const double x = s * u[3], y = s * u[4], z = s * u[5];
        const double w = q[3], i = q[4], j = q[5], k = q[6];
        const double p0 = w * c - i * x - j * y - k * z;
        const double p1 = i * c + w * x + j * z - k * y;
        const double p2 = j * c + w * y + k * x - i * z;
        const double p3 = k * c + w * z + i * y - j * x;
        // the product of unit quaternions is one to rounding: one Newton step keeps it there
        const double fit = 1.5 - 0.5 * (p0 * p0 + p1 * p1 + p2 * p2 + p3 * p3);
        out[3] = fit * p0;
        out[4] = fit * p1;
        out[5] = fit * p2;
        out[6] = fit * p3;
    }
}

void Manifold::rate(const double* u, const double* v, double* out) const {
    if (plane) {
        std::copy(v, v + 3 * bodies, out);
        return;
    }
    for (std::size_t b = 0; b < bodies; ++b, u += 6, v += 6, out += 6) {
        for (int k = 0; k < 3; ++k) out[k] = v[k];
        const double x = u[3], y = u[4], z = u[5];
        const double wx = v[3], wy = v[4], wz = v[5];
        const double cx = y * wz - z * wy, cy = z * wx - x * wz, cz = x * wy - y * wx;
        const double f = cotangent_part(x * x + y * y + z * z);
        out[3] = wx + 0.5 * cx + f * (y * cz - z * cy);
        out[4] = wy + 0.5 * cy + f * (z * cx - x * cz);
        out[5] = wz + 0.5 * cz + f * (x * cy - y * cx);
    }
}

double Manifold::largest_turn(const double* u) const {
    double most = 0.0;
    for (std::size_t b = 0; !plane && b < bodies; ++b) {
        const double* w = u + 6 * b + 3;
        most = std::max(most, w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    }
    return std::sqrt(most);
}

}  // namespace kempe
