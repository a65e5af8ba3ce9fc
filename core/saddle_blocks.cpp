#include "saddle_blocks.hpp"

#include "bytes.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace kempe {

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
           bytes_of(values_, blocks_, lam_, zero_, whole_values_, whole_right_);
}

void SaddleBlocks::set_mass(const double* blocks) {
    if (solver_.set_mass(blocks)) {
        whole_.reset();
    } else {
        assemble_whole(blocks);
    }
}

/// [M J^T; J 0]: the pattern, and the numbers of M.
void SaddleBlocks::assemble_whole(const double* blocks) {
    std::vector<std::int32_t> rows, columns;
    whole_values_.clear();
    for (const SchurProgram::Body& body : solver_.program().bodies) {
        for (std::int32_t i = 0; i < body.size; ++i) {
            for (std::int32_t j = 0; j < body.size; ++j) {
                const double entry = blocks[body.mass + i * body.size + j];
                if (entry != 0.0) {
                    rows.push_back(body.first + i);
                    columns.push_back(body.first + j);
                    whole_values_.push_back(entry);
                }
            }
        }
    }
    masses_ = whole_values_.size();
    const auto n = static_cast<std::int32_t>(velocities());
    for (std::size_t k = 0; k < values_.size(); ++k) {
        if (static_cast<std::size_t>(entries_.rows[k]) < solved_) {
            rows.insert(rows.end(), {entries_.columns[k], n + entries_.rows[k]});
            columns.insert(columns.end(), {n + entries_.rows[k], entries_.columns[k]});
        }
    }
    whole_values_.resize(rows.size());
    whole_right_.resize(velocities() + solved_);
    whole_.emplace(velocities() + solved_, rows, columns);
}

bool SaddleBlocks::factor(const double* entries) {
    std::copy(entries, entries + values_.size(), values_.begin());
    if (whole_) {
        double* to = whole_values_.data() + masses_;
        for (std::size_t k = 0; k < values_.size(); ++k) {
            if (static_cast<std::size_t>(entries_.rows[k]) < solved_) {
                *to++ = values_[k];
                *to++ = values_[k];
            }
        }
        return whole_->factor(whole_values_.data()) != Factor::singular;
    }
    std::fill(blocks_.begin(), blocks_.end(), 0.0);
    for (std::size_t k = 0; k < values_.size(); ++k) {
        blocks_[static_cast<std::size_t>(entries_.places[k])] += values_[k];
    }
    return solver_.factor(blocks_.data());
}

void SaddleBlocks::solve(const double* f, const double* g, double* a, double* lam) {
    if (whole_) {
        const double* const load = f == nullptr ? zero_.data() : f;
        std::copy(load, load + velocities(), whole_right_.begin());
        std::copy(g, g + solved_, whole_right_.begin() + static_cast<std::ptrdiff_t>(velocities()));
        whole_->solve(whole_right_.data(), whole_right_.data());
        std::copy(whole_right_.begin(), whole_right_.begin() + static_cast<std::ptrdiff_t>(velocities()), a);
        if (lam != nullptr) {
            std::copy(whole_right_.begin() + static_cast<std::ptrdiff_t>(velocities()), whole_right_.end(), lam);
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
