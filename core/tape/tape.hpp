#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tape/spline.hpp"

// A tape is a flat program on a file of registers: [inputs | constants | temporaries].

namespace kempe {

// X(name, operands): the one list of operations in C++, in the order of their codes.
// `operands` counts the registers read, from a on. Three operations use the columns otherwise:
// sincos reads a and writes both d (sine) and b (cosine); table and spline read a, and their b
// (which table or spline) and c (order of the derivative) are numbers, not registers.
// clang-format off
#define KEMPE_OPERATIONS(X)                                                                    \
    X(add, 2) X(sub, 2) X(mul, 2) X(div, 2) X(neg, 1) X(rec, 1) X(sqr, 1) X(sqrt, 1)           \
    X(sincos, 1) X(sin, 1) X(cos, 1) X(tan, 1) X(asin, 1) X(acos, 1) X(atan2, 2) X(exp, 1)     \
    X(log, 1) X(tanh, 1) X(abs, 1) X(min, 2) X(max, 2) X(pow, 2) X(round, 1)                   \
    X(where_positive, 3) X(where_not_negative, 3) X(table, 1) X(muladd, 3) X(mulsub, 3)        \
    X(nmuladd, 3) X(copy, 1) X(spline, 1)

enum class Op : std::uint32_t {
#define KEMPE_ENUMERATOR(name, operands) name,
    KEMPE_OPERATIONS(KEMPE_ENUMERATOR)
#undef KEMPE_ENUMERATOR
    end  // closes a section in a program; never in a tape's code
};
// clang-format on

inline constexpr std::size_t operation_count = static_cast<std::size_t>(Op::end);

inline constexpr std::array<std::string_view, operation_count> operation_names = {
#define KEMPE_NAME(name, operands) #name,
    KEMPE_OPERATIONS(KEMPE_NAME)
#undef KEMPE_NAME
};

// How many registers an operation reads, from a on.
inline constexpr std::array<int, operation_count> operand_counts = {
#define KEMPE_COUNT(name, operands) operands,
    KEMPE_OPERATIONS(KEMPE_COUNT)
#undef KEMPE_COUNT
};

struct Instruction {
    Op op;
    std::uint32_t d, a, b, c;
};

// What Python hands over; the code has five columns (operation, d, a, b, c) a row.
struct TapeParts {
    std::span<const std::int32_t> code;
    std::span<const double> constants;
    std::int64_t n_inputs;
    std::int64_t n_registers;
    std::span<const std::int32_t> section_stops;
};

// A piecewise polynomial as one block of doubles, so that compiled code can carry it as a plain
// array: pieces, order, breaks[pieces + 1], coefficients[pieces][order], highest power first.
using TableBlock = std::vector<double>;

TableBlock table_block(std::span<const double> breaks, std::span<const double> coefficients, std::size_t order);

class Tape {
  public:
    // Throws std::invalid_argument, naming the operation, where the parts are no valid tape.
    Tape(const TapeParts& parts, std::vector<TableBlock> tables, std::vector<SplineBlock> splines = {});

    std::size_t n_inputs() const noexcept { return n_inputs_; }
    std::size_t n_registers() const noexcept { return n_registers_; }
    std::size_t n_operations() const noexcept { return n_operations_; }
    std::size_t n_sections() const noexcept { return starts_.size(); }
    std::span<const double> constants() const noexcept { return constants_; }

    // The instructions of a section; the last one is Op::end.
    const Instruction* section(std::size_t k) const noexcept { return program_.data() + starts_[k]; }
    const double* table(std::size_t k) const noexcept { return tables_[k].data(); }
    std::size_t n_tables() const noexcept { return tables_.size(); }
    const double* spline(std::size_t k) const noexcept { return splines_[k].data(); }
    std::size_t spline_size(std::size_t k) const noexcept { return splines_[k].size(); }
    std::size_t n_splines() const noexcept { return splines_.size(); }

    // Which registers hold something else where these do, after all sections have run.
    std::vector<char> following(std::vector<char> registers) const;

    // Throws std::invalid_argument unless running all sections in order gives every operand and
    // every one of these outputs a value.
    void require_whole(std::span<const std::int32_t> outputs) const;

  private:
    void append(std::span<const std::int32_t> row, std::size_t index);
    void check(const Instruction& instruction, std::size_t index);
    void check_piecewise(const Instruction& instruction, std::size_t index) const;
    void write(std::uint32_t reg, std::size_t index);
    void read(std::uint32_t reg, char column, std::size_t index);

    std::size_t n_inputs_ = 0;
    std::size_t n_registers_ = 0;
    std::size_t n_operations_ = 0;
    std::vector<double> constants_;
    std::vector<TableBlock> tables_;
    std::vector<SplineBlock> splines_;
    std::vector<Instruction> program_;
    std::vector<std::size_t> starts_;
    std::vector<bool> has_value_;       // per register, after all sections in order
    std::ptrdiff_t first_early_ = -1;   // operation that reads a register written later or never
    std::uint32_t early_register_ = 0;
};

}  // namespace kempe
