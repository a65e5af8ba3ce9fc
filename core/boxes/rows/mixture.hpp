#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "boxes/rows/four.hpp"
#include "boxes/rows/pivots.hpp"
#include "boxes/rows/quadratics.hpp"

// Rows of second degree about the centre c of a box, d = x - c:
//
//   f(c) + sum_j (g_j + sum_k H_jk d_k / 2) d_j = 0
//
// They are mixed so that each is steep in one unknown, and mixtures are solved for single unknowns.
// Second derivatives are numbers: they are mixed before they are bounded, so that what cancels is
// gone. Four mixtures are handled in step.

namespace kempe::boxes {

class Mixture {
  public:
    // Of the first m rows, the equations. A row that follows from them tells nothing new near solutions; taken as
    // one more pivot it is small there, and dividing by it spoils all mixtures.
    Mixture(const Quadratics& rows, std::size_t n, std::size_t m);

    // Cuts a bounded box down to where all mixtures may vanish; false where nothing is left.
    bool contract(Box& x);
    // The unknown that the equations feel most in the last box: where to split.
    std::size_t most_felt() const { return most_felt_; }
    // Whether every unknown is the steep one of a mixture, all over the last box: then the box holds at
    // most one solution, as far as can be told from the outside.
    bool is_regular() const { return is_regular_; }

  private:
    void list_pairs();
    bool take_slopes(const Box& x);
    void measure(std::size_t j);
    void mix(std::size_t block);
    bool use(std::size_t block);

    const Quadratics& rows_;
    std::size_t n_, m_;
    double share_, stretch_;
    Pivots pivots_;
    // of every row: its gradient (dense), value, and what they are off
    std::vector<double> g_, f_, f_off_, slope_off_, bend_off_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;  // of different unknowns
    std::vector<std::uint32_t> place_of_;  // of every entry: its unknown if a square, or n and its pair
    // of every unknown, in the box
    Point c_;
    std::vector<Interval> d_;
    std::vector<double> widths_, reach_, half_, least_square_, most_square_, spread_, felt_;
    // four mixtures a block: gradients, second derivatives
    std::vector<Four> mid_, H_;
    struct Mixed {
        Four f, f_off, slope_off, bend_off, weight;
    };
    std::vector<Mixed> mixed_;
    // the block in use: slopes' radii, what every unknown may contribute, and how much they are steep
    std::vector<Four> radius_, low_, high_, steep_;
    std::size_t n_steep_ = 0, most_felt_ = 0;
    bool is_regular_ = false;
};

}  // namespace kempe::boxes
