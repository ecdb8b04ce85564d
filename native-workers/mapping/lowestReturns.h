// The two lowest returns of each cell of the ground in one tick, over the plane under the wheels.
// Guarantee: whatever the order of returns, and however they are shared out to several tables that are added.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace understory {

class LowestReturns {
 public:
  explicit LowestReturns(std::size_t cells = 0) : pairs_(cells) {}

  void add(std::size_t cell, float overM) {
    Pair& pair = pairs_[cell];
    if (!(overM < pair.next)) return;
    pair.next = std::max(overM, pair.lowest);
    pair.lowest = std::min(overM, pair.lowest);
  }

  // Both have equally many cells.
  void add(const LowestReturns& other) {
    for (std::size_t cell = 0; cell < pairs_.size(); ++cell) {
      add(cell, other.pairs_[cell].lowest);
      add(cell, other.pairs_[cell].next);
    }
  }

  std::size_t cells() const { return pairs_.size(); }
  // Infinity: there is none.
  float lowest(std::size_t cell) const { return pairs_[cell].lowest; }
  float nextLowest(std::size_t cell) const { return pairs_[cell].next; }

 private:
  struct Pair {
    float lowest = std::numeric_limits<float>::infinity();
    float next = std::numeric_limits<float>::infinity();
  };
  std::vector<Pair> pairs_;
};

}  // namespace understory
