// The order in which stretches of groups are run.
#include <algorithm>
#include <tuple>

#include "tiles/tiles.hpp"

namespace kempe {

namespace {

// Elements of a stretch where the memory is large: what they read and write fits into a near cache.
constexpr std::size_t long_stretch = 16 * tile_lanes;

/// Calls f(place) for every place of the elements from begin to end.
template <class F>
void each_place(const TilePlaces& places, std::size_t count, std::size_t begin, std::size_t end, F f) {
    for (std::size_t s = 0; s < places.streams.size(); ++s) {
        for (std::size_t k = places.streams[s].begin; k < places.streams[s].end; ++k)
            for (std::size_t element = begin; element < end; ++element)
                f(static_cast<std::size_t>(places.bases[s * count + element] + places.offsets[k]));
    }
}

}  // namespace

bool Tiles::writes(std::size_t begin, std::size_t end) const {
    bool found = false;
    for (const auto& phase : phases_) {
        for (const TileGroup& group : phase) {
            for (const TilePlaces* places : {&group.written, &group.settled}) {
                each_place(*places, group.count, 0, group.count,
                           [&](std::size_t place) { found = found || (place >= begin && place < end); });
            }
        }
    }
    return found;
}

TileSchedule Tiles::side_by_side(std::size_t phases) const {
    // the rank of a stretch of the first phase is its number; of others, the highest among those
    // that write what it reads: sorted by rank, then phase, every one comes after those
    std::vector<std::uint32_t> written_at(numbers_.size(), 0);
    std::vector<std::tuple<std::uint32_t, TileStretch>> ranked;
    for (std::uint32_t phase = 0; phase < std::min(phases, phases_.size()); ++phase) {
        std::uint32_t number = 0;
        for (const TileGroup& group : phases_[phase]) {
            const std::size_t step = is_large_ ? long_stretch : std::max<std::size_t>(group.count, 1);
            for (std::size_t begin = 0; begin < group.count; begin += step) {
                const std::size_t end = std::min(begin + step, group.count);
                auto rank = phase == 0 ? static_cast<std::uint32_t>(begin / step) : 0;
                each_place(group.moving, group.count, begin, end,
                           [&](std::size_t place) { rank = std::max(rank, written_at[place]); });
                each_place(group.written, group.count, begin, end,
                           [&](std::size_t place) { written_at[place] = std::max(written_at[place], rank); });
                ranked.push_back(
                    {rank, {phase, number, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}});
            }
            ++number;
        }
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& one, const auto& other) {
        const auto& [rank, stretch] = one;
        const auto& [other_rank, other_stretch] = other;
        return std::tie(rank, stretch.phase) < std::tie(other_rank, other_stretch.phase);
    });
    TileSchedule schedule;
    schedule.reserve(ranked.size());
    for (const auto& [rank, stretch] : ranked) schedule.push_back(stretch);
    return schedule;
}

}  // namespace kempe
