#include <algorithm>
#include <chrono>
#include <cmath>

#include "boxes/search/search.hpp"

// How the search finds components: from random starts, and from points that boxes are found to hold.
//
// With several threads, curves are traced ahead of their turn. A curve traced ahead is used only if
// the charts found since would not have stopped it, so what is listed does not depend on it.

namespace kempe::boxes {

namespace {

constexpr int random_approach_steps = 24;
constexpr double beside = 32.0;  // of the smallest boxes: ends of curves that lead into one place
constexpr std::size_t starts_a_member = 2;  // drawn at a time, where there are several threads

}  // namespace

double clock_seconds() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

bool Search::is_known(const Point& x) {
    Box box(problem_.n);
    for (std::size_t j = 0; j < problem_.n; ++j) box[j] = Interval::point(x[j]);
    Point at;
    return atlas_.find(workers_[0]->bench, box, at) >= 0;
}

void Search::trace_ahead(const std::vector<const Point*>& seeds) {
    std::vector<Ahead> traced(seeds.size());
    std::atomic<bool> stopped{false};
    const std::function<bool()> others_go_on = [&stopped] { return !stopped; };
    const auto look = [&] {
        if (go_on_ && !go_on_()) stopped = true;
    };
    crew_->work(
        seeds.size(),
        [&](std::size_t member, std::size_t k) {
            Ahead& made = traced[k];
            made.known = atlas_.size();
            made.found =
                trace(workers_[member]->bench, atlas_, *seeds[k], made.curve, member == 0 ? go_on_ : others_go_on);
            if (member == 0) look();
        },
        look);
    for (std::size_t k = 0; k < seeds.size(); ++k) ahead_.insert_or_assign(seeds[k], std::move(traced[k]));
}

// Whether a curve traced ahead would have been stopped by a chart found since.
bool Search::is_stopped(const Ahead& ahead) {
    Bench& bench = workers_[0]->bench;
    const auto enters = [&](const Enclosed& link) {
        for (std::size_t k = ahead.known; k < atlas_.size() && !link.box.empty(); ++k)
            if (bench.is_inside(atlas_[k], link.box)) return true;
        return false;
    };
    return std::any_of(ahead.curve.links.begin(), ahead.curve.links.end(), enters) || enters(ahead.curve.ends[0].at) ||
           enters(ahead.curve.ends[1].at);
}

// A curve that enters a known component is that component, and nothing is gained by listing it; but where the
// component itself could not be followed any further, at a corner say, the curve is what lies beyond. It ends there
// as the component does: both lead into one place.
bool Search::ends_beside(CurveEnd& end, const Enclosed& start) const {
    const double reach = beside * problem_.settings.smallest;
    const auto is_near = [&](const Enclosed& a, const Enclosed& b) {
        for (std::size_t j = 0; j < problem_.n; ++j) {
            const Interval d = Interval::point(a.x[j]) - Interval::point(b.x[j]);
            if (!(greatest(d - problem_.turns_between(j, b.x[j], a.x[j])) <= reach)) return false;
        }
        return true;
    };
    for (const Curve& other : components_)
        for (const CurveEnd& its : other.ends)
            if (!other.closed && its.kind == End::stuck && is_near(its.at, end.at) && !is_near(its.at, start)) {
                end.kind = End::stuck;
                return true;
            }
    return false;
}

bool Search::accept(const Point& seed, const std::vector<const Point*>& upcoming) {
    if (is_known(seed)) return true;
    ++counts_.traces;
    if (problem_.k == 2) return accept_surface(seed);
    if (!ahead_.contains(&seed)) {
        std::vector<const Point*> chosen{&seed};
        for (const Point* other : upcoming)
            if (chosen.size() < crew_->size() && !ahead_.contains(other) && !is_known(*other)) chosen.push_back(other);
        trace_ahead(chosen);
    }
    if (is_stopped(ahead_.at(&seed))) trace_ahead({&seed});
    Ahead& ahead = ahead_.at(&seed);
    Curve& curve = ahead.curve;
    counts_.tried += 1 + curve.charts.size();
    if (!ahead.found) return false;
    for (CurveEnd& end : curve.ends)
        if (end.kind == End::joined && !ends_beside(end, curve.start)) return false;
    // another component than every known one: its first point is on none of their arcs
    for (std::uint32_t k = 0; k < atlas_.size(); ++k)
        if (!workers_[0]->bench.is_clear(atlas_[k], curve.start.box)) return false;
    for (std::size_t k = 0; k < curve.charts.size(); ++k) {
        Chart& chart = curve.charts[k];
        chart.component = static_cast<int>(components_.size());
        if (k < curve.from.size()) chart.from = curve.from[k], chart.to = curve.to[k];
        atlas_.add(chart);
    }
    counts_.charts = atlas_.size();
    components_.push_back(std::move(curve));
    return true;
}

bool Search::accept_surface(const Point& seed) {
    ++counts_.tried;
    if (!packing_.begin(workers_[0]->bench, seed)) return false;
    grow_surfaces(most_charts_);
    return true;
}

bool Search::grow_surfaces(std::size_t most_charts) {
    most_charts_ = most_charts;
    if (!packing_.has_front()) return true;
    const std::size_t before = atlas_.size(), room = most_charts - std::min(most_charts, counts_.tried);
    const bool is_done = packing_.advance(workers_[0]->bench, room, go_on_);
    counts_.tried += atlas_.size() - before;
    counts_.charts = atlas_.size();
    return is_done;
}

// Newton's method from random points; those that lead out of the domain stay empty.
void Search::draw_starts() {
    const std::size_t count = crew_->size() == 1 ? 1 : starts_a_member * crew_->size();
    double reach = 0.0;
    for (const Interval& side : problem_.domain) reach += width(side) * width(side);
    starts_.assign(count, Point(problem_.n));
    for (Point& x : starts_)
        for (std::size_t j = 0; j < problem_.n; ++j) {
            const Interval& side = problem_.domain[j];
            const double share = static_cast<double>(random_() >> 11) * 0x1p-53;
            x[j] = side.lower() + share * (side.upper - side.lower());
        }
    crew_->work(count, [&](std::size_t member, std::size_t k) {
        Point& x = starts_[k];
        bool inside = workers_[member]->bench.approach(x, random_approach_steps, std::sqrt(reach));
        if (inside) problem_.wrap(x.data());
        for (std::size_t j = 0; j < problem_.n; ++j) inside = inside && problem_.domain[j].contains(x[j]);
        if (!inside) x.clear();
    });
    next_start_ = 0;
    ahead_.clear();
}

void Search::start_at_random(std::size_t tries, std::size_t most_charts, double end) {
    while (failed_starts_ < tries && counts_.tried < most_charts && clock_seconds() < end) {
        if (next_start_ == starts_.size()) draw_starts();
        const Point& x = starts_[next_start_++];
        ++failed_starts_;
        if (x.empty() || is_known(x)) continue;
        std::vector<const Point*> upcoming;
        for (std::size_t k = next_start_; k < starts_.size(); ++k)
            if (!starts_[k].empty()) upcoming.push_back(&starts_[k]);
        if (accept(x, upcoming)) failed_starts_ = 0;
    }
}

}  // namespace kempe::boxes
