// How many beams observed the elements along a line, noted while its first element is found: so support costs no line of
// its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace understory {

// Notes elements in any order. Only those are stored that fewer beams observed than all before them on the line, so that
// a few places suffice.
class SupportTrail {
 public:
  void clear() {
    count_ = 0;
    hasOverflowed_ = false;
  }

  void add(float meanM, std::uint32_t support) {
    std::size_t at = count_;
    while (at > 0 && entries_[at - 1].meanM > meanM) --at;
    if (at > 0 && entries_[at - 1].support <= support) return;
    std::size_t end = at;
    while (end < count_ && entries_[end].support >= support) ++end;
    if (end == at) {
      if (count_ == entries_.size()) {
        hasOverflowed_ = true;
        return;
      }
      for (std::size_t moved = count_++; moved > at; --moved) entries_[moved] = entries_[moved - 1];
    } else {
      const std::size_t gap = end - at - 1;
      for (std::size_t moved = end; moved < count_; ++moved)
        entries_[moved - gap] = entries_[moved];
      count_ -= gap;
    }
    entries_[at] = {meanM, support};
  }

  // Some were not stored: minUntil() is not known then.
  bool hasOverflowed() const { return hasOverflowed_; }
  // The least support of elements with a mean up to `untilM`; `none` where there are none.
  std::uint32_t minUntil(float untilM, std::uint32_t none) const {
    std::uint32_t least = none;
    for (std::size_t at = 0; at < count_ && entries_[at].meanM <= untilM; ++at) {
      least = entries_[at].support;
    }
    return least;
  }

 private:
  struct Entry {
    float meanM;
    std::uint32_t support;
  };

  std::size_t count_ = 0;
  bool hasOverflowed_ = false;
  std::array<Entry, 24> entries_;  // by mean, supports descending
};

}  // namespace understory
