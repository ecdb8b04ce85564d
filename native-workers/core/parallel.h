// Work in pieces, for code that knows no threads: its caller gives them.
#pragma once

#include <cstddef>
#include <functional>

namespace understory {

// Calls piece(0) to piece(count - 1), perhaps on several threads at once.
using Parallel =
    std::function<void(std::size_t count, const std::function<void(std::size_t)>& piece)>;

inline void oneByOne(std::size_t count, const std::function<void(std::size_t)>& piece) {
  for (std::size_t number = 0; number < count; ++number) piece(number);
}

}  // namespace understory
