// The normal law: its distribution function and the inverse of it.
#pragma once

namespace understory {

// Phi(x), the share of a standard normal law below x. Exact to rounding, in both tails.
double normalIntegral(double x);

// The inverse of Phi for 0 < share < 1, to 1e-15 of its value (Wichura 1988, algorithm AS 241, PPND16). A share near 1
// loses the digits that it has not: -normalQuantile(1 - share) is the same number with all of them.
double normalQuantile(double share);

}  // namespace understory
