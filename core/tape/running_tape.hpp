// A tape with registers of its own, run section by section.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tape/tape.hpp"
#include "tape/vm.hpp"

namespace kempe {

/// Runs on the VM, or as compiled functions of the registers.
class RunningTape {
  public:
    /// Refuses a tape with another number of sections or inputs.
    RunningTape(std::shared_ptr<const Tape> tape, std::size_t sections, std::size_t inputs) : tape_(std::move(tape)) {
        if (tape_ == nullptr) throw std::invalid_argument("a system needs a tape to run");
        if (tape_->n_sections() != sections)
            throw std::invalid_argument("the tape has " + std::to_string(tape_->n_sections()) + " sections, " +
                                        std::to_string(sections) + " are needed");
        if (tape_->n_inputs() != inputs)
            throw std::invalid_argument("the tape's inputs do not match the system's sizes");
        registers_.assign(tape_->n_registers(), 0.0);
        load_constants(*tape_, registers_.data());
    }

    /// Refuses lists that name a register which there is not.
    void require_registers(std::initializer_list<const std::vector<std::int32_t>*> lists) const {
        for (const auto* list : lists)
            for (const auto r : *list)
                if (r < 0 || static_cast<std::size_t>(r) >= registers_.size())
                    throw std::invalid_argument("an output register lies outside the register file");
    }

    /// Addresses of compiled functions that replace the VM, one per section; none: back to the VM.
    void set_compiled(const std::vector<std::uintptr_t>& addresses) {
        if (!addresses.empty() && addresses.size() != tape_->n_sections())
            throw std::invalid_argument("one compiled function per section is needed");
        compiled_.clear();
        for (const auto address : addresses) compiled_.push_back(reinterpret_cast<Compiled>(address));
    }

    void run(std::size_t section) {
        if (compiled_.empty()) run_section(*tape_, section, registers_.data());
        else compiled_[section](registers_.data());
    }

    [[nodiscard]] double operator[](std::int32_t r) const { return registers_[static_cast<std::size_t>(r)]; }
    [[nodiscard]] double* data() { return registers_.data(); }
    [[nodiscard]] const std::vector<double>& registers() const { return registers_; }

    void gather(const std::vector<std::int32_t>& registers, double* out) const {
        for (std::size_t k = 0; k < registers.size(); ++k) out[k] = (*this)[registers[k]];
    }

  private:
    using Compiled = void (*)(double*);

    std::shared_ptr<const Tape> tape_;
    std::vector<Compiled> compiled_;
    std::vector<double> registers_;
};

}  // namespace kempe
