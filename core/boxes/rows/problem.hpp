#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "boxes/rows/formulas.hpp"
#include "boxes/rows/quadratics.hpp"

// What is to be solved: n unknowns in a box, m equations, n - m = 0, 1 or 2.

namespace kempe::boxes {

struct Settings {
    double longest = 0.5;    // half-length of a chart, at most
    double shortest = 1e-6;  // and at least: below, a curve counts as unresolved
    double smallest = 1e-6;  // a box narrower than this is not split any more
    double breadth = 0.6;    // half-width of a chart over its half-length, tried first
    std::size_t most_charts_a_curve = 1'000'000;
    double widest_sheet = 0.5;  // of the domain's widest side: boxes wider than this are not set aside
    std::size_t most_sheets = 8192;  // boxes on sheets, after which they are not made smaller any more
    std::size_t random_starts = 10;  // from which components are looked for before any box is
};

struct Problem {
    Formulas rows;  // equations, then redundant rows, then sides
    std::size_t n, m, k;
    std::size_t n_redundant, n_sides;
    Box domain;
    std::vector<double> period;        // 0: the unknown lives on no circle
    std::vector<std::uint8_t> limited;  // whether the domain cuts solutions off
    Settings settings;
    std::optional<Quadratics> quadratics = Quadratics::of(rows);  // where all rows are

    bool is_limited(std::size_t j) const { return limited[j] != 0 && period[j] == 0.0; }

    // The whole periods between two values, as an enclosure: the period itself may be irrational.
    Interval turns_between(std::size_t j, double from, double to) const {
        if (period[j] == 0.0) return Interval::point(0.0);
        const double turns = std::floor((to - from) / period[j] + 0.5);
        if (turns == 0.0) return Interval::point(0.0);
        return scaled(turns, Interval::of(next_down(period[j]), next_up(period[j])));
    }

    // Brings a point back between the bounds of its circles.
    void wrap(double* x) const {
        for (std::size_t j = 0; j < n; ++j)
            if (period[j] > 0.0) {
                const double low = domain[j].lower();
                if (x[j] < low || x[j] > domain[j].upper) x[j] -= std::floor((x[j] - low) / period[j]) * period[j];
            }
    }
};

// Unknowns without bounds get those that the rows imply, where they imply any. Wants an UpwardMode.
Problem bounded(Problem problem);

}  // namespace kempe::boxes
