// Explicit Runge-Kutta methods as data.
#pragma once

#include <vector>

namespace kempe {

/// The numbers of a method whose last stage is the derivative at the end of the step.
struct Tableau {
    int order = 0;
    int stages = 0;        // to make a step; one more is the derivative at its end
    double stable = 0.0;   // estimate of h |lambda| from which stability holds steps down, where lambda < 0
    int dense_stages = 0;  // that the dense output needs in all
    std::vector<std::vector<double>> a;  // a[i] has i numbers; none for the derivative at the end
    std::vector<double> c, b;
    std::vector<double> error, error_low;  // weights of the estimates; the low one may be empty
    // Dense output, one of two: rows for Hairer's nested form, or weights of the stages.
    std::vector<std::vector<double>> dense, weights;
};

const Tableau& dop853();
const Tableau& tsit5();

}  // namespace kempe
