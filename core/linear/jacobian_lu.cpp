#include "linear/jacobian_lu.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

#include "linear/diagonal_blocks.hpp"

namespace kempe {

namespace {

constexpr double weak_ratio = 1e-3;  // a pivot smaller than this beside its row: look closer

bool inside(const std::vector<std::int32_t>& list, std::size_t size) {
    return std::ranges::all_of(list, [size](std::int32_t k) { return k >= 0 && static_cast<std::size_t>(k) < size; });
}

}  // namespace

JacobianLU::JacobianLU(std::size_t size, std::size_t all_rows, std::size_t all_columns,
                       const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& columns)
    : size_(size) {
    if (rows.size() != columns.size())
        throw std::invalid_argument("entries of the Jacobian need a row and a column each");
    if (!inside(rows, all_rows) || !inside(columns, all_columns))
        throw std::invalid_argument("an entry of the Jacobian lies outside the matrix");
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (static_cast<std::size_t>(rows[k]) < size) {
            places_.push_back(static_cast<std::int32_t>(k));
            rows_.push_back(rows[k]);
            columns_.push_back(columns[k]);
        }
    }
    values_.resize(places_.size());
    is_whole_ = places_.size() == rows.size();
}

void JacobianLU::set_steps(const double* steps) {
    std::vector<double> units(size_);
    bool plain = true;
    for (std::size_t k = 0; k < size_; ++k) {
        const bool measured = std::isfinite(steps[k]) && steps[k] > 0.0;
        int power = 0;
        if (measured && std::frexp(steps[k], &power) < std::sqrt(0.5)) --power;
        units[k] = std::ldexp(1.0, -power);
        plain = plain && units[k] == 1.0;
    }
    units_ = plain ? std::vector<double>{} : std::move(units);
}

void JacobianLU::solve(const double* b, double* x) {
    lu_.solve(b, x);
    for (std::size_t k = 0; k < units_.size(); ++k) x[k] *= units_[k];
}

Factor JacobianLU::factor_values(const double* values) {
    if (!units_.empty()) {
        for (std::size_t k = 0; k < places_.size(); ++k)
            values_[k] = values[k] * units_[static_cast<std::size_t>(columns_[k])];
        values = values_.data();
    }
    if (!analyzed_) {
        const std::span<const double> all(values, places_.size());
        lu_.analyze({static_cast<std::int32_t>(size_), rows_, columns_}, all);
        analyzed_ = true;
    }
    if (!lu_.factor(values)) lu_.refactor_with_new_order(values);
    if (!lu_.is_solvable()) return Factor::singular;
    const bool sound = lu_.outcome() == LuOutcome::factored && lu_.smallest_pivot_ratio() > weak_ratio;
    return sound ? Factor::sound : Factor::weak;
}

void JacobianLU::arrange_blocks() {
    const auto& program = lu_.program();
    if (block_of_row_.empty())
        block_of_row_ = diagonal_blocks({static_cast<std::int32_t>(size_), rows_, columns_}).of_row;
    const auto odd = odd_blocks(block_of_row_, program.row_of_step, program.col_of_step);
    order_signs_.resize(odd.size());
    for (std::size_t b = 0; b < odd.size(); ++b) order_signs_[b] = odd[b] ? -1 : 1;
    block_of_step_.resize(size_);
    for (std::size_t k = 0; k < size_; ++k)
        block_of_step_[k] = block_of_row_[static_cast<std::size_t>(program.row_of_step[k])];
    arranged_ = lu_.reorderings();
}

void JacobianLU::signs(Signs& out) {
    if (arranged_ != lu_.reorderings()) arrange_blocks();
    out = order_signs_;
    for (std::size_t k = 0; k < size_; ++k) {
        if (std::signbit(lu_.pivot(static_cast<std::int32_t>(k)))) {
            auto& sign = out[static_cast<std::size_t>(block_of_step_[k])];
            sign = static_cast<std::int8_t>(-sign);
        }
    }
}

}  // namespace kempe
