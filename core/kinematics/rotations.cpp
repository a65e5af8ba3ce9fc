#include "kinematics/rotations.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tape/functions.hpp"

namespace kempe {

namespace {

constexpr double pi = 3.14159265358979323846;
// Below this the sine of half the angle from the lock is rounding alone: the third angle is set to
// zero, which turns the result by twice as much at most.
constexpr double locked = 1e-15;
// Nearer to the lock than this, an angle by itself has lost half of its digits (1e-16 / 1e-8).
constexpr double near_lock = 1e-8;

double square_length(const double* q) noexcept { return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]; }

bool make_unit(const double* q, double* out) noexcept {
    const double square = square_length(q);
    if (square > 1e-200 && square < 1e200) [[likely]] {
        const double factor = 1.0 / std::sqrt(square);
        for (int k = 0; k < 4; ++k) out[k] = q[k] * factor;
        return true;
    }
    // The squares left the range of doubles, or there is a NaN, an infinity or nothing but zeros.
    const double largest = std::max({std::abs(q[0]), std::abs(q[1]), std::abs(q[2]), std::abs(q[3])});
    if (!(largest > 0.0 && std::isfinite(largest))) return false;
    for (int k = 0; k < 4; ++k) out[k] = q[k] / largest;
    const double length = std::sqrt(square_length(out));
    for (int k = 0; k < 4; ++k) out[k] /= length;
    return std::isfinite(length);
}

// Source: [Shepperd]; the largest of the four squares is taken, so nothing is lost.
void shepperd(const double* m, double* q) noexcept {
    const double x = m[0], y = m[4], z = m[8], trace = x + y + z;
    if (trace >= x && trace >= y && trace >= z) {
        q[0] = 1.0 + trace;
        q[1] = m[7] - m[5];
        q[2] = m[2] - m[6];
        q[3] = m[3] - m[1];
    } else if (x >= y && x >= z) {
        q[0] = m[7] - m[5];
        q[1] = 1.0 + x - y - z;
        q[2] = m[3] + m[1];
        q[3] = m[6] + m[2];
    } else if (y >= z) {
        q[0] = m[2] - m[6];
        q[1] = m[3] + m[1];
        q[2] = 1.0 + y - z - x;
        q[3] = m[7] + m[5];
    } else {
        q[0] = m[3] - m[1];
        q[1] = m[6] + m[2];
        q[2] = m[7] + m[5];
        q[3] = 1.0 + z - x - y;
    }
    const double length = std::sqrt(square_length(q));
    const double factor = q[0] < 0.0 ? -1.0 / length : 1.0 / length;
    for (int k = 0; k < 4; ++k) q[k] *= factor;
}

// Whether the columns are orthonormal to the tolerance and right-handed; false for NaN.
bool is_rotation(const double* m, double tolerance) noexcept {
    const auto dot = [m](int a, int b) { return m[a] * m[b] + m[a + 3] * m[b + 3] + m[a + 6] * m[b + 6]; };
    const double off = std::max({std::abs(dot(0, 0) - 1.0), std::abs(dot(1, 1) - 1.0), std::abs(dot(2, 2) - 1.0),
                                 std::abs(dot(0, 1)), std::abs(dot(0, 2)), std::abs(dot(1, 2))});
    const double determinant =
        m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
    return off <= tolerance && determinant > 0.0;
}

void matrix_of(const double* q, double* m) noexcept {
    const double w = q[0], a = q[1], b = q[2], c = q[3];
    const double a2 = 2.0 * a, b2 = 2.0 * b, c2 = 2.0 * c;
    const double aa = a * a2, bb = b * b2, cc = c * c2;
    const double ab = a * b2, ac = a * c2, bc = b * c2;
    const double wa = w * a2, wb = w * b2, wc = w * c2;
    m[0] = 1.0 - (bb + cc);
    m[1] = ab - wc;
    m[2] = ac + wb;
    m[3] = ab + wc;
    m[4] = 1.0 - (aa + cc);
    m[5] = bc - wa;
    m[6] = ac - wb;
    m[7] = bc + wa;
    m[8] = 1.0 - (aa + bb);
}

// q (cos + sin e_axis): one more turn about one of the moving axes.
void turn_about(int axis, double angle, double* q) noexcept {
    double s, c;
    sincos(0.5 * angle, s, c);
    const int k = 1 + axis, i = 1 + (axis + 1) % 3, j = 1 + (axis + 2) % 3;
    const double w = q[0], u = q[k], ui = q[i], uj = q[j];
    q[0] = c * w - s * u;
    q[k] = c * u + s * w;
    q[i] = c * ui + s * uj;
    q[j] = c * uj - s * ui;
}

double wrapped(double angle) noexcept {
    if (angle > pi) return angle - 2.0 * pi;
    return angle < -pi ? angle + 2.0 * pi : angle;
}

template <class Fill>
Row each(std::size_t rows, Fill fill) noexcept {
    for (std::size_t k = 0; k < rows; ++k)
        if (!fill(k)) [[unlikely]]
            return static_cast<Row>(k);
    return all_rows;
}

}  // namespace

Row unit_quaternions(const double* q, std::size_t rows, double* out) noexcept {
    return each(rows, [=](std::size_t k) { return make_unit(q + 4 * k, out + 4 * k); });
}

Row quaternions_of_matrices(const double* m, std::size_t rows, double tolerance, double* q) noexcept {
    return each(rows, [=](std::size_t k) {
        if (!is_rotation(m + 9 * k, tolerance)) return false;
        shepperd(m + 9 * k, q + 4 * k);
        return true;
    });
}

// q = (cos(t/2), v sin(t/2) / t),  t = |v|
Row quaternions_of_vectors(const double* v, std::size_t rows, double* q) noexcept {
    return each(rows, [=](std::size_t k) {
        const double* const u = v + 3 * k;
        double* const r = q + 4 * k;
        const double half = 0.5 * std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        double s, c;
        sincos(half, s, c);
        const double factor = half > 0.0 ? 0.5 * (s / half) : 0.5;
        r[0] = c;
        for (int i = 0; i < 3; ++i) r[1 + i] = factor * u[i];
        return std::isfinite(half);
    });
}

Row quaternions_of_axis_angles(const double* a, std::size_t rows, double* q) noexcept {
    return each(rows, [=](std::size_t k) {
        const double* const x = a + 4 * k;
        double* const r = q + 4 * k;
        double s, c;
        sincos(0.5 * x[3], s, c);
        const double length = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        r[0] = c;
        for (int i = 0; i < 3; ++i) r[1 + i] = s * (x[i] / length);
        return length > 0.0 && std::isfinite(length) && std::isfinite(x[3]);
    });
}

// q = (1 - s.s, 2 s) / (1 + s.s)
Row quaternions_of_rodrigues(const double* s, std::size_t rows, double* q) noexcept {
    return each(rows, [=](std::size_t k) {
        const double* const x = s + 3 * k;
        double* const r = q + 4 * k;
        const double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        const double factor = 2.0 / (1.0 + square);
        r[0] = (1.0 - square) / (1.0 + square);
        for (int i = 0; i < 3; ++i) r[1 + i] = factor * x[i];
        return std::isfinite(square);
    });
}

// Gram and Schmidt on two columns; the third is their vector product.
Row quaternions_of_six(const double* x, std::size_t rows, double* q) noexcept {
    return each(rows, [=](std::size_t k) {
        const double* const a = x + 6 * k;
        const double* const b = a + 3;
        const double la = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        const double lb = std::sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
        double m[9], along = 0.0, square = 0.0;
        for (int i = 0; i < 3; ++i) m[3 * i] = a[i] / la;
        for (int i = 0; i < 3; ++i) along += m[3 * i] * b[i];
        for (int i = 0; i < 3; ++i) m[3 * i + 1] = b[i] - along * m[3 * i];
        for (int i = 0; i < 3; ++i) square += m[3 * i + 1] * m[3 * i + 1];
        const double ly = std::sqrt(square);
        for (int i = 0; i < 3; ++i) m[3 * i + 1] /= ly;
        m[2] = m[3] * m[7] - m[6] * m[4];
        m[5] = m[6] * m[1] - m[0] * m[7];
        m[8] = m[0] * m[4] - m[3] * m[1];
        shepperd(m, q + 4 * k);
        return la > 0.0 && std::isfinite(la) && std::isfinite(lb) && ly > 1e-12 * lb;
    });
}

Row quaternions_of_euler(const EulerSequence& sequence, const double* angles, std::size_t rows, double* q) noexcept {
    int axes[3], order[3] = {0, 1, 2};
    if (sequence.extrinsic) std::swap(order[0], order[2]);
    for (int i = 0; i < 3; ++i) axes[i] = sequence.axes[order[i]];
    return each(rows, [&](std::size_t k) {
        const double* const a = angles + 3 * k;
        double* const r = q + 4 * k;
        double s;
        sincos(0.5 * a[order[0]], s, r[0]);
        r[1] = r[2] = r[3] = 0.0;
        r[1 + axes[0]] = s;
        turn_about(axes[1], a[order[1]], r);
        turn_about(axes[2], a[order[2]], r);
        return std::isfinite(a[0] + a[1] + a[2]);
    });
}

void matrices_of_quaternions(const double* q, std::size_t rows, double* m) noexcept {
    for (std::size_t k = 0; k < rows; ++k) matrix_of(q + 4 * k, m + 9 * k);
}

// v = u t / |u|,  t = 2 atan2(|u|, w) with w not negative: the shorter way
void vectors_of_quaternions(const double* q, std::size_t rows, double* v) noexcept {
    for (std::size_t k = 0; k < rows; ++k) {
        const double* const x = q + 4 * k;
        const double sine = std::sqrt(x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
        const double size = sine > 0.0 ? 2.0 * (std::atan2(sine, std::abs(x[0])) / sine) : 2.0;
        const double factor = x[0] < 0.0 ? -size : size;
        for (int i = 0; i < 3; ++i) v[3 * k + static_cast<std::size_t>(i)] = factor * x[1 + i];
    }
}

void axis_angles_of_quaternions(const double* q, std::size_t rows, double* a) noexcept {
    for (std::size_t k = 0; k < rows; ++k) {
        const double* const x = q + 4 * k;
        double* const r = a + 4 * k;
        const double sine = std::sqrt(x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
        const double factor = (x[0] < 0.0 ? -1.0 : 1.0) / sine;
        const bool still = !(sine > 0.0);
        for (int i = 0; i < 3; ++i) r[i] = still ? (i == 2 ? 1.0 : 0.0) : factor * x[1 + i];
        r[3] = 2.0 * std::atan2(sine, std::abs(x[0]));
    }
}

// s = u / (1 + w), w not negative: |s| <= 1
void rodrigues_of_quaternions(const double* q, std::size_t rows, double* s) noexcept {
    for (std::size_t k = 0; k < rows; ++k) {
        const double* const x = q + 4 * k;
        const double factor = (x[0] < 0.0 ? -1.0 : 1.0) / (1.0 + std::abs(x[0]));
        for (int i = 0; i < 3; ++i) s[3 * k + static_cast<std::size_t>(i)] = factor * x[1 + i];
    }
}

void six_of_quaternions(const double* q, std::size_t rows, double* x) noexcept {
    for (std::size_t k = 0; k < rows; ++k) {
        double m[9];
        matrix_of(q + 4 * k, m);
        for (int i = 0; i < 3; ++i) {
            x[6 * k + static_cast<std::size_t>(i)] = m[3 * i];
            x[6 * k + 3 + static_cast<std::size_t>(i)] = m[3 * i + 1];
        }
    }
}

// Source: [Bernardes2022], written for fixed axes; moving axes are the fixed ones in reverse order.
// Deviation: the third listed angle is the one that is set to zero at the lock.
std::size_t euler_of_quaternions(const EulerSequence& sequence, const double* q, std::size_t rows,
                                 double* angles) noexcept {
    const int first = sequence.extrinsic ? 0 : 2, third = 2 - first;
    const int i = sequence.axes[first], j = sequence.axes[1], last = sequence.axes[third];
    const bool proper = i == last;
    const int k = 3 - i - j;
    const double sign = (i - j) * (j - k) * (k - i) / 2;
    std::size_t near = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        const double* const x = q + 4 * row;
        double* const r = angles + 3 * row;
        double a = x[0], b = x[1 + i], c = x[1 + j], d = sign * x[1 + k];
        if (!proper) {
            const double w = a, u = b, v = c, z = d;
            a = w - v;
            b = u + z;
            c = v + w;
            d = z - u;
        }
        const double flat = std::sqrt(c * c + d * d), upright = std::sqrt(a * a + b * b);
        double sum = std::atan2(b, a), difference = std::atan2(d, c);
        near += flat < near_lock || upright < near_lock;
        // Listed third: 2 is `third` of fixed axes (sum + difference), `first` of moving ones.
        const double towards = sequence.extrinsic ? -1.0 : 1.0;
        if (flat < locked) difference = towards * sum;
        if (upright < locked) sum = towards * difference;
        r[1] = 2.0 * std::atan2(flat, upright) - (proper ? 0.0 : 0.5 * pi);
        r[first] = wrapped(sum - difference);
        r[third] = wrapped(proper ? sum + difference : sign * (sum + difference));
    }
    return near;
}

void quaternion_products(const double* p, const double* q, std::size_t rows, double* out) noexcept {
    for (std::size_t k = 0; k < 4 * rows; k += 4) {
        const double a = p[k], b = p[k + 1], c = p[k + 2], d = p[k + 3];
        const double w = q[k], x = q[k + 1], y = q[k + 2], z = q[k + 3];
        out[k] = a * w - b * x - c * y - d * z;
        out[k + 1] = a * x + b * w + c * z - d * y;
        out[k + 2] = a * y - b * z + c * w + d * x;
        out[k + 3] = a * z + b * y - c * x + d * w;
    }
}

// v + 2 w (u x v) + 2 u x (u x v)
void turned_vectors(const double* q, const double* v, std::size_t rows, double* out) noexcept {
    for (std::size_t k = 0; k < rows; ++k) {
        const double w = q[4 * k], a = q[4 * k + 1], b = q[4 * k + 2], c = q[4 * k + 3];
        const double x = v[3 * k], y = v[3 * k + 1], z = v[3 * k + 2];
        const double p = 2.0 * (b * z - c * y), r = 2.0 * (c * x - a * z), s = 2.0 * (a * y - b * x);
        out[3 * k] = x + w * p + (b * s - c * r);
        out[3 * k + 1] = y + w * r + (c * p - a * s);
        out[3 * k + 2] = z + w * s + (a * r - b * p);
    }
}

// sin((1 - t) h) / sin h a + sin(t h) / sin h b,  h the angle between a and b in four dimensions
void slerps(const double* a, const double* b, const double* t, std::size_t rows, double* out) noexcept {
    for (std::size_t k = 0; k < rows; ++k) {
        const double* const p = a + 4 * k;
        const double* const q = b + 4 * k;
        double less = 0.0, more = 0.0;
        for (int i = 0; i < 4; ++i) {
            less += (p[i] - q[i]) * (p[i] - q[i]);
            more += (p[i] + q[i]) * (p[i] + q[i]);
        }
        const double h = 2.0 * std::atan2(std::sqrt(less), std::sqrt(more));
        double whole, from, to, unused;
        sincos(h, whole, unused);
        sincos((1.0 - t[k]) * h, from, unused);
        sincos(t[k] * h, to, unused);
        const bool far = h > 1e-9;  // below, chord and arc agree to the last digit
        const double alpha = far ? from / whole : 1.0 - t[k], beta = far ? to / whole : t[k];
        for (int i = 0; i < 4; ++i) out[4 * k + static_cast<std::size_t>(i)] = alpha * p[i] + beta * q[i];
    }
}

}  // namespace kempe
