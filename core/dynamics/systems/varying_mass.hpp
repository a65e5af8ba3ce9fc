// Mass blocks of bodies that gain or lose mass along a motion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dynamics/systems/dynamic_system.hpp"

namespace kempe {

/// M of all bodies in blocks: of a body that has gained the mass z, a state of a force, M = (1 + z / m0) M0.
///
/// What comes or goes leaves the centre of mass and the radii of gyration where they are, so that the block as it
/// was given, M0 with the mass m0, changes by one factor.
class VaryingMass {
  public:
    explicit VaryingMass(const DynamicSize& size) : bodies_(size.flow_bodies), states_(size.flow_states), v_(size.v) {}

    /// The blocks as they are with the masses m0, one body after the other.
    void give(const double* blocks, std::size_t count) {
        now_.assign(blocks, blocks + count);
        if (varies()) given_ = now_;
        each_ = v_ > 0 ? count / v_ : 0;
        is_spent_ = false;
        gained_.assign(bodies_.size(), 0.0);
    }

    /// Whether the states z, all there are, make other masses than the ones before.
    bool follow(const double* z) {
        bool is_other = false;
        for (std::size_t k = 0; k < bodies_.size(); ++k) is_other |= z[states_[k]] != gained_[k];
        if (!is_other) return false;
        is_spent_ = false;
        for (std::size_t k = 0; k < bodies_.size(); ++k) gained_[k] = z[states_[k]];
        for (const auto body : bodies_) {
            const std::size_t first = static_cast<std::size_t>(body) * each_ * each_;
            double share = 1.0;
            for (std::size_t k = 0; k < bodies_.size(); ++k)
                if (bodies_[k] == body) share += gained_[k] / given_[first];
            is_spent_ |= !(share > 0.0);
            if (share > 0.0)
                for (std::size_t i = first; i < first + each_ * each_; ++i) now_[i] = share * given_[i];
        }
        return true;
    }

    /// Adds dM/dz a to the derivatives by states: entry (velocity, state) stands at velocity * n_states + state.
    void add_derivatives(const double* a, std::size_t n_states, double* by_states) const {
        for (std::size_t k = 0; k < bodies_.size(); ++k) {
            const std::size_t first = static_cast<std::size_t>(bodies_[k]) * each_;
            for (std::size_t i = first; i < first + each_; ++i) {
                double push = 0.0;
                for (std::size_t j = 0; j < each_; ++j) push += given_[i * each_ + j] * a[first + j];
                by_states[i * n_states + static_cast<std::size_t>(states_[k])] += push / given_[first * each_];
            }
        }
    }

    [[nodiscard]] bool varies() const { return !bodies_.empty(); }
    /// Whether a body has no mass left.
    [[nodiscard]] bool is_spent() const { return is_spent_; }
    [[nodiscard]] const std::vector<double>& blocks() const { return now_; }
    [[nodiscard]] std::size_t bytes() const {
        return (given_.capacity() + now_.capacity() + gained_.capacity()) * sizeof(double);
    }

  private:
    std::vector<std::int32_t> bodies_, states_;
    std::size_t v_, each_ = 0;
    std::vector<double> given_, now_, gained_;
    bool is_spent_ = false;
};

}  // namespace kempe
