#include "dynamics/rosenbrock.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "kinematics/manifold.hpp"
#include "linear/bytes.hpp"

namespace kempe {

namespace {

bool finite(const std::vector<double>& x) {
    double sum = 0.0;
    for (const double each : x) sum += 0.0 * each;
    return sum == 0.0;
}

}  // namespace

// Source: [Rodas5P] table 3.
const RosenbrockTableau& rodas5p() {
    static const RosenbrockTableau tableau = [] {
        RosenbrockTableau t;
        t.order = 5;
        t.gamma = 0.21193756319429014;
        t.a = {
            {},
            {3.0},
            {2.849394379747939, 0.45842242204463923},
            {-6.954028509809101, 2.489845061869568, -10.358996098473584},
            {2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641},
            {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946}};
        t.a.push_back(t.a[5]);
        t.a[6].push_back(1.0);
        t.a.push_back(t.a[6]);
        t.a[7].push_back(1.0);
        t.b = t.a[7];
        t.b.push_back(1.0);
        t.error = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0};
        t.C = {{},
               {-14.155112264123755},
               {-17.97296035885952, -2.859693295451294},
               {147.12150275711716, -1.41221402718213, 71.68940251302358},
               {165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306},
               {24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125, -0.6610691825249471},
               {30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783, -19.097331116725623,
                -28.087943162872662},
               {37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047, -40.06618937091002,
                -54.66780262877968, -9.48861652309627}};
        t.c = {0.0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1.0, 1.0, 1.0};
        t.d = {0.21193756319429014,
               -0.42387512638858027,
               -0.3384627126235924,
               1.8046452872882734,
               2.325825639765069,
               0.0,
               0.0,
               0.0};
        t.dense = {{25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204, 0.524948541321073,
                    1.1241088310450404, 0.4272876194431874, -0.17202221070155493},
                   {-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796, 20.176138334709044,
                    15.98066361424651, -6.789040303419874, -6.710236069923372},
                   {11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643, -52.072871366152654,
                    -59.78993625266729, -0.15582684282751913, 4.883087185713722}};
        return t;
    }();
    return tableau;
}

Rosenbrock::Rosenbrock(DynamicSystem& system, const RosenbrockTableau& tableau, Linearization linearization,
                       Screws screws, RowEntries entries, std::vector<double> mass)
    : system_(system), tableau_(tableau), linearization_(std::move(linearization)), screws_(screws),
      size_(system.size()), entries_(std::move(entries)), mass_(std::move(mass)), n_(2 * size_.v + 2),
      all_(n_ + size_.v + size_.rows), q_(size_.q), v_(size_.v), last_(size_.turns), body_v_(size_.v), first_(n_),
      U_(tableau.b.size() * all_), y_(all_), r_(n_), change_(n_), error_(n_), dense_(tableau.dense.size() * n_),
      start_a_(size_.v), start_lam_(size_.rows), q_trial_(size_.q), v_trial_(size_.v), a_(size_.v),
      residual_(size_.v + size_.rows), values_(system.entries()), rhs_(size_.rows + size_.spare),
      gamma_(size_.rows + size_.spare), load_(size_.v) {
    if (entries_.rows.size() != values_.size() || entries_.columns.size() != values_.size())
        throw std::invalid_argument("every entry of J has one place");
}

void Rosenbrock::set_out(const double* q, const double* v, double t, const double* last,
                         const std::vector<double>& sides, const double* a, const double* lam, const Powers& powers) {
    if (has_start_ && t == t_ && std::equal(q_.begin(), q_.end(), q) && std::equal(v_.begin(), v_.end(), v) &&
        sides == sides_)
        return;
    q_.assign(q, q + size_.q);
    v_.assign(v, v + size_.v);
    last_.assign(last, last + size_.turns);
    sides_ = sides;
    t_ = t;
    has_start_ = true;
    screws_.to_body(q, v, body_v_.data());
    std::fill(y_.begin(), y_.end(), 0.0);
    rate(y_.data(), q, v, a, powers, first_.data());
    std::copy(first_.begin() + static_cast<std::ptrdiff_t>(size_.v),
              first_.begin() + static_cast<std::ptrdiff_t>(2 * size_.v), start_a_.begin());
    std::copy(lam, lam + size_.rows, start_lam_.begin());
    if (const double* p = system_.answered_parameters()) linearization_.derivatives().set_parameters(p);
    if (!sides.empty()) linearization_.derivatives().set_sides(sides.data());
    linearization_.at(q, v, t, last, a, lam);
    ++jacobians;
}

void Rosenbrock::reach(const double* change, double* q, double* v) const {
    screws_.move(q_.data(), change, q);
    for (std::size_t k = 0; k < size_.v; ++k) v[k] = body_v_[k] + change[size_.v + k];
    screws_.to_world(q, v, v);
}

// u' and a where y leads to, powers, and the residual of the equations there.
void Rosenbrock::evaluate(const double* y, double t, double* to) {
    const std::size_t n = size_.v, each = screws_.each(), solved = size_.rows;
    reach(y, q_trial_.data(), v_trial_.data());
    Powers powers;
    ++evaluations;
    system_.equations(q_trial_.data(), v_trial_.data(), t, last_.data(), values_.data(), rhs_.data(), gamma_.data(),
                      load_.data(), &powers.dissipated);
    std::vector<double>& V = r_;
    for (std::size_t k = 0; k < n; ++k) {
        V[k] = body_v_[k] + y[n + k];
        to[n + k] = start_a_[k] + y[n_ + k];
    }
    screws_.rate(y, V.data(), to);
    for (std::size_t b = 0; b < screws_.bodies; ++b) {  // a = R (V_v' + w x V_v)
        const Twist now(screws_.plane, V.data() + b * each);
        Twist moving(screws_.plane, to + n + b * each);
        double lever[3];
        cross(now.w, now.v, lever);
        for (int k = 0; k < 3; ++k) moving.v[k] += lever[k];
        moving.put(screws_.plane, a_.data() + b * each);
    }
    screws_.to_world(q_trial_.data(), a_.data(), a_.data());
    const double* const lam = y + n_ + n;
    for (std::size_t k = 0; k < n; ++k) {
        const double* const row = mass_.data() + k * each;
        const double* const mine = a_.data() + k / each * each;
        residual_[k] = -load_[k];
        for (std::size_t j = 0; j < each; ++j) residual_[k] += row[j] * mine[j];
    }
    for (std::size_t k = 0; k < solved; ++k) {
        residual_[n + k] = -gamma_[k];
        powers.driven -= (start_lam_[k] + lam[k]) * rhs_[k];
    }
    for (std::size_t e = 0; e < values_.size(); ++e) {
        const auto row = static_cast<std::size_t>(entries_.rows[e]),
                   column = static_cast<std::size_t>(entries_.columns[e]);
        if (row >= solved) continue;
        residual_[n + row] += values_[e] * a_[column];
        residual_[column] += values_[e] * (start_lam_[row] + lam[row]);
    }
    to[2 * n] = powers.dissipated;
    to[2 * n + 1] = powers.driven;
}

// F = (dexp^-1 V, R^T a - w x V_v, a_w, powers)
void Rosenbrock::rate(const double* change, const double* q, const double* v, const double* a, const Powers& powers,
                      double* to) {
    const std::size_t n = size_.v, each = screws_.each();
    std::vector<double>& V = r_;  // of nobody meanwhile
    screws_.to_body(q, v, V.data());
    screws_.rate(change, V.data(), to);
    screws_.to_body(q, a, to + n);
    for (std::size_t b = 0; b < screws_.bodies; ++b) {
        const Twist now(screws_.plane, V.data() + b * each);
        Twist turning(screws_.plane, to + n + b * each);
        double lever[3];
        cross(now.w, now.v, lever);
        for (int k = 0; k < 3; ++k) turning.v[k] -= lever[k];
        turning.put(screws_.plane, to + n + b * each);
    }
    to[2 * n] = powers.dissipated;
    to[2 * n + 1] = powers.driven;
}

bool Rosenbrock::step(double h, double widest) {
    const std::size_t stages = tableau_.b.size();
    h_ = h;
    if (!linearization_.factor(h * tableau_.gamma)) return false;
    const auto sum = [&](const std::vector<double>& weights, double scale, std::vector<double>& to) {
        for (std::size_t j = 0; j < weights.size(); ++j) {
            if (weights[j] == 0.0) continue;
            const double w = scale * weights[j];
            const double* const U = U_.data() + j * all_;
            for (std::size_t k = 0; k < to.size(); ++k) to[k] += w * U[k];
        }
    };
    const Manifold turns{screws_.bodies, screws_.plane};
    std::vector<double> F(n_);
    for (std::size_t i = 0; i < stages; ++i) {
        if (i == 0) {
            F = first_;
            std::fill(residual_.begin(), residual_.end(), 0.0);
        } else {
            std::fill(y_.begin(), y_.end(), 0.0);
            sum(tableau_.a[i], 1.0, y_);
            if (!finite(y_) || !(turns.largest_turn(y_.data()) < widest)) return false;
            evaluate(y_.data(), t_ + tableau_.c[i] * h, F.data());
            if (!finite(F) || !finite(residual_)) return false;
        }
        sum(tableau_.C[i], 1.0 / h, F);
        linearization_.solve(F.data(), residual_.data(), h * tableau_.d[i], U_.data() + i * all_);
    }
    std::fill(change_.begin(), change_.end(), 0.0);
    std::fill(error_.begin(), error_.end(), 0.0);
    sum(tableau_.b, 1.0, change_);
    sum(tableau_.error, 1.0, error_);
    return finite(change_) && turns.largest_turn(change_.data()) < widest;
}

void Rosenbrock::prepare_dense() {
    std::fill(dense_.begin(), dense_.end(), 0.0);
    for (std::size_t r = 0; r < tableau_.dense.size(); ++r)
        for (std::size_t j = 0; j < tableau_.dense[r].size(); ++j)
            for (std::size_t k = 0; k < n_; ++k) dense_[r * n_ + k] += tableau_.dense[r][j] * U_[j * all_ + k];
}

void Rosenbrock::dense(double x, double* change) const {
    for (std::size_t k = 0; k < n_; ++k) {
        double inner = 0.0;
        for (std::size_t r = tableau_.dense.size(); r-- > 0;) inner = dense_[r * n_ + k] + x * inner;
        change[k] = x * (change_[k] + (1.0 - x) * inner);
    }
}

void Rosenbrock::dense_rate(double x, double* rate) const {
    for (std::size_t k = 0; k < n_; ++k) {
        double inner = 0.0, slope = 0.0;
        for (std::size_t r = tableau_.dense.size(); r-- > 0;) {
            slope = inner + x * slope;
            inner = dense_[r * n_ + k] + x * inner;
        }
        rate[k] = (change_[k] + (1.0 - 2.0 * x) * inner + x * (1.0 - x) * slope) / h_;
    }
}

std::size_t Rosenbrock::bytes() const {
    return linearization_.bytes() + bytes_of(q_, v_, last_, sides_, body_v_, first_, U_, y_, r_, change_, error_) +
           bytes_of(dense_, start_a_, start_lam_, q_trial_, v_trial_, a_, residual_, values_, rhs_, gamma_, load_) +
           bytes_of(entries_.rows, entries_.columns, mass_);
}

}  // namespace kempe
