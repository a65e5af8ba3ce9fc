#include "saddle_blocks.hpp"

#include "bytes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace kempe {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double uneven = 1e4;  // ratio of masses, or of a body's moments, that counts as large
constexpr double least_independent = 1e-9;  // pivot of J J^T above which rows are independent
constexpr int most_refinements = 10;
constexpr double refined = 4.0 * std::numeric_limits<double>::epsilon();

}  // namespace

SaddleBlocks::SaddleBlocks(const SaddleLayout& layout, SaddleEntries entries, std::size_t solved)
    : solver_(layout),
      entries_(std::move(entries)),
      solved_(solved),
      values_(entries_.rows.size()),
      blocks_(static_cast<std::size_t>(solver_.program().jacobian_values) + SchurLDLT::spill),
      lam_(static_cast<std::size_t>(solver_.program().rows)),
      zero_(static_cast<std::size_t>(solver_.program().velocities), 0.0) {
    const auto inside = [](const std::vector<std::int32_t>& list, std::size_t size) {
        return std::all_of(list.begin(), list.end(), [size](std::int32_t x) {
            return x >= 0 && static_cast<std::size_t>(x) < size;
        });
    };
    if (entries_.columns.size() != entries_.rows.size() ||
        entries_.places.size() != entries_.rows.size() || !inside(entries_.rows, lam_.size()) ||
        !inside(entries_.columns, zero_.size()) || !inside(entries_.places, blocks_.size())) {
        throw std::invalid_argument("an entry of the Jacobian lies outside its blocks");
    }
}

std::size_t SaddleBlocks::bytes() const {
    return solver_.bytes() + bytes_of(entries_.rows, entries_.columns, entries_.places) +
           bytes_of(values_, blocks_, lam_, zero_, whole_values_, whole_right_, mass_) +
           bytes_of(whole_rows_, whole_columns_, whole_x_, whole_rest_, whole_size_,
                    geometry_values_, column_scales_, row_scales_);
}

void SaddleBlocks::set_mass(const double* blocks) {
    const auto& bodies = solver_.program().bodies;
    is_massless_ = !solver_.set_mass(blocks);
    by_whole_ = is_massless_;
    whole_.reset();
    double heaviest = 0.0, lightest = infinity, thinnest = 1.0;
    mass_.clear();
    for (const SchurProgram::Body& body : bodies) {
        const double* const block = blocks + body.mass;
        mass_.insert(mass_.end(), block, block + body.size * body.size);
        heaviest = std::max(heaviest, block[0]);
        lightest = std::min(lightest, block[0]);
        if (body.size == 6) {
            const auto [least, most] = std::minmax({block[21], block[28], block[35]});
            thinnest = most > 0.0 ? std::min(thinnest, least / most) : thinnest;
        }
    }
    is_uneven_ = heaviest > uneven * lightest || thinnest * uneven < 1.0;
    if (is_massless_) {
        assemble_whole();
    }
}

/// [M J^T; J 0]: the pattern, and the numbers of M.
void SaddleBlocks::assemble_whole() {
    whole_rows_.clear();
    whole_columns_.clear();
    whole_values_.clear();
    const double* entry = mass_.data();
    for (const SchurProgram::Body& body : solver_.program().bodies) {
        for (std::int32_t i = 0; i < body.size; ++i) {
            for (std::int32_t j = 0; j < body.size; ++j, ++entry) {
                if (*entry != 0.0) {
                    whole_rows_.push_back(body.first + i);
                    whole_columns_.push_back(body.first + j);
                    whole_values_.push_back(*entry);
                }
            }
        }
    }
    masses_ = whole_values_.size();
    const auto n = static_cast<std::int32_t>(velocities());
    for (std::size_t k = 0; k < values_.size(); ++k) {
        if (static_cast<std::size_t>(entries_.rows[k]) < solved_) {
            whole_rows_.insert(whole_rows_.end(), {entries_.columns[k], n + entries_.rows[k]});
            whole_columns_.insert(whole_columns_.end(),
                                  {n + entries_.rows[k], entries_.columns[k]});
        }
    }
    whole_values_.resize(whole_rows_.size());
    for (auto* list : {&whole_right_, &whole_x_, &whole_rest_, &whole_size_}) {
        list->resize(velocities() + solved_);
    }
    whole_.emplace(velocities() + solved_, whole_rows_, whole_columns_);
}

/// Factors the whole with the entries that stand in values_.
bool SaddleBlocks::put_whole() {
    double* to = whole_values_.data() + masses_;
    for (std::size_t k = 0; k < values_.size(); ++k) {
        if (static_cast<std::size_t>(entries_.rows[k]) < solved_) {
            *to++ = values_[k];
            *to++ = values_[k];
        }
    }
    return whole_->factor(whole_values_.data()) != Factor::singular;
}

bool SaddleBlocks::factor(const double* entries) {
    std::copy(entries, entries + values_.size(), values_.begin());
    by_whole_ = is_massless_;
    if (by_whole_) {
        return put_whole();
    }
    std::fill(blocks_.begin(), blocks_.end(), 0.0);
    for (std::size_t k = 0; k < values_.size(); ++k) {
        blocks_[static_cast<std::size_t>(entries_.places[k])] += values_[k];
    }
    return solver_.factor(blocks_.data());
}

bool SaddleBlocks::factor_whole(const double* entries, double floor) {
    std::copy(entries, entries + values_.size(), values_.begin());
    if (!whole_) {
        assemble_whole();
    }
    by_whole_ = is_massless_ ||
                geometric_pivot() > (is_uneven_ ? std::min(floor, least_independent) : floor);
    by_whole_ = by_whole_ && put_whole();
    return by_whole_;
}

/// The smallest pivot of J J^T over its diagonal, the columns of J scaled to 1, then its rows.
double SaddleBlocks::geometric_pivot() {
    const auto n = static_cast<std::int32_t>(velocities());
    const auto size = n + static_cast<std::int32_t>(solved_);
    if (!geometry_) {  // [1 J^T; J 0] in the order of its unknowns: first the velocities
        std::vector<std::int32_t> rows, columns;
        PivotOrder order;
        for (std::int32_t k = 0; k < size; ++k) {
            rows.push_back(k);
            columns.push_back(k);
        }
        order.rows = rows;
        order.cols = columns;
        for (std::size_t k = 0; k < values_.size(); ++k) {
            if (static_cast<std::size_t>(entries_.rows[k]) < solved_) {
                rows.insert(rows.end(), {entries_.columns[k], n + entries_.rows[k]});
                columns.insert(columns.end(), {n + entries_.rows[k], entries_.columns[k]});
            }
        }
        geometry_values_.resize(rows.size());
        geometry_.emplace();
        geometry_->analyze_in_order({size, rows, columns}, order);
    }
    column_scales_.assign(velocities(), 0.0);
    row_scales_.assign(solved_, 0.0);
    const auto each = [&](auto act) {
        for (std::size_t k = 0; k < values_.size(); ++k) {
            const auto row = static_cast<std::size_t>(entries_.rows[k]);
            if (row < solved_) {
                act(row, static_cast<std::size_t>(entries_.columns[k]), values_[k]);
            }
        }
    };
    const auto inverted = [](std::vector<double>& sums) {
        for (auto& sum : sums) {
            sum = sum > 0.0 ? 1.0 / std::sqrt(sum) : 1.0;
        }
    };
    each([&](std::size_t, std::size_t c, double x) { column_scales_[c] += x * x; });
    inverted(column_scales_);
    each([&](std::size_t r, std::size_t c, double x) {
        row_scales_[r] += x * column_scales_[c] * (x * column_scales_[c]);
    });
    inverted(row_scales_);
    std::fill_n(geometry_values_.begin(), size, 0.0);
    std::fill_n(geometry_values_.begin(), n, 1.0);
    double* to = geometry_values_.data() + size;
    each([&](std::size_t r, std::size_t c, double x) {
        const double scaled = x * column_scales_[c] * row_scales_[r];
        *to++ = scaled;
        *to++ = scaled;
    });
    geometry_->factor(geometry_values_.data());
    return geometry_->is_solvable() ? geometry_->smallest_pivot_ratio() : 0.0;
}

/// whole_x_ of whole_right_, refined while that helps: what is left is rounding beside the terms of
/// every single equation.
/// Source: [HighamASNA] ch. 12, fixed precision refinement and componentwise backward error.
void SaddleBlocks::solve_whole() {
    const std::size_t n = whole_right_.size();
    whole_->solve(whole_right_.data(), whole_x_.data());
    double before = infinity;
    for (int round = 0; round < most_refinements; ++round) {
        std::copy(whole_right_.begin(), whole_right_.end(), whole_rest_.begin());
        for (std::size_t k = 0; k < n; ++k) {
            whole_size_[k] = std::abs(whole_right_[k]);
        }
        for (std::size_t k = 0; k < whole_values_.size(); ++k) {
            const auto row = static_cast<std::size_t>(whole_rows_[k]);
            const double term =
                whole_values_[k] * whole_x_[static_cast<std::size_t>(whole_columns_[k])];
            whole_rest_[row] -= term;
            whole_size_[row] += std::abs(term);
        }
        double error = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
            if (whole_rest_[k] != 0.0) {
                error = std::max(error, std::abs(whole_rest_[k]) / whole_size_[k]);
            }
        }
        if (!(error > refined) || !(error < 0.5 * before)) {
            return;
        }
        before = error;
        whole_->solve(whole_rest_.data(), whole_rest_.data());
        for (std::size_t k = 0; k < n; ++k) {
            whole_x_[k] += whole_rest_[k];
        }
    }
}

void SaddleBlocks::solve(const double* f, const double* g, double* a, double* lam) {
    if (by_whole_) {
        const auto middle = static_cast<std::ptrdiff_t>(velocities());
        const double* const load = f == nullptr ? zero_.data() : f;
        std::copy(load, load + velocities(), whole_right_.begin());
        std::copy(g, g + solved_, whole_right_.begin() + middle);
        solve_whole();
        std::copy(whole_x_.begin(), whole_x_.begin() + middle, a);
        if (lam != nullptr) {
            std::copy(whole_x_.begin() + middle, whole_x_.end(), lam);
            std::fill(lam + solved_, lam + rows(), 0.0);
        }
        return;
    }
    solver_.solve(f, g, a, lam);
}

void SaddleBlocks::subtract_product(const double* v, double* g) const {
    for (std::size_t k = 0; k < values_.size(); ++k) {
        g[entries_.rows[k]] -= values_[k] * v[entries_.columns[k]];
    }
}

}  // namespace kempe
