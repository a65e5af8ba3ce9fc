#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "boxes/proof/chart.hpp"

// Sheets: places where a mechanism has more freedom than elsewhere, such as a rhombus folded onto
// itself. No chart can be proved there, and boxes are split in vain. Numbers only: what is taken for a
// sheet is listed as unresolved, at whatever size.

namespace kempe::boxes {

namespace {

constexpr int looks = 4;            // solutions that are looked at
constexpr int most_steps = 24;
// Of squares, times the box's width squared, so that dependent rows do not stop Newton's method; it
// comes to a halt where it is by a hundredth as near to dependence as it has to be.
constexpr double damping = 1e-10, least_damping = 1e-13;
constexpr double settled = 1e-5;    // the last step's length over the box's width
constexpr double near_dependence = 1e-6;  // of squares, times the box's width squared
constexpr double least_dependence = 1e-12;
constexpr double about = 2.0;       // widths of the box: a solution so near to it counts
constexpr double apart = 1e-2;      // widths between solutions, so that a single point is no sheet

// Numbers in [0, 1) that are the same for the same box.
class Shares {
  public:
    explicit Shares(const Box& box) {
        for (const Interval& side : box) state_ ^= std::bit_cast<std::uint64_t>(middle(side)) + next();
    }
    double operator()() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  private:
    std::uint64_t next() {  // splitmix64
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    std::uint64_t state_ = 20260000u;
};

}  // namespace

// Damped Newton steps of least length from x; `least` is the least square on the diagonal there.
bool Bench::settles(Point& x, double reach, double widest, double& least) {
    const Point start = x;
    const double damped = std::max(damping * widest * widest, least_damping), step_length = settled * widest;
    std::vector<double>& y = step_;
    for (int step = 0; step < most_steps; ++step) {
        rows.numbers(x.data());
        double moved = 0.0, away = 0.0;
        for (std::size_t i = 0; i < m_; ++i) y[i] = rows.number(i);
        if (!(take_normal_matrix(damped) > 0.0)) return false;
        solve_triangles(y);
        for (std::size_t j = 0; j < n_; ++j) {
            double d = 0.0;
            for (std::size_t i = 0; i < m_; ++i) d += work_[i * n_ + j] * y[i];
            x[j] -= d;
            moved += d * d;
            away += (x[j] - start[j]) * (x[j] - start[j]);
        }
        if (!(away <= reach * reach)) return false;
        if (moved < step_length * step_length) {
            rows.numbers(x.data());
            least = take_normal_matrix(0.0);
            return true;
        }
    }
    return false;
}

bool Bench::seems_a_sheet(const Box& box) {
    double widest = 0.0, square = 0.0;
    for (const Interval& side : box) {
        widest = larger(widest, width(side));
        square += width(side) * width(side);
    }
    const double limit = std::max(near_dependence * widest * widest, least_dependence);
    Shares share(box);
    Point first;
    double farthest = 0.0;
    bool any_about = false;
    for (int look = 0; look < looks; ++look) {
        Point x(n_);
        for (std::size_t j = 0; j < n_; ++j) x[j] = box[j].lower() + share() * width(box[j]);
        double least = 1.0;
        if (!settles(x, std::sqrt(square) + about * widest, widest, least) || !(least < limit)) return false;
        bool is_about = true;
        for (std::size_t j = 0; j < n_; ++j)
            is_about = is_about && x[j] > box[j].lower() - about * widest && x[j] < box[j].upper + about * widest;
        any_about = any_about || is_about;
        if (first.empty()) first = x;
        for (std::size_t j = 0; j < n_; ++j) farthest = std::max(farthest, std::abs(x[j] - first[j]));
    }
    return any_about && farthest > apart * widest;
}

}  // namespace kempe::boxes
