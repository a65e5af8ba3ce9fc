#include "dynamics/watches.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "dynamics/zeros.hpp"

namespace kempe {
namespace {

constexpr std::size_t looks = step_looks;
constexpr double together = 1e-9;     // share of a step within which watches are met at once
constexpr double exact = 4e-16;       // of the way to a zero: what is left to be found of it
constexpr int most_halvings = 40;     // of a share of a step in which zero is left
constexpr double nearby = 1e-4;       // share of the way to a zero over which a slope is taken
constexpr double nearer = 1e-7;       // the same of a formula that may be faster than the motion
constexpr int most_parts = 2000;      // of a step that are looked at for one zero of a formula
constexpr int most_parted = 30;       // halvings of a look: as narrow as what is met together
constexpr int most_folded = 16;       // halvings of a look in search of a dip between two of them
constexpr double steeper = 1.1;       // times: what a slope may be beside the largest one that was seen
constexpr double bounced = 0.5;       // of the way at that slope: what leaves zero more slowly may have come back
constexpr std::array<double, 2> soon{1e-7, 1e-4};  // shares of a step: where what stood at zero is seen to leave it
constexpr std::array<double, 2> between{0.0625, 0.9375};  // shares of a step at which looks are tried out
constexpr double misjudged = 1e-5;  // of a range: by how much looks may be off there
constexpr double far_off = 100.0;     // times what looks are off: what keeps so far from zero does not come to it
constexpr double shaking = 1e-9, rounding = 1e-12;  // of the largest value so far, and at all: what is none
constexpr double beside = 1e-3, close_by = 1e-6;  // of the way between two looks: how far from a change of sign
constexpr double jumping = 0.1;  // of the change over such a way: what is left of it at the place itself
constexpr double growing = 10.0;  // times: what grows so much between these two is on its way to infinity

/// Of a value at the start of a step and at the looks along it: the weights of the polynomial through them at `between`.
std::array<std::array<double, looks + 1>, between.size()> tried_out() {
    std::array<std::array<double, looks + 1>, between.size()> weights{};
    for (std::size_t m = 0; m < between.size(); ++m)
        for (std::size_t i = 0; i <= looks; ++i) {
            weights[m][i] = 1.0;
            for (std::size_t j = 0; j <= looks; ++j)
                if (j != i)
                    weights[m][i] *= (looks * between[m] - static_cast<double>(j)) /
                                     (static_cast<double>(i) - static_cast<double>(j));
        }
    return weights;
}

/// Whether looks along a step tell what a value is between them, or at least that it has no zero there, where `no_zero`
/// is asked for; `most` is the largest value of the run so far.
template <class Value>
bool is_told(Value&& at, double* most, bool no_zero) {
    static const auto weights = tried_out();
    double low = at(0), high = low;
    for (std::size_t i = 1; i <= looks + between.size(); ++i) {
        low = std::min(low, at(i));
        high = std::max(high, at(i));
    }
    *most = std::max({*most, std::abs(low), std::abs(high)});
    const double least = no_zero ? std::max({low, -high, 0.0}) : 0.0;
    for (std::size_t m = 0; m < between.size(); ++m) {
        double told = 0.0;
        for (std::size_t i = 0; i <= looks; ++i) told += weights[m][i] * at(i);
        const double off = std::abs(told - at(looks + 1 + m));
        if (off > misjudged * (high - low) + shaking * *most + rounding && far_off * off > least) return false;
    }
    return true;
}

}  // namespace

Watcher::Watcher(WatchList list) : list_(std::move(list)), single_(1) {
    if (list_.tape != nullptr) {
        file_.emplace(list_.tape, 1, list_.q.size() + list_.v.size() + 1 + list_.last.size() + list_.numbers.size());
        file_->require_registers({&list_.outputs, &list_.turned});
        const std::size_t first = list_.q.size() + list_.v.size() + 1 + list_.last.size();
        std::copy(list_.numbers.begin(), list_.numbers.end(), file_->data() + first);
    }
    for (const WordFormula& formula : list_.formulas) ranges_.emplace_back(formula);
    courses_.resize(ranges_.size() + 1);
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
    words_.resize(moments.size());
    for (std::size_t i = 0; i < moments.size(); ++i) {
        if (file_) run_tape(moments[i]);
        see(i);
        for (std::size_t k = 0; k < n; ++k) {
            const Watch& watch = list_.watches[k];
            const auto index = static_cast<std::size_t>(watch.index);
            double value = 0.0;
            if (watch.of == Watched::formula) value = (*file_)[list_.outputs[index]];
            else if (watch.of == Watched::reading) value = read_[i * list_.readings + index];
            else value = moments[i].lam[index];
            f[i * n + k] = watch.sign * (value - watch.offset);
            if (std::isnan(value) && !watch.is_idle) lost_ = static_cast<std::int32_t>(k);
        }
    }
    return lost_ < 0;
}

/// The words of all formulas, of what the tape has just seen and of what was read.
void Watcher::see(std::size_t moment) {
    words_[moment].clear();
    for (const FormulaRange& range : ranges_)
        for (const auto word : range.of().words)
            if (word >= 0) words_[moment].push_back((*file_)[list_.outputs[static_cast<std::size_t>(word)]]);
            else if (word < -1)
                words_[moment].push_back(read_[moment * list_.readings + static_cast<std::size_t>(-2 - word)]);
            else words_[moment].push_back(0.0);
}

bool Watcher::start(const Moment& now) {
    single_[0] = now;
    now_t_ = now.t;
    most_.assign(list_.watches.size(), 0.0);
    most_word_.clear();
    is_armed_.assign(list_.watches.size(), 0);
    stays_armed_ = is_armed_;
    const bool found = values(single_, now_);
    now_words_ = words_[0];
    return found;
}

double Watcher::value(std::size_t k, double x, const Look& look) {
    if (!look(x, true, single_[0]) || !values(single_, one_)) return std::numeric_limits<double>::quiet_NaN();
    return one_[k];
}

double Watcher::root(std::size_t k, double low, double high, double f_low, double f_high, const Look& look) {
    const auto f = [&](double x) { return value(k, x, look); };
    return descent(f, low, high, f_low, f_high, 0.0, exact);
}

/// Whether what changes its sign at x, between two looks of which it has `most` at the larger, does so through infinity:
/// there it has no zero.
bool Watcher::is_pole(std::size_t k, double x, double low, double high, double most, const Look& look) {
    for (const double way : {low - x, high - x}) {
        const double near = std::abs(value(k, x + close_by * way, look));
        if (!(near > most)) continue;
        const double far = std::abs(value(k, x + beside * way, look));
        if (std::isinf(near) || near > growing * far) return true;
    }
    return false;
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

/// What is known of all formulas along the step, from the looks along it.
void Watcher::lay_courses() {
    const std::size_t n = list_.watches.size();
    const double h = moments_[looks - 1].t - now_t_;
    std::size_t place = 0;
    for (std::size_t m = 0; m < ranges_.size(); ++m) {
        const auto& words = ranges_[m].of().words;
        for (std::size_t w = 0; w < words.size(); ++w, ++place) {
            std::array<double, looks + 1> seen{now_words_[place]};
            for (std::size_t i = 0; i < looks; ++i) seen[i + 1] = words_[i][place];
            if (words[w] == -1) ranges_[m].lay_time(w, now_t_, h);
            else ranges_[m].lay(w, seen);
        }
    }
    for (std::size_t k = 0; k < n; ++k) {
        const Watch& watch = list_.watches[k];
        if (watch.formula < 0 || watch.is_idle) continue;
        const auto m = static_cast<std::size_t>(watch.formula);
        Course& course = courses_[m];
        course = {{0.0}, {watch.sign * now_[k]}, {}, 0};
        const bool is_clear = ranges_[m].is_clear(0.0, 1.0, watch.slack);
        for (std::size_t i = looks; i-- > 0;) {
            const double low = static_cast<double>(i) / looks, high = static_cast<double>(i + 1) / looks;
            course.left.push_back({low, high, watch.sign * looks_[i * n + k], is_clear ? most_parted : 0});
        }
    }
}

/// One more place of the course of a formula; false where there is none.
bool Watcher::extend(std::size_t k, const Look& look) {
    const auto m = static_cast<std::size_t>(list_.watches[k].formula);
    Course& course = courses_[m];
    while (!course.left.empty()) {
        const Part part = course.left.back();
        course.left.pop_back();
        if (part.halvings >= most_parted || ranges_[m].is_clear(part.low, part.high, list_.watches[k].slack)) {
            course.x.push_back(part.high);
            course.f.push_back(part.f_high);
            return true;
        }
        if (++course.looked_at > most_parts) {
            too_fast_ = static_cast<std::int32_t>(k);
            return false;
        }
        const double middle = 0.5 * (part.low + part.high);
        if (!look(middle, false, single_[0]) || !values(single_, one_)) return false;
        const double f = list_.watches[k].sign * one_[k];
        course.left.push_back({middle, part.high, part.f_high, part.halvings + 1});
        course.left.push_back({part.low, middle, f, part.halvings + 1});
    }
    return false;
}

/// Where a watch lies below zero between two looks at which it is above, if it can: what falls and rises no faster
/// than `slope` along the step has to be that near to zero. A distance that passes its least value is so sharp that no
/// parabola tells of it. Without one, nothing; otherwise a place above zero, just before, and the place itself.
std::optional<Watcher::Dip> Watcher::fold(std::size_t k, const Dip& between, double slope, int halvings,
                                          const Look& look) {
    const auto [low, high, f_low, f_high] = between;
    if (halvings == 0 || f_low + f_high > slope * (high - low)) return std::nullopt;
    const double middle = 0.5 * (low + high);
    if (!look(middle, false, single_[0]) || !values(single_, one_)) return std::nullopt;
    const double f = one_[k];
    if (f < -list_.watches[k].slack) return Dip{low, middle, f_low, f};
    if (!(f > 0.0)) return std::nullopt;
    if (const auto before = fold(k, {low, middle, f_low, f}, slope, halvings - 1, look)) return before;
    return fold(k, {middle, high, f, f_high}, slope, halvings - 1, look);
}

/// The course of a watch: that of its formula, times its sign, or the looks along the step.
Watcher::Course& Watcher::course_of(std::size_t k) {
    if (list_.watches[k].formula >= 0) return courses_[static_cast<std::size_t>(list_.watches[k].formula)];
    const std::size_t n = list_.watches.size();
    Course& course = courses_.back();
    course.x.assign(1, 0.0);
    course.f.assign(1, list_.watches[k].sign * now_[k]);
    for (std::size_t i = 0; i < looks; ++i) {
        course.x.push_back(static_cast<double>(i + 1) / static_cast<double>(looks));
        course.f.push_back(list_.watches[k].sign * looks_[i * n + k]);
    }
    return course;
}

/// The share of the step at which one watch is met. What is `leaving` has to come clear of zero first.
std::optional<double> Watcher::first(std::size_t k, const Look& look) {
    const Watch& watch = list_.watches[k];
    Course& course = course_of(k);
    const auto f = [&](std::size_t i) { return watch.sign * course.f[i]; };
    const std::vector<double>& x = course.x;
    const double slack = watch.slack;
    double slope = 0.0;
    if (watch.formula < 0 && watch.of != Watched::multiplier)
        for (std::size_t i = 1; i < x.size(); ++i)
            slope = std::max(slope, steeper * std::abs(f(i) - f(i - 1)) / (x[i] - x[i - 1]));
    bool is_leaving = watch.begun == Begun::leaving;
    bool is_armed = watch.begun == Begun::judged && (f(0) > slack || is_armed_[k] != 0);
    for (std::size_t i = 1;; ++i) {
        if (i == x.size() && (watch.formula < 0 || !extend(k, look))) break;
        if (is_leaving) {
            is_armed = f(i) > slack;
            is_leaving = !is_armed;
            if (f(i) < -slack) return left(k, x[i - 1], x[i], f(i), look);
            if (is_armed && f(i) < bounced * slope * (x[i] - x[i - 1]))
                if (const auto met = fold(k, {x[i - 1], x[i], std::max(f(i - 1), 0.0), f(i)}, slope, most_folded, look))
                    return left(k, met->low, met->high, met->f_high, look);
            continue;
        }
        if (!is_armed) {
            if (i == 1 && watch.formula < 0 && watch.begun == Begun::met && f(1) < -slack)
                for (const double share : soon)
                    if (const double risen = value(k, share, look); risen > slack)
                        return root(k, share, x[1], risen, f(1), look);
            is_armed = f(i) > slack;
            continue;
        }
        if (i > 1 && f(i) > 0.0 && f(i - 1) > 0.0 && f(i - 2) > 0.0) {
            const std::array<double, 3> near{f(i - 2), f(i - 1), f(i)};
            const auto at = dip(x.data() + i - 2, near.data());
            const double there = at ? value(k, *at, look) : 1.0;
            if (there < -slack) return root(k, x[i - 2], *at, f(i - 2), there, look);
        }
        if (f(i) > 0.0 && f(i - 1) > 0.0)
            if (const auto met = fold(k, {x[i - 1], x[i], f(i - 1), f(i)}, slope, most_folded, look))
                return root(k, met->low, met->high, met->f_low, met->f_high, look);
        if (f(i) > 0.0) continue;
        if (!(f(i - 1) > 0.0)) return x[i - 1];
        const double place = root(k, x[i - 1], x[i], f(i - 1), f(i), look);
        const double most = std::max(f(i - 1), -f(i));
        if (!is_pole(k, place, x[i - 1], x[i], most, look)) return place;
        is_armed = false;
    }
    if (lost_ >= 0 || too_fast_ >= 0) return std::nullopt;
    stays_armed_[k] = is_armed;
    return std::nullopt;
}

/// Whether a watch falls to zero at a share x of the step.
bool Watcher::passes(std::size_t k, double x, const Look& look) {
    const double slack = list_.watches[k].slack, high = std::min(1.0, x * (1.0 + nearby));
    double low = x * (1.0 - nearby), f_low = value(k, low, look);
    if (!(f_low > slack)) {
        low = 0.0;
        f_low = now_[k];
    }
    const double f_high = value(k, high, look);
    if (!(f_low > slack) || !(f_high <= slack)) return false;
    const double place = f_high > 0.0 ? high : root(k, low, high, f_low, f_high, look);
    return std::abs(place - x) <= together;
}

/// Whether looks along the step tell the course of all that is watched, multipliers aside.
bool Watcher::is_followed() {
    const std::size_t n = list_.watches.size(), words = now_words_.size();
    most_word_.resize(words, 0.0);
    bool is_fine = true;
    for (std::size_t k = 0; k < n; ++k) {
        const Watch& watch = list_.watches[k];
        if (watch.formula >= 0 || watch.is_idle || watch.of == Watched::multiplier) continue;
        const auto at = [&](std::size_t i) { return i == 0 ? now_[k] : looks_[(i - 1) * n + k]; };
        is_fine = is_told(at, &most_[k], true) && is_fine;
    }
    for (std::size_t w = 0; w < words; ++w) {
        const auto at = [&](std::size_t i) { return i == 0 ? now_words_[w] : words_[i - 1][w]; };
        is_fine = is_told(at, &most_word_[w], false) && is_fine;
    }
    return is_fine;
}

std::optional<double> Watcher::find(const Look& look, bool may_refuse) {
    const std::size_t n = list_.watches.size();
    met_.clear();
    moments_.resize(looks + between.size());
    for (std::size_t i = 0; i < moments_.size(); ++i) {
        const double x = i < looks ? static_cast<double>(i + 1) / static_cast<double>(looks) : between[i - looks];
        if (!look(x, false, moments_[i])) return std::nullopt;
    }
    if (!values(moments_, looks_)) return std::nullopt;
    is_coarse_ = !is_followed() && may_refuse;
    if (is_coarse_) return std::nullopt;
    if (!ranges_.empty()) lay_courses();
    std::vector<double> places(n, 2.0);
    double least = 2.0;
    for (std::size_t k = 0; k < n && lost_ < 0 && too_fast_ < 0; ++k) {
        if (list_.watches[k].is_idle) continue;
        places[k] = first(k, look).value_or(2.0);
        least = std::min(least, places[k]);
    }
    if (lost_ >= 0 || too_fast_ >= 0 || least > 1.0) return std::nullopt;
    for (std::size_t k = 0; k < n; ++k)
        if (places[k] <= least + together || (list_.watches[k].is_idle && passes(k, least, look)))
            met_.push_back(static_cast<std::int32_t>(k));
    const auto k = static_cast<std::size_t>(std::min_element(places.begin(), places.end()) - places.begin());
    std::swap(met_.front(), *std::find(met_.begin(), met_.end(), static_cast<std::int32_t>(k)));
    const double by = list_.watches[k].formula < 0 ? nearby : nearer;
    const double low = least * (1.0 - by), high = std::min(1.0, least * (1.0 + by));
    slope_ = high > low ? (value(k, high, look) - value(k, low, look)) / (high - low) : 0.0;
    if (std::abs(value(k, least, look)) > jumping * std::abs(slope_) * (high - low)) slope_ = 0.0;
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
    now_words_ = words_[0];
    now_t_ = end.t;
    if (file_) file_->gather(list_.turned, list_.last.data());
    for (std::size_t k = 0; k < list_.watches.size(); ++k) {
        Begun& begun = list_.watches[k].begun;
        is_armed_[k] = stays_armed_[k];
        begun = begun == Begun::leaving && !(now_[k] > list_.watches[k].slack) ? Begun::leaving : Begun::judged;
    }
}

}  // namespace kempe
