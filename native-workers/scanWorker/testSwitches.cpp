// Faults after a given number of chunks.
#include "scanWorker/testSwitches.h"

#include <poll.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <system_error>

#include "core/error.h"
#include "core/mutation.h"

namespace understory {
namespace {

std::uint64_t parseCount(const std::string& text) {
  std::uint64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, count);
  if (error == std::errc{} && rest == end && !text.empty()) return count;
  throw UnderstoryError(ErrorCode::badInput,
                        "UNDERSTORY_TEST: expected a whole number, found '" + text + "'");
}

}  // namespace

void TestSwitches::read(const std::string& text) {
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
#ifdef UNDERSTORY_MUTANTS
    if (name == "mutation" && equals != std::string::npos) {
      setMutation(part.substr(equals + 1));
      continue;
    }
#endif
    std::optional<std::uint64_t>* target = name == "die-after-chunks"    ? &dieAfterChunks_
                                           : name == "hang-after-chunks" ? &hangAfterChunks_
                                                                         : nullptr;
    if (target == nullptr || equals == std::string::npos) {
      throw UnderstoryError(ErrorCode::badInput, "UNDERSTORY_TEST: no switch '" + part + "'");
    }
    *target = parseCount(part.substr(equals + 1));
  }
}

void TestSwitches::afterChunk() {
  const std::uint64_t chunks = ++chunks_;
  if (dieAfterChunks_ && chunks >= *dieAfterChunks_) std::raise(SIGKILL);
  if (hangAfterChunks_ && chunks >= *hangAfterChunks_) isHanging_ = true;
  beforeAnswer();
}

void TestSwitches::beforeAnswer() const {
  while (isHanging_) {
    pollfd input{STDIN_FILENO, 0, 0};
    constexpr int waitMs = 50;
    // A closed stdin reports POLLHUP at once, unread bytes or not; otherwise this sleeps.
    if (::poll(&input, 1, waitMs) > 0) std::_Exit(0);
  }
}

}  // namespace understory
