// The floor: what one four-bar costs when everything about it is written by hand.
//
// Nine coordinates (x, y and angle at the start of crank, coupler and rocker), nine rows, Newton,
// and velocity and acceleration at every sample, as kempe does it; but the rows, their derivatives
// and the order of elimination stand here by hand, and no step is ever doubted.
//
//   A: p1 = 0              D: p3 = (ground, 0)        drive: f1 = start + rate t
//   B: p1 + u1 = p2        C: p2 + u2 = p3 + u3       uk = length_k (cos fk, sin fk)
//
// A and the drive give the crank, B the coupler's start, D the rocker's start; what is left of C
// are two equations for the angles of coupler and rocker.

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    double crank, coupler, rocker, ground;  // m
    double start, rate;                     // rad, rad/s
    double length_limit, angle_limit;       // a row holds where its residual is not larger
} FourBar;

typedef struct {
    double x, y;
} Vector;

typedef struct {
    Vector p1, p2, p3;      // starts of crank, coupler and rocker
    double f1, f2, f3;      // their angles
    Vector v2, a2, a2_old;  // p1 and p3 stand still
    double w2, w3, e2, e3, e2_old, e3_old;
    Vector u1, u2, u3;  // from start to end
    double over;        // 1 / (u2 x u3)
} State;

static inline double larger(double a, double b) { return a > b ? a : b; }

static inline double size(Vector r) { return larger(fabs(r.x), fabs(r.y)); }

static inline double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y; }

// length (cos, sin) of the angle. Minimax polynomials on [-pi/4, pi/4] by Remez' exchange: relative
// error of the sine 4e-18, error of the cosine 5e-20. pi/2 is a sum of two doubles.
static inline Vector along(double angle, double length) {
    const double shift = 6755399441055744.0;  // 1.5 * 2^52: the last bits of a sum are an integer
    const double shifted = angle * 0.63661977236758134308 + shift;
    int64_t quarter;
    memcpy(&quarter, &shifted, sizeof quarter);
    const double turns = shifted - shift;
    const double r = (angle - turns * 1.5707963267948965580) - turns * 6.1232339957367658e-17;
    const double z = r * r, z2 = z * z, z4 = z2 * z2;
    const double s = (-0.16666666666666630686 + z * 0.0083333333333221073226) +
                     z2 * (-0.00019841269829580164312 + z * 2.7557313618017547912e-6) +
                     z4 * (-2.5050747218299673509e-8 + z * 1.5896197644544358631e-10);
    const double c = (0.041666666666666599476 - z * 0.0013888888888874123933) +
                     z2 * (0.000024801587289482185365 - z * 2.7557314352332528311e-7) +
                     z4 * (2.0875723273147268741e-9 - z * 1.1359647797565839827e-11);
    const double sine = r + r * z * s, cosine = (1.0 - 0.5 * z) + z2 * c;
    const double x = quarter & 1 ? sine : cosine, y = quarter & 1 ? cosine : sine;
    return (Vector){(quarter + 1) & 2 ? -length * x : length * x,
                    quarter & 2 ? -length * y : length * y};
}

// Newton until every row holds: its corrections, or -1 where ten are not enough.
static inline int settle(State *s, const FourBar *p, double t) {
    for (int corrections = 0;; ++corrections) {
        const Vector u1 = along(s->f1, p->crank), u2 = along(s->f2, p->coupler),
                     u3 = along(s->f3, p->rocker);
        s->u1 = u1, s->u2 = u2, s->u3 = u3;
        s->over = 1.0 / (u2.x * u3.y - u2.y * u3.x);
        const double drive = s->f1 - (p->start + p->rate * t);
        const Vector b = {s->p1.x + u1.x - s->p2.x, s->p1.y + u1.y - s->p2.y};
        const Vector c = {s->p2.x + u2.x - s->p3.x - u3.x, s->p2.y + u2.y - s->p3.y - u3.y};
        const Vector d = {s->p3.x - p->ground, s->p3.y};
        const double worst = larger(larger(size(s->p1), size(b)), larger(size(c), size(d)));
        if (worst <= p->length_limit && fabs(drive) <= p->angle_limit) return corrections;
        if (corrections == 10) return -1;
        const Vector d2 = {b.x - s->p1.x + u1.y * drive, b.y - s->p1.y - u1.x * drive};
        const Vector r = {-c.x - d2.x - d.x, -c.y - d2.y - d.y};
        s->p1 = (Vector){0.0, 0.0}, s->p3 = (Vector){p->ground, 0.0};
        s->p2.x += d2.x, s->p2.y += d2.y;
        s->f1 -= drive;
        s->f2 += dot(r, u3) * s->over;
        s->f3 += dot(r, u2) * s->over;
    }
}

// Velocity and acceleration where the rows hold; the crank turns evenly. The products that need no
// velocity are formed while the division is under way.
static inline void move(State *s, const FourBar *p) {
    const Vector u1 = s->u1, u2 = s->u2, u3 = s->u3;
    const double rate = p->rate;
    s->v2 = (Vector){-rate * u1.y, rate * u1.x};
    s->a2 = (Vector){-rate * rate * u1.x, -rate * rate * u1.y};
    const double across = dot(u2, u3);
    const double d2 = dot(s->v2, u2), d3 = dot(s->v2, u3);
    const double g2 = dot(s->a2, u2), g3 = dot(s->a2, u3);
    s->w2 = -d3 * s->over;
    s->w3 = -d2 * s->over;
    // e2 = r . u3 / (u2 x u3), e3 = r . u2 / (u2 x u3) with r = w2^2 u2 - w3^2 u3 - a2
    const double ww2 = s->w2 * s->w2, ww3 = s->w3 * s->w3;
    const double mixed = s->over * across;
    s->e2 = ww2 * mixed - (ww3 * (s->over * p->rocker * p->rocker) + s->over * g3);
    s->e3 = (ww2 * (s->over * p->coupler * p->coupler) - s->over * g2) - ww3 * mixed;
}

// x + h v + h^2 / 2 a + h^3 / 6 jerk, the jerk from the last two accelerations.
static inline double ahead(double h, double x, double v, double a, double a_old) {
    return (x + h * v - h * h / 6.0 * a_old) + h * h * (2.0 / 3.0) * a;
}

// Samples 0 .. count - 1, h apart, from the coordinates in q's first row: Newton's corrections in
// all, or -1 where a sample could not be settled.
int64_t four_bar(const FourBar *given, int64_t count, double h, double *restrict q,
                 double *restrict v, double *restrict a) {
    const FourBar p = *given;
    State s = {{q[0], q[1]}, {q[3], q[4]}, {q[6], q[7]}, q[2], q[5], q[8]};
    int64_t corrections = 0;
    for (int64_t k = 0; k < count; ++k, q += 9, v += 9, a += 9) {
        const int more = settle(&s, &p, h * (double)k);
        if (more < 0) return -1;
        corrections += more;
        s.a2_old = s.a2, s.e2_old = s.e2, s.e3_old = s.e3;
        move(&s, &p);
        if (k == 0) s.a2_old = s.a2, s.e2_old = s.e2, s.e3_old = s.e3;
        q[0] = s.p1.x, q[1] = s.p1.y, q[2] = s.f1;
        q[3] = s.p2.x, q[4] = s.p2.y, q[5] = s.f2;
        q[6] = s.p3.x, q[7] = s.p3.y, q[8] = s.f3;
        v[0] = 0.0, v[1] = 0.0, v[2] = p.rate;
        v[3] = s.v2.x, v[4] = s.v2.y, v[5] = s.w2;
        v[6] = 0.0, v[7] = 0.0, v[8] = s.w3;
        a[0] = 0.0, a[1] = 0.0, a[2] = 0.0;
        a[3] = s.a2.x, a[4] = s.a2.y, a[5] = s.e2;
        a[6] = 0.0, a[7] = 0.0, a[8] = s.e3;
        s.f1 += h * p.rate;
        s.p2.x = ahead(h, s.p2.x, s.v2.x, s.a2.x, s.a2_old.x);
        s.p2.y = ahead(h, s.p2.y, s.v2.y, s.a2.y, s.a2_old.y);
        s.f2 = ahead(h, s.f2, s.w2, s.e2, s.e2_old);
        s.f3 = ahead(h, s.f3, s.w3, s.e3, s.e3_old);
    }
    return corrections;
}
