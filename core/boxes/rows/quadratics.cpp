#include "boxes/rows/quadratics.hpp"

#include <algorithm>
#include <cmath>

#include "boxes/rows/expansion.hpp"

namespace kempe::boxes {

namespace {

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
    for (std::size_t r = 0; r < formulas.outputs().size(); ++r)  // a number of it may not exist
        if (formulas.of_constants(r) != Decoration::continuous) return std::nullopt;
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
        Row row{static_cast<std::uint32_t>(made.support_.size()),
                static_cast<std::uint32_t>(support.size()),
                static_cast<std::uint32_t>(made.entries_.size()),
                0,
                0.0,
                0.0,
                0.0,
                0.0};
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
                row.l_off = add_up(row.l_off, c.off);
            } else {
                made.entries_.push_back({place(term.a), place(term.b), c.middle, c.off});
                row.bend_off = add_up(row.bend_off, is_square ? c.off : 2.0 * c.off);
            }
        }
        row.last_entry = static_cast<std::uint32_t>(made.entries_.size());
        made.rows_.push_back(row);
    }
    made.products_ = Products::of(formulas, expansion);
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
        g_off[j] = g_off[j] * stretch + underflow;
    }
    f_off = (row.c_off + 0.5 * twice) * stretch + underflow;
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
    for (std::uint32_t j = 0; j < row.count; ++j) g_off[j] = g_off[j] * stretch + underflow;
}

}  // namespace kempe::boxes
