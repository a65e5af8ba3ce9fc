// The masses of the block solver: C with C M C^T = I, and what is measured by it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "schur/schur_ldlt.hpp"
#include "schur/schur_whitener.hpp"
#include "tape/generations.hpp"

namespace kempe {

using schur::Index;
using schur::with_size;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double mass_floor = 1e-14;  // a pivot of M below this times its diagonal is rounding

schur::WhitenerShape shape_of(const double* c, Index size) {
    using schur::WhitenerShape;
    WhitenerShape shape = WhitenerShape::diagonal;
    for (Index i = 0; i < size; ++i) {
        for (Index j = 0; j < i; ++j) {
            if (c[i * size + j] != 0.0) {
                const bool rotational = size == 6 && i >= 3 && j >= 3;
                shape = std::max(shape, rotational ? WhitenerShape::split : WhitenerShape::full);
            }
        }
    }
    return shape;
}

/// As `multiply` and `whiten` read it.
void pack(const double* c, Index size, schur::WhitenerShape shape, std::vector<double>& to) {
    schur::with_size(size, [&](auto fixed) {
        schur::with_plain(fixed, shape, [&](auto plain) {
            for (Index k = 0; k < size; ++k)
                for (Index m = k < plain.value ? k : plain.value; m <= k; ++m) to.push_back(c[k * size + m]);
        });
    });
}

}  // namespace

bool make_whitener(const double* mass, Index size, double* c) {
    std::vector<double> l(mass, mass + static_cast<std::size_t>(size) * size);
    for (Index k = 0; k < size; ++k) {
        for (Index j = 0; j < k; ++j) l[k * size + k] -= l[k * size + j] * l[k * size + j];
        const double pivot = l[k * size + k];
        if (!(pivot > mass_floor * mass[k * size + k]) || !(pivot < infinity)) return false;
        l[k * size + k] = std::sqrt(pivot);
        for (Index i = k + 1; i < size; ++i) {
            for (Index j = 0; j < k; ++j) l[i * size + k] -= l[i * size + j] * l[k * size + j];
            l[i * size + k] /= l[k * size + k];
        }
    }
    std::fill_n(c, size * size, 0.0);
    for (Index col = 0; col < size; ++col) {  // C = L^-1, column by column
        c[col * size + col] = 1.0 / l[col * size + col];
        for (Index i = col + 1; i < size; ++i) {
            double sum = 0.0;
            for (Index j = col; j < i; ++j) sum -= l[i * size + j] * c[j * size + col];
            c[i * size + col] = sum / l[i * size + i];
        }
    }
    return true;
}

bool SchurLDLT::set_mass(const double* blocks) {
    has_mass_ = false;
    factored_ = false;
    whitener_.clear();
    std::vector<double> c;
    for (std::size_t b = 0; b < program_.bodies.size(); ++b) {
        const SchurProgram::Body& body = program_.bodies[b];
        c.resize(static_cast<std::size_t>(body.size) * body.size);
        if (!make_whitener(blocks + body.mass, body.size, c.data())) {
            bad_body_ = static_cast<Index>(b);
            return false;
        }
        whitener_start_[b] = static_cast<Index>(whitener_.size());
        whitener_shape_[b] = shape_of(c.data(), body.size);
        pack(c.data(), body.size, whitener_shape_[b], whitener_);
    }
    whitener_.shrink_to_fit();
    has_mass_ = true;
    bad_body_ = -1;
    return true;
}

double SchurLDLT::whitener(std::size_t body, Index k, Index m) const {
    double found = 0.0;
    with_size(program_.bodies[body].size, [&](auto size) {
        schur::with_plain(size, whitener_shape_[body], [&](auto plain) {
            const double* const c = whitener_.data() + whitener_start_[body];
            if (k < plain.value) found = k == m ? c[k] : 0.0;
            else found = m < plain.value ? 0.0 : c[schur::packed_row(plain.value, k) + m];
        });
    });
    return found;
}

void SchurLDLT::unwhiten(const double* white, double* blocks) const {
    for (const SchurProgram::Touch& touch : program_.touches)
        unwhiten(static_cast<std::size_t>(touch.body), touch.rows, white + touch.white, blocks + touch.jacobian);
}

void SchurLDLT::unwhiten(std::size_t body, Index rows, const double* y, double* j) const {
    for (Index k = 0; k < program_.bodies[body].size; ++k) {
        for (Index r = 0; r < rows; ++r) {
            double sum = y[k * rows + r];
            for (Index m = 0; m < k; ++m) sum -= whitener(body, k, m) * j[m * rows + r];
            j[k * rows + r] = sum / whitener(body, k, k);
        }
    }
}

/// body_ = C^-T v = C M v
KEMPE_GENERATIONS void SchurLDLT::whiten_velocities(const double* v) {
    for (std::size_t b = 0; b < program_.bodies.size(); ++b) {
        const SchurProgram::Body& body = program_.bodies[b];
        with_size(body.size, [&](auto size) {
            schur::solve_transposed(size, body.size, whitener_shape_[b], whitener_.data() + whitener_start_[b],
                                    v + body.first, body_.data() + body.first);
        });
    }
}

/// body_ = C f
KEMPE_GENERATIONS void SchurLDLT::whiten_forces(const double* f) {
    for (std::size_t b = 0; b < program_.bodies.size(); ++b) {
        const SchurProgram::Body& body = program_.bodies[b];
        with_size(body.size, [&](auto size) {
            schur::multiply<false>(size, body.size, whitener_shape_[b], whitener_.data() + whitener_start_[b],
                                   f + body.first, body_.data() + body.first);
        });
    }
}

/// a = C^T body_
KEMPE_GENERATIONS void SchurLDLT::give_bodies(double* a) const {
    for (std::size_t b = 0; b < program_.bodies.size(); ++b) {
        const SchurProgram::Body& body = program_.bodies[b];
        with_size(body.size, [&](auto size) {
            schur::multiply<true>(size, body.size, whitener_shape_[b], whitener_.data() + whitener_start_[b],
                                  body_.data() + body.first, a + body.first);
        });
    }
}

}  // namespace kempe
