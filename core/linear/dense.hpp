// Small dense matrices: solving, rank, null space. Matrices are given row by row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kempe {

/// A row-major matrix that is looked at, not owned.
struct MatrixView {
    const double* data = nullptr;
    std::int32_t rows = 0;
    std::int32_t cols = 0;

    [[nodiscard]] double operator()(std::int32_t i, std::int32_t j) const {
        return data[static_cast<std::size_t>(i) * cols + j];
    }
};

/// The matrix with every row divided by its length; a zero row stays zero.
[[nodiscard]] std::vector<double> normalised_rows(MatrixView matrix);

/// +1 or -1, or 0 where a pivot falls to `tolerance` times the first one: by complete pivoting, slow
/// and safe, for matrices up to a few hundred rows.
///
/// Source: [GolubVanLoan] section 3.4.8.
[[nodiscard]] int determinant_sign(MatrixView square, double tolerance = 1e-13);

/// Columns whose rest is shorter than this times the longest given column count as dependent.
inline constexpr double rank_tolerance = 1e-10;

/// A P = Q R by Householder reflections, always taking the column with the longest rest.
///
/// Of columns that are equally long to 1e-6 the first is taken, so that rounding does not choose.
/// Source: [BusingerGolub]; norms are carried along and renewed as in [LAPACK] xGEQP3.
class PivotedQR {
  public:
    explicit PivotedQR(MatrixView matrix, double tolerance = rank_tolerance, bool transposed = false);

    [[nodiscard]] std::int32_t rows() const { return rows_; }
    [[nodiscard]] std::int32_t cols() const { return cols_; }
    [[nodiscard]] std::int32_t rank() const { return rank_; }
    /// Column k of A P is column order()[k] of A; the first rank() of them are independent.
    [[nodiscard]] const std::vector<std::int32_t>& order() const { return order_; }
    /// Length of what is left of column order()[k], k >= rank(), beside the first rank() columns.
    [[nodiscard]] double rest(std::int32_t k) const;
    /// Entry of R, j >= i, columns in order().
    [[nodiscard]] double r(std::int32_t i, std::int32_t j) const { return column(j)[i]; }
    /// x := Q x, x of length rows().
    void apply_q(double* x) const;
    /// R11 x = c and R11^T x = c for the leading rank() x rank() triangle, in place.
    void solve_r(double* c) const;
    void solve_r_transposed(double* c) const;

  private:
    [[nodiscard]] double* column(std::int32_t j) { return qr_.data() + static_cast<std::size_t>(j) * rows_; }
    [[nodiscard]] const double* column(std::int32_t j) const {
        return qr_.data() + static_cast<std::size_t>(j) * rows_;
    }
    void reflect(std::int32_t k, double* x) const;
    void swap_columns(std::int32_t j, std::int32_t k);

    std::int32_t rows_;
    std::int32_t cols_;
    std::int32_t rank_ = 0;
    std::vector<double> qr_;   // column by column: R above, reflectors below the diagonal
    std::vector<double> tau_;  // H_k = I - tau v v^T, v = (1, below)
    std::vector<std::int32_t> order_;
};

/// An orthonormal basis of {x : A x = 0}, one basis vector after the other.
///
/// Rows are normalised first, so the tolerance is the sine of the angle between a row and the
/// space of the rows before it.
[[nodiscard]] std::vector<double> null_space(MatrixView matrix, double tolerance = rank_tolerance);

/// Which rows of J say something new.
struct RowRank {
    std::vector<std::int32_t> independent;  // in the order they were taken
    std::vector<std::int32_t> dependent;    // ascending
    std::vector<double> rest;    // of each dependent row: what the others leave of it, over its length
    double largest_singular = 0.0;   // of the independent rows, each normalised to length 1 ...
    double smallest_singular = 0.0;  // ... an estimate, never below the true value
};

/// Pivoted QR of J^T with every row of J normalised to length 1; a zero row is dependent, rest 0.
///
/// A row is dependent where the independent ones leave less than `tolerance` of its length.
/// Own: the row set and what is left of each dropped row; singular values by inverse iteration.
[[nodiscard]] RowRank rank_revealing_rows(MatrixView jacobian, double tolerance = rank_tolerance);

}  // namespace kempe
