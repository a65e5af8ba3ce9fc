#include "tiles.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "vm.hpp"

namespace kempe {

namespace {

constexpr std::size_t lanes = 8;

void check(const std::vector<std::int32_t>& places, std::size_t size, std::size_t rows,
           std::size_t count) {
    if (places.size() != rows * count) {
        throw std::invalid_argument("a group's places do not match its registers and elements");
    }
    for (auto place : places) {
        if (place < 0 || static_cast<std::size_t>(place) >= size) {
            throw std::invalid_argument("a group reaches outside the system's memory");
        }
    }
}

// Written out: the loops are too short for a compiler to unroll on its own.
void gather_tile(const double* numbers, const std::int32_t* from, double* to) {
    to[0] = numbers[from[0]];
    to[1] = numbers[from[1]];
    to[2] = numbers[from[2]];
    to[3] = numbers[from[3]];
    to[4] = numbers[from[4]];
    to[5] = numbers[from[5]];
    to[6] = numbers[from[6]];
    to[7] = numbers[from[7]];
}

void scatter_tile(const double* from, const std::int32_t* to, double* numbers) {
    numbers[to[0]] = from[0];
    numbers[to[1]] = from[1];
    numbers[to[2]] = from[2];
    numbers[to[3]] = from[3];
    numbers[to[4]] = from[4];
    numbers[to[5]] = from[5];
    numbers[to[6]] = from[6];
    numbers[to[7]] = from[7];
}

// Outputs that are constants of the tape are written once, now, and then left out of the group.
void write_constants(TileGroup& group, std::vector<double>& numbers) {
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

Tiles::Tiles(std::size_t size, std::size_t first_parameter, std::size_t parameters,
             std::vector<std::vector<TileGroup>> phases)
    : first_parameter_(first_parameter),
      parameters_(parameters),
      phases_(std::move(phases)),
      numbers_(size, 0.0) {
    std::size_t largest = 0;
    for (auto& phase : phases_) {
        for (auto& group : phase) {
            check(group.gather, size, group.inputs.size(), group.count);
            check(group.scatter, size, group.outputs.size(), group.count);
            const auto registers = group.tape->n_registers();
            for (const auto* list : {&group.inputs, &group.outputs}) {
                check(*list, registers, list->size(), 1);
            }
            largest = std::max(largest, registers);
            write_constants(group, numbers_);
            for (std::size_t k = 0; k < group.inputs.size(); ++k) {
                const auto place = static_cast<std::size_t>(group.gather[k * group.count]);
                const bool is_parameter =
                    place >= first_parameter && place < first_parameter + parameters;
                (is_parameter ? group.fixed : group.moving).push_back(static_cast<std::int32_t>(k));
            }
            const auto tiles = (group.count + lanes - 1) / lanes;
            group.fixed_lanes.assign(tiles * group.fixed.size() * lanes, 0.0);
        }
    }
    room_.assign(lanes * (largest + 1), 0.0);
    align_tile();
}

Tiles::Tiles(const Tiles& other)
    : first_parameter_(other.first_parameter_),
      parameters_(other.parameters_),
      phases_(other.phases_),
      numbers_(other.numbers_),
      room_(other.room_) {
    align_tile();
}

void Tiles::align_tile() {
    const auto address = reinterpret_cast<std::uintptr_t>(room_.data());
    tile_ = room_.data() + ((64 - address % 64) % 64) / sizeof(double);
}

void Tiles::run(const TileGroup& group) {
    const std::size_t n = group.count;
    const double* fixed = group.fixed_lanes.data();
    load_constants_lanes(*group.tape, tile_);
    for (std::size_t first = 0; first < n; first += lanes) {
        const std::size_t width = std::min(lanes, n - first);
        for (auto k : group.fixed) {
            const auto input = static_cast<std::size_t>(group.inputs[static_cast<std::size_t>(k)]);
            std::copy(fixed, fixed + lanes, tile_ + lanes * input);
            fixed += lanes;
        }
        for (auto row : group.moving) {
            const auto k = static_cast<std::size_t>(row);
            const std::int32_t* from = group.gather.data() + k * n + first;
            double* to = tile_ + lanes * static_cast<std::size_t>(group.inputs[k]);
            if (width == lanes) {
                gather_tile(numbers_.data(), from, to);
            } else {
                for (std::size_t lane = 0; lane < lanes; ++lane) {
                    to[lane] = numbers_[static_cast<std::size_t>(from[lane < width ? lane : 0])];
                }
            }
        }
        if (group.compiled != nullptr) {
            group.compiled(tile_);
        } else {
            run_section_lanes(*group.tape, 0, tile_);
        }
        for (std::size_t k = 0; k < group.outputs.size(); ++k) {
            const std::int32_t* to = group.scatter.data() + k * n + first;
            const double* from = tile_ + lanes * static_cast<std::size_t>(group.outputs[k]);
            if (width == lanes) {
                scatter_tile(from, to, numbers_.data());
            } else {
                for (std::size_t lane = 0; lane < width; ++lane) {
                    numbers_[static_cast<std::size_t>(to[lane])] = from[lane];
                }
            }
        }
    }
}

void Tiles::run(std::size_t phase) {
    for (const auto& group : phases_[phase]) {
        run(group);
    }
}

void Tiles::set_parameters(const double* p) {
    std::copy(p, p + parameters_, numbers_.data() + first_parameter_);
    for (auto& phase : phases_) {
        for (auto& group : phase) {
            double* to = group.fixed_lanes.data();
            for (std::size_t first = 0; first < group.count; first += lanes) {
                for (auto k : group.fixed) {
                    const std::int32_t* from =
                        group.gather.data() + static_cast<std::size_t>(k) * group.count;
                    for (std::size_t lane = 0; lane < lanes; ++lane) {
                        const auto element = std::min(first + lane, group.count - 1);
                        *to++ = numbers_[static_cast<std::size_t>(from[element])];
                    }
                }
            }
        }
    }
}

}  // namespace kempe
