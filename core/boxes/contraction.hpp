#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "chart.hpp"

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
    std::size_t most_felt() const { return most_felt_; }

private:
    enum class Taken { whole, unbounded, empty };
    bool use_linear_rows(Box& x);
    Taken take_slopes(const Box& x);
    Taken take_slopes_by_coefficients(const Box& x);
    void eliminate(const Box& x);
    void mix(const double* mixture);
    void mix_by_coefficients(const double* mixture);
    bool use_row(std::size_t r, Box& x);
    void list_pairs(const Quadratics& rows);

    Bench& bench_;
    std::size_t n_, all_;  // unknowns; equations and redundant rows
    std::vector<Interval> targets_;
    std::vector<double> middle_, radius_;  // slopes, all x n
    std::vector<double> f_, f_radius_;     // values at the centre
    std::vector<double> M_;                // all x (n + all): slopes and the rows' mixture
    std::vector<Interval> terms_, others_, moved_, before_;
    std::vector<double> felt_;
    std::vector<std::uint8_t> used_;
    Point centre_;
    // where all rows are of second degree: their second derivatives, by pairs of unknowns
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
    std::vector<std::uint32_t> pair_of_;  // of every entry
    std::vector<double> K_, half_, spread_, own_, work_, slope_off_, bend_off_;
    std::size_t n_pivots_ = 0, most_felt_ = 0;
};

}  // namespace kempe::boxes
