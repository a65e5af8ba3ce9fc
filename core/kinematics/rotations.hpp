// Rows of rotations from one representation into another. Quaternions have the scalar first; a row
// that is no rotation stops a function, which then tells its number.
#pragma once

#include <cstddef>

namespace kempe {

/// Where a function stopped, or all_rows.
using Row = std::ptrdiff_t;
inline constexpr Row all_rows = -1;

/// The axes of an Euler sequence as 0, 1, 2, in the order their angles are listed.
struct EulerSequence {
    int axes[3];
    bool extrinsic;
};

Row unit_quaternions(const double* q, std::size_t rows, double* out) noexcept;
Row quaternions_of_matrices(const double* m, std::size_t rows, double tolerance, double* q) noexcept;
Row quaternions_of_vectors(const double* v, std::size_t rows, double* q) noexcept;
Row quaternions_of_axis_angles(const double* a, std::size_t rows, double* q) noexcept;
Row quaternions_of_rodrigues(const double* s, std::size_t rows, double* q) noexcept;
Row quaternions_of_six(const double* x, std::size_t rows, double* q) noexcept;
Row quaternions_of_euler(const EulerSequence& sequence, const double* angles, std::size_t rows, double* q) noexcept;

// From unit quaternions.
void matrices_of_quaternions(const double* q, std::size_t rows, double* m) noexcept;
void vectors_of_quaternions(const double* q, std::size_t rows, double* v) noexcept;
void axis_angles_of_quaternions(const double* q, std::size_t rows, double* a) noexcept;
void rodrigues_of_quaternions(const double* q, std::size_t rows, double* s) noexcept;
void six_of_quaternions(const double* q, std::size_t rows, double* x) noexcept;
/// How many rows lie so near a gimbal lock that single angles lost half their digits.
std::size_t euler_of_quaternions(const EulerSequence& sequence, const double* q, std::size_t rows,
                                 double* angles) noexcept;

void quaternion_products(const double* p, const double* q, std::size_t rows, double* out) noexcept;
void turned_vectors(const double* q, const double* v, std::size_t rows, double* out) noexcept;
/// a at t = 0, b at t = 1, at a constant rate; b counts as it stands, with no change of sign.
void slerps(const double* a, const double* b, const double* t, std::size_t rows, double* out) noexcept;

}  // namespace kempe
