#include "boxes/rows/products.hpp"

#include <algorithm>

namespace kempe::boxes {

namespace {

constexpr std::size_t most_products = 64;  // of a row

}  // namespace

Products::Coefficient::Coefficient(const Interval& number) : c(number) {
    is_negative = c.upper < 0.0;
    has_sign = is_negative || c.lower() > 0.0;
    if (!has_sign) return;
    const Interval size = is_negative ? -c : c, inverse = reciprocal(size);
    low = size.lower(), high = size.upper;
    low_inverse = inverse.lower(), high_inverse = inverse.upper;
    has_sign = high < infinity && high_inverse < infinity;  // no bound may become 0 times infinity
}

KEMPE_INLINE Interval Products::Coefficient::times(const Interval& x) const {
    if (!has_sign) return c * x;
    return product_by_positive(is_negative ? -x : x, low, high);
}

KEMPE_INLINE Interval Products::Coefficient::divide(const Interval& x) const {
    return product_by_positive(is_negative ? -x : x, low_inverse, high_inverse);
}

// Follows the sums of a row down to its squares and products.
class Products::Gathering {
  public:
    Gathering(Products& made, const Formulas& formulas, const Expansion& expansion)
        : made_(made), formulas_(formulas), expansion_(expansion) {}

    bool add_row(std::uint32_t output) {
        found_.clear();
        n_steps_ = 0;
        linear_.assign(formulas_.n_inputs(), Interval::point(0.0));
        constant_ = Interval::point(0.0);
        if (!follow(output, Interval::point(1.0))) return false;
        Row row{static_cast<std::uint32_t>(made_.products_.size()), 0, constant_, {}};
        for (const Found& one : found_) {
            row.nodes.emplace_back(one.a, one.b);
            const std::uint32_t a = form(expansion_[one.a]);
            const std::uint32_t b = one.a == one.b ? a : form(expansion_[one.b]);
            const auto kind = one.a == one.b ? Product::Kind::square : Product::Kind::product;
            made_.products_.push_back({kind, a, b, Coefficient(one.c)});
        }
        Polynomial rest;
        for (std::uint32_t j = 0; j < linear_.size(); ++j)
            if (!(linear_[j].upper == 0.0 && linear_[j].negated_lower == 0.0)) rest.push_back({j, 0, linear_[j]});
        if (!rest.empty()) {
            const std::uint32_t a = form(rest);
            made_.products_.push_back({Product::Kind::form, a, a, Coefficient(Interval::point(1.0))});
        }
        std::sort(row.nodes.begin(), row.nodes.end());
        row.last = static_cast<std::uint32_t>(made_.products_.size());
        made_.longest_ = std::max<std::size_t>(made_.longest_, row.last - row.first);
        made_.rows_.push_back(std::move(row));
        return true;
    }

  private:
    struct Found {
        std::uint32_t a, b;  // nodes
        Interval c;
    };

    bool follow(std::uint32_t k, const Interval& c) {
        if (++n_steps_ > 16 * most_products) return false;  // sums of sums of sums
        const Polynomial& polynomial = expansion_[k];
        if (expansion_.is_affine(polynomial)) {
            for (const Term& term : polynomial) {
                Interval& to = term.a < linear_.size() ? linear_[term.a] : constant_;
                to = to + c * term.c;
            }
            return true;
        }
        const Node& node = formulas_.node(k);
        switch (node.op) {
            case Op::add: return follow(node.a, c) && follow(node.b, c);
            case Op::sub: return follow(node.a, c) && follow(node.b, -c);
            case Op::neg: return follow(node.a, -c);
            case Op::copy: return follow(node.a, c);
            case Op::div: return follow(node.a, c / expansion_[node.b][0].c);
            case Op::sqr: return take(node.a, node.a, c);
            case Op::mul:
                if (expansion_.is_constant(expansion_[node.a])) return follow(node.b, c * expansion_[node.a][0].c);
                if (expansion_.is_constant(expansion_[node.b])) return follow(node.a, c * expansion_[node.b][0].c);
                return take(node.a, node.b, c);
            default: return false;
        }
    }

    bool take(std::uint32_t a, std::uint32_t b, const Interval& c) {
        if (a > b) std::swap(a, b);
        for (Found& known : found_)
            if (known.a == a && known.b == b) {
                known.c = known.c + c;
                return true;
            }
        found_.push_back({a, b, c});
        return found_.size() <= most_products;
    }

    std::uint32_t form(const Polynomial& polynomial) {
        Form form{static_cast<std::uint32_t>(made_.linear_.size()), 0, Interval::point(0.0)};
        for (const Term& term : polynomial)
            if (term.a < linear_.size()) made_.linear_.push_back({term.a, Coefficient(term.c)});
            else form.constant = term.c;
        form.last = static_cast<std::uint32_t>(made_.linear_.size());
        made_.longest_ = std::max<std::size_t>(made_.longest_, form.last - form.first);
        made_.forms_.push_back(form);
        return static_cast<std::uint32_t>(made_.forms_.size() - 1);
    }

    Products& made_;
    const Formulas& formulas_;
    const Expansion& expansion_;
    std::vector<Found> found_;
    std::vector<Interval> linear_;
    Interval constant_;
    std::size_t n_steps_ = 0;
};

std::optional<Products> Products::of(const Formulas& formulas, const Expansion& expansion) {
    Products made;
    Gathering gathering(made, formulas, expansion);
    for (const std::uint32_t output : formulas.outputs())
        if (!gathering.add_row(output)) return std::nullopt;
    return made;
}

Products::Desk Products::desk() const {
    const auto intervals = [](std::size_t count) { return std::vector<Interval>(count); };
    return {intervals(linear_.size()),   intervals(forms_.size()), intervals(products_.size()),
            intervals(products_.size()), intervals(longest_ + 1),  intervals(longest_ + 1)};
}

bool Products::is_sum_of(std::size_t r, std::size_t first, std::size_t last) const {
    const auto& own = rows_[r].nodes;
    const auto is_longer = [&](const Row& other) { return own.size() > other.nodes.size(); };
    const auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(last);
    return !own.empty() && std::all_of(begin, end, is_longer) &&
           std::all_of(own.begin(), own.end(), [&](const auto& pair) {
               return std::any_of(begin, end, [&](const Row& other) {
                   return std::binary_search(other.nodes.begin(), other.nodes.end(), pair);
               });
           });
}

KEMPE_INLINE Interval Products::value(std::uint32_t form, const Interval* x, Desk& desk) const {
    const Form& of = forms_[form];
    const Linear* const terms = linear_.data();
    Interval* const parts = desk.parts.data();
    Interval sum = of.constant;
    for (std::uint32_t k = of.first, last = of.last; k < last; ++k) {
        const Interval part = terms[k].c.times(x[terms[k].unknown]);
        parts[k] = part;
        sum = sum_up(sum, part);
    }
    return desk.forms[form] = sum;
}

bool Products::project(std::size_t r, Interval* x, const Interval& target, Desk& desk) const {
    const Row& row = rows_[r];
    const std::uint32_t first = row.first, last = row.last;
    const Product* const products = products_.data();
    Interval* const before = desk.before.data();
    Interval* const values = desk.products.data();
    Interval* const terms = desk.terms.data();
    Interval sum = row.constant;
    for (std::uint32_t k = first; k < last; ++k) {
        const Product& product = products[k];
        const Interval a = value(product.a, x, desk);
        Interval found = a;
        if (product.kind == Product::Kind::square) found = square(a);
        else if (product.kind == Product::Kind::product) found = a * value(product.b, x, desk);
        const Interval term = product.c.times(found);
        values[k] = found;
        terms[k] = term;
        before[k - first] = sum;
        sum = sum_up(sum, term);
    }
    if (within(sum, target)) return true;
    if (intersection(sum, target).is_empty()) return false;
    Interval after = Interval::point(0.0);
    for (std::uint32_t k = last; k-- > first;) {
        const Product& product = products[k];
        if (product.c.has_sign) {
            const Interval rest = sum_up(before[k - first], after);
            const Interval wanted = product.c.divide(sum_up(target, -rest));
            if (!within(values[k], wanted)) {
                const Interval left = intersection(values[k], wanted);
                if (left.is_empty() || !narrow(product, left, x, desk)) return false;
                terms[k] = product.c.times(left);
            }
        }
        after = sum_up(after, terms[k]);
    }
    return true;
}

bool Products::narrow(const Product& product, const Interval& to, Interval* x, Desk& desk) const {
    const Interval a = desk.forms[product.a];
    switch (product.kind) {
        case Product::Kind::form: return narrow(product.a, to, x, desk);
        case Product::Kind::square: {
            const Interval root = square_root(to);
            if (root.is_empty()) return false;
            const Interval below = intersection(a, -root), above = intersection(a, root);
            if (below.is_empty()) return !above.is_empty() && narrow(product.a, above, x, desk);
            return narrow(product.a, above.is_empty() ? below : hull(below, above), x, desk);
        }
        case Product::Kind::product: {
            const Interval b = desk.forms[product.b];
            if (!holds_zero(b) && !narrow(product.a, to / b, x, desk)) return false;
            return holds_zero(a) || narrow(product.b, to / a, x, desk);
        }
    }
    return true;
}

bool Products::narrow(std::uint32_t form, const Interval& to, Interval* x, Desk& desk) const {
    if (within(desk.forms[form], to)) return true;
    const Form& of = forms_[form];
    Interval* const before = desk.before_part.data();
    Interval sum = of.constant;
    for (std::uint32_t k = of.first; k < of.last; ++k) {
        before[k - of.first] = sum;
        sum = sum_up(sum, desk.parts[k]);
    }
    Interval after = Interval::point(0.0);
    for (std::uint32_t k = of.last; k-- > of.first; after = sum_up(after, desk.parts[k])) {
        const Linear& term = linear_[k];
        if (!term.c.has_sign) continue;
        const Interval wanted = term.c.divide(sum_up(to, -sum_up(before[k - of.first], after)));
        Interval& side = x[term.unknown];
        if (within(side, wanted)) continue;
        side = intersection(side, wanted);
        if (side.is_empty()) return false;
    }
    return true;
}

}  // namespace kempe::boxes
