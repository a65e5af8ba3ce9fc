#include "kinematics/closing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kempe {
namespace {

constexpr double first_damping = 1e-6;
constexpr double least_damping = 1e-15;
constexpr double most_damping = 1e12;
constexpr double longest_step = 1.5;  // in units of the columns: rad, sizes of the machine

double length(const std::vector<double>& x) {
    double sum = 0.0;
    for (const double value : x) sum += value * value;
    return std::sqrt(sum);
}

double largest(const std::vector<double>& x) {
    double most = 0.0;
    for (const double value : x) most = std::max(most, std::abs(value));
    return most;
}

bool finite(const std::vector<double>& x) {
    return std::ranges::all_of(x, [](double value) { return std::isfinite(value); });
}

}  // namespace

Closer::Closer(KinematicSystem& system, ClosingScale scale)
    : system_(system), scale_(std::move(scale)), rows_(scale_.rows.size()), columns_(scale_.columns.size()),
      phi_(rows_), turns_(system.size().turns), last_(turns_.size()), entries_(system.jacobian_entries()), f_(rows_),
      J_(rows_ * columns_), stacked_((rows_ + columns_) * columns_), y_(rows_ + columns_), d_(columns_),
      trial_(system.size().q) {}

bool Closer::evaluate(const double* q, double t) {
    system_.residual(q, t, last_.data(), phi_.data(), phi_.data() + system_.solved_rows(), turns_.data());
    system_.jacobian(entries_.data());
    for (std::size_t i = 0; i < rows_; ++i) phi_[i] *= scale_.rows[i];
    return finite(phi_) && finite(entries_);
}

/// y = argmin |J y - f|^2 + damping |y|^2, by Householder reflections of the stacked matrix.
void Closer::step(double damping) {
    const std::size_t height = rows_ + columns_;
    const double root = std::sqrt(damping);
    std::ranges::fill(stacked_, 0.0);
    for (std::size_t j = 0; j < columns_; ++j) {
        std::copy_n(J_.data() + j * rows_, rows_, stacked_.data() + j * height);
        stacked_[j * height + rows_ + j] = root;
    }
    std::ranges::fill(y_, 0.0);
    std::ranges::copy(f_, y_.begin());
    // Column k is dense in the rows of J and in the first k damping rows: nothing is below them.
    // The triangle grows upwards from the top of the column, so rows are taken as they come.
    for (std::size_t k = 0; k < columns_; ++k) {
        double* v = stacked_.data() + k * height;
        const std::size_t end = rows_ + k + 1;
        double size = 0.0;
        for (std::size_t i = k; i < end; ++i) size += v[i] * v[i];
        size = std::sqrt(size);
        if (!(size > 0.0)) continue;
        const double beta = v[k] > 0.0 ? -size : size;
        const double tau = (beta - v[k]) / beta;
        const double lead = v[k] - beta;
        for (std::size_t i = k + 1; i < end; ++i) v[i] /= lead;
        v[k] = beta;
        auto reflect = [&](double* x) {
            double sum = x[k];
            for (std::size_t i = k + 1; i < end; ++i) sum += v[i] * x[i];
            sum *= tau;
            x[k] -= sum;
            for (std::size_t i = k + 1; i < end; ++i) x[i] -= sum * v[i];
        };
        for (std::size_t j = k + 1; j < columns_; ++j) reflect(stacked_.data() + j * height);
        reflect(y_.data());
    }
    for (std::size_t i = columns_; i-- > 0;) {
        const double pivot = stacked_[i * height + i];
        for (std::size_t j = i + 1; j < columns_; ++j) y_[i] -= stacked_[j * height + i] * y_[j];
        y_[i] = pivot != 0.0 ? y_[i] / pivot : 0.0;
    }
}

Closing Closer::run(double t, std::span<double> q, const double* last, double* turns,
                    const std::function<bool()>& alive) {
    Closing end;
    std::copy_n(last, last_.size(), last_.begin());
    if (!evaluate(q.data(), t)) {
        end.residual = std::numeric_limits<double>::infinity();
        std::ranges::copy(turns_, turns);
        return end;
    }
    auto accept = [&] {
        f_ = phi_;
        std::ranges::fill(J_, 0.0);
        for (std::size_t e = 0; e < entries_.size(); ++e) {
            const auto i = static_cast<std::size_t>(scale_.row_of[e]);
            const auto j = static_cast<std::size_t>(scale_.column_of[e]);
            J_[j * rows_ + i] += entries_[e] * scale_.rows[i] * scale_.columns[j];
        }
        std::ranges::copy(turns_, turns);
        for (const auto k : scale_.followed) last_[static_cast<std::size_t>(k)] = turns_[static_cast<std::size_t>(k)];
    };
    accept();
    double damping = first_damping;
    for (; end.iterations < scale_.most_iterations; ++end.iterations) {
        if (largest(f_) <= scale_.tolerance) break;
        bool better = false;
        while (!better && damping < most_damping && alive()) {
            step(damping);
            double most = 0.0;
            for (std::size_t j = 0; j < columns_; ++j) most = std::max(most, std::abs(y_[j]));
            const double shorter = std::min(1.0, longest_step / std::max(1e-300, most));
            for (std::size_t j = 0; j < columns_; ++j) d_[j] = -shorter * scale_.columns[j] * y_[j];
            system_.retract(q.data(), d_.data(), trial_.data());
            const bool sound = evaluate(trial_.data(), t);
            better = sound && length(phi_) < length(f_);
            damping *= better ? 1.0 : 10.0;
        }
        if (!better) break;
        std::ranges::copy(trial_, q.begin());
        accept();
        damping = std::max(0.1 * damping, least_damping);
    }
    end.residual = largest(f_);
    double slope = 0.0;
    for (std::size_t j = 0; j < columns_; ++j) {
        double sum = 0.0;
        for (std::size_t i = 0; i < rows_; ++i) sum += J_[j * rows_ + i] * f_[i];
        slope += sum * sum;
    }
    const double size = length(f_);
    end.slope = size > 0.0 ? std::sqrt(slope) / size : 0.0;
    return end;
}

}  // namespace kempe
