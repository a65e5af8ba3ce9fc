#include "kinematics/nearest_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linear/dense.hpp"

namespace kempe {

namespace {

constexpr int most_attempts = 10000;
constexpr double contraction = 0.5;
constexpr double neighbourhood = 0.25;   // of the predicted displacement
constexpr double always_near = 1e-3;     // a correction this small is no jump
constexpr double longest = 0.25;         // rad, and share of the machine's size, in one step
constexpr double watched = 1e-9;         // of rows that repeat others
constexpr double dependent = 1e-7;       // what is left of a row beside its length
constexpr double smallest_step = 1e-13;  // of the sweep's span

double largest(const std::vector<double>& x, const std::vector<double>& w) {
    double most = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        const double size = std::abs(x[k]) * w[k];
        most = size <= most ? most : size;  // a NaN wins
    }
    return most;
}

double dot(const double* a, const double* b, std::size_t n) {
    double sum = 0.0;
    for (std::size_t k = 0; k < n; ++k) sum += a[k] * b[k];
    return sum;
}

}  // namespace

NearestSweep::NearestSweep(KinematicSystem& system, NearestRows rows)
    : system_(system), size_(system.size()), rows_(std::move(rows)), place_(size_.spare, -1), n_(size_.v),
      r_(rows_.kept.size()), phi_(size_.spare), turns_(size_.turns), entries_(system.jacobian_entries()),
      rate_(size_.spare), gamma_(size_.spare), right_(r_), Q_(r_ * n_), L_(r_ * r_), q_(size_.q), d_(n_),
      still_(n_, 0.0) {
    for (std::size_t k = 0; k < r_; ++k) place_[static_cast<std::size_t>(rows_.kept[k])] = static_cast<std::int32_t>(k);
    for (auto& k : k_) k.resize(n_);
}

void NearestSweep::evaluate(const std::vector<double>& q, double t, const std::vector<double>& last) {
    system_.residual(q.data(), t, last.data(), nullptr, phi_.data(), turns_.data());
}

// J = L Q of the kept rows at the last residual, row by row, each made square to those before twice.
bool NearestSweep::factor() {
    system_.jacobian(entries_.data());
    std::fill(Q_.begin(), Q_.end(), 0.0);
    for (std::size_t e = 0; e < entries_.size(); ++e) {
        const auto row = static_cast<std::size_t>(rows_.rows[e]);
        const auto column = static_cast<std::size_t>(rows_.columns[e]);
        if (place_[row] >= 0) {
            Q_[static_cast<std::size_t>(place_[row]) * n_ + column] +=
                rows_.weights[row] * entries_[e] / rows_.steps[column];
        }
    }
    std::fill(L_.begin(), L_.end(), 0.0);
    for (std::size_t i = 0; i < r_; ++i) {
        double* const mine = Q_.data() + i * n_;
        const double length = std::sqrt(dot(mine, mine, n_));
        for (int pass = 0; pass < 2; ++pass) {
            for (std::size_t k = 0; k < i; ++k) {
                const double* const other = Q_.data() + k * n_;
                const double share = dot(mine, other, n_);
                L_[i * r_ + k] += share;
                for (std::size_t c = 0; c < n_; ++c) mine[c] -= share * other[c];
            }
        }
        const double left = std::sqrt(dot(mine, mine, n_));
        if (!(left > dependent * length)) return false;
        L_[i * r_ + i] = left;
        for (std::size_t c = 0; c < n_; ++c) mine[c] /= left;
    }
    return true;
}

// The shortest d with J d = right: d = Q^T L^-1 right, measured as the steps are.
void NearestSweep::shortest(const std::vector<double>& right, std::vector<double>& d) const {
    std::fill(d.begin(), d.end(), 0.0);
    std::vector<double> y(r_);
    for (std::size_t i = 0; i < r_; ++i) {
        const double known = dot(L_.data() + i * r_, y.data(), i);
        y[i] = (right[i] - known) / L_[i * r_ + i];
        for (std::size_t c = 0; c < n_; ++c) d[c] += y[i] * Q_[i * n_ + c];
    }
    for (std::size_t c = 0; c < n_; ++c) d[c] /= rows_.steps[c];
}

bool NearestSweep::velocity(const std::vector<double>& q, double t, std::vector<double>& v) {
    evaluate(q, t, turns_);
    if (!factor()) return false;
    system_.right_hand(still_.data(), rate_.data(), gamma_.data());
    for (std::size_t k = 0; k < r_; ++k) {
        const auto row = static_cast<std::size_t>(rows_.kept[k]);
        right_[k] = rows_.weights[row] * rate_[row];
    }
    shortest(right_, v);
    return true;
}

Refusal NearestSweep::settle(double t, const std::vector<double>& last, double leash) {
    double before = 0.0, moved = 0.0;
    for (int iteration = 0;; ++iteration) {
        evaluate(q_, t, last);
        double misfit = 0.0;
        for (std::size_t k = 0; k < r_; ++k) {
            const auto row = static_cast<std::size_t>(rows_.kept[k]);
            right_[k] = -rows_.weights[row] * phi_[row];
            misfit = std::abs(right_[k]) <= misfit ? misfit : std::abs(right_[k]);
        }
        if (misfit <= rows_.converged)
            return largest(phi_, rows_.weights) <= watched ? Refusal::none : Refusal::spare_violated;
        if (!(iteration == 0 || misfit <= contraction * before)) return Refusal::not_contracting;
        if (iteration >= rows_.iterations) return Refusal::too_many_iterations;
        before = misfit;
        if (!factor()) return Refusal::singular;
        shortest(right_, d_);
        moved += largest(d_, rows_.steps);
        if (!(moved <= leash)) return Refusal::wandered;
        system_.retract(q_.data(), d_.data(), q_.data());
        ++counts_.iterations;
    }
}

// Whether no singular position lies between: the rows' spaces have kept their orientation.
bool NearestSweep::is_on_same_side() const {
    std::vector<double> mixed(r_ * r_);
    for (std::size_t i = 0; i < r_; ++i)
        for (std::size_t k = 0; k < r_; ++k) mixed[i * r_ + k] = dot(Q_.data() + i * n_, Q_before_.data() + k * n_, n_);
    const auto size = static_cast<std::int32_t>(r_);
    return r_ == 0 || determinant_sign({mixed.data(), size, size}) > 0;
}

Refusal NearestSweep::attempt(const std::vector<double>& q, const std::vector<double>& last, double t, double h) {
    turns_ = last;
    const double shares[] = {0.0, 0.5, 0.5, 1.0};
    for (int stage = 0; stage < 4; ++stage) {
        q_ = q;
        if (stage > 0) {
            for (std::size_t c = 0; c < n_; ++c) d_[c] = shares[stage] * h * k_[stage - 1][c];
            system_.retract(q.data(), d_.data(), q_.data());
        }
        if (!velocity(q_, t + shares[stage] * h, k_[stage])) return Refusal::singular;
    }
    for (std::size_t c = 0; c < n_; ++c) d_[c] = h / 6.0 * (k_[0][c] + 2.0 * (k_[1][c] + k_[2][c]) + k_[3][c]);
    const double step = largest(d_, rows_.steps);
    if (!(step <= longest)) return Refusal::too_far;
    system_.retract(q.data(), d_.data(), q_.data());
    const Refusal refusal = settle(t + h, last, neighbourhood * step + always_near);
    if (refusal != Refusal::none) return refusal;
    if (!factor()) return Refusal::singular;
    return is_on_same_side() ? Refusal::none : Refusal::sign_changed;
}

Refusal NearestSweep::reach(std::vector<double>& q, std::vector<double>& last, double& t, double target, double floor) {
    double h = target - t, moved = 0.0;
    for (int attempts = 0; t < target; ++attempts) {
        const bool whole = t + h >= target;
        const double step = whole ? target - t : h;
        const Refusal refusal = attempt(q, last, t, step);
        if (refusal == Refusal::none) {
            moved += largest(d_, rows_.steps);
            if (moved >= 1.0) {  // so many attempts are for one quarter turn, or the machine's size
                moved = 0.0;
                attempts = 0;
            }
            q = q_;
            last = turns_;
            Q_before_ = Q_;
            t = whole ? target : t + step;
            counts_.substeps += whole ? 0 : 1;
            counts_.smallest_step = std::min(counts_.smallest_step, step);
            h *= 2.0;
            continue;
        }
        ++counts_.halvings;
        ++counts_.refusals[static_cast<std::size_t>(refusal)];
        h = 0.5 * step;
        if (h < floor || t + h <= t || attempts >= most_attempts) return refusal;
    }
    return Refusal::none;
}

SweepEnd NearestSweep::run(std::vector<double> q, std::vector<double> turns, std::span<const double> times,
                           double* q_out, const std::function<bool()>& alive) {
    SweepEnd end;
    end.t = times[0];
    q_ = q;
    turns_ = turns;
    end.refusal = settle(times[0], turns, always_near);
    if (end.refusal == Refusal::none && !factor()) end.refusal = Refusal::singular;
    if (end.refusal == Refusal::none) {
        q = q_;
        turns = turns_;
        Q_before_ = Q_;
        std::copy(q.begin(), q.end(), q_out);
        end.samples = 1;
    }
    const auto count = static_cast<std::int64_t>(times.size());
    const double floor = smallest_step * (times.back() - times[0]);
    while (end.refusal == Refusal::none && end.samples < count) {
        if (end.samples % 64 == 0 && !alive()) {
            end.interrupted = true;
            break;
        }
        end.refusal = reach(q, turns, end.t, times[static_cast<std::size_t>(end.samples)], floor);
        if (end.refusal == Refusal::none)
            std::copy(q.begin(), q.end(), q_out + end.samples++ * static_cast<std::int64_t>(size_.q));
    }
    end.counts = counts_;
    end.q = std::move(q);
    end.turns = std::move(turns);
    return end;
}

}  // namespace kempe
