#include "linear/dense.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kempe {
namespace {

using Index = std::int32_t;

constexpr double as_long = 1.0 - 1e-6;  // lengths in this ratio count as equal

double norm(const double* x, Index count) {
    double scale = 0.0;
    for (Index k = 0; k < count; ++k) scale = std::max(scale, std::abs(x[k]));
    if (!(scale > 0.0)) return 0.0;
    double sum = 0.0;
    for (Index k = 0; k < count; ++k) sum += (x[k] / scale) * (x[k] / scale);
    return scale * std::sqrt(sum);
}

}  // namespace

std::vector<double> normalised_rows(MatrixView matrix) {
    std::vector<double> result(matrix.data, matrix.data + static_cast<std::size_t>(matrix.rows) * matrix.cols);
    for (Index i = 0; i < matrix.rows; ++i) {
        double* row = result.data() + static_cast<std::size_t>(i) * matrix.cols;
        const double length = norm(row, matrix.cols);
        for (Index j = 0; j < matrix.cols && length > 0.0; ++j) row[j] /= length;
    }
    return result;
}

int determinant_sign(MatrixView square, double tolerance) {
    const Index size = square.rows;
    std::vector<double> lu(square.data, square.data + static_cast<std::size_t>(size) * size);
    const auto at = [&](Index i, Index j) -> double& { return lu[static_cast<std::size_t>(i) * size + j]; };
    int sign = 1;
    double first = 0.0;
    for (Index k = 0; k < size; ++k) {
        Index row = k;
        Index col = k;
        double most = 0.0;
        for (Index i = k; i < size; ++i) {
            for (Index j = k; j < size; ++j) {
                if (std::abs(at(i, j)) > most) {
                    most = std::abs(at(i, j));
                    row = i;
                    col = j;
                }
            }
        }
        first = k == 0 ? most : first;
        if (!(most > tolerance * first)) return 0;
        if (row != k) {
            std::swap_ranges(&at(row, 0), &at(row, 0) + size, &at(k, 0));
            sign = -sign;
        }
        if (col != k) {
            for (Index i = 0; i < size; ++i) std::swap(at(i, col), at(i, k));
            sign = -sign;
        }
        sign = at(k, k) < 0.0 ? -sign : sign;
        for (Index i = k + 1; i < size; ++i) {
            const double factor = at(i, k) /= at(k, k);
            for (Index j = k + 1; j < size; ++j) at(i, j) -= factor * at(k, j);
        }
    }
    return sign;
}

PivotedQR::PivotedQR(MatrixView matrix, double tolerance, bool transposed)
    : rows_(transposed ? matrix.cols : matrix.rows), cols_(transposed ? matrix.rows : matrix.cols),
      qr_(static_cast<std::size_t>(rows_) * cols_), tau_(std::min(rows_, cols_), 0.0), order_(cols_) {
    for (Index j = 0; j < cols_; ++j)
        for (Index i = 0; i < rows_; ++i) column(j)[i] = transposed ? matrix(j, i) : matrix(i, j);
    std::iota(order_.begin(), order_.end(), 0);
    std::vector<double> length(cols_);  // of what is left of each column, carried along
    for (Index j = 0; j < cols_; ++j) length[j] = norm(column(j), rows_);
    std::vector<double> exact = length;  // when last worked out from the entries
    const double floor = tolerance * (cols_ == 0 ? 0.0 : *std::ranges::max_element(length));
    for (Index k = 0; k < static_cast<Index>(tau_.size()); ++k) {
        const double longest = *std::max_element(length.begin() + k, length.end());
        if (!(longest > floor)) return;
        const auto chosen =
            std::find_if(length.begin() + k, length.end(), [&](double l) { return l >= as_long * longest; });
        const auto j = static_cast<Index>(chosen - length.begin());
        swap_columns(j, k);
        std::swap(length[j], length[k]);
        std::swap(exact[j], exact[k]);
        double* v = column(k);
        const double size = norm(v + k, rows_ - k);
        if (!(size > floor)) return;
        const double beta = v[k] > 0.0 ? -size : size;
        tau_[k] = (beta - v[k]) / beta;
        for (Index i = k + 1; i < rows_; ++i) v[i] /= v[k] - beta;
        v[k] = beta;
        ++rank_;
        for (Index c = k + 1; c < cols_; ++c) {
            reflect(k, column(c));
            const double share = length[c] > 0.0 ? column(c)[k] / length[c] : 0.0;
            const double kept = std::max(0.0, (1.0 - share) * (1.0 + share));
            const double trust = length[c] / exact[c];
            length[c] *= std::sqrt(kept);
            if (!(kept * trust * trust > 1.5e-8))   // sqrt of the rounding unit: renew
                exact[c] = length[c] = norm(column(c) + k + 1, rows_ - k - 1);
        }
    }
}

void PivotedQR::swap_columns(Index j, Index k) {
    if (j != k) {
        std::swap_ranges(column(j), column(j) + rows_, column(k));
        std::swap(order_[j], order_[k]);
    }
}

/// x := H_k x
void PivotedQR::reflect(Index k, double* x) const {
    const double* v = column(k);
    double sum = x[k];
    for (Index i = k + 1; i < rows_; ++i) sum += v[i] * x[i];
    sum *= tau_[k];
    x[k] -= sum;
    for (Index i = k + 1; i < rows_; ++i) x[i] -= sum * v[i];
}

double PivotedQR::rest(Index k) const { return rank_ < rows_ ? norm(column(k) + rank_, rows_ - rank_) : 0.0; }

void PivotedQR::apply_q(double* x) const {
    for (Index k = rank_ - 1; k >= 0; --k) reflect(k, x);
}

void PivotedQR::solve_r(double* c) const {
    for (Index i = rank_ - 1; i >= 0; --i) {
        for (Index j = i + 1; j < rank_; ++j) c[i] -= r(i, j) * c[j];
        c[i] /= r(i, i);
    }
}

void PivotedQR::solve_r_transposed(double* c) const {
    for (Index i = 0; i < rank_; ++i) {
        for (Index j = 0; j < i; ++j) c[i] -= r(j, i) * c[j];
        c[i] /= r(i, i);
    }
}

std::vector<double> null_space(MatrixView matrix, double tolerance) {
    const std::vector<double> rows = normalised_rows(matrix);
    const PivotedQR qr({rows.data(), matrix.rows, matrix.cols}, tolerance, true);
    const Index nullity = matrix.cols - qr.rank();
    std::vector<double> basis(static_cast<std::size_t>(nullity) * matrix.cols, 0.0);
    for (Index k = 0; k < nullity; ++k) {
        double* x = basis.data() + static_cast<std::size_t>(k) * matrix.cols;
        x[qr.rank() + k] = 1.0;
        qr.apply_q(x);
    }
    return basis;
}

namespace {

constexpr int iterations = 6;  // of the power method; each squares the separation of the values

double norm(const std::vector<double>& x) { return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0)); }

/// Lengths change by the largest singular value of `map` (and its transpose) in the limit.
template <class Map> double largest_stretch(Index size, Map map) {
    std::vector<double> x(size);
    for (Index k = 0; k < size; ++k)
        x[k] = 1.0 + 0.5 * std::sin(1.0 + k);  // no symmetry that could hide the sought direction
    double stretch = 0.0;
    for (int k = 0; k < iterations; ++k) {
        const double before = norm(x);
        for (double& component : x) component /= before;
        stretch = std::max(stretch, map(x));
    }
    return stretch;
}

double largest_singular(const PivotedQR& qr) {
    const Index rank = qr.rank();
    return largest_stretch(rank, [&](std::vector<double>& x) {  // x := R11^T R11 x
        for (Index i = 0; i < rank; ++i) {
            double sum = 0.0;
            for (Index j = i; j < rank; ++j) sum += qr.r(i, j) * x[j];
            x[i] = sum;
        }
        const double stretch = norm(x);
        for (Index j = rank - 1; j >= 0; --j) {
            double sum = 0.0;
            for (Index i = 0; i <= j; ++i) sum += qr.r(i, j) * x[i];
            x[j] = sum;
        }
        return stretch;
    });
}

double smallest_singular(const PivotedQR& qr) {
    const double stretch = largest_stretch(qr.rank(), [&](std::vector<double>& x) {
        qr.solve_r_transposed(x.data());  // x := (R11^T R11)^-1 x
        const double halfway = norm(x);
        qr.solve_r(x.data());
        return halfway;
    });
    return 1.0 / stretch;
}

}  // namespace

RowRank rank_revealing_rows(MatrixView jacobian, double tolerance) {
    const std::vector<double> rows = normalised_rows(jacobian);
    const PivotedQR qr({rows.data(), jacobian.rows, jacobian.cols}, tolerance, true);
    RowRank result;
    result.independent.assign(qr.order().begin(), qr.order().begin() + qr.rank());
    std::vector<Index> left(jacobian.rows - qr.rank());
    std::iota(left.begin(), left.end(), qr.rank());
    std::ranges::sort(left, {}, [&](Index k) { return qr.order()[k]; });
    for (const Index k : left) {
        result.dependent.push_back(qr.order()[k]);
        result.rest.push_back(qr.rest(k));
    }
    if (qr.rank() > 0) {
        result.largest_singular = largest_singular(qr);
        result.smallest_singular = smallest_singular(qr);
    }
    return result;
}

}  // namespace kempe
