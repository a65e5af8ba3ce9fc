#include "boxes/rows/expansion.hpp"

#include <algorithm>

namespace kempe::boxes {

namespace {

bool comes_before(const Term& x, const Term& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; }

void collect(Polynomial& terms) {
    std::sort(terms.begin(), terms.end(), comes_before);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < terms.size(); ++k)
        if (kept > 0 && !comes_before(terms[kept - 1], terms[k])) terms[kept - 1].c = terms[kept - 1].c + terms[k].c;
        else terms[kept++] = terms[k];
    terms.resize(kept);
}

}  // namespace

Expansion::Expansion(const Formulas& formulas)
    : formulas_(formulas), one_(static_cast<std::uint32_t>(formulas.n_inputs())) {
    made_.resize(formulas.n_nodes());
    for (std::uint32_t j = 0; j < one_; ++j) made_[j] = {{j, one_, Interval::point(1.0)}};
    for (std::size_t k = one_; k < formulas.first_operation(); ++k)
        made_[k] = {{one_, one_, formulas.constants()[k - one_]}};
}

bool Expansion::run() {
    for (std::size_t k = formulas_.first_operation(); k < formulas_.n_nodes(); ++k)
        if (!expand(formulas_.node(k), made_[k])) return false;
    return true;
}

bool Expansion::is_affine(const Polynomial& x) const {
    return std::all_of(x.begin(), x.end(), [this](const Term& term) { return term.b == one_; });
}

bool Expansion::expand(const Node& node, Polynomial& to) const {
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

bool Expansion::multiply(const Polynomial& x, const Polynomial& y, Polynomial& to) const {
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

}  // namespace kempe::boxes
