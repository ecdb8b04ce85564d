// A sum in two doubles (Knuth's two-sum; Ogita, Rump, Oishi 2005). Exact, and so the same in any order, for up to
// hundreds of addends of 48 bits that differ by less than 2^48: products of two floats.
#pragma once

namespace understory {

// Adds `addend` to high + low.
inline void addExactly(double& high, double& low, double addend) {
  const double sum = high + addend;
  const double ofAddend = sum - high;
  low += (high - (sum - ofAddend)) + (addend - ofAddend);
  high = sum;
}

struct ExactSum {
  double high = 0.0;
  double low = 0.0;

  void add(double addend) { addExactly(high, low, addend); }
  double value() const { return high + low; }
};

}  // namespace understory
