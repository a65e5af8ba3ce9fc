#include "tiles/tiles.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "linear/bytes.hpp"
#include "tape/generations.hpp"
#include "tape/vm.hpp"
#include "tiles/tile_transpose.hpp"

namespace kempe {

namespace {

constexpr std::size_t lanes = tile_lanes;
constexpr std::size_t large = 1 << 16;  // numbers of a memory that no near cache holds

void check(const std::vector<std::int32_t>& places, std::size_t size, std::size_t rows, std::size_t count) {
    if (places.size() != rows * count)
        throw std::invalid_argument("a group's places do not match its registers and elements");
    for (auto place : places)
        if (place < 0 || static_cast<std::size_t>(place) >= size)
            throw std::invalid_argument("a group reaches outside the system's memory");
}

// Asks for what the next tile will read or write; places of eight elements are eight separate
// streams, which no processor foresees.
template <bool written>
void prefetch(const double* numbers, const TilePlaces& places, std::size_t first, std::size_t n) {
#if defined(__GNUC__)
    constexpr std::ptrdiff_t line = 8;
    const std::size_t end = std::min(first + lanes, n);
    for (std::size_t s = 0; s < places.streams.size(); ++s) {
        const auto& stream = places.streams[s];
        for (std::size_t element = first; element < end; ++element) {
            const double* const at = numbers + places.bases[s * n + element];
            for (std::ptrdiff_t k = stream.least; k < stream.most; k += line) __builtin_prefetch(at + k, written);
            __builtin_prefetch(at + stream.most, written);
        }
    }
#endif
}

// Outputs that are constants of the tape are written once, now, and then left out of the group.
void write_constants(TileGroup& group, LongList& numbers) {
    const auto first = group.tape->n_inputs();
    const auto constants = group.tape->constants();
    std::vector<std::int32_t> outputs, scatter;
    for (std::size_t k = 0; k < group.outputs.size(); ++k) {
        const auto reg = static_cast<std::size_t>(group.outputs[k]);
        const auto row = group.scatter.begin() + static_cast<std::ptrdiff_t>(k * group.count);
        const auto row_end = row + static_cast<std::ptrdiff_t>(group.count);
        if (reg >= first && reg < first + constants.size()) {
            std::for_each(row, row_end, [&](std::int32_t place) {
                numbers[static_cast<std::size_t>(place)] = constants[reg - first];
            });
        } else {
            outputs.push_back(group.outputs[k]);
            scatter.insert(scatter.end(), row, row_end);
        }
    }
    group.outputs = std::move(outputs);
    group.scatter = std::move(scatter);
}

}  // namespace

void require_places(std::size_t size, std::initializer_list<std::pair<std::size_t, std::size_t>> ranges) {
    for (const auto& [begin, length] : ranges)
        if (begin > size || length > size - begin)
            throw std::invalid_argument("a place of " + std::to_string(length) + " numbers at " +
                                        std::to_string(begin) + " lies outside the memory of " + std::to_string(size));
}

Tiles::Tiles(std::size_t size, std::size_t first_parameter, std::size_t parameters,
             std::vector<std::vector<TileGroup>> phases)
    : first_parameter_(first_parameter), parameters_(parameters), phases_(std::move(phases)), numbers_(size, 0.0) {
    if (first_parameter > size || parameters > size - first_parameter)
        throw std::invalid_argument("the parameters lie outside the system's memory");
    std::size_t largest = 0;
    for (auto& phase : phases_) {
        for (auto& group : phase) {
            if (group.tape == nullptr || group.tape->n_sections() == 0)
                throw std::invalid_argument("a group of tiles needs a tape to run");
            if (group.count == 0) throw std::invalid_argument("a group of tiles has at least one element");
            check(group.gather, size, group.inputs.size(), group.count);
            check(group.scatter, size, group.outputs.size(), group.count);
            const auto registers = group.tape->n_registers();
            for (const auto* list : {&group.inputs, &group.outputs}) check(*list, registers, list->size(), 1);
            largest = std::max(largest, registers);
            write_constants(group, numbers_);
            std::vector<std::int32_t> moving, fixed, written, settled;
            std::vector<char> moves(registers, 0);
            for (std::size_t k = 0; k < group.inputs.size(); ++k) {
                const auto place = static_cast<std::size_t>(group.gather[k * group.count]);
                const bool is_parameter = place >= first_parameter && place < first_parameter + parameters;
                (is_parameter ? fixed : moving).push_back(static_cast<std::int32_t>(k));
                moves[static_cast<std::size_t>(group.inputs[k])] = !is_parameter;
            }
            moves = group.tape->following(std::move(moves));
            for (std::size_t k = 0; k < group.outputs.size(); ++k) {
                const bool follows = moves[static_cast<std::size_t>(group.outputs[k])] != 0;
                (follows ? written : settled).push_back(static_cast<std::int32_t>(k));
            }
            group.moving = TilePlaces(moving, group.inputs, group.gather, group.count);
            group.fixed = TilePlaces(fixed, group.inputs, group.gather, group.count);
            group.written = TilePlaces(written, group.outputs, group.scatter, group.count);
            group.settled = TilePlaces(settled, group.outputs, group.scatter, group.count);
            group.gather = {};
            group.scatter = {};
        }
    }
    is_large_ = size > large;
    room_.assign(lanes * (largest + 1), 0.0);
    align_tile();
}

Tiles::Tiles(const Tiles& other)
    : first_parameter_(other.first_parameter_), parameters_(other.parameters_), phases_(other.phases_),
      numbers_(other.numbers_), room_(other.room_), is_large_(other.is_large_) {
    align_tile();
}

void Tiles::align_tile() {
    const auto address = reinterpret_cast<std::uintptr_t>(room_.data());
    tile_ = room_.data() + ((64 - address % 64) % 64) / sizeof(double);
}

KEMPE_GENERATIONS void Tiles::read(const TileGroup& group, std::size_t first, std::size_t width) {
    const TilePlaces& places = group.moving;
    for (std::size_t s = 0; s < places.streams.size(); ++s) {
        const Eight<const double> from(numbers_.data(), places.bases.data() + s * group.count + first, width);
        const auto& stream = places.streams[s];
        std::size_t k = stream.begin;
        for (; k < stream.fours_end; k += 4) gather_four(from, places.offsets[k], tile_, places.registers.data() + k);
        for (; k < stream.end; ++k)
            gather_one(from, places.offsets[k], tile_ + lanes * static_cast<std::size_t>(places.registers[k]));
    }
}

KEMPE_GENERATIONS void Tiles::write(const TilePlaces& places, std::size_t count, std::size_t first, std::size_t width) {
    for (std::size_t s = 0; s < places.streams.size(); ++s) {
        const std::int32_t* const base = places.bases.data() + s * count + first;
        const auto& stream = places.streams[s];
        if (width == lanes) {
            const Eight<double> to(numbers_.data(), base, width);
            std::size_t k = stream.begin;
            for (; k < stream.fours_end; k += 4)
                scatter_four(tile_, places.registers.data() + k, to, places.offsets[k]);
            for (; k < stream.end; ++k)
                scatter_one(tile_ + lanes * static_cast<std::size_t>(places.registers[k]), to, places.offsets[k]);
            continue;
        }
        for (std::size_t k = stream.begin; k < stream.end; ++k) {
            const double* from = tile_ + lanes * static_cast<std::size_t>(places.registers[k]);
            for (std::size_t lane = 0; lane < width; ++lane)
                numbers_[static_cast<std::size_t>(base[lane] + places.offsets[k])] = from[lane];
        }
    }
}

// Elements from `begin`, the first of a tile.
void Tiles::run(const TileGroup& group, const TilePlaces& written, std::size_t begin, std::size_t end) {
    const std::size_t n = group.count;
    const double* uneven = group.uneven_lanes.data() + begin * group.uneven.size();
    load_constants_lanes(*group.tape, tile_);
    for (const auto [input, number] : group.even)
        std::fill_n(tile_ + lanes * static_cast<std::size_t>(input), lanes, number);
    for (std::size_t first = begin; first < end; first += lanes) {
        const std::size_t width = std::min(lanes, n - first);
        if (is_large_) {
            prefetch<false>(numbers_.data(), group.moving, first + lanes, n);
            prefetch<true>(numbers_.data(), written, first + lanes, n);
        }
        for (auto input : group.uneven) {
            std::copy(uneven, uneven + lanes, tile_ + lanes * static_cast<std::size_t>(input));
            uneven += lanes;
        }
        read(group, first, width);
        if (group.compiled != nullptr) group.compiled(tile_);
        else run_section_lanes(*group.tape, 0, tile_);
        write(written, n, first, width);
    }
}

void Tiles::run(std::size_t phase) {
    for (const auto& group : phases_[phase]) run(group, group.written, 0, group.count);
}

void Tiles::run(const TileSchedule& schedule) {
    for (const auto& [phase, number, begin, end] : schedule) {
        const TileGroup& group = phases_[phase][number];
        run(group, group.written, begin, end);
    }
}

std::size_t Tiles::bytes() const {
    std::size_t sum = bytes_of(numbers_, room_);
    for (const auto& phase : phases_) {
        for (const auto& group : phase) {
            sum += bytes_of(group.inputs, group.outputs, group.even, group.uneven, group.uneven_lanes);
            for (const auto* places : {&group.moving, &group.fixed, &group.written, &group.settled})
                sum += bytes_of(places->streams, places->registers, places->offsets, places->bases);
        }
    }
    return sum;
}

void Tiles::set_parameters(const double* p) {
    std::copy(p, p + parameters_, numbers_.data() + first_parameter_);
    spread_parameters();
}

void Tiles::spread_parameters() {
    for (auto& phase : phases_) {
        for (auto& group : phase) {
            group.sort_parameters(numbers_.data());
            if (!group.settled.registers.empty()) run(group, group.settled, 0, group.count);
        }
    }
}

}  // namespace kempe
