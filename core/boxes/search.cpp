#include "search.hpp"

#include <algorithm>
#include <cmath>

namespace kempe::boxes {

namespace {

constexpr std::size_t batch_size = 32;
constexpr int approach_steps = 12;
constexpr int most_roundings = 100;
constexpr double least_share = 0.4;  // of the widest side, for a side that is felt most to be split

}  // namespace

// Unknowns without bounds get those that the rows imply, where they imply any.
Problem bounded(Problem problem) {
    const auto is_open = [](const Interval& side) { return !(width(side) < infinity); };
    const UpwardMode upward;
    for (std::size_t j = 0; j < problem.n; ++j)  // all of a circle, also where its period is irrational
        if (problem.period[j] > 0.0) {
            Interval& side = problem.domain[j];
            side.upper = larger(side.upper, add_up(side.lower(), next_up(problem.period[j])));
        }
    Bench bench(problem);
    Contraction contraction(bench);
    for (int round = 0; round < most_roundings; ++round) {
        if (std::none_of(problem.domain.begin(), problem.domain.end(), is_open)) break;
        Box before = problem.domain;
        if (!contraction.project(problem.domain)) {
            problem.domain.assign(problem.n, Interval::empty());
            break;
        }
        bool same = true;
        for (std::size_t j = 0; j < problem.n; ++j)
            same = same && before[j].upper == problem.domain[j].upper &&
                   before[j].negated_lower == problem.domain[j].negated_lower;
        if (same) break;
    }
    return problem;
}

Search::Search(Problem problem) : problem_(bounded(std::move(problem))), atlas_(problem_) {
    workers_.push_back(std::make_unique<Worker>(problem_, atlas_));
}

Search::~Search() = default;

std::vector<Box> Search::pending() const {
    std::vector<Box> left;
    for (auto copy = queue_; !copy.empty(); copy.pop()) left.push_back(copy.top().box);
    return left;
}

void Search::push(Box box) {
    double widest = 0.0;
    for (const Interval& side : box) widest = larger(widest, width(side));
    queue_bytes_ += sizeof(Waiting) + box.size() * sizeof(Interval);
    queue_.push({widest, next_number_++, std::move(box)});
}

void Search::begin() {
    begun_ = true;
    for (const Interval& side : problem_.domain)
        if (side.is_empty()) return;
    push(problem_.domain);
}

void Search::judge(Worker& worker, Box box, Judged& judged) const {
    judged.box = std::move(box);
    Box& x = judged.box;
    judged.finding = Finding::empty;
    if (!worker.contraction.contract(x)) return;
    double widest = 0.0, square = 0.0;
    std::size_t at = 0;
    Point p(problem_.n);
    for (std::size_t j = 0; j < problem_.n; ++j) {
        const double w = width(x[j]);
        square += 0.25 * w * w;
        if (w > widest) widest = w, at = j;
        p[j] = middle(x[j]);
    }
    const std::size_t felt = worker.contraction.most_felt();
    judged.split_at = width(x[felt]) > least_share * widest ? felt : at;
    if (worker.bench.approach(p, approach_steps, 2.0 * std::sqrt(square) + 1e-6)) {
        const Cover::Verdict verdict = worker.cover.judge(x, p);
        if (verdict != Cover::Verdict::open) {
            judged.finding = verdict == Cover::Verdict::empty ? Finding::empty : Finding::covered;
            return;
        }
        x = worker.cover.left();
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
    judged.finding = widest < problem_.settings.smallest ? Finding::too_small : Finding::split;
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
        switch (judged.finding) {
            case Finding::empty: ++counts_.empty; break;
            case Finding::covered: ++counts_.covered; break;
            case Finding::too_small: unresolved_.push_back(std::move(judged.box)); break;
            case Finding::seed:
                if (accept(judged.seed, upcoming)) {
                    push(std::move(judged.box));  // to be judged again with what was found
                    break;
                }
                [[fallthrough]];
            case Finding::split: {
                double widest = 0.0;
                for (const Interval& side : judged.box) widest = larger(widest, width(side));
                if (widest < problem_.settings.smallest) {
                    unresolved_.push_back(std::move(judged.box));
                    break;
                }
                ++counts_.split;
                const std::size_t j = judged.split_at;
                const double cut = middle(judged.box[j]);
                Box upper = judged.box;
                upper[j] = Interval::of(cut, upper[j].upper);
                judged.box[j] = Interval::of(judged.box[j].lower(), cut);
                push(std::move(judged.box));
                push(std::move(upper));
            }
        }
    }
}

Status Search::run(const Limits& limits, unsigned threads) {
    const double end = clock_seconds() + limits.seconds;
    go_on_ = limits.go_on;
    while (workers_.size() < std::max(1u, threads))
        workers_.push_back(std::make_unique<Worker>(problem_, atlas_));
    Crew crew(std::max(1u, threads));
    crew_ = &crew;
    const UpwardMode upward;
    if (!begun_) begin();
    if (!queue_.empty()) start_at_random(problem_.settings.random_starts, end);
    while (!queue_.empty()) {
        if (counts_.boxes >= limits.boxes) return Status::out_of_boxes;
        if (queue_bytes_ + atlas_.bytes() > limits.bytes) return Status::out_of_memory;
        if (clock_seconds() > end) return Status::going;
        std::vector<Judged> batch;
        while (!queue_.empty() && batch.size() < batch_size) {
            batch.emplace_back();
            batch.back().box = queue_.top().box;
            queue_bytes_ -= sizeof(Waiting) + problem_.n * sizeof(Interval);
            queue_.pop();
        }
        counts_.boxes += batch.size();
        judge_all(batch);
        use(batch);
    }
    return Status::complete;
}

}  // namespace kempe::boxes
