#include <algorithm>
#include <cmath>

#include "boxes/proof/chart.hpp"

// Numbers only: nothing here is proved, and nothing that is proved relies on it.

namespace kempe::boxes {

namespace {

constexpr double converged = 2e-8;
// Squares on the diagonal of a normal matrix, over its largest entry: below this rows may be dependent.
constexpr double dependent = 1e-6;

// Solves A x = b in place by Gaussian elimination with row exchanges; A is m x m, row after row.
bool solve(std::vector<double>& A, double* b, std::size_t m) {
    for (std::size_t c = 0; c < m; ++c) {
        std::size_t p = c;
        for (std::size_t i = c + 1; i < m; ++i)
            if (std::abs(A[i * m + c]) > std::abs(A[p * m + c])) p = i;
        if (!(std::abs(A[p * m + c]) > 1e-14)) return false;
        if (p != c) {
            std::swap_ranges(A.begin() + static_cast<std::ptrdiff_t>(p * m),
                             A.begin() + static_cast<std::ptrdiff_t>(p * m + m),
                             A.begin() + static_cast<std::ptrdiff_t>(c * m));
            std::swap(b[p], b[c]);
        }
        for (std::size_t i = c + 1; i < m; ++i) {
            const double f = A[i * m + c] / A[c * m + c];
            if (f == 0.0) continue;
            for (std::size_t j = c + 1; j < m; ++j) A[i * m + j] -= f * A[c * m + j];
            b[i] -= f * b[c];
        }
    }
    for (std::size_t i = m; i-- > 0;) {
        double s = b[i];
        for (std::size_t j = i + 1; j < m; ++j) s -= A[i * m + j] * b[j];
        b[i] = s / A[i * m + i];
    }
    return true;
}

}  // namespace

// J at the point of the last numbers, in work_.
void Bench::take_gradients() {
    std::fill_n(work_.data(), m_ * n_, 0.0);
    for (std::size_t i = 0; i < m_; ++i) {
        const auto support = rows.support(i);
        const double* g = rows.number_gradient(i);
        for (std::size_t e = 0; e < support.size(); ++e) work_[i * n_ + support[e]] = g[e];
    }
}

// L L^T = J J^T + damping, J at the point of the last numbers; L in square_, J in work_. The least
// square on the diagonal over the largest entry of J J^T.
double Bench::take_normal_matrix(double damping) {
    std::vector<double>& L = square_;
    take_gradients();
    const double* const J = work_.data();
    double largest = 0.0, least = infinity;
    for (std::size_t i = 0; i < m_; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double s = 0.0;
            for (std::size_t q = 0; q < n_; ++q) s += J[i * n_ + q] * J[j * n_ + q];
            L[i * m_ + j] = s;
            if (i == j) largest = std::max(largest, s);
        }
    for (std::size_t i = 0; i < m_; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double s = L[i * m_ + j];
            for (std::size_t q = 0; q < j; ++q) s -= L[i * m_ + q] * L[j * m_ + q];
            if (i == j) {
                s += damping * largest;
                if (!(s > 1e-16 * largest)) return 0.0;
                least = std::min(least, s);
                L[i * m_ + i] = std::sqrt(s);
            } else {
                L[i * m_ + j] = s / L[j * m_ + j];
            }
        }
    return m_ == 0 ? 1.0 : least / largest;
}

void Bench::solve_triangles(std::vector<double>& y) const {
    const std::vector<double>& L = square_;
    for (std::size_t i = 0; i < m_; ++i) {
        for (std::size_t q = 0; q < i; ++q) y[i] -= L[i * m_ + q] * y[q];
        y[i] /= L[i * m_ + i];
    }
    for (std::size_t i = m_; i-- > 0;) {
        for (std::size_t q = i + 1; q < m_; ++q) y[i] -= L[q * m_ + i] * y[q];
        y[i] /= L[i * m_ + i];
    }
}

// The step of least length d with J d = F, J at the last numbers and F in `step_`: d = J^T (J J^T)^-1 F.
bool Bench::shortest_step(double* d) {
    const double least = take_normal_matrix(0.0);
    met_dependence_ = least < dependent;
    if (!(least > 1e-16)) return false;
    solve_triangles(step_);
    const double* const J = work_.data();
    for (std::size_t j = 0; j < n_; ++j) {
        d[j] = 0.0;
        for (std::size_t i = 0; i < m_; ++i) d[j] += J[i * n_ + j] * step_[i];
    }
    return true;
}

// The step d with J d = F where there are as many rows as unknowns.
bool Bench::only_step(double* d) {
    take_gradients();
    met_dependence_ = true;
    if (!solve(work_, step_.data(), m_)) return false;
    double least = infinity, largest = 0.0;
    for (std::size_t i = 0; i < m_; ++i) {
        const double pivot = work_[i * m_ + i] * work_[i * m_ + i];
        least = std::min(least, pivot);
        largest = std::max(largest, pivot);
    }
    met_dependence_ = least < dependent * largest;
    std::copy_n(step_.begin(), n_, d);
    return true;
}

bool Bench::approach(Point& x, int steps, double reach) {
    Point& start = from_;
    Point& d = move_;
    start = x;
    met_dependence_ = false;
    for (int step = 0; step < steps; ++step) {
        rows.numbers(x.data());
        double size = 0.0;
        for (std::size_t i = 0; i < m_; ++i) {
            step_[i] = rows.number(i);
            size += step_[i] * step_[i];
        }
        if (!(size < 1e30)) return false;
        if (!(problem.k == 0 ? only_step(d.data()) : shortest_step(d.data()))) return false;
        double moved = 0.0, away = 0.0;
        for (std::size_t j = 0; j < n_; ++j) {
            x[j] -= d[j];
            moved += d[j] * d[j];
            away += (x[j] - start[j]) * (x[j] - start[j]);
        }
        moved = std::sqrt(moved);
        if (!(std::sqrt(away) <= reach)) return false;
        if (moved < converged) return true;  // the next step would be of the size of its square
    }
    return false;
}

bool Bench::place(Chart& chart, const Point& p, const double* along) {
    rows.numbers(p.data());
    chart.p = p;
    chart.A.assign(n_ * n_, 0.0);
    chart.C.assign(m_ * m_, 0.0);
    std::vector<double>& R = work_;  // J^T, n x m, column after column; then the triangle
    std::fill_n(R.begin(), n_ * m_, 0.0);
    for (std::size_t i = 0; i < m_; ++i) {
        const auto support = rows.support(i);
        const double* g = rows.number_gradient(i);
        for (std::size_t e = 0; e < support.size(); ++e) R[i * n_ + support[e]] = g[e];
    }
    std::vector<double>& A = chart.A;
    for (std::size_t j = 0; j < n_; ++j) A[j * n_ + j] = 1.0;
    double* const v = step_.data();
    double least = infinity, most = 0.0;
    bool turned = false;  // det [J^T | T] < 0: every reflection changes its sign, every a < 0 as well
    for (std::size_t c = 0; c < m_; ++c) {  // Householder
        double s = 0.0;
        for (std::size_t i = c; i < n_; ++i) s += R[c * n_ + i] * R[c * n_ + i];
        s = std::sqrt(s);
        if (!(s > 1e-14 && s < infinity)) return false;
        const double a = R[c * n_ + c] > 0.0 ? -s : s;
        if (a > 0.0) turned = !turned;
        double vv = 0.0;
        for (std::size_t i = c; i < n_; ++i) v[i] = R[c * n_ + i];
        v[c] -= a;
        for (std::size_t i = c; i < n_; ++i) vv += v[i] * v[i];
        for (std::size_t j = c; j < m_; ++j) {
            double d = 0.0;
            for (std::size_t i = c; i < n_; ++i) d += v[i] * R[j * n_ + i];
            d *= 2.0 / vv;
            for (std::size_t i = c; i < n_; ++i) R[j * n_ + i] -= d * v[i];
        }
        for (std::size_t r = 0; r < n_; ++r) {  // A <- A H, A stored by columns
            double d = 0.0;
            for (std::size_t i = c; i < n_; ++i) d += v[i] * A[i * n_ + r];
            d *= 2.0 / vv;
            for (std::size_t i = c; i < n_; ++i) A[i * n_ + r] -= d * v[i];
        }
        least = std::min(least, s);
        most = std::max(most, s);
    }
    if (!(least > 1e-12 * most)) return false;
    // J N = R^T, lower triangular: C is its inverse.
    for (std::size_t j = 0; j < m_; ++j)
        for (std::size_t i = j; i < m_; ++i) {
            double s = i == j ? 1.0 : 0.0;
            for (std::size_t q = j; q < i; ++q) s -= R[i * n_ + q] * chart.C[q * m_ + j];
            chart.C[i * m_ + j] = s / R[i * n_ + i];
            if (!(std::abs(chart.C[i * m_ + j]) <= largest_factor)) return false;
        }
    if (problem.k == 1 && along != nullptr) {
        double d = 0.0;
        for (std::size_t i = 0; i < n_; ++i) d += A[m_ * n_ + i] * along[i];
        if (d < 0.0)
            for (std::size_t i = 0; i < n_; ++i) A[m_ * n_ + i] = -A[m_ * n_ + i];
    }
    if (problem.k == 2 && turned)  // so all charts of a surface are oriented alike
        for (std::size_t i = 0; i < n_; ++i) A[(n_ - 1) * n_ + i] = -A[(n_ - 1) * n_ + i];
    chart.skew = skew(chart);
    if (!(chart.skew < 1e-6)) return false;
    if (problem.quadratics) form_.take(*problem.quadratics, chart);
    return true;
}

void Bench::point_of(const Chart& chart, const double* s, const std::vector<double>& y, Point& x) const {
    for (std::size_t i = 0; i < n_; ++i) x[i] = chart.p[i];
    for (std::size_t j = m_; j < n_; ++j)
        for (std::size_t i = 0; i < n_; ++i) x[i] += chart.A[j * n_ + i] * s[j - m_];
    for (std::size_t j = 0; j < m_; ++j)
        for (std::size_t i = 0; i < n_; ++i) x[i] += chart.A[j * n_ + i] * y[j];
}

// J N at the point of the last numbers, m x m, row after row.
void Bench::take_normals(const Chart& chart, std::vector<double>& JN) const {
    for (std::size_t i = 0; i < m_; ++i) {
        const auto support = rows.support(i);
        const double* const g = rows.number_gradient(i);
        for (std::size_t j = 0; j < m_; ++j) {
            double sum = 0.0;
            for (std::size_t e = 0; e < support.size(); ++e) sum += g[e] * chart.A[j * n_ + support[e]];
            JN[i * m_ + j] = sum;
        }
    }
}

bool Bench::take_inverse(Chart& chart, const Point& x) {
    rows.numbers(x.data());
    std::vector<double> JN(m_ * m_), column(m_);
    chart.C.assign(m_ * m_, 0.0);
    for (std::size_t j = 0; j < m_; ++j) {
        take_normals(chart, JN);
        std::fill(column.begin(), column.end(), 0.0);
        column[j] = 1.0;
        if (!solve(JN, column.data(), m_)) return false;
        for (std::size_t i = 0; i < m_; ++i) chart.C[i * m_ + j] = column[i];
    }
    return true;
}

bool Bench::locate(const Chart& chart, const double* s, std::vector<double>& y, Point& x) {
    std::vector<double>& JN = square_;
    double* const f = step_.data();
    for (int step = 0; step < 20; ++step) {
        point_of(chart, s, y, x);
        rows.numbers(x.data());
        take_normals(chart, JN);
        for (std::size_t i = 0; i < m_; ++i) f[i] = rows.number(i);
        if (!solve(JN, f, m_)) return false;
        double moved = 0.0;
        for (std::size_t i = 0; i < m_; ++i) {
            y[i] -= f[i];
            moved = std::max(moved, std::abs(f[i]));
        }
        if (!(moved < 1e6)) return false;
        if (moved < converged) {  // the step after this one would be of the size of its square
            point_of(chart, s, y, x);
            return true;
        }
    }
    return false;
}

bool Bench::tangent(const Chart& chart, const Point& x, Point& t) {
    rows.numbers(x.data());
    std::vector<double>& JN = square_;
    double* const f = step_.data();
    const double* const T = chart.column(m_);
    for (std::size_t i = 0; i < m_; ++i) {
        const auto support = rows.support(i);
        const double* g = rows.number_gradient(i);
        f[i] = 0.0;
        for (std::size_t e = 0; e < support.size(); ++e) f[i] -= g[e] * T[support[e]];
    }
    take_normals(chart, JN);
    if (!solve(JN, f, m_)) return false;
    double size = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
        t[i] = T[i];
        for (std::size_t j = 0; j < m_; ++j) t[i] += chart.A[j * n_ + i] * f[j];
        size += t[i] * t[i];
    }
    for (double& entry : t) entry /= std::sqrt(size);
    return size < infinity;
}

bool Bench::is_on_its_side(const Point& x) {
    rows.numbers_alone(x.data());
    for (std::size_t r = 0; r < problem.n_sides; ++r)
        if (rows.number(m_ + problem.n_redundant + r) < 0.0) return false;
    return true;
}

}  // namespace kempe::boxes
