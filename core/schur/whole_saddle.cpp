#include "schur/whole_saddle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "linear/bytes.hpp"

namespace kempe {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double uneven = 1e4;  // ratio of masses, or of a body's moments, that counts as large
constexpr double least_independent = 1e-9;  // pivot of J J^T above which rows are independent
constexpr int most_refinements = 10;
constexpr double refined = 4.0 * std::numeric_limits<double>::epsilon();
// A pivot may be as small beside its row as the lightest body is beside the heaviest, and as a moment
// is beside the arms in its row, in whatever units: the less of the two counts.
constexpr double smallest_pivot = 1e-20, smallest_moment = 1e-5;

void invert_roots(std::vector<double>& sums) {
    for (auto& sum : sums) sum = sum > 0.0 ? 1.0 / std::sqrt(sum) : 1.0;
}

}  // namespace

void WholeSaddle::set_pattern(std::vector<std::int32_t> rows, std::vector<std::int32_t> columns, std::size_t velocities,
                              std::size_t solved) {
    entry_rows_ = std::move(rows);
    entry_columns_ = std::move(columns);
    velocities_ = velocities;
    solved_ = solved;
    has_pattern_ = true;
    assembled_ = false;
    geometry_.reset();
}

void WholeSaddle::set_mass(std::span<const SchurProgram::Body> bodies, const double* blocks) {
    mass_rows_.clear();
    mass_columns_.clear();
    mass_values_.clear();
    double heaviest = 0.0, lightest = infinity, thinnest = 1.0;
    for (const SchurProgram::Body& body : bodies) {
        const double* const block = blocks + body.mass;
        for (std::int32_t i = 0; i < body.size; ++i) {
            for (std::int32_t j = 0; j < body.size; ++j) {
                if (block[i * body.size + j] != 0.0) {
                    mass_rows_.push_back(body.first + i);
                    mass_columns_.push_back(body.first + j);
                    mass_values_.push_back(block[i * body.size + j]);
                }
            }
        }
        heaviest = std::max(heaviest, block[0]);
        lightest = std::min(lightest, block[0]);
        if (body.size == 6) {
            const auto [least, most] = std::minmax({block[21], block[28], block[35]});
            thinnest = most > 0.0 ? std::min(thinnest, least / most) : thinnest;
        }
    }
    is_uneven_ = heaviest > uneven * lightest || thinnest * uneven < 1.0;
    is_judged_ = false;
    assembled_ = false;
}

void WholeSaddle::change_mass(std::span<const SchurProgram::Body> bodies, const double* blocks) {
    std::size_t k = 0;
    for (const SchurProgram::Body& body : bodies)
        for (std::int32_t i = 0; i < body.size * body.size; ++i)
            if (const double entry = blocks[body.mass + i]; entry != 0.0) mass_values_.at(k++) = entry;
    if (assembled_) std::copy(mass_values_.begin(), mass_values_.end(), values_.begin());
}

template <class Act> void WholeSaddle::each_entry(const double* entries, Act act) const {
    for (std::size_t k = 0; k < entry_rows_.size(); ++k) {
        const auto row = static_cast<std::size_t>(entry_rows_[k]);
        if (row < solved_) act(row, static_cast<std::size_t>(entry_columns_[k]), entries[k]);
    }
}

/// The pattern of [M J^T; J 0], and the numbers of M.
void WholeSaddle::assemble() {
    rows_ = mass_rows_;
    columns_ = mass_columns_;
    values_ = mass_values_;
    const auto n = static_cast<std::int32_t>(velocities_);
    for (std::size_t k = 0; k < entry_rows_.size(); ++k) {
        if (static_cast<std::size_t>(entry_rows_[k]) < solved_) {
            rows_.insert(rows_.end(), {entry_columns_[k], n + entry_rows_[k]});
            columns_.insert(columns_.end(), {n + entry_rows_[k], entry_columns_[k]});
        }
    }
    values_.resize(rows_.size());
    for (auto* list : {&right_, &x_, &rest_, &size_}) list->resize(velocities_ + solved_);
    assembled_ = true;
    analyzed_ = false;
}

bool WholeSaddle::factor(const double* entries) {
    if (!assembled_) assemble();
    double* to = values_.data() + mass_values_.size();
    each_entry(entries, [&](std::size_t, std::size_t, double x) {
        *to++ = x;
        *to++ = x;
    });
    if (!analyzed_) {
        const auto size = static_cast<std::int32_t>(velocities_ + solved_);
        LuLimits limits;
        limits.vanished = std::min(smallest_pivot, smallest_moment * least_moment());
        limits.order.vanished = limits.vanished;
        lu_.analyze({size, rows_, columns_}, values_, 1, limits);
        analyzed_ = true;
    }
    if (!lu_.factor(values_.data())) lu_.refactor_with_new_order(values_.data());
    return lu_.is_solvable();
}

/// The least mass or moment of any velocity beside the largest entry of its row.
double WholeSaddle::least_moment() const {
    std::vector<double> largest(velocities_ + solved_, 0.0);
    for (std::size_t k = 0; k < values_.size(); ++k) {
        double& most = largest[static_cast<std::size_t>(rows_[k])];
        most = std::max(most, std::abs(values_[k]));
    }
    double least = 1.0;
    for (std::size_t k = 0; k < mass_values_.size(); ++k)
        if (mass_rows_[k] == mass_columns_[k])
            least = std::min(least, std::abs(mass_values_[k]) / largest[static_cast<std::size_t>(mass_rows_[k])]);
    return least;
}

/// [1 J^T; J 0] in the order of its unknowns, the velocities first: its last pivots are those of
/// -J J^T.
void WholeSaddle::arrange_geometry() {
    const auto n = static_cast<std::int32_t>(velocities_);
    const auto size = n + static_cast<std::int32_t>(solved_);
    std::vector<std::int32_t> rows, columns;
    for (std::int32_t k = 0; k < size; ++k) {
        rows.push_back(k);
        columns.push_back(k);
    }
    PivotOrder order;
    order.rows = rows;
    order.cols = columns;
    for (std::size_t k = 0; k < entry_rows_.size(); ++k) {
        if (static_cast<std::size_t>(entry_rows_[k]) < solved_) {
            rows.insert(rows.end(), {entry_columns_[k], n + entry_rows_[k]});
            columns.insert(columns.end(), {n + entry_rows_[k], entry_columns_[k]});
        }
    }
    geometry_values_.assign(rows.size(), 0.0);
    std::fill_n(geometry_values_.begin(), n, 1.0);
    geometry_.emplace();
    geometry_->analyze_in_order({size, rows, columns}, order);
}

bool WholeSaddle::is_independent(double geometric_pivot, double floor) const {
    return geometric_pivot > (is_uneven_ ? std::min(floor, least_independent) : floor);
}

double WholeSaddle::geometric_pivot(const double* entries) {
    if (!geometry_) arrange_geometry();
    column_scales_.assign(velocities_, 0.0);
    row_scales_.assign(solved_, 0.0);
    each_entry(entries, [&](std::size_t, std::size_t c, double x) { column_scales_[c] += x * x; });
    invert_roots(column_scales_);
    each_entry(entries, [&](std::size_t r, std::size_t c, double x) {
        row_scales_[r] += x * column_scales_[c] * (x * column_scales_[c]);
    });
    invert_roots(row_scales_);
    double* to = geometry_values_.data() + velocities_ + solved_;
    each_entry(entries, [&](std::size_t r, std::size_t c, double x) {
        const double scaled = x * column_scales_[c] * row_scales_[r];
        *to++ = scaled;
        *to++ = scaled;
    });
    geometry_->factor(geometry_values_.data());
    return geometry_->is_solvable() ? geometry_->smallest_pivot_ratio() : 0.0;
}

void WholeSaddle::solve(const double* f, const double* g, double* a, double* lam) {
    const auto middle = static_cast<std::ptrdiff_t>(velocities_);
    if (f == nullptr) std::fill_n(right_.begin(), velocities_, 0.0);
    else std::copy(f, f + velocities_, right_.begin());
    std::copy(g, g + solved_, right_.begin() + middle);
    lu_.solve(right_.data(), x_.data());
    refine();
    std::copy(x_.begin(), x_.begin() + middle, a);
    if (lam != nullptr) std::copy(x_.begin() + middle, x_.end(), lam);
}

/// Own: refinement in one precision, as long as it halves what is left of any equation beside the
/// sizes of its terms.
void WholeSaddle::refine() {
    const std::size_t n = right_.size();
    double before = infinity;
    for (int round = 0; round < most_refinements; ++round) {
        for (std::size_t k = 0; k < n; ++k) {
            rest_[k] = right_[k];
            size_[k] = std::abs(right_[k]);
        }
        for (std::size_t k = 0; k < values_.size(); ++k) {
            const auto row = static_cast<std::size_t>(rows_[k]);
            const double term = values_[k] * x_[static_cast<std::size_t>(columns_[k])];
            rest_[row] -= term;
            size_[row] += std::abs(term);
        }
        double error = 0.0;
        for (std::size_t k = 0; k < n; ++k)
            error = rest_[k] != 0.0 ? std::max(error, std::abs(rest_[k]) / size_[k]) : error;
        if (!(error > refined) || !(error < 0.5 * before)) return;
        before = error;
        lu_.solve(rest_.data(), rest_.data());
        for (std::size_t k = 0; k < n; ++k) x_[k] += rest_[k];
    }
}

void WholeSaddle::subtract_product(const double* v, double* g) const {
    const double* entry = values_.data() + mass_values_.size();  // every one twice
    for (std::size_t k = 0; k < entry_rows_.size(); ++k) {
        const auto row = static_cast<std::size_t>(entry_rows_[k]);
        if (row < solved_) {
            g[row] -= *entry * v[entry_columns_[k]];
            entry += 2;
        }
    }
}

std::size_t WholeSaddle::bytes() const {
    return bytes_of(entry_rows_, entry_columns_, mass_rows_, mass_columns_, mass_values_, rows_, columns_, values_,
                    right_, x_, rest_, size_, geometry_values_, column_scales_, row_scales_) +
           lu_.bytes() + (geometry_ ? geometry_->bytes() : 0);
}

}  // namespace kempe
