// Derivatives of the equations of motion, as implicit methods need them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dynamics/systems/dynamic_system.hpp"
#include "tape/running_tape.hpp"
#include "tiles/tiles.hpp"

namespace kempe {

/// Where the inputs of derivatives stand in memory, where their results do, and how large it is.
struct DerivativeMemory {
    std::size_t q, v, t, last, a, lam, p, sides, derivatives, size;
};

/// Derivatives of R = [M a + J^T lam - f; J a - gamma] with a and lam given, rows solved first.
///
/// Two more rows are powers: what forces dissipate, and what drives put in; then rates of states of forces.
///
/// Entry k stands in row rows()[k] and column columns()[k]: n_v columns by place along the velocities,
/// n_v by velocity, one by time, n_v by a (rows of constraints have J there), one by every lam (of the
/// power of drives), and one by every state of a force. Entries at one place add up. One object belongs to one thread.
class ResidualDerivatives {
  public:
    virtual ~ResidualDerivatives() = default;

    [[nodiscard]] virtual std::shared_ptr<ResidualDerivatives> clone() const = 0;
    [[nodiscard]] DynamicSize size() const { return size_; }
    [[nodiscard]] const std::vector<std::int32_t>& rows() const { return rows_; }
    [[nodiscard]] const std::vector<std::int32_t>& columns() const { return columns_; }
    void set_parameters(const double* p);
    void set_sides(const double* sides);
    void set_states(const double* z);
    void evaluate(const double* q, const double* v, double t, const double* last, const double* a, const double* lam,
                  double* values);
    [[nodiscard]] virtual std::size_t bytes() const;

  protected:
    ResidualDerivatives(DynamicSize size, DerivativeMemory memory, std::vector<std::int32_t> rows,
                        std::vector<std::int32_t> columns);
    ResidualDerivatives(const ResidualDerivatives&) = default;

    [[nodiscard]] virtual double* numbers() = 0;
    virtual void run(double* values) = 0;
    virtual void spread_parameters() {}

    DynamicSize size_;
    DerivativeMemory memory_;

  private:
    std::vector<std::int32_t> rows_, columns_;
};

/// Those of one tape: its inputs are q, v, t, last, a, lam, p, sides.
class TapeDerivatives final : public ResidualDerivatives {
  public:
    TapeDerivatives(std::shared_ptr<const Tape> tape, DynamicSize size, std::vector<std::int32_t> outputs,
                    std::vector<std::int32_t> rows, std::vector<std::int32_t> columns);
    void set_compiled(const std::vector<std::uintptr_t>& addresses) { file_.set_compiled(addresses); }
    [[nodiscard]] std::shared_ptr<ResidualDerivatives> clone() const override {
        return std::make_shared<TapeDerivatives>(*this);
    }
    [[nodiscard]] std::size_t bytes() const override;

  private:
    [[nodiscard]] double* numbers() override { return file_.data(); }
    void run(double* values) override;

    RunningTape file_;
    std::vector<std::int32_t> outputs_;
};

/// Those of many alike elements: phases are frames, then derivatives.
class TileDerivatives final : public ResidualDerivatives {
  public:
    TileDerivatives(DynamicSize size, DerivativeMemory memory, std::vector<std::vector<TileGroup>> phases,
                    std::vector<std::int32_t> rows, std::vector<std::int32_t> columns);
    [[nodiscard]] std::shared_ptr<ResidualDerivatives> clone() const override {
        return std::make_shared<TileDerivatives>(*this);
    }
    [[nodiscard]] std::size_t bytes() const override;

  private:
    [[nodiscard]] double* numbers() override { return tiles_.numbers(); }
    void run(double* values) override;
    void spread_parameters() override { tiles_.spread_parameters(); }

    Tiles tiles_;
};

}  // namespace kempe
