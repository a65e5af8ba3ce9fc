#pragma once

#include <array>
#include <vector>

#include "boxes/proof/atlas.hpp"

// The proof that a box holds no solution but those of known charts.

namespace kempe::boxes {

class Cover {
  public:
    Cover(Bench& bench, const Atlas& atlas);

    enum class Verdict { empty, covered, open };
    // All solutions of the box lie in charts, or there are none; p is a point near the box where the
    // equations hold as far as numbers show.
    Verdict judge(const Box& box, const Point& p);
    // The part of the box that was not covered, after an open verdict.
    const Box& left() const { return left_; }

  private:
    struct Seen {                // a chart as seen from the frame of the box
        std::uint32_t number = 0;
        std::vector<double> to;  // A_c^T A_f, row after row
        std::vector<Interval> offset;  // A_c^T (p_f - p_c)
        std::vector<Interval> origin;  // p_c, turned round its circles to where the frame is
    };

    bool linearise(const Box& box, const Point& p);
    // The range of the k parameters of a slice.
    using Range = std::array<Interval, 2>;
    bool narrow(const Range& s, std::vector<Interval>& y);
    bool narrow_by_form(const Range& s, std::vector<Interval>& y);
    bool slice(const Range& s, int depth);
    bool is_in_chart(std::uint32_t chart, const Range& s, const std::vector<Interval>& y);
    const Seen& seen(std::uint32_t chart);

    Bench& bench_;
    const Atlas& atlas_;
    const Problem& p_;
    std::size_t n_, m_;
    Chart frame_;
    const Box* box_ = nullptr;
    std::vector<double> M_, along_;      // C G N - 1 (m x m) and C G T (m x k), middles
    std::vector<Interval> right_;        // -C F(p), and what the radii of C G do over the box
    std::vector<Interval> y_;
    std::vector<Seen> seen_;  // the first n_seen_ are of this box
    std::size_t n_seen_ = 0;
    std::vector<std::vector<Interval>> y_at_;  // of a slice, by depth
    std::uint32_t last_ = 0;
    bool has_last_ = false, any_ = false;
    std::vector<Interval> z_;
    Box hull_, left_;
    double extent_ = 0.0;  // of the box in the frame: all |z_j|
    std::vector<double> centre_, radius_;
    Point middle_;
};

}  // namespace kempe::boxes
