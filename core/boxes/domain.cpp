#include <algorithm>

#include "contraction.hpp"
#include "problem.hpp"

namespace kempe::boxes {

namespace {

constexpr int most_rounds = 100;

}  // namespace

Problem bounded(Problem problem) {
    const auto is_open = [](const Interval& side) { return !(width(side) < infinity); };
    for (std::size_t j = 0; j < problem.n; ++j)  // all of a circle, also where its period is irrational
        if (problem.period[j] > 0.0) {
            Interval& side = problem.domain[j];
            side.upper = larger(side.upper, add_up(side.lower(), next_up(problem.period[j])));
        }
    if (std::none_of(problem.domain.begin(), problem.domain.end(), is_open)) return problem;
    Bench bench(problem);
    Contraction contraction(bench);
    for (int round = 0; round < most_rounds; ++round) {
        const Box before = problem.domain;
        if (!contraction.project(problem.domain)) {
            problem.domain.assign(problem.n, Interval::empty());
            break;
        }
        bool same = true;
        for (std::size_t j = 0; j < problem.n; ++j)
            same = same && before[j].upper == problem.domain[j].upper &&
                   before[j].negated_lower == problem.domain[j].negated_lower;
        if (same || std::none_of(problem.domain.begin(), problem.domain.end(), is_open)) break;
    }
    return problem;
}

}  // namespace kempe::boxes
