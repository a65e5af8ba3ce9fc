#include <algorithm>
#include <cmath>

#include "boxes/proof/contraction.hpp"
#include "boxes/rows/problem.hpp"

// What the domain of a search is made from: bounds that the rows imply, and limits that cut nothing off.

namespace kempe::boxes {

namespace {

constexpr int most_rounds = 100;
constexpr double least_gain = 1e-3;     // of the total width: where rows narrow by less, nothing comes of it
constexpr double aside = 0.125;         // of a limit's width, by which it is moved away
constexpr double touching = 0x1p-44;    // of a limit's size: a position so little beyond it counts as at it

bool is_open(const Interval& side) { return !(width(side) < infinity); }

// What the rows leave of a box; empty where they leave nothing.
void narrow(Contraction& contraction, Box& box) {
    for (int round = 0; round < most_rounds; ++round) {
        const Box before = box;
        const bool has_widths = std::none_of(box.begin(), box.end(), is_open);
        if (!(has_widths ? contraction.contract(box) : contraction.project(box))) {
            box.assign(box.size(), Interval::empty());
            return;
        }
        double gained = 0.0, all = 0.0;
        bool opened = false;
        for (std::size_t j = 0; j < box.size(); ++j) {
            opened = opened || (is_open(before[j]) &&
                                (before[j].upper != box[j].upper || before[j].negated_lower != box[j].negated_lower));
            if (is_open(before[j])) continue;
            gained += width(before[j]) - width(box[j]);
            all += width(before[j]);
        }
        if (!opened && !(gained > least_gain * all)) return;
    }
}

// Moves limits away from where they cut nothing off. A box in which a limit lies further out is narrowed by the rows;
// where what is left ends before the limit itself, the limit changes nothing, and no curve that touches it has to
// be told from one that crosses it.
class Limits {
  public:
    explicit Limits(Problem& problem) : problem_(problem), bench_(problem), contraction_(bench_) {
        for (std::size_t j = 0; j < problem.n; ++j)
            if (problem.is_limited(j)) {
                const Interval& side = problem.domain[j];
                const double size = larger(std::abs(side.lower()), std::abs(side.upper));
                const double away =
                    aside * (width(side) < infinity ? width(side) : larger(1.0, size < infinity ? size : 1.0));
                if (side.lower() > -infinity && side.lower() < side.upper)
                    ends_.push_back({j, false, side.lower(), away});
                if (side.upper < infinity && side.lower() < side.upper) ends_.push_back({j, true, side.upper, away});
            }
    }

    void move() {
        if (ends_.empty() || !try_out(ends_)) return;
        for (std::size_t k = 0; k < ends_.size(); ++k)
            if (!ends_[k].moved && !try_out({&ends_[k], 1})) return;
        for (std::size_t j = 0; j < problem_.n; ++j) {
            const auto cuts = [j](const End& end) { return end.unknown == j && !end.moved; };
            if (problem_.is_limited(j) && width(problem_.domain[j]) > 0.0 &&
                std::none_of(ends_.begin(), ends_.end(), cuts))
                problem_.limited[j] = 0;
        }
    }

  private:
    struct End {
        std::size_t unknown;
        bool is_upper;
        double at, away;
        bool moved = false;
    };

    static void set(Interval& side, const End& end, double outward) {
        (end.is_upper ? side.upper : side.negated_lower) = add_up(end.is_upper ? end.at : -end.at, outward);
    }

    // Moves those of some limits that cut nothing off while all of these are away; false where nothing is left at all.
    bool try_out(std::span<End> some) {
        Box box = problem_.domain;
        for (const End& end : some) set(box[end.unknown], end, end.away);
        narrow(contraction_, box);
        if (box[0].is_empty()) return false;
        for (End& end : some) {
            const Interval& side = box[end.unknown];
            const double beyond = end.is_upper ? add_up(side.upper, -end.at) : add_up(end.at, side.negated_lower);
            end.moved = beyond <= touching * std::abs(end.at);
            if (end.moved) set(problem_.domain[end.unknown], end, end.away);
        }
        return true;
    }

    Problem& problem_;
    Bench bench_;
    Contraction contraction_;
    std::vector<End> ends_;
};

}  // namespace

Problem bounded(Problem problem) {
    for (std::size_t j = 0; j < problem.n; ++j)  // all of a circle, also where its period is irrational
        if (problem.period[j] > 0.0) {
            Interval& side = problem.domain[j];
            side.upper = larger(side.upper, add_up(side.lower(), next_up(problem.period[j])));
        }
    Limits(problem).move();
    if (std::none_of(problem.domain.begin(), problem.domain.end(), is_open)) return problem;
    Bench bench(problem);
    Contraction contraction(bench);
    Box box = problem.domain;
    for (int round = 0; round < most_rounds; ++round) {
        const Box before = box;
        if (!contraction.project(box)) {
            problem.domain.assign(problem.n, Interval::empty());
            return problem;
        }
        bool same = true;
        for (std::size_t j = 0; j < problem.n; ++j)
            same = same && before[j].upper == box[j].upper && before[j].negated_lower == box[j].negated_lower;
        if (same || std::none_of(box.begin(), box.end(), is_open)) break;
    }
    for (std::size_t j = 0; j < problem.n; ++j)
        if (!problem.is_limited(j)) {
            problem.domain[j] = box[j];
        } else {  // a limit stays where it is: it may cut curves off; on the open side nothing does
            Interval& side = problem.domain[j];
            const auto beyond = [](double end) { return add_up(end, aside * larger(1.0, std::abs(end))); };
            if (!(side.upper < infinity)) side.upper = beyond(box[j].upper);
            if (!(side.negated_lower < infinity)) side.negated_lower = beyond(box[j].negated_lower);
        }
    return problem;
}

}  // namespace kempe::boxes
