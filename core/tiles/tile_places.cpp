// Where the elements of a group find their numbers.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "tiles/tiles.hpp"

namespace kempe {

namespace {

using Place = std::pair<std::int32_t, std::int32_t>;  // offset, register

/// Four and four neighbours, and the rest.
void part_fours(const std::vector<Place>& sorted, std::vector<Place>& fours, std::vector<Place>& singles) {
    for (std::size_t k = 0; k < sorted.size();) {
        std::size_t end = k + 1;
        while (end < sorted.size() && end < k + 4 && sorted[end].first == sorted[end - 1].first + 1) ++end;
        auto& part = end == k + 4 ? fours : singles;
        end = end == k + 4 ? end : k + 1;
        part.insert(part.end(), sorted.begin() + static_cast<std::ptrdiff_t>(k),
                    sorted.begin() + static_cast<std::ptrdiff_t>(end));
        k = end;
    }
}

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }  // tells -0 from 0

}  // namespace

TilePlaces::TilePlaces(const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& all_registers,
                       const std::vector<std::int32_t>& places, std::size_t count) {
    const auto row = [&](std::int32_t k) { return places.data() + static_cast<std::size_t>(k) * count; };
    std::vector<std::vector<std::int32_t>> members;
    for (auto k : rows) {
        const auto beside = [&](const std::vector<std::int32_t>& stream) {
            const std::int32_t *head = row(stream.front()), *own = row(k);
            const std::int32_t apart = own[0] - head[0];
            for (std::size_t e = 1; e < count; ++e)
                if (own[e] - head[e] != apart) return false;
            return true;
        };
        const auto found = std::find_if(members.begin(), members.end(), beside);
        if (found == members.end()) members.push_back({k});
        else found->push_back(k);
    }
    for (const auto& stream : members) {
        const std::int32_t* const head = row(stream.front());
        std::vector<Place> fours, singles;
        std::vector<Place> places_here;
        for (auto k : stream) places_here.push_back({row(k)[0] - head[0], all_registers[static_cast<std::size_t>(k)]});
        std::sort(places_here.begin(), places_here.end());
        part_fours(places_here, fours, singles);
        const std::size_t begin = offsets.size();
        streams.push_back(
            {begin, begin + stream.size(), begin + fours.size(), places_here.front().first, places_here.back().first});
        for (const auto& part : {fours, singles}) {
            for (const auto& [offset, reg] : part) {
                offsets.push_back(offset);
                registers.push_back(reg);
            }
        }
        bases.insert(bases.end(), head, head + count);
    }
    bases.shrink_to_fit();
}

// Parameters with one number for all elements are kept once, the others lane by lane.
void TileGroup::sort_parameters(const double* numbers) {
    const TilePlaces& places = fixed;
    const std::size_t n = count;
    even.clear();
    uneven.clear();
    std::vector<std::pair<const std::int32_t*, std::int32_t>> sources;  // elements, offset
    for (std::size_t s = 0; s < places.streams.size(); ++s) {
        const std::int32_t* const base = places.bases.data() + s * n;
        for (std::size_t k = places.streams[s].begin; k < places.streams[s].end; ++k) {
            const std::int32_t offset = places.offsets[k];
            const double number = numbers[base[0] + offset];
            const bool is_even = std::all_of(
                base, base + n, [&](std::int32_t each) { return bits(numbers[each + offset]) == bits(number); });
            if (is_even) {
                even.push_back({places.registers[k], number});
            } else {
                uneven.push_back(places.registers[k]);
                sources.emplace_back(base, offset);
            }
        }
    }
    uneven_lanes.resize((n + tile_lanes - 1) / tile_lanes * sources.size() * tile_lanes);
    double* to = uneven_lanes.data();
    for (std::size_t first = 0; first < n; first += tile_lanes) {
        for (const auto& [base, offset] : sources)
            for (std::size_t lane = 0; lane < tile_lanes; ++lane)
                *to++ = numbers[base[std::min(first + lane, n - 1)] + offset];
    }
}

}  // namespace kempe
