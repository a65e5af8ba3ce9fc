#include "boxes/search/triangulation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <unordered_map>

namespace kempe::boxes {

namespace {

using Triangle = Mesh::Triangle;

// Products and sums of a few dozen numbers of the size of 1 and below are off by far less than this, which is
// far less than any angle or length of a mesh.
constexpr double slack = 1e-9;
constexpr double reach_of_neighbours = 0.98;  // of a chart's half-length
constexpr double room_about_star = 1.02;      // of the longest edge: half-length of a star's chart
constexpr std::size_t longest_hole = 24;      // edges
constexpr std::uint32_t corners_between_looks = 64;  // whether anyone wants it to stop
constexpr int most_attempts = 6, most_widenings = 3, most_passes = 16;

struct Flat {
    double x, y;
    Flat operator-(const Flat& o) const { return {x - o.x, y - o.y}; }
    double length() const { return std::hypot(x, y); }
};
double cross(const Flat& a, const Flat& b) { return a.x * b.y - a.y * b.x; }
double dot(const Flat& a, const Flat& b) { return a.x * b.x + a.y * b.y; }

struct Neighbour {
    std::uint32_t number;
    Flat at;
};

std::uint64_t key(std::uint32_t a, std::uint32_t b) { return static_cast<std::uint64_t>(a) << 32 | b; }

Triangle rotated(Triangle t) {
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    return t;
}

class Mesher {
  public:
    Mesher(Bench& bench, const Atlas& atlas, const Packing& packing, const std::function<bool()>& go_on)
        : bench_(bench), problem_(bench.problem), atlas_(atlas), packing_(packing), go_on_(go_on), near_(problem_),
          count_(packing.size()) {
        for (std::uint32_t v = 0; v < count_; ++v) near_.add(v, point(v).data(), atlas_[v].h);
    }

    Mesh made() {
        mesh_.proved.assign(count_, 0);
        mesh_.component.assign(count_, -1);
        mesh_.stars.resize(count_);
        rings_.resize(count_);
        if (is_made() && is_placed()) {
            label();
            for (std::uint32_t v = 0; v < count_; ++v)
                if (mesh_.component[v] < 0) adopt(v);
            for (std::size_t c = 0; c < mesh_.once.size(); ++c)
                mesh_.once[c] = is_covered_once(static_cast<std::int32_t>(c));
            refuse_spheres_in_charts();
        }
        return std::move(mesh_);
    }

    bool goes_on() { return is_going_ = is_going_ && (!go_on_ || go_on_()); }

    struct Gap {
        std::uint32_t corner;
        Flat at;
    };

    // Where a point is missing: the middles of the longest edges about corners of which nothing is proved.
    std::vector<Gap> gaps(const Mesh& mesh) const {
        std::vector<Gap> found;
        for (std::uint32_t v = 0; v < count_; ++v) {
            if (mesh.proved[v] || rings_[v].empty()) continue;
            Flat at{};
            double longest = 0.0;
            for (std::size_t k = 0; k < rings_[v].size(); ++k) {
                const Flat a = seen(atlas_[v], rings_[v][k]),
                           b = seen(atlas_[v], rings_[v][(k + 1) % rings_[v].size()]);
                if (a.length() > longest) longest = a.length(), at = {0.5 * a.x, 0.5 * a.y};
                if ((b - a).length() > longest) longest = (b - a).length(), at = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
            }
            found.push_back({v, at});
        }
        return found;
    }

  private:
    // Triangles in numbers; false where it was told to end before.
    bool is_made() {
        propose();
        if (!goes_on()) return false;
        while (fill_holes() && widenings_++ < most_widenings && goes_on()) widen_holes();
        for (int pass = 0; pass < most_passes && goes_on() && flip_edges(); ++pass) {}
        list_triangles();
        list_stars();
        return goes_on();
    }

    // What is proved about every corner; false where it was told to end before.
    bool is_placed() {
        for (std::uint32_t v = 0; v < count_; ++v) {
            if (v % corners_between_looks == 0 && !goes_on()) return false;
            place_star(v);
        }
        for (std::uint32_t v = 0; v < count_; ++v) {
            if (v % corners_between_looks == 0 && !goes_on()) return false;
            mesh_.proved[v] = holds_about(v);
        }
        return true;
    }

    const Point& point(std::uint32_t v) const { return atlas_[v].p; }

    Flat seen(const Chart& chart, std::uint32_t u, double* aside = nullptr) const {
        double s[2];
        const double y = parameters(problem_, chart, point(u), s);
        if (aside != nullptr) *aside = y;
        return {s[0], s[1]};
    }

    double distance(std::uint32_t v, std::uint32_t u) const {
        double square = 0.0;
        for (std::size_t i = 0; i < problem_.n; ++i) {
            double d = point(u)[i] - point(v)[i];
            if (problem_.period[i] > 0.0) d -= std::floor(d / problem_.period[i] + 0.5) * problem_.period[i];
            square += d * d;
        }
        return std::sqrt(square);
    }

    std::vector<Neighbour> neighbours(std::uint32_t v) const {
        std::vector<Neighbour> found;
        const Chart& chart = atlas_[v];
        const double reach = reach_of_neighbours * chart.h;
        near_.any_near(chart.p.data(), [&](std::uint32_t u) {
            if (u == v) return false;
            for (std::size_t i = 0; i < problem_.n; ++i) {
                double d = point(u)[i] - chart.p[i];
                if (problem_.period[i] > 0.0) d -= std::floor(d / problem_.period[i] + 0.5) * problem_.period[i];
                if (std::abs(d) > width(chart.bounds[i])) return false;
            }
            double aside;
            const Flat at = seen(chart, u, &aside);
            if (!(aside <= chart.w && at.length() <= reach)) return false;
            // as far away as it is in truth: angles of a flat picture are less off then
            const double stretch = distance(v, u) / at.length();
            found.push_back({u, {stretch * at.x, stretch * at.y}});
            return false;
        });
        return found;
    }

    // The triangles about v that Delaunay's rule gives, as seen in its chart: counter-clockwise, from the nearest
    // neighbour on. Empty where they do not close.
    std::vector<std::uint32_t> star(std::uint32_t v) const {
        const std::vector<Neighbour> about = neighbours(v);
        if (about.size() < 3) return {};
        std::size_t first = 0;
        for (std::size_t k = 1; k < about.size(); ++k)
            if (about[k].at.length() < about[first].at.length()) first = k;
        std::vector<std::uint32_t> ring;
        for (std::size_t now = first; ring.size() <= about.size();) {
            ring.push_back(about[now].number);
            const Flat u = about[now].at;
            std::size_t best = about.size();
            double best_cotangent = infinity;
            for (std::size_t k = 0; k < about.size(); ++k) {
                const Flat w = about[k].at;
                const double area = cross(u, w);
                if (!(area > slack * u.length() * w.length())) continue;
                const double cotangent = dot(w, w - u) / area;  // of the angle at w
                if (cotangent < best_cotangent) best_cotangent = cotangent, best = k;
            }
            if (best == about.size()) return {};
            if (best == first) return ring;
            now = best;
        }
        return {};
    }

    // Triangles on which all three corners agree.
    void propose() {
        std::map<Triangle, int> votes;
        for (std::uint32_t v = 0; v < count_; ++v) {
            if (v % corners_between_looks == 0 && !goes_on()) return;
            const std::vector<std::uint32_t> ring = star(v);
            for (std::size_t k = 0; k < ring.size(); ++k) ++votes[rotated({v, ring[k], ring[(k + 1) % ring.size()]})];
        }
        for (const auto& [triangle, count] : votes)
            if (count == 3) add(triangle);
    }

    bool add(const Triangle& t) {
        for (std::size_t k = 0; k < 3; ++k)
            if (third_.contains(key(t[k], t[(k + 1) % 3]))) return false;
        for (std::size_t k = 0; k < 3; ++k) third_[key(t[k], t[(k + 1) % 3])] = t[(k + 2) % 3];
        return true;
    }

    void list_triangles() {
        for (const auto& [edge, c] : third_) {
            const auto a = static_cast<std::uint32_t>(edge >> 32), b = static_cast<std::uint32_t>(edge);
            if (a < b && a < c) mesh_.triangles.push_back({a, b, c});
        }
        std::sort(mesh_.triangles.begin(), mesh_.triangles.end());
    }

    // The cosine of the angle at c of a triangle, from the lengths of its sides.
    double cosine_at(std::uint32_t c, std::uint32_t a, std::uint32_t b) const {
        const double p = distance(c, a), q = distance(c, b), r = distance(a, b);
        return std::clamp((p * p + q * q - r * r) / (2.0 * p * q), -1.0, 1.0);
    }

    // Turns edges whose two opposite angles are more than half a turn together; whether there were any.
    bool flip_edges() {
        std::vector<std::array<std::uint32_t, 2>> edges;
        for (const auto& [edge, c] : third_)
            if (const auto a = static_cast<std::uint32_t>(edge >> 32), b = static_cast<std::uint32_t>(edge); a < b)
                edges.push_back({a, b});
        std::sort(edges.begin(), edges.end());
        bool any = false;
        for (const auto& [a, b] : edges) {
            const auto left = third_.find(key(a, b)), right = third_.find(key(b, a));
            if (left == third_.end() || right == third_.end()) continue;
            const std::uint32_t c = left->second, d = right->second;
            if (c == d || third_.contains(key(c, d)) || third_.contains(key(d, c))) continue;
            const double both = std::acos(cosine_at(c, a, b)) + std::acos(cosine_at(d, a, b));
            if (!(both > std::numbers::pi + 1e-6)) continue;
            third_.erase(key(a, b));
            third_.erase(key(b, a));
            for (const Triangle& t : {Triangle{a, d, c}, Triangle{b, c, d}})
                for (std::size_t k = 0; k < 3; ++k) third_[key(t[k], t[(k + 1) % 3])] = t[(k + 2) % 3];
            any = true;
        }
        return any;
    }

    // Edges a -> b with a triangle on their right and none on their left.
    std::vector<std::array<std::uint32_t, 2>> rims() const {
        std::vector<std::array<std::uint32_t, 2>> found;
        for (const auto& [edge, c] : third_) {
            const auto a = static_cast<std::uint32_t>(edge >> 32), b = static_cast<std::uint32_t>(edge);
            if (!third_.contains(key(b, a))) found.push_back({b, a});
        }
        std::sort(found.begin(), found.end());
        return found;
    }

    // Takes away the triangles along holes: where two overlap there, no filling fits.
    void widen_holes() {
        for (const auto& [a, b] : rims()) {
            const auto found = third_.find(key(b, a));
            if (found == third_.end()) continue;
            const std::uint32_t c = found->second;
            for (const std::uint64_t edge : {key(b, a), key(a, c), key(c, b)}) third_.erase(edge);
        }
    }

    // The corner that the rim of the mesh leads to after the edge a -> b without a triangle on its left.
    std::uint32_t next_on_rim(std::uint32_t a, std::uint32_t b) const {
        std::uint32_t c = a;
        // b -> c has a triangle on its left: turn about b over triangles until there is none
        for (std::size_t turns = 0; turns < count_; ++turns) {
            const auto found = third_.find(key(b, c));
            if (found == third_.end()) return c;
            c = found->second;
        }
        return a;
    }

    // Where corners did not agree (four nearly on a circle) there are holes of a few edges; they are filled. Whether
    // any is left.
    bool fill_holes() {
        for (const auto& rim : rims()) {
            if (third_.contains(key(rim[0], rim[1]))) continue;
            std::vector<std::uint32_t> loop{rim[0]};
            std::uint32_t a = rim[0], b = rim[1];
            while (b != rim[0] && loop.size() <= longest_hole) {
                loop.push_back(b);
                const std::uint32_t c = next_on_rim(a, b);
                a = b, b = c;
            }
            if (loop.size() >= 3 && loop.size() <= longest_hole) fill(std::move(loop));
        }
        return !rims().empty();
    }

    void fill(std::vector<std::uint32_t> loop) {
        while (loop.size() >= 3) {
            const std::size_t size = loop.size();
            std::size_t best = size;
            double best_angle = -1.0;
            for (std::size_t k = 0; k < size; ++k) {
                const std::uint32_t a = loop[(k + size - 1) % size], b = loop[k], c = loop[(k + 1) % size];
                if (a == c || third_.contains(key(c, a)) || (size > 3 && third_.contains(key(a, c)))) {
                    if (size > 3) continue;
                }
                const double angle = least_angle(a, b, c);
                if (angle > best_angle) best_angle = angle, best = k;
            }
            if (best == size || !(best_angle > 0.0)) return;
            const Triangle ear{loop[(best + size - 1) % size], loop[best], loop[(best + 1) % size]};
            if (!add(rotated(ear))) return;
            loop.erase(loop.begin() + static_cast<std::ptrdiff_t>(best));
            if (size == 3) return;
        }
    }

    // The least angle of a triangle in the chart of its second corner; negative where it is the wrong way round.
    double least_angle(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
        const Flat u = seen(atlas_[b], c), w = seen(atlas_[b], a), side = w - u;
        const double area = cross(u, w);
        if (!(area > 0.0)) return -1.0;
        return std::min({std::atan2(area, dot(u, w)), std::atan2(area, -dot(u, side)), std::atan2(area, dot(w, side))});
    }

    // Round every corner its neighbours in order; empty where they do not close.
    void list_stars() {
        rings_.resize(count_);
        std::vector<std::uint32_t> first(count_, UINT32_MAX), degree(count_, 0);
        for (const Triangle& t : mesh_.triangles)
            for (std::size_t k = 0; k < 3; ++k) {
                if (first[t[k]] == UINT32_MAX) first[t[k]] = t[(k + 1) % 3];
                ++degree[t[k]];
            }
        for (std::uint32_t v = 0; v < count_; ++v) {
            if (degree[v] < 3) continue;
            std::vector<std::uint32_t> ring;
            for (std::uint32_t u = first[v]; ring.size() <= degree[v];) {
                ring.push_back(u);
                const auto found = third_.find(key(v, u));
                if (found == third_.end()) break;
                u = found->second;
                if (u == first[v]) break;
            }
            const bool closes = ring.size() == degree[v] && third_.contains(key(v, ring.back())) &&
                                third_.at(key(v, ring.back())) == ring.front();
            if (closes) rings_[v] = std::move(ring);
        }
    }

    // A chart about v, no longer than its triangles need: the shorter, the less it leans.
    void place_star(std::uint32_t v) {
        if (rings_[v].empty()) return;
        double longest = 0.0;
        for (const std::uint32_t u : rings_[v]) {
            const Flat at = seen(atlas_[v], u);
            longest = std::max(longest, at.length());
        }
        Chart& chart = mesh_.stars[v];
        const double h = room_about_star * longest;
        if (!bench_.place(chart, point(v), nullptr) || !bench_.certify(chart, h) || !fits_circles(problem_, chart) ||
            !bench_.keeps_sides(chart))
            chart.h = 0.0;
    }

    // A box that surely holds the true point of corner u.
    Box around(std::uint32_t u) const {
        Box box(problem_.n);
        const double off = packing_.radius(u);
        for (std::size_t i = 0; i < problem_.n; ++i) box[i] = {add_up(-point(u)[i], off), add_up(point(u)[i], off)};
        return box;
    }

    // The vector n of the edge between two corners: across it and along the surface, the same for v, u and u, v.
    Point across(std::uint32_t v, std::uint32_t u) const {
        if (v > u) std::swap(v, u);
        const std::size_t n = problem_.n, m = problem_.m;
        Point made(n, 0.0), d(n);
        const Flat from_v = seen(atlas_[v], u), from_u = seen(atlas_[u], v);
        double square = 0.0, along = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            d[i] = point(u)[i] - point(v)[i];
            if (problem_.period[i] > 0.0) d[i] -= std::floor(d[i] / problem_.period[i] + 0.5) * problem_.period[i];
            made[i] = (atlas_[v].column(m + 1)[i] * from_v.x - atlas_[v].column(m)[i] * from_v.y) / from_v.length() -
                      (atlas_[u].column(m + 1)[i] * from_u.x - atlas_[u].column(m)[i] * from_u.y) / from_u.length();
            square += d[i] * d[i];
            along += d[i] * made[i];
        }
        double size = 0.0;
        for (std::size_t i = 0; i < n; ++i) made[i] -= along / square * d[i], size += made[i] * made[i];
        for (double& entry : made) entry /= std::sqrt(size);
        return made;
    }

    // Twice the angle t of an edge in a chart, above; infinite where there is none.
    double bend(const Chart& chart, std::uint32_t v, std::uint32_t u) const {
        const Point n = across(v, u);
        double a[2] = {0.0, 0.0}, b = 0.0;
        for (std::size_t j = 0; j < problem_.n; ++j) {
            double z = 0.0;
            for (std::size_t i = 0; i < problem_.n; ++i) z += chart.column(j)[i] * n[i];
            if (j < problem_.m) b += std::abs(z) + slack;
            else a[j - problem_.m] = z;
        }
        const double sine = chart.lean * b / (std::hypot(a[0], a[1]) - slack);
        return sine >= 0.0 && sine < 0.5 ? 2.0 * std::asin(sine) + slack : infinity;
    }

    bool holds_about(std::uint32_t v) {
        const Chart& chart = mesh_.stars[v];
        const std::vector<std::uint32_t>& ring = rings_[v];
        if (ring.empty() || !(chart.h > 0.0)) return false;
        const std::size_t size = ring.size();
        std::vector<Flat> at(size);
        std::vector<double> spoke(size);
        for (std::size_t k = 0; k < size; ++k) {
            if (!bench_.is_inside(chart, around(ring[k]))) return false;
            at[k] = seen(chart, ring[k]);
            // far nearer to true points than an angle of `slack` shows
            if (!(packing_.radius(v) + packing_.radius(ring[k]) < 0.01 * slack * at[k].length())) return false;
            spoke[k] = bend(chart, v, ring[k]);
            // the diamond about the edge is no farther from v than its end
            if (!(spoke[k] < 0.9) || !(at[k].length() < chart.h)) return false;
        }
        double round = 0.0;
        for (std::size_t k = 0; k < size; ++k) {
            const std::size_t l = (k + 1) % size;
            const Flat side = at[l] - at[k];
            const double rim = bend(chart, ring[k], ring[l]);
            const double area = cross(at[k], at[l]);
            if (!(area > 0.0) || !(rim < 0.9)) return false;
            const double angles[3] = {std::atan2(area, dot(at[k], at[l])), std::atan2(area, -dot(at[k], side)),
                                      std::atan2(area, dot(at[l], side))};
            if (!(angles[0] > spoke[k] + spoke[l] + slack) || !(angles[1] > spoke[k] + rim + slack) ||
                !(angles[2] > spoke[l] + rim + slack))
                return false;
            // nor is that about the rim farther than this
            const Flat mid{0.5 * (at[k].x + at[l].x), 0.5 * (at[k].y + at[l].y)};
            const double out = mid.length() + 0.5 * side.length() * std::tan(rim);
            if (!(out < chart.h)) return false;
            round += angles[0];
        }
        return std::abs(round - 2.0 * std::numbers::pi) < 1e-6;
    }

    void label() {
        mesh_.component.assign(count_, -1);
        std::int32_t count = 0;
        std::vector<std::uint32_t> stack;
        std::vector<std::vector<std::uint32_t>> about(count_);
        for (const Triangle& t : mesh_.triangles)
            for (std::size_t k = 0; k < 3; ++k) about[t[k]].push_back(t[(k + 1) % 3]);
        for (const Triangle& t : mesh_.triangles)
            for (std::size_t k = 0; k < 3; ++k) about[t[(k + 1) % 3]].push_back(t[k]);
        for (std::uint32_t v = 0; v < count_; ++v) {
            if (mesh_.component[v] >= 0 || about[v].empty()) continue;
            mesh_.component[v] = count;
            stack.push_back(v);
            while (!stack.empty()) {
                const std::uint32_t u = stack.back();
                stack.pop_back();
                for (const std::uint32_t w : about[u])
                    if (mesh_.component[w] < 0) mesh_.component[w] = count, stack.push_back(w);
            }
            ++count;
        }
        mesh_.once.assign(static_cast<std::size_t>(count), 0);
    }

    // A point that no triangle needed is on the component of a corner in whose chart it lies.
    void adopt(std::uint32_t v) {
        const Box box = around(v);
        near_.any_near(point(v).data(), [&](std::uint32_t u) {
            if (rings_[u].empty() || !bench_.is_inside(atlas_[u], box)) return false;
            mesh_.component[v] = mesh_.component[u];
            mesh_.proved[v] = 1;
            return true;
        });
    }

    // Whether one corner of a component lies in no triangle but those about it: of any component.
    bool is_covered_once(std::int32_t component) {
        std::uint32_t v = 0;
        while (mesh_.component[v] != component || rings_[v].empty())
            if (++v == count_) return false;
        const Box box = around(v);
        for (std::uint32_t u = 0; u < count_; ++u) {
            if (u == v || rings_[u].empty()) continue;
            const Chart& chart = mesh_.stars[u];
            if (!(chart.h > 0.0)) return false;
            if (bench_.is_clear(chart, box)) continue;
            const Flat p = seen(chart, v);
            const std::vector<std::uint32_t>& ring = rings_[u];
            for (std::size_t k = 0; k < ring.size(); ++k) {
                const std::uint32_t w[3] = {u, ring[k], ring[(k + 1) % ring.size()]};
                if (std::find(w, w + 3, v) != w + 3) continue;
                if (!is_outside(chart, w, p)) return false;
            }
        }
        return true;
    }

    // Whether a point is surely outside a triangle, beyond the diamond of one of its edges.
    bool is_outside(const Chart& chart, const std::uint32_t* w, const Flat& p) const {
        for (std::size_t k = 0; k < 3; ++k) {
            const Flat a = seen(chart, w[k]), b = seen(chart, w[(k + 1) % 3]), side = b - a;
            const double height = 0.5 * side.length() * std::tan(bend(chart, w[k], w[(k + 1) % 3])) + slack;
            if (-cross(side, p - a) / side.length() > height) return true;
        }
        return false;
    }

    // A component of which no corner lies outside the charts of two neighbours might be a sphere within them.
    void refuse_spheres_in_charts() {
        std::vector<std::vector<std::uint32_t>> far(mesh_.once.size());
        for (std::size_t i = 0; i < problem_.n; ++i) {
            std::vector<std::uint32_t> low(far.size(), UINT32_MAX), high(far.size(), UINT32_MAX);
            for (std::uint32_t v = 0; v < count_; ++v) {
                if (mesh_.component[v] < 0) continue;
                const auto c = static_cast<std::size_t>(mesh_.component[v]);
                if (low[c] == UINT32_MAX || point(v)[i] < point(low[c])[i]) low[c] = v;
                if (high[c] == UINT32_MAX || point(v)[i] > point(high[c])[i]) high[c] = v;
            }
            for (std::size_t c = 0; c < far.size(); ++c) far[c].insert(far[c].end(), {low[c], high[c]});
        }
        for (const Triangle& t : mesh_.triangles) {
            const auto c = static_cast<std::size_t>(mesh_.component[t[0]]);
            const auto is_out = [&](std::uint32_t v) {
                return std::all_of(t.begin(), t.end(), [&](std::uint32_t u) {
                    return mesh_.stars[u].h > 0.0 && is_outside_bounds(mesh_.stars[u], around(v));
                });
            };
            if (std::none_of(far[c].begin(), far[c].end(), is_out)) mesh_.once[c] = 0;
        }
    }

    bool is_outside_bounds(const Chart& chart, const Box& box) const {
        for (std::size_t i = 0; i < problem_.n; ++i) {
            const Interval x = box[i] - problem_.turns_between(i, chart.p[i], middle(box[i]));
            if (x.lower() > chart.bounds[i].upper || x.upper < chart.bounds[i].lower()) return true;
        }
        return false;
    }

    Bench& bench_;
    const Problem& problem_;
    const Atlas& atlas_;
    const Packing& packing_;
    const std::function<bool()>& go_on_;
    bool is_going_ = true;
    PointGrid near_;  // balls of a chart's half-length about all corners
    std::uint32_t count_;
    int widenings_ = 0;
    std::unordered_map<std::uint64_t, std::uint32_t> third_;  // corner of the triangle on the left of an edge
    std::vector<std::vector<std::uint32_t>> rings_;
    Mesh mesh_;
};

}  // namespace

Mesh triangulate(Bench& bench, const Atlas& atlas, Packing& packing, const std::function<bool()>& go_on) {
    for (int attempt = 1;; ++attempt) {
        Mesher mesher(bench, atlas, packing, go_on);
        Mesh mesh = mesher.made();
        if (!mesher.goes_on()) return mesh;
        bool refined = false;
        for (const auto& [corner, s] : attempt < most_attempts ? mesher.gaps(mesh) : std::vector<Mesher::Gap>{}) {
            const double at[2] = {s.x, s.y};
            refined = packing.refine(bench, corner, at) || refined;
        }
        if (!refined) return mesh;
    }
}

}  // namespace kempe::boxes
