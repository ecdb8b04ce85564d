// Faults on demand.
#include "scanWorker/testSwitches.h"

#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <sstream>

#include "core/error.h"
#include "core/mutation.h"

namespace understory {

void TestSwitches::read(const std::string& text) {
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    if (name == "mutation" && equals != std::string::npos) {
      setMutation(part.substr(equals + 1));
      continue;
    }
    std::optional<std::uint64_t>* target = name == "die-after-chunks"    ? &dieAfterChunks_
                                           : name == "hang-after-chunks" ? &hangAfterChunks_
                                                                         : nullptr;
    if (target == nullptr || equals == std::string::npos) {
      throw UnderstoryError("bad-input", "UNDERSTORY_TEST: no switch '" + part + "'");
    }
    *target = std::stoull(part.substr(equals + 1));
  }
}

void TestSwitches::afterChunk() {
  ++chunks_;
  if (dieAfterChunks_ && chunks_ >= *dieAfterChunks_) std::raise(SIGKILL);
  if (hangAfterChunks_ && chunks_ >= *hangAfterChunks_) isHanging_ = true;
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
