#include "dynamics/watches.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "dynamics/zeros.hpp"

namespace kempe {
namespace {

constexpr std::size_t looks = 8;      // along a step
constexpr double together = 1e-9;     // share of a step within which watches are met at once
constexpr double exact = 4e-16;       // of the way to a zero: what is left to be found of it
constexpr int most_halvings = 40;     // of a share of a step in which zero is left
constexpr double nearby = 1e-4;       // share of the way to a zero over which a slope is taken

}  // namespace

Watcher::Watcher(WatchList list) : list_(std::move(list)), single_(1) {
    if (list_.tape != nullptr) {
        file_.emplace(list_.tape, 1, list_.q.size() + list_.v.size() + 1 + list_.last.size() + list_.numbers.size());
        file_->require_registers({&list_.outputs, &list_.turned});
        const std::size_t first = list_.q.size() + list_.v.size() + 1 + list_.last.size();
        std::copy(list_.numbers.begin(), list_.numbers.end(), file_->data() + first);
    }
    for (const Watch& watch : list_.watches) needs_motion_ = needs_motion_ || watch.of != Watched::formula;
}

void Watcher::run_tape(const Moment& at) {
    double* to = file_->data();
    for (const auto place : list_.q) *to++ = at.q[static_cast<std::size_t>(place)];
    for (const auto place : list_.v) *to++ = at.v[static_cast<std::size_t>(place)];
    *to++ = at.t;
    std::copy(list_.last.begin(), list_.last.end(), to);
    file_->run(0);
}

// f of every watch at every moment. False where nothing could be read.
bool Watcher::values(const std::vector<Moment>& moments, std::vector<double>& f) {
    const std::size_t n = list_.watches.size();
    f.assign(moments.size() * n, 0.0);
    if (list_.readings > 0 && !list_.read(moments, read_))
        read_.assign(moments.size() * list_.readings, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < moments.size(); ++i) {
        if (file_) run_tape(moments[i]);
        for (std::size_t k = 0; k < n; ++k) {
            const Watch& watch = list_.watches[k];
            const auto index = static_cast<std::size_t>(watch.index);
            double value = 0.0;
            if (watch.of == Watched::formula) value = (*file_)[list_.outputs[index]];
            else if (watch.of == Watched::reading) value = read_[i * list_.readings + index];
            else value = moments[i].lam[index];
            f[i * n + k] = watch.sign * (value - watch.offset);
            if (!std::isfinite(value)) lost_ = static_cast<std::int32_t>(k);
        }
    }
    return lost_ < 0;
}

bool Watcher::start(const Moment& now) {
    single_[0] = now;
    is_armed_.assign(list_.watches.size(), 0);
    stays_armed_ = is_armed_;
    return values(single_, now_);
}

double Watcher::value(std::size_t k, double x, const Look& look) {
    if (!look(x, true, single_[0]) || !values(single_, one_)) return std::numeric_limits<double>::quiet_NaN();
    return one_[k];
}

double Watcher::root(std::size_t k, double low, double high, double f_low, double f_high, const Look& look) {
    const auto f = [&](double x) { return value(k, x, look); };
    return descent(f, low, high, f_low, f_high, 0.0, exact);
}

/// Where what was about to leave zero upwards, still there at `low`, has come to lie below it at `high`:
/// where it comes back from above, however soon, or the last place at which it was still there.
double Watcher::left(std::size_t k, double low, double high, double f_high, const Look& look) {
    const double slack = list_.watches[k].slack;
    for (int round = 0; round < most_halvings; ++round) {
        const double middle = 0.5 * (low + high), f = value(k, middle, look);
        if (f > slack) return root(k, middle, high, f, f_high, look);
        if (f < -slack) {
            high = middle;
            f_high = f;
        } else {
            low = middle;
        }
    }
    return low;
}

/// The share of the step at which one watch is met. What is `leaving` has to come clear of zero first.
std::optional<double> Watcher::first(std::size_t k, const Look& look) {
    const std::size_t n = list_.watches.size();
    std::array<double, looks + 1> x{}, f{};
    for (std::size_t i = 0; i <= looks; ++i) {
        x[i] = static_cast<double>(i) / static_cast<double>(looks);
        f[i] = i == 0 ? now_[k] : looks_[(i - 1) * n + k];
    }
    const Begun begun = list_.watches[k].begun;
    const double slack = list_.watches[k].slack;
    bool is_leaving = begun == Begun::leaving, is_armed = begun == Begun::judged && (f[0] > slack || is_armed_[k] != 0);
    for (std::size_t i = 1; i <= looks; ++i) {
        if (is_leaving) {
            is_armed = f[i] > slack;
            is_leaving = !is_armed;
            if (f[i] < -slack) return left(k, x[i - 1], x[i], f[i], look);
            continue;
        }
        if (!is_armed) {
            is_armed = f[i] > slack;
            continue;
        }
        if (i > 1 && f[i] > 0.0 && f[i - 1] > 0.0 && f[i - 2] > 0.0) {
            const auto at = dip(x.data() + i - 2, f.data() + i - 2);
            const double there = at ? value(k, *at, look) : 1.0;
            if (there < -slack) return root(k, x[i - 2], *at, f[i - 2], there, look);
        }
        if (!(f[i] > 0.0)) return f[i - 1] > 0.0 ? root(k, x[i - 1], x[i], f[i - 1], f[i], look) : x[i - 1];
    }
    stays_armed_[k] = is_armed;
    return std::nullopt;
}

std::optional<double> Watcher::find(const Look& look) {
    const std::size_t n = list_.watches.size();
    met_.clear();
    moments_.resize(looks);
    for (std::size_t i = 0; i < looks; ++i)
        if (!look(static_cast<double>(i + 1) / static_cast<double>(looks), false, moments_[i])) return std::nullopt;
    if (!values(moments_, looks_)) return std::nullopt;
    std::vector<double> places(n, 2.0);
    double least = 2.0;
    for (std::size_t k = 0; k < n && lost_ < 0; ++k) {
        places[k] = first(k, look).value_or(2.0);
        least = std::min(least, places[k]);
    }
    if (lost_ >= 0 || least > 1.0) return std::nullopt;
    for (std::size_t k = 0; k < n; ++k)
        if (places[k] <= least + together) met_.push_back(static_cast<std::int32_t>(k));
    const auto k = static_cast<std::size_t>(std::min_element(places.begin(), places.end()) - places.begin());
    std::swap(met_.front(), *std::find(met_.begin(), met_.end(), static_cast<std::int32_t>(k)));
    const double low = least * (1.0 - nearby), high = std::min(1.0, least * (1.0 + nearby));
    slope_ = high > low ? (value(k, high, look) - value(k, low, look)) / (high - low) : 0.0;
    return least;
}

double Watcher::distance(const Moment& there) {
    single_[0] = there;
    if (!values(single_, one_) || slope_ == 0.0) return 0.0;
    return -one_[static_cast<std::size_t>(met_.front())] / slope_;
}

void Watcher::pass(const Moment& end) {
    single_[0] = end;
    (void)values(single_, now_);
    if (file_) file_->gather(list_.turned, list_.last.data());
    for (std::size_t k = 0; k < list_.watches.size(); ++k) {
        Begun& begun = list_.watches[k].begun;
        is_armed_[k] = stays_armed_[k];
        begun = begun == Begun::leaving && !(now_[k] > list_.watches[k].slack) ? Begun::leaving : Begun::judged;
    }
}

}  // namespace kempe
