// Lines waiting by their count: the cheapest is found without searching.
#pragma once

#include <cstdint>
#include <vector>

namespace kempe {

/// First-in first-out queues of the lines 0..lines-1, one queue per count 0..counts-1.
///
/// A line stands in at most one queue. Every operation takes constant time; a line that changes its
/// count goes to the end of the new queue, so independent lines are served in turn.
class Buckets {
  public:
    Buckets(std::int32_t lines, std::int32_t counts)
        : head_(counts, none), tail_(counts, none), next_(lines, none), previous_(lines, none), count_(lines, none) {}

    static constexpr std::int32_t none = -1;

    [[nodiscard]] std::int32_t counts() const { return static_cast<std::int32_t>(head_.size()); }
    [[nodiscard]] std::int32_t first(std::int32_t count) const { return head_[count]; }
    [[nodiscard]] std::int32_t after(std::int32_t line) const { return next_[line]; }
    [[nodiscard]] bool holds(std::int32_t line) const { return count_[line] != none; }

    void append(std::int32_t line, std::int32_t count) {
        count_[line] = count;
        next_[line] = none;
        previous_[line] = tail_[count];
        (tail_[count] == none ? head_[count] : next_[tail_[count]]) = line;
        tail_[count] = line;
    }

    void remove(std::int32_t line) {
        const std::int32_t count = count_[line];
        if (count == none) return;
        const std::int32_t before = previous_[line];
        const std::int32_t behind = next_[line];
        (before == none ? head_[count] : next_[before]) = behind;
        (behind == none ? tail_[count] : previous_[behind]) = before;
        count_[line] = none;
    }

    void move(std::int32_t line, std::int32_t count) {
        if (count_[line] != count) {
            remove(line);
            append(line, count);
        }
    }

  private:
    std::vector<std::int32_t> head_;
    std::vector<std::int32_t> tail_;
    std::vector<std::int32_t> next_;
    std::vector<std::int32_t> previous_;
    std::vector<std::int32_t> count_;
};

}  // namespace kempe
