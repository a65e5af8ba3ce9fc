#include "boxes/search/groups.hpp"

#include <algorithm>
#include <numeric>

namespace kempe::boxes {

// The box in hand is compared with those that have no label yet. Where boxes have many neighbours these
// are soon few; where they have few, most comparisons end with the first unknown, by which the boxes are
// sorted.
std::vector<std::int32_t> groups(std::span<const double> low, std::span<const double> high, std::size_t n,
                                 double reach) {
    const std::size_t count = n == 0 ? 0 : low.size() / n;
    std::vector<std::int32_t> label(count, -1);
    std::vector<std::size_t> left(count), waiting;
    std::iota(left.begin(), left.end(), std::size_t{0});
    std::sort(left.begin(), left.end(),
              [&](std::size_t a, std::size_t b) { return low[a * n] != low[b * n] ? low[a * n] < low[b * n] : a < b; });
    const auto touch = [&](std::size_t a, std::size_t b) {
        for (std::size_t j = 0; j < n; ++j)
            if (!(low[a * n + j] <= high[b * n + j] + reach && low[b * n + j] <= high[a * n + j] + reach)) return false;
        return true;
    };
    for (std::int32_t group = 0; !left.empty(); ++group) {
        waiting.assign(1, left.front());
        label[left.front()] = group;
        left.erase(left.begin());
        while (!waiting.empty()) {
            const std::size_t one = waiting.back();
            waiting.pop_back();
            const auto end = std::upper_bound(left.begin(), left.end(), high[one * n] + reach,
                                              [&](double x, std::size_t other) { return x < low[other * n]; });
            const auto kept = std::remove_if(left.begin(), end, [&](std::size_t other) {
                if (!touch(one, other)) return false;
                label[other] = group;
                waiting.push_back(other);
                return true;
            });
            left.erase(kept, end);
        }
    }
    return label;
}

}  // namespace kempe::boxes
