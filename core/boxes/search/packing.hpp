#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "boxes/proof/atlas.hpp"

// Points all over surfaces (k = 2), each in the middle of a certified chart: no two nearer than the
// spacing of the earlier one, and no place on the surface farther from all of them than about that. The
// spacing is a share of the chart's half-length, so that every chart holds its neighbours.

namespace kempe::boxes {

class Packing {
  public:
    explicit Packing(Atlas& atlas) : atlas_(atlas) {}

    // A first point of a surface at p; false where no chart can be proved there.
    bool begin(Bench& bench, const Point& p);
    // Puts points round all those of the front until it is empty; false where `go_on` says no, or where
    // more than `most` points were put.
    bool advance(Bench& bench, std::size_t most, const std::function<bool()>& go_on);
    // One more point, at the parameters s of chart k, where corners of a mesh are too far apart; false where
    // others are near or no chart can be proved.
    bool refine(Bench& bench, std::size_t k, const double* s);
    bool has_front() const { return !front_.empty(); }
    std::size_t size() const { return spacing_.size(); }
    double spacing(std::size_t k) const { return spacing_[k]; }
    // How far the middle of chart k is from the true point with the same parameters, at most.
    double radius(std::size_t k) const { return radius_[k]; }
    // Places at which no chart could be proved: surfaces end there, as far as is known.
    std::size_t failures() const { return failures_; }

  private:
    bool put(Bench& bench, const Point& p, double most_spacing, const double* towards);
    bool is_crowded(Bench& bench, const Point& x, double share) const;

    Atlas& atlas_;
    std::vector<double> spacing_, radius_, base_;  // base: the direction in which neighbours are put first
    std::deque<std::uint32_t> front_;
    std::size_t failures_ = 0, asked_ = 0;
};

// The parameters of x in a chart, the nearest way round every circle, in plain numbers; the largest |y_i|.
double parameters(const Problem& problem, const Chart& chart, const Point& x, double s[2]);

// Whether the nearest way round every circle tells which point of the chart is meant.
bool fits_circles(const Problem& problem, const Chart& chart);

}  // namespace kempe::boxes
