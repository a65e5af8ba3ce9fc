#include "tape/tape.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace kempe {

namespace {

// Up to here the factors of derivatives, 18! at most, are exact doubles.
constexpr std::size_t most_coefficients = 19;

std::string place(std::size_t index, Op op) {
    return "operation " + std::to_string(index) + " (" + std::string(operation_names[static_cast<std::size_t>(op)]) +
           ")";
}

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument("tape: " + what); }

void check_stops(std::span<const std::int32_t> stops, std::size_t n_operations) {
    std::int64_t before = 0;
    for (std::size_t k = 0; k < stops.size(); ++k) {
        if (stops[k] < before)
            refuse("section " + std::to_string(k) + " stops at operation " + std::to_string(stops[k]) +
                   ", before it starts at " + std::to_string(before));
        before = stops[k];
    }
    if (static_cast<std::size_t>(before) != n_operations)
        refuse("the sections stop at operation " + std::to_string(before) + ", but the code has " +
               std::to_string(n_operations));
}

}  // namespace

TableBlock table_block(std::span<const double> breaks, std::span<const double> coefficients, std::size_t order) {
    if (breaks.size() < 2) refuse("a table needs at least two breaks");
    const std::size_t pieces = breaks.size() - 1;
    if (order == 0 || coefficients.size() != pieces * order)
        refuse("a table of " + std::to_string(pieces) + " pieces needs as many rows of coefficients");
    if (order > most_coefficients)
        refuse("a table has " + std::to_string(order) + " coefficients a piece, more than " +
               std::to_string(most_coefficients));
    for (std::size_t i = 0; i < breaks.size(); ++i)
        if (!std::isfinite(breaks[i]) || (i > 0 && !(breaks[i] > breaks[i - 1])))
            refuse("break " + std::to_string(i) + " of a table is not finite and above the one before");
    for (const double c : coefficients)
        if (!std::isfinite(c)) refuse("a coefficient of a table is not finite");
    TableBlock block{static_cast<double>(pieces), static_cast<double>(order)};
    block.insert(block.end(), breaks.begin(), breaks.end());
    block.insert(block.end(), coefficients.begin(), coefficients.end());
    return block;
}

Tape::Tape(const TapeParts& parts, std::vector<TableBlock> tables, std::vector<SplineBlock> splines)
    : constants_(parts.constants.begin(), parts.constants.end()), tables_(std::move(tables)),
      splines_(std::move(splines)) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (parts.n_inputs < 0 || parts.n_inputs > most) refuse("the number of inputs is out of range");
    const std::int64_t given = parts.n_inputs + static_cast<std::int64_t>(constants_.size());
    if (parts.n_registers < given || parts.n_registers > most)
        refuse(std::to_string(parts.n_registers) + " registers cannot hold " + std::to_string(parts.n_inputs) +
               " inputs and " + std::to_string(constants_.size()) + " constants");
    n_inputs_ = static_cast<std::size_t>(parts.n_inputs);
    n_registers_ = static_cast<std::size_t>(parts.n_registers);
    n_operations_ = parts.code.size() / 5;
    check_stops(parts.section_stops, n_operations_);
    has_value_.assign(n_registers_, false);
    for (std::int64_t reg = 0; reg < given; ++reg) has_value_[static_cast<std::size_t>(reg)] = true;
    program_.reserve(n_operations_ + parts.section_stops.size());
    std::size_t index = 0;
    for (const std::int32_t stop : parts.section_stops) {
        starts_.push_back(program_.size());
        for (; index < static_cast<std::size_t>(stop); ++index) append(parts.code.subspan(5 * index, 5), index);
        program_.push_back({Op::end, 0, 0, 0, 0});
    }
}

void Tape::append(std::span<const std::int32_t> row, std::size_t index) {
    if (row[0] < 0 || static_cast<std::size_t>(row[0]) >= operation_count)
        refuse("operation " + std::to_string(index) + " has the unknown code " + std::to_string(row[0]));
    // A negative column becomes a number beyond every register and is refused as such.
    const Instruction instruction{static_cast<Op>(row[0]), static_cast<std::uint32_t>(row[1]),
                                  static_cast<std::uint32_t>(row[2]), static_cast<std::uint32_t>(row[3]),
                                  static_cast<std::uint32_t>(row[4])};
    check(instruction, index);
    program_.push_back(instruction);
}

void Tape::check(const Instruction& i, std::size_t index) {
    const int operands = operand_counts[static_cast<std::size_t>(i.op)];
    read(i.a, 'a', index);
    if (operands > 1) read(i.b, 'b', index);
    if (operands > 2) read(i.c, 'c', index);
    if (i.op == Op::table || i.op == Op::spline) check_piecewise(i, index);
    if (i.op == Op::sincos) {
        if (i.b == i.d) refuse(place(index, i.op) + " writes sine and cosine to one register");
        write(i.b, index);
    }
    write(i.d, index);
}

void Tape::check_piecewise(const Instruction& i, std::size_t index) const {
    const bool is_table = i.op == Op::table;
    const std::size_t known = is_table ? tables_.size() : splines_.size();
    if (i.b >= known)
        refuse(place(index, i.op) + " names " + (is_table ? "table " : "spline ") +
               std::to_string(static_cast<std::int32_t>(i.b)) + " of " + std::to_string(known));
    const auto order = static_cast<std::int32_t>(i.c);
    if (order < 0 || (!is_table && i.c > most_spline_order))
        refuse(place(index, i.op) + " has a derivative of order " + std::to_string(order));
}

void Tape::read(std::uint32_t reg, char column, std::size_t index) {
    if (reg >= n_registers_)
        refuse("operation " + std::to_string(index) + " reads register " +
               std::to_string(static_cast<std::int32_t>(reg)) + " in column " + column + ", of " +
               std::to_string(n_registers_));
    if (!has_value_[reg] && first_early_ < 0) {
        first_early_ = static_cast<std::ptrdiff_t>(index);
        early_register_ = reg;
    }
}

void Tape::write(std::uint32_t reg, std::size_t index) {
    if (reg >= n_registers_ || reg < n_inputs_ + constants_.size())
        refuse("operation " + std::to_string(index) + " writes register " +
               std::to_string(static_cast<std::int32_t>(reg)) + "; temporaries are " +
               std::to_string(n_inputs_ + constants_.size()) + " to " + std::to_string(n_registers_) + " (exclusive)");
    has_value_[reg] = true;
}

std::vector<char> Tape::following(std::vector<char> registers) const {
    registers.resize(n_registers_, 0);
    for (const Instruction& i : program_) {
        if (i.op == Op::end) continue;
        const int operands = operand_counts[static_cast<std::size_t>(i.op)];
        char moved = registers[i.a];
        if (operands > 1) moved |= registers[i.b];
        if (operands > 2) moved |= registers[i.c];
        registers[i.d] = moved;
        if (i.op == Op::sincos) registers[i.b] = moved;
    }
    return registers;
}

void Tape::require_whole(std::span<const std::int32_t> outputs) const {
    if (first_early_ >= 0)
        refuse("operation " + std::to_string(first_early_) + " reads register " + std::to_string(early_register_) +
               " before any operation wrote it");
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        if (outputs[k] < 0 || static_cast<std::size_t>(outputs[k]) >= n_registers_)
            refuse("output " + std::to_string(k) + " is register " + std::to_string(outputs[k]) + ", of " +
                   std::to_string(n_registers_));
        if (!has_value_[static_cast<std::size_t>(outputs[k])])
            refuse("output " + std::to_string(k) + " is register " + std::to_string(outputs[k]) +
                   ", which no operation writes");
    }
}

}  // namespace kempe
