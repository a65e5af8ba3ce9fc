#pragma once

#include <cstddef>
#include <vector>

#include "boxes/rows/form.hpp"
#include "boxes/rows/problem.hpp"

// Charts: certified pieces of the solution set.
//
// A chart is a point p, a matrix A = [N | T] whose columns are nearly orthonormal, and half-widths
// w and h. It stands for the parallelotope x = p + N y + T s, |y_i| <= w, |s_j| <= h. It is certified
// when for every s there is exactly one y with F = 0: one regular piece of surface (k = 2), one regular
// arc (k = 1), or one point (k = 0).

namespace kempe::boxes {

struct Chart {
    Point p;
    std::vector<double> A;  // n x n, column after column: the m columns of N, then T
    std::vector<double> C;  // m x m, row after row: nearly the inverse of J N at p
    double h = 0.0;
    double w = 0.0;
    double skew = 0.0;         // |A^T A - 1|, largest row sum, bounded above
    double contraction = 0.0;  // |1 - C J N| over the chart, largest row sum, bounded above
    double lean = 0.0;         // |dy_i/ds| over the chart (k = 2: where |s| <= h), largest, bounded above
    std::vector<double> tube;  // |y_i| on the arc, bounded above
    Box bounds;                // of the parallelotope
    int component = -1;
    double from = -infinity, to = infinity;  // the stretch of the arc that its component lists

    // Whether a stretch of parameters meets that one: beyond it another curve may go on, at a corner say.
    bool lists(const Interval& s) const { return s.upper >= from && s.lower() <= to; }
    const double* column(std::size_t j) const { return A.data() + j * p.size(); }
};

// A point of the solution set: |x - true point| <= radius, in the longest coordinate.
struct Enclosed {
    Point x;
    Box box;
    double radius = 0.0;
    Point tangent;              // of the curve there, of length 1
    double tangent_off = 0.0;   // the true one is tangent + N e, |e| <= tangent_off
};

// The working memory of one thread, and what is done with it.
class Bench {
  public:
    explicit Bench(const Problem& problem);

    const Problem& problem;
    Evaluation rows;

    // Newton steps of least length from x until they vanish; false where they do not, or where x
    // has moved by more than `reach`.
    bool approach(Point& x, int steps, double reach);
    // Whether some rows were nearly dependent where `approach` came to last.
    bool met_dependence() const { return met_dependence_; }
    // Whether solutions in and about the box seem to be dependent wherever one looks: a sheet of them,
    // or a curve along which the equations repeat each other. Numbers only.
    bool seems_a_sheet(const Box& box);
    // The frame of a chart at p: A, C and skew. `along` says which way T points. False where the
    // equations are dependent there as far as numbers show.
    bool place(Chart& chart, const Point& p, const double* along);
    // The skew of a chart's matrix, and the bounds of its parallelotope.
    void measure(Chart& chart) const;
    // The half-length, at most `most`, with which the chart just placed can be proved: it is worth
    // trying. 0 where none can.
    double promising(double most) const;
    // Proves the chart just placed with half-length h; false where it cannot.
    bool certify(Chart& chart, double h);
    // The point of a certified chart at s (k numbers); y (m numbers) is the start and becomes the result.
    bool enclose(const Chart& chart, const double* s, std::vector<double>& y, Enclosed& found);
    bool enclose(const Chart& chart, double s, std::vector<double>& y, Enclosed& found) {
        return enclose(chart, &s, y, found);
    }
    // C of a chart whose A is known, as it is at x; false where the equations are dependent there.
    bool take_inverse(Chart& chart, const Point& x);
    // The point of a chart of which only p, A, h and w are known, and a C that may do: that it does is proved about
    // the point, and else another is tried, which stays in the chart.
    bool enclose_anew(Chart& chart, double s, std::vector<double>& y, Enclosed& found);
    // The same without an enclosure: the best double.
    bool locate(const Chart& chart, const double* s, std::vector<double>& y, Point& x);
    bool locate(const Chart& chart, double s, std::vector<double>& y, Point& x) { return locate(chart, &s, y, x); }
    void point_of(const Chart& chart, const double* s, const std::vector<double>& y, Point& x) const;
    // Whether a box lies in the parallelotope of a chart. `s` (k intervals) becomes its enclosure along T.
    bool is_inside(const Chart& chart, const Box& box, Interval* s = nullptr);
    // Whether a box is surely clear of the arc (or point) of a certified chart.
    bool is_clear(const Chart& chart, const Box& box);
    // Whether all sides are surely positive over a certified chart.
    bool keeps_sides(const Chart& chart);
    // The tangent at an enclosed point of a chart, the way the chart runs; false where it cannot be
    // told.
    bool enclose_tangent(const Chart& chart, Enclosed& point);
    // Whether a chart runs the way of the tangent at an enclosed point.
    bool runs_along(const Chart& chart, const Enclosed& point) const;
    // The tangent of the arc at x, numerically; false where it has none.
    bool tangent(const Chart& chart, const Point& x, Point& t);
    // Whether all sides may be positive at x, numerically.
    bool is_on_its_side(const Point& x);

  private:
    bool shortest_step(double* d);
    bool certify_by_form(Chart& chart, double h) const;
    // A chart narrower than this holds no enclosed point: the roundings of p + T s + N y do not fit in it.
    double least_width(const Chart& chart, double h) const;
    // |A^T A - 1|: each sum of n products is off by at most its share of the sum of their sizes.
    double skew(const Chart& chart) const;
    void bound(Chart& chart) const;
    // Whether all equations are continuous on the box run last, and have bounded gradients: else these tell nothing.
    bool has_gradients() const;
    void take_products(const Chart& chart);
    double residual(const Chart& chart, bool at_centre);
    double surround(const Chart& chart, double contraction, const double* s, const std::vector<double>& y,
                    Enclosed& found);
    double contraction_about(const Chart& chart, const Point& x, double reach);
    double row_of_contraction(const Chart& chart, std::size_t i, const double* spread) const;
    double share_of_column(std::size_t row, const double* column, double& radius) const;

    std::size_t n_, m_;
    std::vector<double> middle_, radius_;  // J, m x n, as middle and radius
    std::vector<double> CJ_, CR_;          // C J and its radius, m x n
    std::vector<double> tube_;             // of a chart that is tried
    std::vector<double> M_;                // C J N, m x m
    std::vector<double> work_, square_, step_, from_, move_;
    Box box_;
    bool settles(Point& x, double reach, double widest, double& least);
    bool only_step(double* d);
    void take_gradients();
    void take_normals(const Chart& chart, std::vector<double>& JN) const;
    double take_normal_matrix(double damping);
    void solve_triangles(std::vector<double>& y) const;

    bool met_dependence_ = false;
    Form form_;  // of the frame placed last, where all rows are of second degree
    friend class Cover;
};

}  // namespace kempe::boxes
