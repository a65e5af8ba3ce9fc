#include "boxes/search/search.hpp"

#include <algorithm>
#include <cmath>

namespace kempe::boxes {

namespace {

constexpr std::size_t least_batch = 32, most_batch = 256;
constexpr std::size_t batches_waiting = 16;  // a batch is one of so many, where more boxes wait
constexpr int approach_steps = 12, point_steps = 5;  // of Newton's method, to a curve and to a point
constexpr double near_a_point = 6.0;  // half-widths of its chart, for a box that may lie in it
constexpr double near_a_box = 2.0;  // half-diagonals: a curve as far from its middle is looked at
constexpr double near_a_last_box = 64.0;  // of one that is not split any more, beside a shallow curve
constexpr std::size_t enough_trials = 8;
constexpr double worthwhile_cover = 0.25;   // gained in the mean
constexpr std::uint32_t now_and_then = 16;  // boxes to one that is tried all the same
constexpr double always_tried = 64.0;  // times the smallest box: a smaller one is worth Newton's method

bool holds(const Box& box, const Point& p) {
    for (std::size_t j = 0; j < box.size(); ++j)
        if (!box[j].contains(p[j])) return false;
    return true;
}

double widest_of(const Box& box) {
    double widest = 0.0;
    for (const Interval& side : box) widest = larger(widest, width(side));
    return widest;
}

double volume_of(const Box& box) {
    double volume = 1.0;
    for (const Interval& side : box) volume *= width(side);
    return volume;
}

// The power of two above a width, from 0 for the least to 63.
int size_class(double widest) { return std::clamp(std::ilogb(widest), -48, 15) + 48; }

constexpr double narrow = 1.0 / 64.0;  // of the widest box that is set aside, where points are looked for
constexpr double as_wide = 0.75;  // of the widest sheet: boxes that are made smaller in one go
constexpr double least_share = 0.4;  // of the widest side, for a side that is felt most to be split

}  // namespace

Search::Search(Problem problem) : problem_(std::move(problem)), atlas_(problem_), packing_(atlas_) {
    workers_.push_back(std::make_unique<Worker>(problem_, atlas_));
    widest_sheet_ = problem_.settings.widest_sheet * widest_of(problem_.domain);
}

Search::~Search() = default;

std::vector<Box> Search::pending() const {
    std::vector<Waiting> sorted = queue_;
    std::sort(sorted.begin(), sorted.end());
    std::vector<Box> left;
    for (auto one = sorted.rbegin(); one != sorted.rend(); ++one) left.push_back(std::move(one->box));
    return left;
}

std::vector<Box> Search::sheets() const {
    std::vector<Box> found;
    for (auto copy = sheets_; !copy.empty(); copy.pop()) found.push_back(copy.top().box);
    return found;
}

void Search::push(Box box, std::uint32_t node) {
    const double widest = widest_of(box);
    queue_bytes_ += sizeof(Waiting) + box.size() * sizeof(Interval);
    cuts_[node].reason = Cut::open;
    queue_.push_back({widest, next_number_++, std::move(box), node});
    std::push_heap(queue_.begin(), queue_.end());
}

void Search::put_aside(Box box, std::uint32_t node) {
    const double widest = widest_of(box);
    cuts_[node].reason = Cut::sheet;
    sheets_.push({widest, next_number_++, std::move(box), node});
}

// When all else is done the widest boxes on sheets are made smaller, as long as there are few.
bool Search::refine_sheets() {
    if (sheets_.empty() || sheets_.size() >= problem_.settings.most_sheets) return false;
    const double least = as_wide * sheets_.top().size;
    if (!(least > problem_.settings.smallest)) return false;
    refines_ = true;
    while (!sheets_.empty() && sheets_.top().size >= least) {
        Judged judged;
        judged.box = sheets_.top().box;
        judged.node = sheets_.top().node;
        sheets_.pop();
        for (std::size_t j = 0; j < problem_.n; ++j)
            if (width(judged.box[j]) > width(judged.box[judged.split_at])) judged.split_at = j;
        split(judged);
    }
    return true;
}

void Search::list_unresolved(Box box, std::uint32_t node) {
    cuts_[node].reason = Cut::unresolved;
    node_of_unresolved_.push_back(node);
    unresolved_.push_back(std::move(box));
    charts_then_.push_back(atlas_.size());
}

// What was too small to be split may lie in charts that were found later: it is judged once more.
bool Search::review_unresolved() {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < unresolved_.size(); ++k) {
        if (charts_then_[k] < atlas_.size()) {
            push(std::move(unresolved_[k]), node_of_unresolved_[k]);
            continue;
        }
        node_of_unresolved_[kept] = node_of_unresolved_[k];
        if (kept != k) unresolved_[kept] = std::move(unresolved_[k]);
        charts_then_[kept++] = charts_then_[k];
    }
    unresolved_.resize(kept);
    node_of_unresolved_.resize(kept);
    charts_then_.resize(kept);
    return !queue_.empty();
}

bool Search::settle() {
    if (!refines_) return queue_.empty() && begun_;
    for (Waiting& waiting : queue_) {
        cuts_[waiting.node].reason = Cut::sheet;
        sheets_.push(std::move(waiting));
    }
    queue_.clear();
    queue_bytes_ = 0;
    return true;
}

void Search::begin() {
    begun_ = true;
    cuts_.emplace_back();
    cuts_[0].reason = Cut::empty;
    for (const Interval& side : problem_.domain)
        if (side.is_empty()) return;
    push(problem_.domain, 0);
}

// A known point in the box.
const Chart* Search::point_in(const Box& box) const {
    for (std::size_t k = 0; k < atlas_.size(); ++k)
        if (holds(box, atlas_[k].p)) return &atlas_[k];
    return nullptr;
}

// Whether the box lies in the chart of a known point.
bool Search::is_at_a_point(const Box& box) {
    const Chart* const known = problem_.k == 0 ? point_in(box) : nullptr;
    return known != nullptr && workers_[0]->bench.is_inside(*known, box);
}

bool Search::may_be_covered(int size, std::uint32_t node) const {
    const Trials& trials = trials_[static_cast<std::size_t>(size)];
    if (problem_.k == 0 || trials.count < enough_trials) return true;
    if (trials.gain > worthwhile_cover * static_cast<double>(trials.count)) return true;
    return (node * 2654435761u >> 8) % now_and_then == 0;
}

void Search::judge(Worker& worker, Box box, Judged& judged) const {
    judged.box = std::move(box);
    Box& x = judged.box;
    judged.finding = Finding::empty;
    if (!worker.contraction.contract(x)) return;
    double widest = 0.0, square = 0.0;
    std::size_t at = 0;
    Point& p = worker.point;
    for (std::size_t j = 0; j < problem_.n; ++j) {
        const double w = width(x[j]);
        square += 0.25 * w * w;
        if (w > widest) widest = w, at = j;
        p[j] = middle(x[j]);
    }
    const std::size_t felt = worker.contraction.most_felt();
    judged.split_at = width(x[felt]) > least_share * widest ? felt : at;
    bool is_near = false, may_be_sheet = false;
    const bool is_last = widest < problem_.settings.smallest;
    const double reach = (is_last ? near_a_last_box : near_a_box) * std::sqrt(square) + 1e-6;
    if (problem_.k > 0) {
        is_near = worker.bench.approach(p, approach_steps, reach);
        may_be_sheet = worker.bench.met_dependence();
    } else if (const Chart* const known = point_in(x)) {
        if (worker.bench.is_inside(*known, x)) {
            judged.finding = Finding::covered;
            return;
        }
        p = known->p;
        is_near = widest < near_a_point * known->w;
    } else {  // a box that may hold several points is split anyway
        const bool is_tried = worker.contraction.is_regular() || widest < always_tried * problem_.settings.smallest;
        is_near = is_tried && worker.bench.approach(p, point_steps, reach);
        may_be_sheet = is_tried ? worker.bench.met_dependence() : widest < narrow * widest_sheet_;
    }
    may_be_sheet = may_be_sheet && widest < widest_sheet_ && widest > problem_.settings.smallest;
    const int size = size_class(widest);
    if (is_near && (is_last || may_be_covered(size, judged.node))) {
        judged.size = size;
        const Cover::Verdict verdict = worker.cover.judge(x, p);
        if (verdict != Cover::Verdict::open) {
            judged.finding = verdict == Cover::Verdict::empty ? Finding::empty : Finding::covered;
            judged.gain = 1.0;
            return;
        }
        const double before = volume_of(x);
        x = worker.cover.left();
        if (before > 0.0) judged.gain = 1.0 - volume_of(x) / before;
    }
    if (may_be_sheet && worker.bench.seems_a_sheet(x)) {
        judged.finding = Finding::sheet;
        return;
    }
    if (is_near) {
        bool inside = true;
        for (std::size_t j = 0; j < problem_.n; ++j)
            inside = inside && (problem_.period[j] > 0.0 || problem_.domain[j].contains(p[j]));
        if (inside) {
            problem_.wrap(p.data());
            Box point(problem_.n);
            Point middle_of_box;
            for (std::size_t j = 0; j < problem_.n; ++j) point[j] = Interval::point(p[j]);
            if (atlas_.find(worker.bench, point, middle_of_box) < 0) {
                judged.finding = Finding::seed;
                judged.seed = p;
                return;
            }
        }
    }
    judged.finding = is_last ? Finding::too_small : Finding::split;
}

void Search::judge_all(std::vector<Judged>& batch) {
    crew_->work(batch.size(), [&](std::size_t member, std::size_t k) {
        judge(*workers_[member], std::move(batch[k].box), batch[k]);
    });
}

void Search::use(std::vector<Judged>& batch) {
    ahead_.clear();
    std::vector<const Point*> upcoming;
    for (auto judged = batch.rbegin(); judged != batch.rend(); ++judged)
        if (judged->finding == Finding::seed) upcoming.push_back(&judged->seed);
    for (Judged& judged : batch) {
        if (judged.finding == Finding::seed) upcoming.pop_back();
        if (judged.size >= 0) {
            Trials& trials = trials_[static_cast<std::size_t>(judged.size)];
            ++trials.count;
            trials.gain += judged.gain;
        }
        switch (judged.finding) {
            case Finding::empty:
                ++counts_.empty;
                cuts_[judged.node].reason = Cut::empty;
                break;
            case Finding::covered:
                ++counts_.covered;
                cuts_[judged.node].reason = Cut::covered;
                break;
            case Finding::too_small: list_unresolved(std::move(judged.box), judged.node); break;
            case Finding::sheet: put_aside(std::move(judged.box), judged.node); break;
            case Finding::seed:
                if (accept(judged.seed, upcoming)) {
                    trials_.fill({});  // with more charts more may be covered
                    if (is_at_a_point(judged.box)) {
                        ++counts_.covered;
                        cuts_[judged.node].reason = Cut::covered;
                    } else {
                        push(std::move(judged.box), judged.node);  // to be judged again with what was found
                    }
                    break;
                }
                [[fallthrough]];
            case Finding::split:
                if (widest_of(judged.box) < problem_.settings.smallest)
                    list_unresolved(std::move(judged.box), judged.node);
                else split(judged);
        }
    }
}

void Search::split(Judged& judged) {
    ++counts_.split;
    const std::size_t j = judged.split_at;
    const double cut = middle(judged.box[j]);
    Box upper = judged.box;
    upper[j] = Interval::of(cut, upper[j].upper);
    judged.box[j] = Interval::of(judged.box[j].lower(), cut);
    const auto halves = static_cast<std::uint32_t>(cuts_.size());
    cuts_[judged.node] = {cut, halves, static_cast<std::int16_t>(j), Cut::open};
    cuts_.resize(cuts_.size() + 2);
    push(std::move(judged.box), halves);
    push(std::move(upper), halves + 1);
}

Status Search::run(const Limits& limits, unsigned threads) {
    const double end = clock_seconds() + limits.seconds;
    go_on_ = limits.go_on;
    std::size_t& most_a_curve = problem_.settings.most_charts_a_curve;
    most_a_curve = std::min(most_a_curve, limits.charts);
    while (workers_.size() < std::max(1u, threads)) workers_.push_back(std::make_unique<Worker>(problem_, atlas_));
    Crew crew(std::max(1u, threads));
    crew_ = &crew;
    const UpwardMode upward;
    if (!begun_) begin();
    if (!grow_surfaces(limits.charts)) return counts_.tried < limits.charts ? Status::going : Status::out_of_charts;
    std::vector<Judged> batch;
    batch.reserve(most_batch);
    if (!queue_.empty()) start_at_random(problem_.settings.random_starts, limits.charts, end);
    while (!queue_.empty() || review_unresolved() || refine_sheets()) {
        if (counts_.boxes >= limits.boxes) return Status::out_of_boxes;
        if (counts_.tried >= limits.charts) return Status::out_of_charts;
        const std::size_t aside = sheets_.size() * (sizeof(Waiting) + problem_.n * sizeof(Interval));
        if (queue_bytes_ + aside + atlas_.bytes() + cuts_.size() * sizeof(Cut) > limits.bytes)
            return Status::out_of_memory;
        if (clock_seconds() > end) return Status::going;
        batch.clear();
        const std::size_t most = std::clamp(queue_.size() / batches_waiting, least_batch, most_batch);
        while (!queue_.empty() && batch.size() < most) {
            batch.emplace_back();
            std::pop_heap(queue_.begin(), queue_.end());
            batch.back().box = std::move(queue_.back().box);
            batch.back().node = queue_.back().node;
            queue_bytes_ -= sizeof(Waiting) + problem_.n * sizeof(Interval);
            queue_.pop_back();
        }
        counts_.boxes += batch.size();
        judge_all(batch);
        use(batch);
    }
    return packing_.has_front() ? Status::going : Status::complete;
}

}  // namespace kempe::boxes
