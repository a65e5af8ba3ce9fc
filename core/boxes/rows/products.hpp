#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "boxes/rows/expansion.hpp"

// Rows of second degree as they were written: sums of squares and products of linear forms, such as
//
//   (x + a c)^2 + (y + a s)^2 - d^2
//
// A projection runs such a row forward and backward on its own, from the unknowns to the squares and
// products, to their sum, and back. An unknown stands once in every linear form, however often the
// single assignments go over it.

namespace kempe::boxes {

class Products {
  public:
    // Wants an UpwardMode. Nothing where a row has too many products.
    static std::optional<Products> of(const Formulas& formulas, const Expansion& expansion);

    // What one thread works with.
    struct Desk {
        std::vector<Interval> parts, forms, products, terms;  // values
        std::vector<Interval> before, before_part;            // sums of all terms before one
    };
    Desk desk() const;

    // Whether a row is a sum of those from `first` to before `last`, as far as its squares and products tell: all of
    // them stand in those rows, and there are more than in any. Projected on its own it tells less than they do.
    bool is_sum_of(std::size_t row, std::size_t first, std::size_t last) const;
    // The part of x that may bring a row into its target; false where none may.
    bool project(std::size_t row, Interval* x, const Interval& target, Desk& desk) const;

  private:
    // A number, enclosed. Where its sign is known so are bounds of its size, and of 1 over it.
    struct Coefficient {
        Interval c;
        double low = 0.0, high = 0.0, low_inverse = 0.0, high_inverse = 0.0;
        bool has_sign = false, is_negative = false;
        explicit Coefficient(const Interval& number);
        Interval times(const Interval& x) const;
        Interval divide(const Interval& x) const;  // where it has a sign
    };
    struct Linear {  // of unknowns
        std::uint32_t unknown;
        Coefficient c;
    };
    struct Form {  // constant + a sum of linear terms
        std::uint32_t first, last;
        Interval constant;
    };
    struct Product {  // of two forms; the square of one, or one alone
        enum class Kind { form, square, product } kind;
        std::uint32_t a, b;
        Coefficient c;
    };
    struct Row {
        std::uint32_t first, last;  // products
        Interval constant;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> nodes;  // that are multiplied, sorted
    };
    class Gathering;

    Interval value(std::uint32_t form, const Interval* x, Desk& desk) const;
    bool narrow(std::uint32_t form, const Interval& to, Interval* x, Desk& desk) const;
    bool narrow(const Product& product, const Interval& to, Interval* x, Desk& desk) const;

    std::vector<Linear> linear_;
    std::vector<Form> forms_;
    std::vector<Product> products_;
    std::vector<Row> rows_;
    std::size_t longest_ = 0;  // sum
};

}  // namespace kempe::boxes
