#include "quadratics.hpp"

#include <algorithm>
#include <cmath>

namespace kempe::boxes {

namespace {

// A coefficient of x_a x_b, a <= b, where the index n stands for the number 1.
struct Term {
    std::uint32_t a, b;
    Interval c;
};
using Polynomial = std::vector<Term>;  // in order of (a, b)

bool comes_before(const Term& x, const Term& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; }

void collect(Polynomial& terms) {
    std::sort(terms.begin(), terms.end(), comes_before);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < terms.size(); ++k) {
        if (kept > 0 && !comes_before(terms[kept - 1], terms[k]))
            terms[kept - 1].c = terms[kept - 1].c + terms[k].c;
        else
            terms[kept++] = terms[k];
    }
    terms.resize(kept);
}

class Expansion {
public:
    explicit Expansion(const Formulas& formulas)
        : formulas_(formulas), one_(static_cast<std::uint32_t>(formulas.n_inputs())) {
        made_.resize(formulas.n_nodes());
        for (std::uint32_t j = 0; j < one_; ++j) made_[j] = {{j, one_, Interval::point(1.0)}};
        for (std::size_t k = one_; k < formulas.first_operation(); ++k)
            made_[k] = {{one_, one_, formulas.constants()[k - one_]}};
    }

    bool run() {
        for (std::size_t k = formulas_.first_operation(); k < formulas_.n_nodes(); ++k)
            if (!expand(formulas_.node(k), made_[k])) return false;
        return true;
    }

    const Polynomial& operator[](std::size_t node) const { return made_[node]; }

private:
    bool expand(const Node& node, Polynomial& to) const {
        const Polynomial& a = made_[node.a];
        const Polynomial& b = made_[node.b];
        switch (node.op) {
            case Op::add:
            case Op::sub:
                to = a;
                for (const Term& term : b) to.push_back({term.a, term.b, node.op == Op::add ? term.c : -term.c});
                collect(to);
                return true;
            case Op::neg:
                to = a;
                for (Term& term : to) term.c = -term.c;
                return true;
            case Op::mul: return multiply(a, b, to);
            case Op::sqr: return multiply(a, a, to);
            case Op::div:
                if (b.size() != 1 || b[0].a != one_ || holds_zero(b[0].c)) return false;
                to = a;
                for (Term& term : to) term.c = term.c / b[0].c;
                return true;
            case Op::copy: to = a; return true;
            default: return false;
        }
    }

    bool is_constant(const Polynomial& x) const { return x.size() == 1 && x[0].a == one_; }
    bool is_affine(const Polynomial& x) const {
        return std::all_of(x.begin(), x.end(), [this](const Term& term) { return term.b == one_; });
    }

    bool multiply(const Polynomial& x, const Polynomial& y, Polynomial& to) const {
        if (is_constant(x) || is_constant(y)) {
            to = is_constant(x) ? y : x;
            for (Term& term : to) term.c = term.c * (is_constant(x) ? x : y)[0].c;
            return true;
        }
        if (!is_affine(x) || !is_affine(y)) return false;
        to.clear();
        for (std::size_t i = 0; i < x.size(); ++i)
            for (std::size_t j = 0; j < y.size(); ++j) {
                const Interval c = &x == &y && i == j ? square(x[i].c) : x[i].c * y[j].c;
                to.push_back({std::min(x[i].a, y[j].a), std::max(x[i].a, y[j].a), c});
            }
        collect(to);
        return true;
    }

    const Formulas& formulas_;
    std::uint32_t one_;
    std::vector<Polynomial> made_;
};

struct Coefficient {
    double middle, off;
    Coefficient(const Interval& c, double share) : middle(boxes::middle(c)) {
        const double radius = larger(add_up(c.upper, -middle), add_up(middle, c.negated_lower));
        off = add_up(mul_up(share, std::abs(middle)), radius) * (1.0 + 4.0 * share);
    }
};

}  // namespace

std::optional<Quadratics> Quadratics::of(const Formulas& formulas) {
    Expansion expansion(formulas);
    if (!expansion.run()) return std::nullopt;
    const auto one = static_cast<std::uint32_t>(formulas.n_inputs());
    // A term of C J A or of C A^T H A passes through three products and three sums of at most n, one
    // of a row through a sum of its terms.
    const double share = rounding_share(4 * one + 8);
    Quadratics made;
    for (const std::uint32_t output : formulas.outputs()) {
        const auto support = formulas.support(output);
        const auto place = [&](std::uint32_t j) {
            return static_cast<std::uint32_t>(std::lower_bound(support.begin(), support.end(), j) - support.begin());
        };
        Row row{static_cast<std::uint32_t>(made.support_.size()), static_cast<std::uint32_t>(support.size()),
                static_cast<std::uint32_t>(made.entries_.size()), 0, 0.0, 0.0, 0.0};
        made.support_.insert(made.support_.end(), support.begin(), support.end());
        made.l_.resize(made.support_.size(), 0.0);
        made.l_off_.resize(made.support_.size(), 0.0);
        for (const Term& term : expansion[output]) {
            const bool is_square = term.a == term.b && term.a != one;
            const Coefficient c(is_square ? scaled(2.0, term.c) : term.c, share);
            if (!(std::abs(c.middle) + c.off < infinity)) return std::nullopt;
            if (term.a == one) {
                row.c = c.middle, row.c_off = c.off;
            } else if (term.b == one) {
                made.l_[row.first + place(term.a)] = c.middle;
                made.l_off_[row.first + place(term.a)] = c.off;
            } else {
                made.entries_.push_back({place(term.a), place(term.b), c.middle, c.off});
                row.bend_off = add_up(row.bend_off, is_square ? c.off : 2.0 * c.off);
            }
        }
        row.last_entry = static_cast<std::uint32_t>(made.entries_.size());
        made.rows_.push_back(row);
    }
    return made;
}

double Quadratics::number(std::size_t r, const double* x, double* g) const {
    const Row& row = rows_[r];
    const std::uint32_t* const at = support_.data() + row.first;
    const double* const l = l_.data() + row.first;
    std::copy_n(l, row.count, g);
    for (const Entry* e = begin(r); e != end(r); ++e) {
        g[e->a] += e->H * x[at[e->b]];
        if (e->a != e->b) g[e->b] += e->H * x[at[e->a]];
    }
    double twice = 0.0;
    for (std::uint32_t j = 0; j < row.count; ++j) twice += (l[j] + g[j]) * x[at[j]];
    return row.c + 0.5 * twice;
}

double Quadratics::number(std::size_t r, const double* x, double* g, double& f_off, double* g_off) const {
    const Row& row = rows_[r];
    const std::uint32_t* const at = support_.data() + row.first;
    const double* const l_off = l_off_.data() + row.first;
    std::copy_n(l_off, row.count, g_off);
    for (const Entry* e = begin(r); e != end(r); ++e) {
        g_off[e->a] += e->off * std::abs(x[at[e->b]]);
        if (e->a != e->b) g_off[e->b] += e->off * std::abs(x[at[e->a]]);
    }
    double twice = 0.0;
    const double stretch = 1.0 + 4.0 * rounding_share(row.count);
    for (std::uint32_t j = 0; j < row.count; ++j) {
        twice += (l_off[j] + g_off[j]) * std::abs(x[at[j]]);
        g_off[j] = g_off[j] * stretch + 1e-300;
    }
    f_off = (row.c_off + 0.5 * twice) * stretch + 1e-300;
    return number(r, x, g);
}

void Quadratics::spread(std::size_t r, const double* x, const double* radius, double* g_off) const {
    const Row& row = rows_[r];
    const std::uint32_t* const at = support_.data() + row.first;
    std::copy_n(l_off_.data() + row.first, row.count, g_off);
    for (const Entry* e = begin(r); e != end(r); ++e) {
        const std::uint32_t a = at[e->a], b = at[e->b];
        const double size = std::abs(e->H) + e->off;
        g_off[e->a] += e->off * std::abs(x[b]) + size * radius[b];
        if (e->a != e->b) g_off[e->b] += e->off * std::abs(x[a]) + size * radius[a];
    }
    const double stretch = 1.0 + 4.0 * rounding_share(row.count);
    for (std::uint32_t j = 0; j < row.count; ++j) g_off[j] = g_off[j] * stretch + 1e-300;
}

}  // namespace kempe::boxes
