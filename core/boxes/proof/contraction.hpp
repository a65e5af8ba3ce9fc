#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "boxes/proof/chart.hpp"
#include "boxes/rows/mixture.hpp"
#include "boxes/rows/pivots.hpp"
#include "boxes/rows/products.hpp"

// Cutting away from a box what cannot hold a solution.

namespace kempe::boxes {

class Contraction {
  public:
    explicit Contraction(Bench& bench);

    // Projections and linear rows in turn, as long as they pay. False where no solution is left.
    bool contract(Box& x);
    // Projections alone.
    bool project(Box& x);
    // The unknown that the rows feel most, after `contract`: where to split.
    std::size_t most_felt() const { return mixture_ ? mixture_->most_felt() : most_felt_; }
    // Whether, after `contract`, every unknown is the steep one of a mixture of rows all over the box:
    // it holds one solution at most, or nearly so.
    bool is_regular() const { return mixture_ ? mixture_->is_regular() : is_regular_; }

  private:
    bool project_once(Box& x);
    bool use_linear_rows(Box& x);
    bool take_slopes(const Box& x);
    bool mix(std::size_t r);
    bool use_row(Box& x);

    Bench& bench_;
    std::size_t n_, all_;  // unknowns; equations and redundant rows
    std::vector<Interval> targets_;
    Point widths_;
    // where all rows are of second degree
    const Products* products_ = nullptr;
    Products::Desk desk_;
    std::vector<std::size_t> projected_;  // rows, but for sums of redundant ones
    std::optional<Mixture> mixture_;
    // elsewhere
    std::optional<Pivots> pivots_;
    std::vector<double> middle_, radius_;  // slopes, all x n
    std::vector<double> f_, f_radius_;     // values at the centre
    std::vector<double> mixture_of_;       // rows
    std::vector<Interval> terms_, moved_, before_;
    std::vector<double> felt_;
    Point centre_;
    std::size_t most_felt_ = 0;
    bool is_regular_ = false;
};

}  // namespace kempe::boxes
