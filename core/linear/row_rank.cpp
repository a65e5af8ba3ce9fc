#include <algorithm>
#include <cmath>
#include <numeric>

#include "linear/dense.hpp"

namespace kempe {
namespace {

using Index = std::int32_t;

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
