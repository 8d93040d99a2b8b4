/* elementary/parts.h - what several formulas are made of: private to this folder */
#ifndef ELEMENTARY_PARTS_H
#define ELEMENTARY_PARTS_H

#include "elementary/elementary.h"

/* 2^n for an integer n in a double, -1022 <= n <= 1023 */
int power_of_two(struct formula *f, int n);
/* y 2^n for -2044 <= n <= 2046, rounded once */
int scaled(struct formula *f, int y, int n);
int clamped(struct formula *f, int x, double lo, double hi);    /* NaN stays NaN */
int with_sign_of(struct formula *f, int x, int sign);           /* x >= 0 */

struct f_pair pair_sum(struct formula *f, struct f_pair a, struct f_pair b);
/* of pairs, to about 2^-104 of the product */
struct f_pair pair_product(struct formula *f, struct f_pair a, struct f_pair b);
/* the nearest double to a quotient of pairs, to about 0.51 ulp */
int pair_quotient(struct formula *f, struct f_pair a, struct f_pair b);

/* x = n ln 2 + r: |r| <= 0.3466, as a pair */
struct reduced { int n; struct f_pair r; };
struct reduced reduced_by_ln2(struct formula *f, int x);

/* x = m 2^k, sqrt(1/2) <= m < sqrt(2), of normal and subnormal numbers above 0; of others
 * they mean nothing. */
struct parts { int m, k; };
struct parts parts_of(struct formula *f, int x);

/* log(m) of these parts as a pair, to about 2^-58, and k; excess >= 0 is added. */
struct logarithm { struct f_pair log; int k; };
struct logarithm log_pair(struct formula *f, int x, int excess);

/* 2^t of a pair, |t| <= 2000, for about 0.52 ulp */
int exp2_pair(struct formula *f, struct f_pair t);
/* log2 x of a normal or subnormal number above 0, to about 2^-65 (power.c) */
struct f_pair log2_pair(struct formula *f, int x);

/* sin(r) and cos(r), |r| <= pi/4, as pairs, to about 2^-57 (trig.c) */
struct wave { struct f_pair sin, cos; };
struct wave wave_of(struct formula *f, struct f_pair r);

#endif
