#include "dynamics/linearization.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "linear/bytes.hpp"
#include "tape/generations.hpp"

namespace kempe {

namespace {

// A pivot below this share of its row is looked for anew: a millionth leaves ten digits, and a step of
// another length does not need another order.
constexpr double weak_pivot = 1e-6;
constexpr double heavy_mass = 1e6;  // beside the entries of J

double dot(const double* a, const double* b, std::size_t n) {
    double sum = 0.0;
    for (std::size_t k = 0; k < n; ++k) sum += a[k] * b[k];
    return sum;
}

}  // namespace

Linearization::Linearization(std::shared_ptr<ResidualDerivatives> derivatives, Screws screws, const double* mass)
    : derivatives_(std::move(derivatives)), screws_(screws), size_(derivatives_->size()), n_(size_.v),
      each_(screws.each()), equations_(size_.v + size_.rows), n_z_(size_.states.size()), mass_(size_), velocities_(n_),
      right_(equations_), eased_(n_), sides_(2 * n_), diagonal_(n_) {
    mass_.give(mass, n_ * each_);
    arrange();
}

void Linearization::set_states(const double* z) {
    derivatives_->set_states(z);
    if (mass_.varies() && mass_.follow(z)) place_masses();
}

void Linearization::place_masses() {
    const double* const mass = mass_.blocks().data();
    for (std::size_t row = 0; row < n_; ++row) {
        diagonal_[row] = std::abs(mass[row * each_ + row % each_]);
        // strip `row` is that of the row and its own body: those are made first
        std::copy_n(mass + row * each_, each_, masses_.data() + 3 * row * each_);
    }
}

// Strips: the numbers of one row along the velocities of one body.
void Linearization::arrange() {
    const auto& rows = derivatives_->rows();
    const auto& columns = derivatives_->columns();
    const auto n = static_cast<std::int32_t>(n_), each = static_cast<std::int32_t>(each_);
    const auto solved = static_cast<std::int32_t>(equations_), spare = static_cast<std::int32_t>(size_.spare);
    const std::int32_t linear = screws_.plane ? 2 : 3;
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> found;
    const auto strip_of = [&](std::int32_t row, std::int32_t body) {
        const auto [at, is_new] = found.try_emplace({row, body}, strips_.size());
        if (is_new) strips_.push_back({row, body, false, true});
        return at->second;
    };
    for (std::int32_t row = 0; row < n; ++row) strips_[strip_of(row, row / each)].is_linear = true;
    const auto states = static_cast<std::int32_t>(n_z_);
    const std::int32_t by_states = 3 * n + 1 + static_cast<std::int32_t>(size_.rows) + spare;
    // which of A, C, K a derivative belongs to: 2, 1, 0; 3: time; 4: lam; 5: states
    constexpr int place[] = {1, 2, 0};  // of K, C, A in a strip
    struct Target {
        int which;
        std::size_t strip, part;
    };
    std::vector<Target> targets;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        std::int32_t row = rows[k], column = columns[k];
        if (row >= solved && row < solved + spare) {
            targets.push_back({-1, 0, 0});
            continue;
        }
        if (row >= solved) row -= spare;
        if (column == 2 * n) {
            targets.push_back({3, 0, static_cast<std::size_t>(row)});
            continue;
        }
        if (column >= by_states) {
            targets.push_back({5, 0, static_cast<std::size_t>(row * states + column - by_states)});
            continue;
        }
        if (column > 3 * n) {
            const auto which = static_cast<std::size_t>(column - 3 * n - 1);
            targets.push_back({which < size_.rows ? 4 : -1, 0, which});
            continue;
        }
        const int which = column < n ? 0 : (column < 2 * n ? 1 : 2);
        column = which == 0 ? column : (which == 1 ? column - n : column - 2 * n - 1);
        const std::size_t strip = strip_of(row, column / each);
        strips_[strip].is_linear = strips_[strip].is_linear || column % each < linear;
        targets.push_back({which, strip, static_cast<std::size_t>(column % each)});
    }
    const std::size_t times = 3 * strips_.size() * each_, lams = times + equations_ + 2 + n_z_;
    by_states_ = lams + size_.rows;
    // the last one takes what nobody needs
    numbers_.assign(by_states_ + (equations_ + 2 + n_z_) * n_z_ + 1, 0.0);
    for (std::size_t k = 0; k < targets.size(); ++k) {
        const auto& to = targets[k];
        if (to.which < 0) slots_.push_back(numbers_.size() - 1);
        else if (to.which == 3) slots_.push_back(times + to.part);
        else if (to.which == 4) slots_.push_back(lams + to.part);
        else if (to.which == 5) slots_.push_back(by_states_ + to.part);
        else slots_.push_back((3 * to.strip + static_cast<std::size_t>(place[to.which])) * each_ + to.part);
        if (to.which == 2) {
            const Strip& strip = strips_[to.strip];
            transposed_.push_back({slots_.back(), strip.body * each + static_cast<std::int32_t>(to.part), strip.row});
        }
    }
    masses_.assign(times, 0.0);
    place_masses();
    for (const Strip& strip : strips_) {
        if (strip.row >= solved) continue;
        for (std::int32_t k = strip.is_linear ? 0 : linear; k < each; ++k) {
            lu_rows_.push_back(strip.row);
            lu_columns_.push_back(strip.body * each + k);
        }
    }
    for (const Copy& copy : transposed_) {
        lu_rows_.push_back(copy.row);
        lu_columns_.push_back(copy.column);
    }
    for (std::size_t s = 0; s < strips_.size(); ++s)
        if (strips_[s].row >= solved) further_.push_back(s);
    lu_values_.resize(lu_rows_.size());
    transposed_values_.resize(transposed_.size());
    values_.resize(rows.size());
}

void Linearization::at(const double* q, const double* v, double t, const double* last, const double* a,
                       const double* lam) {
    derivatives_->evaluate(q, v, t, last, a, lam, values_.data());
    std::fill(numbers_.begin(), numbers_.end(), 0.0);
    std::copy(masses_.begin(), masses_.end(), numbers_.begin());
    for (std::size_t k = 0; k < values_.size(); ++k) numbers_[slots_[k]] += values_[k];
    mass_.add_derivatives(a, n_z_, numbers_.data() + by_states_);
    for (std::size_t k = 0; k < transposed_.size(); ++k) transposed_values_[k] = numbers_[transposed_[k].from];
    to_body_axes(q, v, a);
}

// v = R V_v, and so dv = R (dV_v + u_w x V_v);  a = R b, b = V_v' + w x V_v, and so
// da = R (dV_v' + u_w x b + dw x V_v + w x dV_v).
void Linearization::to_body_axes(const double* q, const double* v, const double* a) {
    const bool plane = screws_.plane;
    screws_.to_body(q, v, velocities_.data());
    screws_.to_body(q, a, eased_.data());
    turns_.resize(screws_.bodies);
    for (std::size_t b = 0; b < screws_.bodies; ++b) turns_[b] = Turn::of(plane, q + b * screws_.each_q());
    for (std::size_t s = 0; s < strips_.size(); ++s) {
        const auto body = static_cast<std::size_t>(strips_[s].body);
        const Turn& R = turns_[body];
        const auto rotated = [&](const double* x) {
            Twist made(plane, x);
            R.back(made.v);
            return made;
        };
        double* const at = numbers_.data() + 3 * s * each_;
        if (!strips_[s].is_linear) continue;
        Twist A = rotated(at), K = rotated(at + each_), C = rotated(at + 2 * each_);
        const Twist V(plane, velocities_.data() + body * each_), b(plane, eased_.data() + body * each_);
        double first[3], second[3];
        cross(V.v, C.v, first);
        cross(b.v, A.v, second);
        for (int k = 0; k < 3; ++k) K.w[k] += first[k] + second[k];
        cross(V.v, A.v, first);
        cross(A.v, V.w, second);
        for (int k = 0; k < 3; ++k) {
            C.w[k] += first[k];
            C.v[k] += second[k];
        }
        A.put(plane, at);
        K.put(plane, at + each_);
        C.put(plane, at + 2 * each_);
    }
}

// G = (1 + [s]x)^-1, s = g/2 w, of every body.
void Linearization::ease() {
    eases_.resize(screws_.bodies);
    for (std::size_t body = 0; body < screws_.bodies; ++body) {
        const Twist V(screws_.plane, velocities_.data() + body * each_);
        Ease& ease = eases_[body];
        for (int i = 0; i < 3; ++i) {
            ease.s[i] = 0.5 * g_ * V.w[i];
            ease.lever[i] = 0.5 * g_ * V.v[i];
        }
        ease.below = 1.0 / (1.0 + dot(ease.s, ease.s, 3));
    }
}

// The row k E of one body.
Twist Linearization::turned(const Twist& k, std::size_t body) const {
    const Ease& ease = eases_[body];
    Twist out;
    double lever[3], rest[3];
    ease.G_transposed(k.v, out.v);
    cross(out.v, ease.lever, lever);
    for (int i = 0; i < 3; ++i) rest[i] = k.w[i] - lever[i];
    ease.G_transposed(rest, out.w);
    return out;
}

// E y of one body: x_w = G y_w, x_v = G (y_v - g/2 V_v x x_w).
Twist Linearization::eased(const Twist& y, std::size_t body) const {
    const Ease& ease = eases_[body];
    Twist out;
    double lever[3], rest[3];
    ease.G(y.w, out.w);
    cross(ease.lever, out.w, lever);
    for (int i = 0; i < 3; ++i) rest[i] = y.v[i] - lever[i];
    ease.G(rest, out.v);
    return out;
}

// Multipliers of bodies far heavier than the entries of J are counted in powers of two of their masses, or the
// pivots that are left of J would pass for rounding.
void Linearization::weigh_multipliers() {
    heavy_.assign(size_.rows, 0.0);
    largest_.assign(size_.rows, 0.0);
    for (std::size_t k = 0; k < transposed_.size(); ++k) {
        const auto row = static_cast<std::size_t>(transposed_[k].column) - n_;
        const double entry = std::abs(transposed_values_[k]);
        heavy_[row] = std::max(heavy_[row], diagonal_[static_cast<std::size_t>(transposed_[k].row)] * entry);
        largest_[row] = std::max(largest_[row], entry * entry);
    }
    weights_.assign(size_.rows, 1.0);
    for (std::size_t k = 0; k < size_.rows; ++k)
        if (heavy_[k] > heavy_mass * largest_[k] && largest_[k] > 0.0)
            weights_[k] = std::exp2(std::ilogb(heavy_[k] / largest_[k]));
}

bool Linearization::factor(double g, Rows rows) {
    g_ = g;
    rows_ = rows;
    ease();
    const std::size_t linear = screws_.plane ? 2 : 3;
    double* to = lu_values_.data();
    for (std::size_t s = 0; s < strips_.size(); ++s) {
        const Strip& strip = strips_[s];
        if (static_cast<std::size_t>(strip.row) >= equations_) continue;
        const double *const at = numbers_.data() + 3 * s * each_, *const C = at + 2 * each_;
        double by_place[6];
        if (rows == Rows::velocities && static_cast<std::size_t>(strip.row) >= n_) {
            for (std::size_t k = 0; k < each_; ++k) by_place[k] = at[k] + 0.5 * g * C[k];
            turned(Twist(screws_.plane, by_place), static_cast<std::size_t>(strip.body)).put(screws_.plane, by_place);
            for (std::size_t k = strip.is_linear ? 0 : linear; k < each_; ++k) *to++ = by_place[k];
            continue;
        }
        turned(Twist(screws_.plane, at + each_), static_cast<std::size_t>(strip.body)).put(screws_.plane, by_place);
        for (std::size_t k = strip.is_linear ? 0 : linear; k < each_; ++k) *to++ = at[k] + g * (C[k] + g * by_place[k]);
    }
    weigh_multipliers();
    for (std::size_t k = 0; k < transposed_.size(); ++k)
        *to++ = transposed_values_[k] * weights_[static_cast<std::size_t>(transposed_[k].column) - n_];
    if (!std::isfinite(dot(lu_values_.data(), lu_values_.data(), lu_values_.size()))) return false;
    if (!is_analyzed_) {
        LuLimits limits;
        limits.weak = weak_pivot;
        is_analyzed_ = true;
        lu_.analyze({static_cast<std::int32_t>(equations_), lu_rows_, lu_columns_}, lu_values_, 1, limits);
    }
    if (!lu_.factor(lu_values_.data()) && !lu_.refactor_with_new_order(lu_values_.data()) && !lu_.is_solvable())
        return false;
    return n_z_ + loads_.count == 0 || factor_border();
}

// g (A r_V - g K E r_u) of every row, added to the right-hand side.
template <std::size_t Each> KEMPE_GENERATIONS void Linearization::add_start(const double* r) {
    for (std::size_t body = 0; body < screws_.bodies; ++body) {
        double* const to = sides_.data() + 2 * body * Each;
        eased(Twist(screws_.plane, r + body * Each), body).put(screws_.plane, to + Each);
        for (std::size_t k = 0; k < Each; ++k) {
            to[k] = g_ * r[n_ + body * Each + k];
            to[Each + k] *= -g_ * g_;
        }
    }
    for (std::size_t s = 0; s < strips_.size(); ++s) {
        const auto row = static_cast<std::size_t>(strips_[s].row);
        if (row >= equations_) continue;
        const double* const at = numbers_.data() + 3 * s * Each;
        const std::size_t body = static_cast<std::size_t>(strips_[s].body);
        const double* const x = sides_.data() + 2 * body * Each;
        double terms[2 * Each], sum = 0.0;
        if (rows_ == Rows::velocities && row >= n_) {  // (A + g C / 2) E r_u - A r_u
            const double *const C = at + 2 * Each, *const u = r + body * Each, below = 1.0 / (g_ * g_);
            for (std::size_t k = 0; k < Each; ++k)
                sum += (at[k] + 0.5 * g_ * C[k]) * (below * x[Each + k]) + at[k] * u[k];
            right_[row] += sum;
            continue;
        }
        for (std::size_t k = 0; k < 2 * Each; ++k) terms[k] = at[k] * x[k];
        for (std::size_t k = 0; k < Each; ++k) terms[k] += terms[Each + k];
        for (std::size_t k = 0; k < Each; ++k) sum += terms[k];
        right_[row] += sum;
    }
}

// What a further row, a power or a rate, says of U: of places and velocities.
double Linearization::along(std::size_t row, const double* U) const {
    double sum = 0.0;
    for (const std::size_t s : further_) {
        if (static_cast<std::size_t>(strips_[s].row) != row) continue;
        const double* const at = numbers_.data() + 3 * s * each_;
        const std::size_t first = static_cast<std::size_t>(strips_[s].body) * each_;
        sum += dot(at + 2 * each_, U + n_ + first, each_) + dot(at + each_, U + first, each_);
    }
    return sum;
}

void Linearization::set_loads(const LoadSlopes* loads) {
    loads_ = loads == nullptr ? LoadSlopes{} : *loads;
    for (std::size_t k = 0; k < loads_.count; ++k)
        for (std::size_t b = 0; b < screws_.bodies; ++b) {
            double* const mine = loads_.by_place.data() + k * n_ + b * each_;
            Twist turned(screws_.plane, mine);
            turns_[b].back(turned.v);
            turned.put(screws_.plane, mine);
        }
}

// What a load of a joint changes by on the way U: with places and multipliers.
double Linearization::load_along(std::size_t load, const double* U) const {
    return dot(loads_.by_place.data() + load * n_, U, n_) +
           dot(loads_.by_lam.data() + load * size_.rows, U + 2 * n_ + 2 + n_z_ + n_, size_.rows);
}

// X, and 1 / g - N_z - N_u X_u - N_V X_V (1 - N_u X_u - N_lam X_lam of loads) with its pivots, by columns.
bool Linearization::factor_border() {
    const std::size_t all = 2 * n_ + 2 + n_z_ + equations_, z = n_z_, wide = z + loads_.count;
    const double* const by_z = numbers_.data() + by_states_;
    border_.assign(wide * all, 0.0);
    border_matrix_.assign(wide * wide, 0.0);
    no_r_.assign(2 * n_ + 2 + z, 0.0);
    border_R_.assign(equations_, 0.0);
    for (std::size_t k = 0; k < wide; ++k) {
        double* const X = border_.data() + k * all;
        const bool is_state = k < z;
        const double* const push = is_state ? nullptr : loads_.push.data() + (k - z) * n_;
        for (std::size_t row = 0; row < n_; ++row) border_R_[row] = is_state ? by_z[row * z + k] : -push[row];
        solve_without_states(no_r_.data(), border_R_.data(), 0.0, X);
        for (std::size_t p = 0; is_state && p < 2; ++p) X[2 * n_ + p] += g_ * by_z[(equations_ + p) * z + k];
        if (is_state) X[2 * n_ + 2 + k] = 1.0;
        else X[2 * n_] += g_ * loads_.dissipated[k - z];
        for (std::size_t i = 0; i < z; ++i) {
            const std::size_t row = equations_ + 2 + i;
            border_matrix_[i * wide + k] =
                (i == k ? 1.0 / g_ : 0.0) - (is_state ? by_z[row * z + k] : 0.0) - along(row, X);
        }
        for (std::size_t i = z; i < wide; ++i)
            border_matrix_[i * wide + k] = (i == k ? 1.0 : 0.0) - load_along(i - z, X);
    }
    border_order_.resize(wide);
    for (std::size_t k = 0; k < wide; ++k) {
        std::size_t best = k;
        for (std::size_t i = k; i < wide; ++i)
            if (std::abs(border_matrix_[i * wide + k]) > std::abs(border_matrix_[best * wide + k])) best = i;
        border_order_[k] = best;
        double* const mine = &border_matrix_[k * wide];
        if (best != k) std::swap_ranges(mine, mine + wide, &border_matrix_[best * wide]);
        const double pivot = mine[k];
        if (!std::isfinite(pivot) || pivot == 0.0) return false;
        for (std::size_t i = k + 1; i < wide; ++i) {
            const double share = border_matrix_[i * wide + k] /= pivot;
            for (std::size_t j = k + 1; j < wide; ++j) border_matrix_[i * wide + j] -= share * mine[j];
        }
    }
    return true;
}

void Linearization::solve(const double* r, const double* R, double tau, double* U) {
    solve_without_states(r, R, tau, U);
    const std::size_t z = n_z_, all = 2 * n_ + 2 + z + equations_, wide = z + loads_.count;
    if (wide == 0) return;
    const double* const T = numbers_.data() + 3 * strips_.size() * each_;
    std::vector<double> x(wide);
    for (std::size_t k = 0; k < z; ++k) {
        const std::size_t row = equations_ + 2 + k;
        x[k] = r[2 * n_ + 2 + k] + tau * T[row] + along(row, U);
    }
    for (std::size_t k = z; k < wide; ++k) x[k] = load_along(k - z, U);
    for (std::size_t k = 0; k < wide; ++k) {
        std::swap(x[k], x[border_order_[k]]);
        for (std::size_t i = k + 1; i < wide; ++i) x[i] -= border_matrix_[i * wide + k] * x[k];
    }
    for (std::size_t k = wide; k-- > 0;) {
        for (std::size_t j = k + 1; j < wide; ++j) x[k] -= border_matrix_[k * wide + j] * x[j];
        x[k] /= border_matrix_[k * wide + k];
    }
    for (std::size_t k = 0; k < wide; ++k)
        for (std::size_t i = 0; i < all; ++i) U[i] += border_[k * all + i] * x[k];
}

void Linearization::solve_without_states(const double* r, const double* R, double tau, double* U) {
    const double* const T = numbers_.data() + 3 * strips_.size() * each_;
    for (std::size_t row = 0; row < equations_; ++row) right_[row] = -g_ * (tau * T[row] + R[row]);
    if (screws_.plane) add_start<3>(r);
    else add_start<6>(r);
    lu_.solve(right_.data(), right_.data());
    for (std::size_t k = 0; k < n_; ++k) {
        U[n_ + k] = right_[k];
        U[k] = g_ * (r[k] + right_[k]);
    }
    for (std::size_t body = 0; body < screws_.bodies; ++body) {
        double* const mine = U + body * each_;
        eased(Twist(screws_.plane, mine), body).put(screws_.plane, mine);
    }
    double *const a = U + 2 * n_ + 2 + n_z_, *const lam = a + n_;
    std::fill(U + 2 * n_ + 2, a, 0.0);
    for (std::size_t k = 0; k < n_; ++k) a[k] = U[n_ + k] / g_ - r[n_ + k];
    for (std::size_t k = 0; k < size_.rows; ++k) lam[k] = weights_[k] * right_[n_ + k] / g_;
    // works: what powers change by on the way
    double* const works = U + 2 * n_;
    const double* const by_lam = T + equations_ + 2 + n_z_;
    for (int p = 0; p < 2; ++p)
        works[p] = r[2 * n_ + static_cast<std::size_t>(p)] + tau * T[equations_ + static_cast<std::size_t>(p)];
    for (std::size_t k = 0; k < size_.rows; ++k) works[1] += by_lam[k] * lam[k];
    for (std::size_t p = 0; p < 2; ++p) works[p] = g_ * (works[p] + along(equations_ + p, U));
}

std::size_t Linearization::bytes() const {
    return derivatives_->bytes() + lu_.bytes() + mass_.bytes() +
           bytes_of(strips_, slots_, values_, numbers_, masses_, transposed_, velocities_, turns_, lu_rows_) +
           bytes_of(lu_columns_, lu_values_, transposed_values_, right_, eased_, eases_, sides_, diagonal_) +
           bytes_of(weights_, heavy_, largest_, border_, border_matrix_, no_r_, border_R_, further_);
}

}  // namespace kempe
