// Many alike elements: one tape per kind, run over tiles of eight in a memory that all share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "schur/pages.hpp"
#include "tape/tape.hpp"

namespace kempe {

inline constexpr std::size_t tile_lanes = 8;  // elements that are run at once

/// Places of registers in memory, element by element. Rows of places that run beside each other, a
/// constant apart, are one stream: a place of its own for every element, and an offset for each row.
struct TilePlaces {
    struct Stream {
        std::size_t begin, end;     // of `registers` and `offsets`
        std::size_t fours_end;      // up to here four and four with neighbouring offsets
        std::int32_t least, most;   // of its offsets
    };
    std::vector<Stream> streams;
    std::vector<std::int32_t> registers, offsets;
    std::vector<std::int32_t> bases;  // stream by stream, element by element

    /// `places` has a row of `count` places per register.
    TilePlaces() = default;
    TilePlaces(const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& registers,
               const std::vector<std::int32_t>& places, std::size_t count);
};

/// Elements of one kind: their tape, and where each finds its inputs and leaves its outputs.
///
/// `gather` has a row per input register, `scatter` a row per output, both with `count` places in
/// the system's memory.
struct TileGroup {
    using Compiled = void (*)(double*);

    std::shared_ptr<const Tape> tape;
    std::vector<std::int32_t> inputs;   // registers that are filled
    std::vector<std::int32_t> outputs;  // registers that are read
    std::vector<std::int32_t> gather, scatter;
    std::size_t count = 0;
    Compiled compiled = nullptr;  // replaces the VM on [n_registers][8] doubles

    struct Even {
        std::int32_t input;  // a register
        double number;
    };

    // Filled by the system, in place of the lists above. `fixed` are inputs that are parameters:
    // `even` those with one number for all elements, `uneven` the registers of the others, and
    // their numbers, eight lanes a register, tile after tile. `settled` are outputs that follow
    // from parameters alone: they are written when those are set.
    TilePlaces moving, fixed, written, settled;
    std::vector<Even> even;
    std::vector<std::int32_t> uneven;
    LongList uneven_lanes;

    /// Takes the numbers of the parameters from the system's memory.
    void sort_parameters(const double* numbers);
};

/// Refuses ranges outside a memory of `size` numbers, each (where it begins, how long it is).
void require_places(std::size_t size, std::initializer_list<std::pair<std::size_t, std::size_t>> ranges);

/// Some elements of one group.
struct TileStretch {
    std::uint32_t phase, group;
    std::uint32_t begin, end;
};
using TileSchedule = std::vector<TileStretch>;

/// A memory of numbers, and phases of groups that read and write it.
class Tiles {
  public:
    /// Parameters stand at first_parameter .. first_parameter + parameters.
    Tiles(std::size_t size, std::size_t first_parameter, std::size_t parameters,
          std::vector<std::vector<TileGroup>> phases);
    Tiles(const Tiles& other);
    Tiles& operator=(const Tiles&) = delete;

    [[nodiscard]] double* numbers() { return numbers_.data(); }
    [[nodiscard]] const double* numbers() const { return numbers_.data(); }
    [[nodiscard]] std::size_t phases() const { return phases_.size(); }
    [[nodiscard]] bool is_empty(std::size_t phase) const { return phases_[phase].empty(); }
    /// Whether some phase writes to places from begin to end.
    [[nodiscard]] bool writes(std::size_t begin, std::size_t end) const;
    void set_parameters(const double* p);
    /// The same where the numbers already stand in the memory.
    void spread_parameters();
    [[nodiscard]] std::size_t bytes() const;
    void run(std::size_t phase);
    /// The first phases in another order, in which what one writes is still near when another
    /// reads it: stretch by stretch, each after those that write what it reads.
    [[nodiscard]] TileSchedule side_by_side(std::size_t phases) const;
    void run(const TileSchedule& schedule);

  private:
    void align_tile();
    void read(const TileGroup& group, std::size_t first, std::size_t width);
    void write(const TilePlaces& places, std::size_t count, std::size_t first, std::size_t width);
    void run(const TileGroup& group, const TilePlaces& written, std::size_t begin, std::size_t end);

    std::size_t first_parameter_, parameters_;
    std::vector<std::vector<TileGroup>> phases_;
    LongList numbers_;
    std::vector<double> room_;  // registers of a tile, with room to align them
    double* tile_ = nullptr;
    bool is_large_ = false;  // beyond what a cache holds
};

}  // namespace kempe
