#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "bind/bind.hpp"
#include "bind/bind_arrays.hpp"
#include "boxes/search/groups.hpp"
#include "boxes/search/sample.hpp"
#include "boxes/search/search.hpp"
#include "boxes/search/triangulation.hpp"

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
    require(m <= n && n - m <= 2, "there must be as many unknowns as equations, or up to two more; there are " +
                                      std::to_string(n) + " and " + std::to_string(m));
    const UpwardMode upward;
    Box domain(n);
    for (std::size_t j = 0; j < n; ++j) {
        require(low.data()[j] <= high.data()[j], "low must not exceed high");
        domain[j] = Interval::of(low.data()[j], high.data()[j]);
    }
    std::vector<std::uint8_t> cuts_off(n);
    for (std::size_t j = 0; j < n; ++j) cuts_off[j] = limited.data()[j] != 0.0;
    return boxes::bounded({boxes::Formulas(tape, view(outputs)),
                           n,
                           m,
                           n - m,
                           counts[1],
                           counts[2],
                           std::move(domain),
                           list(period),
                           std::move(cuts_off),
                           {}});
}

std::optional<std::size_t> unbounded(const boxes::Problem& problem) {
    for (std::size_t j = 0; j < problem.n; ++j) {
        const Interval& side = problem.domain[j];
        if (!side.is_empty() && !(side.upper + side.negated_lower < infinity)) return j;
    }
    return std::nullopt;
}

// Lower and upper bounds of boxes, one a row.
struct Bounds {
    RealsOut low, high;
};

Bounds bounds(const std::vector<Box>& found, std::size_t n) {
    std::vector<double> low, high;
    for (const Box& box : found)
        for (const Interval& side : box) {
            low.push_back(0.0 - side.negated_lower);
            high.push_back(side.upper);
        }
    return {reals(std::move(low), found.size(), n), reals(std::move(high), found.size(), n)};
}

const Curve& component(const Search& search, std::size_t k) {
    require(k < search.components().size(), "there is no component " + std::to_string(k));
    return search.components()[k];
}

// A curve with the charts that prove it, as arrays: row or number k is that of chart k.
struct ChartedCurve {
    bool closed = false;
    double start_radius = 0.0;
    RealsOut start, p, A, C, h, w, contraction, lean, entered, left, links, link_radii;
    std::vector<boxes::CurveEnd> ends;
};

ChartedCurve charts_of(const Search& search, std::size_t k) {
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
    std::vector<boxes::CurveEnd> ends;  // a point has none
    if (n > m) ends.assign(std::begin(curve.ends), std::end(curve.ends));
    return {curve.closed,
            curve.start.radius,
            reals(curve.start.x),
            reals(std::move(p), count, n),
            reals(std::move(A), count, n * n),
            reals(std::move(C), count, m * m),
            reals(std::move(h)),
            reals(std::move(w)),
            reals(std::move(contraction)),
            reals(std::move(lean)),
            reals(curve.from),
            reals(curve.to),
            reals(std::move(links), curve.links.size(), n),
            reals(std::move(radii)),
            std::move(ends)};
}

// One point of every component, and how far it is from a true one at most.
struct CertifiedPoints {
    RealsOut x, radius;
};

CertifiedPoints points_of(const Search& search) {
    const std::size_t n = search.problem().n, count = search.components().size();
    std::vector<double> x, radius;
    x.reserve(count * n);
    radius.reserve(count);
    for (const Curve& curve : search.components()) {
        x.insert(x.end(), curve.start.x.begin(), curve.start.x.end());
        radius.push_back(curve.start.radius);
    }
    return {reals(std::move(x), count, n), reals(std::move(radius))};
}

// The charts of a curve as `charts_of` gives them, as far as sampling needs them. Those of a file do not say how well
// they contract: then C is not read either.
struct GivenCurve {
    std::vector<double> start, from, to, h, w, contraction;
    std::vector<double> p, A, C;  // n, n n and m m numbers a chart
    double start_radius = 0.0;
    bool closed = false;

    [[nodiscard]] Curve curve(std::size_t n, std::size_t m) const {
        const std::size_t count = h.size(), stretches = n > m ? count : 0;
        const bool contracts = !contraction.empty();
        require(p.size() == count * n && A.size() == count * n * n && w.size() == count && from.size() == stretches &&
                    to.size() == stretches && start.size() == n &&
                    (!contracts || (contraction.size() == count && C.size() == count * m * m)),
                "the charts' arrays do not fit the system");
        const auto part = [](const std::vector<double>& numbers, std::size_t k, std::size_t size) {
            const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(k * size);
            return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(size));
        };
        Curve curve;
        for (std::size_t k = 0; k < count; ++k) {
            boxes::Chart& chart = curve.charts.emplace_back();
            chart.p = part(p, k, n);
            chart.A = part(A, k, n * n);
            chart.h = h[k];
            chart.w = w[k];
            if (!contracts) continue;
            chart.contraction = contraction[k];
            require(chart.contraction < 1.0, "a chart does not contract: it is no certificate");
            chart.C = part(C, k, m * m);
        }
        curve.from = from;
        curve.to = to;
        curve.closed = closed;
        curve.start.x = start;
        curve.start.radius = start_radius;
        return curve;
    }
};

// Points along a curve: row or number k is that of point k.
struct CurveSamples {
    RealsOut x, radius, length;
};

CurveSamples sampled(const Tape& tape, const Integers& outputs, const Vector& period, const GivenCurve& given,
                     double step) {
    require(step > 0.0, "the step must be positive");
    const std::size_t n = tape.n_inputs(), m = outputs.size();
    require(period.size() == n && m <= n && n - m <= 1, "the period does not fit the tape");
    const UpwardMode upward;
    const boxes::Problem problem{boxes::Formulas(tape, view(outputs)), n, m, n - m, 0, 0, Box(n), list(period),
                                 std::vector<std::uint8_t>(n, 0),      {}};
    Curve curve = given.curve(n, m);
    const bool anew = given.contraction.empty();
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
    return {reals(std::move(made.x), count, n), reals(std::move(made.radius)), reals(std::move(made.length))};
}

// Surfaces as a mesh: row or number k is that of corner k, of triangle k or of component k.
struct SurfaceMesh {
    RealsOut x, radius, spacing, A, C, h, w, lean, star_h, star_w, star_lean;
    IntegersOut triangles, component, proved, once;
    std::size_t failures = 0;
};

SurfaceMesh mesh_of(Search& search, double seconds) {
    using Clock = std::chrono::steady_clock;
    const auto began = Clock::now();
    const auto in_time = [&] { return std::chrono::duration<double>(Clock::now() - began).count() < seconds; };
    const boxes::Problem& problem = search.problem();
    require(problem.k == 2, "only surfaces have a mesh");
    boxes::Packing& packing = search.packing();
    boxes::Mesh mesh;
    {
        nb::gil_scoped_release unlocked;
        const UpwardMode upward;
        boxes::Bench bench(problem);
        mesh = boxes::triangulate(bench, search.atlas(), packing, in_time);
    }
    const std::size_t n = problem.n, m = problem.m, count = packing.size();
    std::vector<double> x, radius, spacing, A, C, h, w, lean, star_h, star_w, star_lean;
    for (std::size_t k = 0; k < count; ++k) {
        const boxes::Chart& chart = search.atlas()[k];
        x.insert(x.end(), chart.p.begin(), chart.p.end());
        A.insert(A.end(), chart.A.begin(), chart.A.end());
        C.insert(C.end(), chart.C.begin(), chart.C.end());
        radius.push_back(packing.radius(k)), spacing.push_back(packing.spacing(k));
        h.push_back(chart.h), w.push_back(chart.w), lean.push_back(chart.lean);
        const boxes::Chart& star = mesh.stars[k];
        star_h.push_back(star.h), star_w.push_back(star.w), star_lean.push_back(star.lean);
    }
    std::vector<Index> triangles;
    for (const boxes::Mesh::Triangle& triangle : mesh.triangles)
        for (const std::uint32_t corner : triangle) triangles.push_back(static_cast<Index>(corner));
    return {reals(std::move(x), count, n),
            reals(std::move(radius)),
            reals(std::move(spacing)),
            reals(std::move(A), count, n * n),
            reals(std::move(C), count, m * m),
            reals(std::move(h)),
            reals(std::move(w)),
            reals(std::move(lean)),
            reals(std::move(star_h)),
            reals(std::move(star_w)),
            reals(std::move(star_lean)),
            integers(std::move(triangles)),
            integers({mesh.component.begin(), mesh.component.end()}),
            integers({mesh.proved.begin(), mesh.proved.end()}),
            integers({mesh.once.begin(), mesh.once.end()}),
            packing.failures()};
}

boxes::Status run(Search& search, double seconds, std::size_t most_boxes, std::size_t most_charts,
                  std::size_t most_bytes, unsigned threads, const nb::callable& go_on) {
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
        status = search.run({seconds, most_boxes, most_charts, most_bytes, asked}, threads);
    }
    if (raised) std::rethrow_exception(raised);
    return status;
}

// The cuts of the domain, level by level: for every node the unknown that is cut, or minus the reason why
// it is a last part, less 1; and where, for those that are cut. The halves of the k-th cut are nodes 2 k + 1
// and 2 k + 2.
struct Cuts {
    IntegersOut unknown;
    RealsOut at;
};

Cuts cuts_of(const Search& search) {
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
    return {integers(std::move(unknown)), reals(std::move(at))};
}

struct SearchCounts : boxes::Counts {
    std::size_t components = 0, unresolved = 0;
};

SearchCounts counts_of(const Search& search) {
    return {search.counts(), search.components().size(), search.unresolved().size()};
}

void bind_curves(nb::module_& m) {
    using boxes::CurveEnd, boxes::End;
    nb::enum_<End>(m, "CurveEndKind", "Why a curve goes no further.")
        .value("loop", End::loop, "It closes.")
        .value("limit", End::limit, "It leaves the domain through the bound of an unknown.")
        .value("stuck", End::stuck, "No chart could be proved any further.")
        .value("joined", End::joined, "It entered a chart of a curve that is already known.")
        .value("unfinished", End::unfinished, "It has as many charts as are allowed.");
    nb::class_<CurveEnd>(m, "CurveEnd", "An end of a curve.")
        .def_ro("kind", &CurveEnd::kind, "Why it ends there.")
        .def_ro("unknown", &CurveEnd::unknown, "The unknown whose bound was met, or -1.")
        .def_ro("side", &CurveEnd::side, "-1 at its lower bound, 1 at its upper one.")
        .def_prop_ro(
            "x", [](const CurveEnd& end) { return reals(end.at.x); }, nb::rv_policy::automatic, "A point (n,) there.")
        .def_prop_ro(
            "radius", [](const CurveEnd& end) { return end.at.radius; }, "How far it is from a true one at most.");
    nb::class_<ChartedCurve> curve(m, "ChartedCurve", "A curve, or a point, with the charts that prove it.");
    curve.def_ro("closed", &ChartedCurve::closed, "Whether it is a loop.")
        .def_ro("start_radius", &ChartedCurve::start_radius, "How far `start` is from a true point at most.")
        .def_ro("ends", &ChartedCurve::ends, nb::rv_policy::copy, "Its two ends; a point has none.");
    array_field(curve, "start", &ChartedCurve::start, "A point (n,) of it.");
    array_field(curve, "p", &ChartedCurve::p, "Centres (charts, n).");
    array_field(curve, "A", &ChartedCurve::A, "Frames (charts, n n), column after column.");
    array_field(curve, "C", &ChartedCurve::C, "Inverses (charts, m m) that the proofs use.");
    array_field(curve, "h", &ChartedCurve::h, "Half-lengths (charts,).");
    array_field(curve, "w", &ChartedCurve::w, "Half-widths (charts,).");
    array_field(curve, "contraction", &ChartedCurve::contraction, "Factors (charts,) below 1.");
    array_field(curve, "lean", &ChartedCurve::lean, "How far (charts,) the curve may lean out of its chart.");
    array_field(curve, "entered", &ChartedCurve::entered, "Where (charts,) along its chart it comes in.");
    array_field(curve, "left", &ChartedCurve::left, "Where (charts,) along its chart it goes out.");
    array_field(curve, "links", &ChartedCurve::links, "Points (links, n) that neighbours share.");
    array_field(curve, "link_radii", &ChartedCurve::link_radii, "How far (links,) these are off at most.");
}

void bind_answers(nb::module_& m) {
    nb::class_<Bounds> bounds(m, "Bounds", "Boxes, one a row.");
    array_field(bounds, "low", &Bounds::low, "Lower bounds (count, n).");
    array_field(bounds, "high", &Bounds::high, "Upper bounds (count, n).");
    nb::class_<CertifiedPoints> points(m, "CertifiedPoints", "A point of every component.");
    array_field(points, "x", &CertifiedPoints::x, "The points (count, n).");
    array_field(points, "radius", &CertifiedPoints::radius, "How far (count,) they are off at most.");
    nb::class_<CurveSamples> samples(m, "CurveSamples", "Points along a curve.");
    array_field(samples, "x", &CurveSamples::x, "The points (count, n).");
    array_field(samples, "radius", &CurveSamples::radius, "How far (count,) they are off at most.");
    array_field(samples, "length", &CurveSamples::length, "Lengths (count,) along the curve up to them.");
    using S = SurfaceMesh;
    nb::class_<S> mesh(m, "SurfaceMesh", "Surfaces as a mesh of triangles with a certified chart at every corner.");
    array_field(mesh, "x", &S::x, "Corners (corners, n): the middles of charts.");
    array_field(mesh, "radius", &S::radius, "How far (corners,) they are off at most.");
    array_field(mesh, "spacing", &S::spacing, "How far apart (corners,) corners were put.");
    array_field(mesh, "A", &S::A, "Frames (corners, n n), column after column.");
    array_field(mesh, "C", &S::C, "Inverses (corners, m m) that the proofs use.");
    array_field(mesh, "h", &S::h, "Half-lengths (corners,) of the charts.");
    array_field(mesh, "w", &S::w, "Half-widths (corners,) of the charts.");
    array_field(mesh, "lean", &S::lean, "How far (corners,) the surface may lean out of its chart.");
    array_field(mesh, "star_h", &S::star_h, "Half-lengths (corners,) of charts that hold the triangles about; or 0.");
    array_field(mesh, "star_w", &S::star_w, "Half-widths (corners,) of these.");
    array_field(mesh, "star_lean", &S::star_lean, "How far (corners,) the surface may lean out of these.");
    array_field(mesh, "triangles", &S::triangles, "Corners (3 triangles,), oriented alike.");
    array_field(mesh, "component", &S::component, "The component (corners,) of every corner, or -1.");
    array_field(mesh, "proved", &S::proved, "Whether (corners,) the triangles about it are proved to fit.");
    array_field(mesh, "once", &S::once, "Whether (components,) each is proved to cover its surface once.");
    mesh.def_ro("failures", &S::failures, "Places at which no chart could be proved.");
    nb::class_<Cuts> cuts(m, "Cuts", "How a domain was cut up, level by level.");
    array_field(cuts, "unknown", &Cuts::unknown,
                "Of every part the unknown that is cut, or minus the reason why it is a last part, less 1.");
    array_field(cuts, "at", &Cuts::at, "Where, for those that are cut; halves of cut k are 2 k + 1, 2 k + 2.");
    nb::class_<SearchCounts>(m, "SearchCounts", "What a search cost and found.")
        .def_ro("boxes", &SearchCounts::boxes, "Boxes looked at.")
        .def_ro("empty", &SearchCounts::empty, "Boxes without a solution.")
        .def_ro("covered", &SearchCounts::covered, "Boxes whose solutions lie in charts.")
        .def_ro("split", &SearchCounts::split, "Boxes cut in two.")
        .def_ro("traces", &SearchCounts::traces, "Curves followed.")
        .def_ro("charts", &SearchCounts::charts, "Charts proved.")
        .def_ro("components", &SearchCounts::components, "Curves, or points, found.")
        .def_ro("unresolved", &SearchCounts::unresolved, "Boxes too small to go on with.");
    nb::enum_<boxes::Status>(m, "SearchStatus", "How a search stands.")
        .value("going", boxes::Status::going, "There is more to look at.")
        .value("complete", boxes::Status::complete, "Everything is looked at.")
        .value("out_of_boxes", boxes::Status::out_of_boxes, "It has looked at as many as it may.")
        .value("out_of_memory", boxes::Status::out_of_memory, "It has filled the memory it may.")
        .value("out_of_charts", boxes::Status::out_of_charts, "It has tried as many charts as it may.");
}

}  // namespace

void bind_boxes(nb::module_& m) {
    bind_curves(m);
    bind_answers(m);
    nb::class_<boxes::Problem>(m, "BoxProblem", "F(x) = 0 in a box, prepared for any number of searches.")
        .def(
            "__init__",
            [](boxes::Problem* place, const std::shared_ptr<Tape>& tape, const Integers& outputs,
               const std::vector<std::size_t>& counts, const Vector& low, const Vector& high, const Vector& period,
               const Vector& limited) {
                new (place) boxes::Problem(problem(*tape, outputs, counts, low, high, period, limited));
            },
            "tape"_a, "outputs"_a, "counts"_a, "low"_a, "high"_a, "period"_a, "limited"_a)
        .def_prop_ro("unbounded", &unbounded, "An unknown that nothing bounds, if there is one.")
        .def("domain", [](const boxes::Problem& p) { return bounds({p.domain}, p.n); });
    nb::class_<Search>(m, "BoxSearch", "All solutions of F(x) = 0 in a box: points, or curves.")
        .def(
            "__init__",
            [](Search* place, boxes::Problem problem, double longest, double shortest, double smallest) {
                problem.settings.longest = longest;
                problem.settings.shortest = shortest;
                problem.settings.smallest = smallest;
                new (place) Search(std::move(problem));
            },
            "problem"_a, nb::kw_only(), "longest"_a, "shortest"_a, "smallest"_a,
            "Charts are no longer than `longest` and no shorter than `shortest`, boxes no smaller than `smallest`.")
        .def("run", &run, "seconds"_a, "boxes"_a, "charts"_a, "bytes"_a, "threads"_a, "go_on"_a)
        .def("counts", &counts_of)
        .def("cuts", &cuts_of)
        .def("points", &points_of)
        .def("component", &charts_of, "number"_a)
        .def("surface", &mesh_of, "seconds"_a,
             "A mesh of the surfaces found, where two freedoms are left, and what is proved of it.")
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
    using G = GivenCurve;
    made_of(m, "GivenCurve", "A curve, or a point, by its charts; without contractions everything is proved anew.",
            Field{"start", &G::start}, Field{"start_radius", &G::start_radius}, Field{"closed", &G::closed},
            Field{"p", &G::p}, Field{"A", &G::A}, Field{"h", &G::h}, Field{"w", &G::w}, Field{"entered", &G::from},
            Field{"left", &G::to}, Field{"contraction", &G::contraction}, Field{"C", &G::C});
    m.def("sample_charts", &sampled, "tape"_a, "outputs"_a, "period"_a, "curve"_a, "step"_a,
          "Points along a curve no further apart than a step, each with a bound of its error.");
}
