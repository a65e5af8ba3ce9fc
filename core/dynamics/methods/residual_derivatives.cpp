#include "dynamics/methods/residual_derivatives.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "linear/bytes.hpp"

namespace kempe {

namespace {

std::size_t all_rows(const DynamicSize& size) { return size.rows + size.spare; }

// q, v, t, last, a, lam, p, sides one after the other.
DerivativeMemory in_a_row(const DynamicSize& size) {
    DerivativeMemory at{};
    std::size_t end = 0;
    const auto next = [&](std::size_t count) { return std::exchange(end, end + count); };
    at.q = next(size.q);
    at.v = next(size.v);
    at.t = next(1);
    at.last = next(size.turns);
    at.a = next(size.v);
    at.lam = next(all_rows(size));
    at.p = next(size.parameters);
    at.sides = next(size.switches);
    at.derivatives = at.size = end;
    return at;
}

std::vector<std::vector<TileGroup>> two(std::vector<std::vector<TileGroup>> phases) {
    if (phases.size() != 2) throw std::invalid_argument("derivatives in tiles have two phases");
    return phases;
}

}  // namespace

ResidualDerivatives::ResidualDerivatives(DynamicSize size, DerivativeMemory memory, std::vector<std::int32_t> rows,
                                         std::vector<std::int32_t> columns)
    : size_(size), memory_(memory), rows_(std::move(rows)), columns_(std::move(columns)) {
    const auto below = [](const std::vector<std::int32_t>& list, std::size_t end) {
        return std::ranges::all_of(list, [end](auto k) { return k >= 0 && static_cast<std::size_t>(k) < end; });
    };
    const std::size_t m = all_rows(size), z = size.states.size();
    if (rows_.size() != columns_.size() || !below(rows_, size.v + m + 2 + z) ||
        !below(columns_, 3 * size.v + 1 + m + z))
        throw std::invalid_argument("the places of the derivatives do not match the system's sizes");
}

void ResidualDerivatives::set_parameters(const double* p) {
    std::copy(p, p + size_.parameters, numbers() + memory_.p);
    spread_parameters();
}

void ResidualDerivatives::set_states(const double* z) {
    if (size_.states.empty()) return;
    for (std::size_t k = 0; k < size_.states.size(); ++k)
        numbers()[memory_.p + static_cast<std::size_t>(size_.states[k])] = z[k];
    spread_parameters();
}

void ResidualDerivatives::set_sides(const double* sides) {
    std::copy(sides, sides + size_.switches, numbers() + memory_.sides);
}

void ResidualDerivatives::evaluate(const double* q, const double* v, double t, const double* last, const double* a,
                                   const double* lam, double* values) {
    double* const to = numbers();
    std::copy(q, q + size_.q, to + memory_.q);
    std::copy(v, v + size_.v, to + memory_.v);
    to[memory_.t] = t;
    std::copy(last, last + size_.turns, to + memory_.last);
    std::copy(a, a + size_.v, to + memory_.a);
    std::copy(lam, lam + all_rows(size_), to + memory_.lam);
    run(values);
}

std::size_t ResidualDerivatives::bytes() const { return bytes_of(rows_, columns_); }

TapeDerivatives::TapeDerivatives(std::shared_ptr<const Tape> tape, DynamicSize size, std::vector<std::int32_t> outputs,
                                 std::vector<std::int32_t> rows, std::vector<std::int32_t> columns)
    : ResidualDerivatives(size, in_a_row(size), std::move(rows), std::move(columns)),
      file_(std::move(tape), 1, in_a_row(size).size), outputs_(std::move(outputs)) {
    file_.require_registers({&outputs_});
    if (outputs_.size() != this->rows().size()) throw std::invalid_argument("every derivative has one place");
}

void TapeDerivatives::run(double* values) {
    file_.run(0);
    file_.gather(outputs_, values);
}

std::size_t TapeDerivatives::bytes() const {
    return ResidualDerivatives::bytes() + bytes_of(file_.registers(), outputs_);
}

TileDerivatives::TileDerivatives(DynamicSize size, DerivativeMemory memory, std::vector<std::vector<TileGroup>> phases,
                                 std::vector<std::int32_t> rows, std::vector<std::int32_t> columns)
    : ResidualDerivatives(size, memory, std::move(rows), std::move(columns)),
      tiles_(memory.size, memory.p, size.parameters, two(std::move(phases))) {
    const DerivativeMemory& m = memory;
    require_places(m.size, {{m.q, size.q},
                            {m.v, size.v},
                            {m.t, 1},
                            {m.last, size.turns},
                            {m.a, size.v},
                            {m.lam, all_rows(size)},
                            {m.p, size.parameters},
                            {m.sides, size.switches},
                            {m.derivatives, this->rows().size()}});
}

void TileDerivatives::run(double* values) {
    tiles_.run(0);
    tiles_.run(1);
    const double* const found = tiles_.numbers() + memory_.derivatives;
    std::copy(found, found + rows().size(), values);
}

std::size_t TileDerivatives::bytes() const { return ResidualDerivatives::bytes() + tiles_.bytes(); }

}  // namespace kempe
