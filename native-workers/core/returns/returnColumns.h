// The columns of a return, by the table of the contract.
#pragma once

#include "contract/contract.h"

namespace understory {

inline constexpr const ReturnColumnInfo& infoOf(ReturnColumn column) {
  return returnColumns[static_cast<std::size_t>(column)];
}

}  // namespace understory
