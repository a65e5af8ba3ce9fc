#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>

#include "bind/bind.hpp"
#include "bind/bind_arrays.hpp"
#include "boxes/search/groups.hpp"
#include "boxes/search/sample.hpp"
#include "boxes/search/search.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace kempe;
using namespace kempe::bind;

namespace {

using boxes::Box;
using boxes::Curve;
using boxes::Search;

boxes::Problem problem(const Tape& tape, const Integers& outputs, const std::vector<std::size_t>& counts,
                       const Vector& low, const Vector& high, const Vector& period, const Vector& limited) {
    require(counts.size() == 3, "three counts are needed: equations, redundant rows, sides");
    const std::size_t n = tape.n_inputs(), m = counts[0];
    require(low.size() == n && high.size() == n && period.size() == n && limited.size() == n,
            "low, high, period and limited need one entry for every input of the tape");
    require(outputs.size() == m + counts[1] + counts[2], "the counts do not add up to the outputs");
    require(m <= n && n - m <= 1, "there must be as many unknowns as equations, or one more; there are " +
                                      std::to_string(n) + " and " + std::to_string(m));
    const UpwardMode upward;
    Box domain(n);
    for (std::size_t j = 0; j < n; ++j) {
        require(low.data()[j] <= high.data()[j], "low must not exceed high");
        domain[j] = Interval::of(low.data()[j], high.data()[j]);
    }
    std::vector<std::uint8_t> cuts_off(n);
    for (std::size_t j = 0; j < n; ++j) cuts_off[j] = limited.data()[j] != 0.0;
    return boxes::bounded({boxes::Formulas(tape, view(outputs)), n, m, n - m, counts[1], counts[2],
                           std::move(domain), list(period), std::move(cuts_off), {}});
}

std::optional<std::size_t> unbounded(const boxes::Problem& problem) {
    for (std::size_t j = 0; j < problem.n; ++j) {
        const Interval& side = problem.domain[j];
        if (!side.is_empty() && !(side.upper + side.negated_lower < infinity)) return j;
    }
    return std::nullopt;
}

boxes::Settings settings_of(const nb::dict& settings) {
    boxes::Settings given;
    for (const auto& [key, value] : settings) {
        const auto name = nb::cast<std::string>(key);
        if (name == "longest") given.longest = nb::cast<double>(value);
        else if (name == "shortest") given.shortest = nb::cast<double>(value);
        else if (name == "smallest") given.smallest = nb::cast<double>(value);
        else if (name == "breadth") given.breadth = nb::cast<double>(value);
        else if (name == "most_sheets") given.most_sheets = nb::cast<std::size_t>(value);
        else if (name == "random_starts") given.random_starts = nb::cast<std::size_t>(value);
        else if (name == "most_charts_a_curve") given.most_charts_a_curve = nb::cast<std::size_t>(value);
        else refuse("there is no setting " + name);
    }
    return given;
}

nb::tuple bounds(const std::vector<Box>& found, std::size_t n) {
    std::vector<double> low, high;
    for (const Box& box : found)
        for (const Interval& side : box) {
            low.push_back(0.0 - side.negated_lower);
            high.push_back(side.upper);
        }
    return nb::make_tuple(reals(std::move(low), found.size(), n), reals(std::move(high), found.size(), n));
}

const Curve& component(const Search& search, std::size_t k) {
    require(k < search.components().size(), "there is no component " + std::to_string(k));
    return search.components()[k];
}

nb::dict end_of(const boxes::CurveEnd& end) {
    static const char* const names[] = {"loop", "limit", "stuck", "joined", "unfinished"};
    nb::dict made;
    made["kind"] = names[static_cast<std::size_t>(end.kind)];
    made["unknown"] = end.unknown;
    made["side"] = end.side;
    made["x"] = reals(end.at.x);
    made["radius"] = end.at.radius;
    return made;
}

nb::dict charts_of(const Search& search, std::size_t k) {
    const Curve& curve = component(search, k);
    const std::size_t n = search.problem().n, m = search.problem().m, count = curve.charts.size();
    std::vector<double> p, A, C, h, w, contraction, lean, links, radii;
    for (const boxes::Chart& chart : curve.charts) {
        p.insert(p.end(), chart.p.begin(), chart.p.end());
        A.insert(A.end(), chart.A.begin(), chart.A.end());
        C.insert(C.end(), chart.C.begin(), chart.C.end());
        h.push_back(chart.h);
        w.push_back(chart.w);
        contraction.push_back(chart.contraction);
        lean.push_back(chart.lean);
    }
    for (const boxes::Enclosed& link : curve.links) {
        links.insert(links.end(), link.x.begin(), link.x.end());
        radii.push_back(link.radius);
    }
    nb::dict made;
    made["closed"] = curve.closed;
    made["start"] = reals(curve.start.x);
    made["start_radius"] = curve.start.radius;
    made["p"] = reals(std::move(p), count, n);
    made["A"] = reals(std::move(A), count, n * n);  // column after column
    made["C"] = reals(std::move(C), count, m * m);
    made["h"] = reals(std::move(h));
    made["w"] = reals(std::move(w));
    made["contraction"] = reals(std::move(contraction));
    if (n == m) {  // a point has no direction, no links and no ends
        made["ends"] = nb::make_tuple();
        return made;
    }
    made["lean"] = reals(std::move(lean));
    made["from"] = reals(curve.from);
    made["to"] = reals(curve.to);
    made["links"] = reals(std::move(links), curve.links.size(), n);
    made["link_radii"] = reals(std::move(radii));
    made["ends"] = nb::make_tuple(end_of(curve.ends[0]), end_of(curve.ends[1]));
    return made;
}

// One point of every component, and how far it is from a true one at most.
nb::tuple points_of(const Search& search) {
    const std::size_t n = search.problem().n, count = search.components().size();
    std::vector<double> x, radius;
    x.reserve(count * n);
    radius.reserve(count);
    for (const Curve& curve : search.components()) {
        x.insert(x.end(), curve.start.x.begin(), curve.start.x.end());
        radius.push_back(curve.start.radius);
    }
    return nb::make_tuple(reals(std::move(x), count, n), reals(std::move(radius)));
}

// The charts of a curve as `charts_of` gave them, as far as sampling needs them. Those of a file do not say how well
// they contract: then C is not read either.
Curve curve_of(const nb::dict& charts, std::size_t n, std::size_t m) {
    Curve curve;
    const auto p = nb::cast<Matrix>(charts["p"]), A = nb::cast<Matrix>(charts["A"]);
    const auto h = nb::cast<Vector>(charts["h"]), w = nb::cast<Vector>(charts["w"]);
    const std::size_t count = p.shape(0);
    require(p.shape(1) == n && A.shape(0) == count && A.shape(1) == n * n && h.size() == count && w.size() == count,
            "the charts' arrays do not fit the system");
    std::vector<double> contraction, C;
    if (charts.contains("contraction")) {
        contraction = list(nb::cast<Vector>(charts["contraction"]), count, "contraction");
        const auto given = nb::cast<Matrix>(charts["C"]);
        require(given.shape(0) == count && given.shape(1) == m * m, "C does not fit the system");
        C.assign(given.data(), given.data() + count * m * m);
    }
    for (std::size_t k = 0; k < count; ++k) {
        boxes::Chart chart;
        chart.p.assign(p.data() + k * n, p.data() + (k + 1) * n);
        chart.A.assign(A.data() + k * n * n, A.data() + (k + 1) * n * n);
        chart.h = h.data()[k];
        chart.w = w.data()[k];
        if (!contraction.empty()) {
            chart.contraction = contraction[k];
            require(chart.contraction < 1.0, "a chart does not contract: it is no certificate");
            const auto first = C.begin() + static_cast<std::ptrdiff_t>(k * m * m);
            chart.C.assign(first, first + static_cast<std::ptrdiff_t>(m * m));
        }
        curve.charts.push_back(std::move(chart));
    }
    curve.from = list(nb::cast<Vector>(charts["from"]), n > m ? count : 0, "from");
    curve.to = list(nb::cast<Vector>(charts["to"]), n > m ? count : 0, "to");
    curve.closed = nb::cast<bool>(charts["closed"]);
    curve.start.x = list(nb::cast<Vector>(charts["start"]), n, "start");
    curve.start.radius = nb::cast<double>(charts["start_radius"]);
    return curve;
}

nb::dict sampled(const Tape& tape, const Integers& outputs, const Vector& period, const nb::dict& charts,
                 double step) {
    require(step > 0.0, "the step must be positive");
    const std::size_t n = tape.n_inputs(), m = outputs.size();
    require(period.size() == n && m <= n && n - m <= 1, "the period does not fit the tape");
    const UpwardMode upward;
    const boxes::Problem problem{boxes::Formulas(tape, view(outputs)), n, m, n - m, 0, 0, Box(n), list(period),
                                 std::vector<std::uint8_t>(n, 0), {}};
    Curve curve = curve_of(charts, n, m);
    const bool anew = !charts.contains("contraction");
    boxes::Samples made;
    {
        nb::gil_scoped_release unlocked;
        boxes::Bench bench(problem);
        for (boxes::Chart& chart : curve.charts) {
            bench.measure(chart);
            if (anew && n > m && !bench.take_inverse(chart, chart.p))
                throw std::runtime_error("a chart is not regular");
        }
        made = boxes::sample(bench, curve, step, anew);
    }
    const std::size_t count = made.radius.size();
    std::vector<Index> numbers(made.chart.begin(), made.chart.end());
    nb::dict given;
    given["x"] = reals(std::move(made.x), count, n);
    given["radius"] = reals(std::move(made.radius));
    given["length"] = reals(std::move(made.length));
    given["chart"] = integers(std::move(numbers));
    given["s"] = reals(std::move(made.s));
    return given;
}

std::string run(Search& search, double seconds, std::size_t most_boxes, std::size_t most_bytes,
                unsigned threads, const nb::callable& go_on) {
    static const char* const names[] = {"going", "complete", "out_of_boxes", "out_of_memory"};
    std::exception_ptr raised;
    bool answer = true;
    const auto asked = [&] {
        if (!answer) return false;
        const nb::gil_scoped_acquire locked;
        const Mode::Word upward = Mode::word();
        Mode::set(Mode::nearest);
        try {
            answer = nb::cast<bool>(go_on());
        } catch (...) {
            raised = std::current_exception();
            answer = false;
        }
        Mode::set(upward);
        return answer;
    };
    boxes::Status status;
    {
        nb::gil_scoped_release unlocked;
        status = search.run({seconds, most_boxes, most_bytes, asked}, threads);
    }
    if (raised) std::rethrow_exception(raised);
    return names[static_cast<std::size_t>(status)];
}

// The cuts of the domain, level by level: for every node the unknown that is cut, or minus the reason why
// it is a last part, less 1; and where, for those that are cut. The halves of the k-th cut are nodes 2 k + 1
// and 2 k + 2.
nb::tuple cuts_of(const Search& search) {
    const std::vector<boxes::Cut>& cuts = search.cuts();
    std::vector<Index> unknown;
    std::vector<double> at;
    std::vector<std::uint32_t> order;
    if (!cuts.empty()) order.push_back(0);
    for (std::size_t k = 0; k < order.size(); ++k) {
        const boxes::Cut& cut = cuts[order[k]];
        if (cut.unknown < 0) {
            unknown.push_back(-1 - static_cast<Index>(cut.reason));
            continue;
        }
        unknown.push_back(cut.unknown);
        at.push_back(cut.at);
        order.push_back(cut.halves);
        order.push_back(cut.halves + 1);
    }
    return nb::make_tuple(integers(std::move(unknown)), reals(std::move(at)));
}

nb::dict counts_of(const Search& search) {
    const boxes::Counts counts = search.counts();
    nb::dict made;
    made["boxes"] = counts.boxes;
    made["empty"] = counts.empty;
    made["covered"] = counts.covered;
    made["split"] = counts.split;
    made["traces"] = counts.traces;
    made["charts"] = counts.charts;
    made["components"] = search.components().size();
    made["unresolved"] = search.unresolved().size();
    return made;
}

}  // namespace

void bind_boxes(nb::module_& m) {
    nb::class_<boxes::Problem>(m, "BoxProblem", "F(x) = 0 in a box, prepared for any number of searches.")
        .def(
            "__init__",
            [](boxes::Problem* place, const std::shared_ptr<Tape>& tape, const Integers& outputs,
               const std::vector<std::size_t>& counts, const Vector& low, const Vector& high,
               const Vector& period, const Vector& limited) {
                new (place) boxes::Problem(problem(*tape, outputs, counts, low, high, period, limited));
            },
            "tape"_a, "outputs"_a, "counts"_a, "low"_a, "high"_a, "period"_a, "limited"_a)
        .def_prop_ro("unbounded", &unbounded, "An unknown that nothing bounds, if there is one.")
        .def("domain", [](const boxes::Problem& p) { return bounds({p.domain}, p.n); });
    nb::class_<Search>(m, "BoxSearch", "All solutions of F(x) = 0 in a box: points, or curves.")
        .def(
            "__init__",
            [](Search* place, boxes::Problem problem, const nb::dict& settings) {
                problem.settings = settings_of(settings);
                new (place) Search(std::move(problem));
            },
            "problem"_a, "settings"_a)
        .def("run", &run, "seconds"_a, "boxes"_a, "bytes"_a, "threads"_a, "go_on"_a)
        .def("counts", &counts_of)
        .def("cuts", &cuts_of)
        .def("points", &points_of)
        .def("component", &charts_of, "number"_a)
        .def("unresolved", [](const Search& s) { return bounds(s.unresolved(), s.problem().n); })
        .def("sheets", [](const Search& s) { return bounds(s.sheets(), s.problem().n); })
        .def("settle", [](Search& s) { return s.settle(); })
        .def("pending", [](const Search& s) { return bounds(s.pending(), s.problem().n); });
    m.def(
        "box_groups",
        [](const Matrix& low, const Matrix& high, double reach) {
            const std::size_t count = low.shape(0), n = low.shape(1);
            require(high.shape(0) == count && high.shape(1) == n, "low and high must be of one shape");
            return integers(boxes::groups({low.data(), count * n}, {high.data(), count * n}, n, reach));
        },
        "low"_a, "high"_a, "reach"_a, "A number for every box: the same for those that are near each other.");
    m.def("sample_charts", &sampled, "tape"_a, "outputs"_a, "period"_a, "charts"_a, "step"_a,
          "Points along a curve no further apart than a step, each with a bound of its error.");
}
