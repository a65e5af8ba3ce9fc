#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <random>
#include <unordered_map>
#include <vector>

#include "boxes/proof/contraction.hpp"
#include "boxes/proof/cover.hpp"
#include "boxes/search/crew.hpp"
#include "boxes/search/packing.hpp"
#include "boxes/search/trace.hpp"

// The search for all components: random starts first, then boxes, widest first, until every box is
// empty, covered by known charts, or too small to split.
//
// Boxes are taken in batches whose size does not depend on the number of threads; a batch is judged
// against the charts known when it began, and what it found is used in the order of the batch. So
// the result is the same for any number of threads.

namespace kempe::boxes {

struct Limits {
    double seconds = infinity;    // of this run
    std::size_t boxes = SIZE_MAX;  // in all
    std::size_t charts = SIZE_MAX;  // tried, in all; the last curve may add as many either way
    std::size_t bytes = SIZE_MAX;  // of boxes and charts, in all
    std::function<bool()> go_on;   // asked now and then within a run: false stops even a long curve
};

double clock_seconds();

enum class Status { going, complete, out_of_boxes, out_of_memory, out_of_charts };

// How the domain was cut up: halves of halves, and why each of the last parts was left. A node's box is
// the domain between the cuts above it; what contraction took away from it is not kept, since whoever
// proves the cover again contracts for himself.
struct Cut {
    enum Reason : std::uint8_t { open, empty, covered, unresolved, sheet };
    double at = 0.0;
    std::uint32_t halves = 0;   // the number of the lower half; the upper one follows it
    std::int16_t unknown = -1;  // that is cut; -1: a last part
    Reason reason = open;
};

struct Counts {
    std::size_t boxes = 0, empty = 0, covered = 0, split = 0, traces = 0, charts = 0;
    std::size_t tried = 0;  // charts of all curves followed, kept or not, and one for every start
};

class Search {
  public:
    explicit Search(Problem problem);
    ~Search();
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;

    // Goes on for so long; what was found is kept for the next run.
    Status run(const Limits& limits, unsigned threads);

    const Problem& problem() const { return problem_; }
    const std::vector<Curve>& components() const { return components_; }
    const std::vector<Box>& unresolved() const { return unresolved_; }
    std::vector<Box> pending() const;
    // Boxes that seem to lie on sheets of solutions: listed as they are, nothing in them is proved.
    std::vector<Box> sheets() const;
    // Leaves sheets as they are where all else is done; whether it is.
    bool settle();
    Counts counts() const { return counts_; }
    const std::vector<Cut>& cuts() const { return cuts_; }
    // Of surfaces (k = 2): points all over them, each in the middle of a chart.
    Packing& packing() { return packing_; }
    const Atlas& atlas() const { return atlas_; }

  private:
    struct Waiting {
        double size;
        std::uint64_t number;
        Box box;
        std::uint32_t node;
        bool operator<(const Waiting& other) const {
            return size != other.size ? size < other.size : number > other.number;
        }
    };
    enum class Finding { empty, covered, split, seed, too_small, sheet };
    struct Judged {
        Finding finding = Finding::empty;
        Box box;
        std::uint32_t node = 0;
        std::size_t split_at = 0;
        Point seed;
        int size = -1;      // of the box, as a power of two, where it was tried whether charts cover it
        double gain = 0.0;  // 1 where they did, else the share of the box that was taken away
    };
    // What came of trying whether charts cover boxes of one size.
    struct Trials {
        std::size_t count = 0;
        double gain = 0.0;
    };
    struct Worker {
        Bench bench;
        Contraction contraction;
        Cover cover;
        Point point;
        Worker(const Problem& problem, const Atlas& atlas)
            : bench(problem), contraction(bench), cover(bench, atlas), point(problem.n) {}
    };

    struct Ahead {
        Curve curve;
        bool found = false;
        std::size_t known = 0;  // charts when it was traced
    };

    void begin();
    void start_at_random(std::size_t tries, std::size_t most_charts, double end);
    void draw_starts();
    const Chart* point_in(const Box& box) const;
    bool is_at_a_point(const Box& box);
    void judge(Worker& worker, Box box, Judged& judged) const;
    // Whether it is worth trying that charts cover a box of such a size: large ones never are, and how
    // large that is depends on the curves. It is tried now and then all the same.
    bool may_be_covered(int size, std::uint32_t node) const;
    void judge_all(std::vector<Judged>& batch);
    void use(std::vector<Judged>& batch);
    // Whether a new component goes through the seed, or a known one does; of those upcoming some may
    // be traced ahead.
    bool accept(const Point& seed, const std::vector<const Point*>& upcoming);
    bool accept_surface(const Point& seed);
    // Goes on with surfaces that are not packed yet; false where it was stopped.
    bool grow_surfaces(std::size_t most_charts);
    void trace_ahead(const std::vector<const Point*>& seeds);
    bool is_stopped(const Ahead& ahead);
    bool ends_beside(CurveEnd& end, const Enclosed& start) const;
    void push(Box box, std::uint32_t node);
    void put_aside(Box box, std::uint32_t node);
    void split(Judged& judged);
    bool refine_sheets();
    void list_unresolved(Box box, std::uint32_t node);
    bool review_unresolved();
    bool is_known(const Point& x);

    Problem problem_;
    Atlas atlas_;
    Packing packing_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<Curve> components_;
    std::vector<Box> unresolved_;
    std::vector<std::size_t> charts_then_;  // when a box was found to be unresolved
    std::vector<std::uint32_t> node_of_unresolved_;
    std::vector<Cut> cuts_;
    std::vector<Waiting> queue_;  // a heap
    std::priority_queue<Waiting> sheets_;  // widest first
    bool refines_ = false;  // all that is in the queue was taken from sheets
    double widest_sheet_ = 0.0;
    std::uint64_t next_number_ = 0;
    std::size_t queue_bytes_ = 0;
    std::mt19937_64 random_{20260000u};
    std::size_t failed_starts_ = 0;
    std::vector<Point> starts_;  // drawn, and solved where they lead anywhere
    std::size_t next_start_ = 0;
    Crew* crew_ = nullptr;  // of this run
    std::size_t most_charts_ = SIZE_MAX;  // of this run
    std::unordered_map<const Point*, Ahead> ahead_;
    Counts counts_;
    std::array<Trials, 64> trials_;  // by size
    bool begun_ = false;
    std::function<bool()> go_on_;
};

}  // namespace kempe::boxes
