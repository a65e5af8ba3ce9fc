#include "dynamics/methods/rosenbrock.hpp"

#include <algorithm>
#include <utility>

#include "kinematics/manifold.hpp"
#include "linear/bytes.hpp"

namespace kempe {

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

const RosenbrockTableau& rodas3() {
    static const RosenbrockTableau tableau = [] {
        RosenbrockTableau t;
        t.order = 3;
        t.gamma = 0.5;
        t.a = {{}, {0.0}, {2.0, 0.0}, {2.0, 0.0, 1.0}};
        t.C = {{}, {4.0}, {1.0, -1.0}, {1.0, -1.0, -8.0 / 3.0}};
        t.b = {2.0, 0.0, 1.0, 1.0};
        t.c = {0.0, 0.0, 1.0, 1.0};
        t.d = {0.5, 1.5, 0.0, 0.0};
        t.error = {0.0, 0.0, 0.0, 1.0};
        return t;
    }();
    return tableau;
}

Rosenbrock::Rosenbrock(DynamicSystem& system, const RosenbrockTableau& tableau, Linearization linearization,
                       Screws screws, RowEntries entries, const std::vector<double>& mass, FixedSteps fixed)
    : ImplicitMethod(system, std::move(linearization), screws, std::move(entries), mass), tableau_(tableau),
      fixed_(fixed), all_(n_ + size_.v + size_.rows), U_(tableau.b.size() * all_), y_(n_), F_(n_),
      no_residual_(size_.v + size_.rows), dense_(std::max<std::size_t>(tableau.dense.size(), 1) * n_) {}

// u', V' and powers where y leads to: accelerations are those of the mechanism there, to the last digits. Multipliers
// that had errors of the stages would put them into places and velocities, a hundred times those of the rest.
bool Rosenbrock::evaluate(const double* y, double t, double* to) {
    ++evaluations;
    reach(y, q_trial_.data(), v_trial_.data());
    for (std::size_t k = 0; k < z_.size(); ++k) z_trial_[k] = z_[k] + y[2 * size_.v + 2 + k];
    if (!z_.empty()) system_.set_states(z_trial_.data());
    Powers powers;
    if (system_.evaluate(q_trial_.data(), v_trial_.data(), t, last_.data(), a_.data(), nullptr, &powers) ==
        Factor::singular)
        return false;
    if (!z_.empty()) system_.rates(q_trial_.data(), v_trial_.data(), t, last_.data(), z_rate_.data());
    rate(y, q_trial_.data(), v_trial_.data(), a_.data(), powers, z_rate_.data(), to);
    return true;
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
    std::vector<double>& F = F_;
    for (std::size_t i = 0; i < stages; ++i) {
        const auto& weights = tableau_.a[i];
        if (std::ranges::all_of(weights, [](double w) { return w == 0.0; })) {  // where the step starts
            F = first_;
        } else {
            std::fill(y_.begin(), y_.end(), 0.0);
            sum(weights, 1.0, y_);
            if (!is_finite(y_) || !(turns.largest_turn(y_.data()) < widest)) return false;
            if (!evaluate(y_.data(), t_ + tableau_.c[i] * h, F.data()) || !is_finite(F)) return false;
        }
        sum(tableau_.C[i], 1.0 / h, F);
        linearization_.solve(F.data(), no_residual_.data(), h * tableau_.d[i], U_.data() + i * all_);
    }
    std::fill(change_.begin(), change_.end(), 0.0);
    std::fill(error_.begin(), error_.end(), 0.0);
    sum(tableau_.b, 1.0, change_);
    sum(tableau_.error, 1.0, error_);
    return is_finite(change_) && turns.largest_turn(change_.data()) < widest;
}

// Where the tableau has none, the polynomial of degree 2 that leaves as the motion does.
void Rosenbrock::prepare_dense() {
    std::fill(dense_.begin(), dense_.end(), 0.0);
    if (tableau_.dense.empty())
        for (std::size_t k = 0; k < n_; ++k) dense_[k] = h_ * first_[k] - change_[k];
    for (std::size_t r = 0; r < tableau_.dense.size(); ++r)
        for (std::size_t j = 0; j < tableau_.dense[r].size(); ++j)
            for (std::size_t k = 0; k < n_; ++k) dense_[r * n_ + k] += tableau_.dense[r][j] * U_[j * all_ + k];
}

void Rosenbrock::dense(double x, double* change) const {
    for (std::size_t k = 0; k < n_; ++k) {
        double inner = 0.0;
        for (std::size_t r = dense_.size() / n_; r-- > 0;) inner = dense_[r * n_ + k] + x * inner;
        change[k] = x * (change_[k] + (1.0 - x) * inner);
    }
}

void Rosenbrock::dense_rate(double x, double* rate) const {
    for (std::size_t k = 0; k < n_; ++k) {
        double inner = 0.0, slope = 0.0;
        for (std::size_t r = dense_.size() / n_; r-- > 0;) {
            slope = inner + x * slope;
            inner = dense_[r * n_ + k] + x * inner;
        }
        rate[k] = (change_[k] + (1.0 - 2.0 * x) * inner + x * (1.0 - x) * slope) / h_;
    }
}

std::size_t Rosenbrock::bytes() const { return ImplicitMethod::bytes() + bytes_of(U_, y_, F_, no_residual_, dense_); }

}  // namespace kempe
