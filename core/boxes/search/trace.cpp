#include "boxes/search/trace.hpp"

#include <algorithm>
#include <cmath>

namespace kempe::boxes {

namespace {

constexpr double growth = 1.3, decay = 0.7;  // of the half-length from chart to chart, from try to try
constexpr double link_places[] = {0.97, 0.9, 0.75, 0.5};  // where charts are joined, over h
constexpr std::size_t charts_between_looks = 64;  // at the clock, and whether anyone wants it to stop
constexpr double most_of_a_circle = 0.95;  // of a period, for a chart: no point of it has two names
constexpr double least_try = 0.25;  // of a half-length that cannot be proved, for the next one
constexpr double lead = 0.95;  // the next centre lies so many of its half-lengths ahead

void flip(Chart& chart) {
    const std::size_t n = chart.p.size();
    for (std::size_t i = 0; i < n; ++i) chart.A[(n - 1) * n + i] = -chart.A[(n - 1) * n + i];
}

void flip(Enclosed& point) {
    for (double& entry : point.tangent) entry = -entry;
}

class Follower {
  public:
    Follower(Bench& bench, const Atlas& atlas, const std::function<bool()>& go_on)
        : bench_(bench), p_(bench.problem), atlas_(atlas), may_go_on_(go_on) {
        for (std::size_t j = 0; j < p_.n; ++j)
            if (p_.is_limited(j)) limited_.push_back(j);
    }

    // A first chart at p, as long as can be proved.
    bool begin(const Point& p, Chart& chart, Enclosed& start) {
        if (!bench_.place(chart, p, nullptr)) return false;
        for (double h = bench_.promising(p_.settings.longest); h > p_.settings.shortest; h *= decay)
            if (bench_.certify(chart, h) && fits_circles(chart) && crosses_limits_once(chart) &&
                bench_.keeps_sides(chart)) {
                std::vector<double> y(p_.m, 0.0);
                return bench_.enclose(chart, 0.0, y, start) && where(start.box) == Place::inside &&
                       (p_.k == 0 || bench_.enclose_tangent(chart, start));
            }
        return false;
    }

    // Goes on from the start until the curve ends; every chart gets its stretch [from, to].
    void follow(const Chart& first, const Enclosed& start, Curve& curve, CurveEnd& end) {
        Interval entered;
        end = CurveEnd{};
        end.at = start;
        left_ = 0.0;
        if (bench_.is_inside(first, start.box, &entered)) go_on(first, start, entered, curve, end);
        curve.to.push_back(left_);
    }

  private:
    void go_on(const Chart& first, const Enclosed& start, Interval entered, Curve& curve, CurveEnd& end) {
        Chart now = first, next;
        double h = now.h;
        const std::size_t given = curve.charts.size();
        std::vector<double> y(p_.m);
        Enclosed link;
        while (curve.charts.size() < p_.settings.most_charts_a_curve) {
            if (curve.charts.size() % charts_between_looks == 0 && may_go_on_ && !may_go_on_()) break;
            double most = p_.settings.longest;
            bool is_second_try = false;
            if (!leave(now, entered, link, y, end)) {
                if (end.kind == End::limit || curve.charts.size() == given) return;
                link = drop_last(curve);  // a shorter chart may hold a point further on
                most = h = decay * now.h;
                is_second_try = true;
            } else {
                end.at = link;
                if (enters_another(link)) {
                    end.kind = End::joined;
                    return;
                }
                h = std::min(p_.settings.longest, growth * h);
            }
            Interval found, at_start;
            if (!extend(link, h, most, next, found)) {
                if (is_second_try) add(curve, now, link, entered);  // what was proved stays
                return;
            }
            h = next.h;
            add(curve, next, link, found);
            if (bench_.is_inside(next, start.box, &at_start) && found.upper < at_start.lower() &&
                bench_.runs_along(next, start)) {
                end.kind = End::loop;
                left_ = middle(at_start);
                return;
            }
            entered = found;
            std::swap(now, next);
        }
        end.kind = End::unfinished;
    }

    // A chart that was entered by a link.
    void add(Curve& curve, const Chart& chart, const Enclosed& link, const Interval& entered) {
        curve.to.push_back(left_);
        curve.from.push_back(middle(entered));
        curve.links.push_back(link);
        curve.charts.push_back(chart);
        left_ = middle(entered);
    }

    // Takes the newest chart off a curve, and gives back the link by which it was entered.
    Enclosed drop_last(Curve& curve) {
        Enclosed link = std::move(curve.links.back());
        left_ = curve.to.back();
        curve.charts.pop_back();
        curve.links.pop_back();
        curve.from.pop_back();
        curve.to.pop_back();
        return link;
    }

    enum class Place { inside, outside, unknown };

    Place where(const Box& box) const {
        Place place = Place::inside;
        for (const std::size_t j : limited_) {
            const Interval& d = p_.domain[j];
            if (box[j].lower() > d.upper || box[j].upper < d.lower()) return Place::outside;
            if (!within(box[j], d)) place = Place::unknown;
        }
        return place;
    }

    // Whether the nearest way round every circle tells which point of the chart is meant.
    bool fits_circles(const Chart& chart) const {
        for (std::size_t j = 0; j < p_.n; ++j)
            if (p_.period[j] > 0.0 && !(width(chart.bounds[j]) < most_of_a_circle * p_.period[j])) return false;
        return true;
    }

    // Whether the arc meets every bound at most once: the unknowns that may leave their bounds rise
    // or fall all along the chart.
    bool crosses_limits_once(const Chart& chart) const {
        if (p_.k == 0) return true;
        for (const std::size_t j : limited_) {
            double spread = 0.0, off = 0.0;
            for (std::size_t i = 0; i < p_.m; ++i) {
                const double a = std::abs(chart.column(i)[j]);
                spread += a;
                off += a * chart.tube[i];
            }
            const double t = std::abs(chart.column(p_.m)[j]), slack = 1.0 + 8.0 * rounding_share(p_.n);
            const double reach = slack * (t * chart.h + off) + underflow;
            const Interval range{add_up(-chart.p[j], reach), add_up(chart.p[j], reach)};
            if (within(range, p_.domain[j])) continue;
            if (!(t > slack * spread * chart.lean + underflow)) return false;
        }
        return true;
    }

    // The last point of a chart before the next one; false where the arc ends in this chart.
    bool leave(const Chart& now, const Interval& entered, Enclosed& link, std::vector<double>& y, CurveEnd& end) {
        for (const double place : link_places) {
            std::fill(y.begin(), y.end(), 0.0);
            const double s = place * now.h;
            Interval around;
            if (!bench_.enclose(now, s, y, link) || !bench_.is_inside(now, link.box, &around)) continue;
            if (!(entered.upper < around.lower()) || !bench_.enclose_tangent(now, link)) continue;
            const Place at = where(link.box);
            if (at == Place::inside) {
                left_ = s;
                return true;
            }
            if (at == Place::outside && cross(now, middle(entered), s, end)) return false;
        }
        return false;
    }

    // Where between two parameters the arc first meets a bound.
    bool cross(const Chart& now, double inside, double outside, CurveEnd& end) {
        std::vector<double> y(p_.m, 0.0);
        Point x(p_.n);
        for (int halving = 0; halving < 60; ++halving) {
            const double s = 0.5 * (inside + outside);
            if (!(s > inside && s < outside) || !bench_.locate(now, s, y, x)) break;
            bool is_in = true;
            for (const std::size_t j : limited_)
                if (x[j] < p_.domain[j].lower() || x[j] > p_.domain[j].upper) {
                    is_in = false;
                    end.unknown = static_cast<int>(j);
                    end.side = x[j] > p_.domain[j].upper ? 1 : -1;
                }
            (is_in ? inside : outside) = s;
        }
        if (!bench_.enclose(now, inside, y, end.at)) return false;
        end.at.radius = add_up(end.at.radius, 2.0 * (outside - inside));
        left_ = inside;
        end.kind = End::limit;
        return true;
    }

    bool enters_another(const Enclosed& link) {
        Interval s;
        return atlas_.any_near(link.x.data(), [&](std::uint32_t k) {
            return bench_.is_inside(atlas_[k], link.box, &s) && atlas_[k].lists(s);
        });
    }

    // The next chart: it holds the link, runs the same way and reaches as far as can be proved, but no further
    // than `longest`.
    bool extend(const Enclosed& link, double h, double longest, Chart& next, Interval& found) {
        Point x(p_.n);
        const Point& t = link.tangent;
        for (; h > p_.settings.shortest; h *= decay) {
            for (std::size_t i = 0; i < p_.n; ++i) x[i] = link.x[i] + lead * h * t[i];
            if (!bench_.approach(x, 10, 0.6 * h)) continue;
            p_.wrap(x.data());
            if (!bench_.place(next, x, t.data())) continue;
            const double most = bench_.promising(longest);
            if (most < h) {
                // the next try has this half-length; x may have come close to a crossing by chance
                h = std::min(h, std::max(most, least_try * h) / decay);
                continue;
            }
            if (goes_on(link, most, next, found) || (most > h && goes_on(link, h, next, found))) return true;
        }
        return false;
    }

    // Whether the chart just placed can be proved with half-length h and follows after the link.
    bool goes_on(const Enclosed& link, double h, Chart& next, Interval& found) {
        next.component = -1;
        return bench_.certify(next, h) && fits_circles(next) && crosses_limits_once(next) && bench_.keeps_sides(next) &&
               bench_.is_inside(next, link.box, &found) && bench_.runs_along(next, link);
    }

    Bench& bench_;
    const Problem& p_;
    const Atlas& atlas_;
    const std::function<bool()>& may_go_on_;
    std::vector<std::size_t> limited_;
    double left_ = 0.0;  // the parameter at which the current chart was left
};

// Puts the charts that were found going backward in front, all running forward.
void put_before(Curve& back, Curve& curve) {
    Curve whole;
    for (std::size_t k = back.charts.size(); k-- > 1;) {
        flip(back.charts[k]);
        whole.charts.push_back(back.charts[k]);
        whole.from.push_back(-back.to[k]);
        whole.to.push_back(-back.from[k]);
        flip(back.links[k - 1]);
        whole.links.push_back(back.links[k - 1]);
    }
    curve.from[0] = -back.to[0];
    whole.charts.insert(whole.charts.end(), curve.charts.begin(), curve.charts.end());
    whole.links.insert(whole.links.end(), curve.links.begin(), curve.links.end());
    whole.from.insert(whole.from.end(), curve.from.begin(), curve.from.end());
    whole.to.insert(whole.to.end(), curve.to.begin(), curve.to.end());
    curve.charts.swap(whole.charts);
    curve.links.swap(whole.links);
    curve.from.swap(whole.from);
    curve.to.swap(whole.to);
}

}  // namespace

bool trace(Bench& bench, const Atlas& atlas, const Point& p, Curve& curve, const std::function<bool()>& go_on) {
    Follower follower(bench, atlas, go_on);
    Chart first;
    curve = Curve{};
    if (!bench.is_on_its_side(p) || !follower.begin(p, first, curve.start)) return false;
    curve.charts.push_back(first);
    if (bench.problem.k == 0) return true;
    curve.from.push_back(0.0);
    follower.follow(first, curve.start, curve, curve.ends[1]);
    if (curve.ends[1].kind == End::loop) {
        curve.closed = true;
        curve.ends[0] = curve.ends[1];
        curve.links.push_back(curve.start);
        return true;
    }
    Curve back;
    Chart turned = first;
    flip(turned);
    back.charts.push_back(turned);
    back.from.push_back(0.0);
    Enclosed start = curve.start;
    flip(start);
    follower.follow(turned, start, back, curve.ends[0]);
    put_before(back, curve);
    return true;
}

}  // namespace kempe::boxes
