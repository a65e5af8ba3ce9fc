#include "kinematics/tape_system.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace kempe {

TapeSystem::TapeSystem(std::shared_ptr<const Tape> tape, SystemSize size, TapeRegisters registers)
    : KinematicSystem(size, registers.phi.size(), std::move(registers.jacobian_rows),
                      std::move(registers.jacobian_columns)),
      registers_(std::move(registers)),
      file_(std::move(tape), section_count, size.q + 2 * size.v + 1 + size.turns + size.parameters) {
    file_.require_registers({&registers_.retracted, &registers_.phi, &registers_.spare, &registers_.turns,
                             &registers_.dx, &registers_.correct_pivots, &registers_.qd, &registers_.velocity_pivots,
                             &registers_.qdd, &registers_.jacobian, &registers_.velocity_rhs, &registers_.gamma});
    const auto rows = registers_.phi.size() + size_.spare;
    if (registers_.retracted.size() != size_.q || (!registers_.phi.empty() && registers_.phi.size() != size_.v) ||
        registers_.spare.size() != size_.spare || registers_.turns.size() != size_.turns ||
        registers_.velocity_rhs.size() != rows || registers_.gamma.size() != rows ||
        jacobian_entries() != registers_.jacobian.size()) {
        throw std::invalid_argument("the lists of output registers do not match the sizes");
    }
    if (is_eliminated() &&
        (registers_.dx.size() != size_.v || registers_.qd.size() != size_.v || registers_.qdd.size() != size_.v ||
         registers_.correct_pivots.size() != registers_.velocity_pivots.size() ||
         registers_.pivot_blocks.size() != registers_.velocity_pivots.size())) {
        throw std::invalid_argument("the tape's elimination does not match the sizes");
    }
    for (auto block : registers_.pivot_blocks)
        if (block < 0 || static_cast<std::size_t>(block) >= registers_.blocks.size())
            throw std::invalid_argument("a pivot is in a block that there is not");
    for (auto block : registers_.blocks)
        if (block < 0 || static_cast<std::size_t>(block) >= size_.v)
            throw std::invalid_argument("there are not as many blocks as that");
    right_.resize(size_.v);
}

void TapeSystem::set_pivot_floors(std::vector<double> floors) {
    if (floors.size() != registers_.velocity_pivots.size())
        throw std::invalid_argument("one floor per pivot is needed");
    floors_ = std::move(floors);
}

void TapeSystem::set_parameters(const double* p) {
    std::copy(p, p + size_.parameters, parameters());
    parity_.clear();
}

void TapeSystem::ask_outside(std::vector<std::int32_t> places, Ask ask) {
    for (const auto place : places)
        if (place < 0 || static_cast<std::size_t>(place) >= size_.parameters)
            throw std::invalid_argument("there is no parameter at a place that is asked for");
    asked_ = std::move(places);
    ask_ = std::move(ask);
}

void TapeSystem::put_answers(const std::vector<double>* v) {
    answers_.resize(asked_.size());
    ask_(q_, v, answers_);
    for (std::size_t k = 0; k < asked_.size(); ++k) parameters()[asked_[k]] = answers_[k];
}

// Sections share what they have computed: those before are run again with the new answers.
void TapeSystem::ask_again(const double* v) {
    if (!ask_) return;
    const std::vector<double> moving(v, v + size_.v);
    put_answers(&moving);
    file_.run(section_residual);
    if (is_eliminated()) {
        file_.run(section_correct);
        file_.run(section_velocity);
    }
}

void TapeSystem::retract(const double* q, const double* d, double* out) {
    double* to = file_.data();
    for (std::size_t k = 0; k < size_.q; ++k) to[k] = q[k];
    for (std::size_t k = 0; k < size_.v; ++k) to[size_.q + size_.v + k] = d[k];
    file_.run(section_retract);
    file_.gather(registers_.retracted, out);
}

void TapeSystem::residual(const double* q, double t, const double* last, double* phi, double* spare, double* turns) {
    double* to = file_.data();
    for (std::size_t k = 0; k < size_.q; ++k) to[k] = q[k];
    to += size_.q + 2 * size_.v;
    *to++ = t;
    for (std::size_t k = 0; k < size_.turns; ++k) to[k] = last[k];
    if (ask_) {
        q_.assign(q, q + size_.q);
        put_answers(nullptr);
    }
    file_.run(section_residual);
    file_.gather(registers_.phi, phi);
    file_.gather(registers_.spare, spare);
    file_.gather(registers_.turns, turns);
}

bool TapeSystem::pivots_sound(const std::vector<std::int32_t>& registers) const {
    for (std::size_t k = 0; k < registers.size(); ++k) {
        const double floor = k < floors_.size() ? floors_[k] : 0.0;
        if (!(std::abs(file_[registers[k]]) > floor)) return false;
    }
    return true;
}

void TapeSystem::turn_by_pivots(Signs& signs) const {
    for (std::size_t k = 0; k < registers_.velocity_pivots.size(); ++k) {
        if (std::signbit(file_[registers_.velocity_pivots[k]])) {
            auto& sign = signs[static_cast<std::size_t>(registers_.pivot_blocks[k])];
            sign = static_cast<std::int8_t>(-sign);
        }
    }
}

// Of the blocks that vary; of all where the tape has no elimination of its own.
void TapeSystem::signs_of_factors(Signs& signs) {
    lu_.signs(factors_);
    if (!is_eliminated()) {
        signs = factors_;
        return;
    }
    signs.resize(registers_.blocks.size());
    for (std::size_t k = 0; k < signs.size(); ++k)
        signs[k] = factors_.at(static_cast<std::size_t>(registers_.blocks[k]));
}

Factor TapeSystem::factor() {
    file_.run(section_jacobian);
    return lu_.factor([&](std::size_t k) { return file_[registers_.jacobian[k]]; });
}

void TapeSystem::solve(const std::vector<std::int32_t>& right, double* x) {
    for (std::size_t k = 0; k < size_.v; ++k) right_[k] = file_[right[k]];
    lu_.solve(right_.data(), x);
}

Factor TapeSystem::correction(double* dx) {
    if (is_eliminated()) {
        file_.run(section_correct);
        if (pivots_sound(registers_.correct_pivots)) {
            file_.gather(registers_.dx, dx);
            return Factor::sound;
        }
        ++fallbacks_;
    }
    const Factor how = factor();
    if (how != Factor::singular) solve(registers_.phi, dx);
    return how;
}

Factor TapeSystem::velocity(double* v, Signs& signs) {
    velocity_by_lu_ = false;
    if (is_eliminated()) {
        file_.run(section_velocity);
        if (pivots_sound(registers_.velocity_pivots)) {
            if (!knows_signs()) {  // once: how the tape's signs relate to those of determinants
                if (factor() == Factor::singular) return Factor::singular;
                signs_of_factors(parity_);
                turn_by_pivots(parity_);
            }
            file_.gather(registers_.qd, v);
            signs = parity_;
            turn_by_pivots(signs);
            return Factor::sound;
        }
        ++fallbacks_;
    }
    velocity_by_lu_ = true;
    const Factor how = factor();
    if (how != Factor::singular) {
        file_.run(section_right_hand);
        solve(registers_.velocity_rhs, v);
        signs_of_factors(signs);
    }
    return how;
}

void TapeSystem::acceleration(const double* v, double* a) {
    double* to = file_.data() + size_.q;
    for (std::size_t k = 0; k < size_.v; ++k) to[k] = v[k];
    ask_again(v);
    if (velocity_by_lu_) {
        file_.run(section_right_hand);
        solve(registers_.gamma, a);
    } else {
        file_.run(section_acceleration);
        file_.gather(registers_.qdd, a);
    }
}

void TapeSystem::right_hand(const double* v, double* velocity_rhs, double* gamma) {
    std::copy(v, v + size_.v, file_.data() + size_.q);
    ask_again(v);
    file_.run(section_right_hand);
    file_.gather(registers_.velocity_rhs, velocity_rhs);
    file_.gather(registers_.gamma, gamma);
}

void TapeSystem::jacobian(double* values) {
    file_.run(section_jacobian);
    file_.gather(registers_.jacobian, values);
}

void TapeSystem::pivots(double* values) {
    file_.run(section_velocity);
    file_.gather(registers_.velocity_pivots, values);
}

}  // namespace kempe
