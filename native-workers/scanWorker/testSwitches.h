// Fault injection, for tests and `npm run validate` only: UNDERSTORY_TEST, read once at the start.
//   die-after-chunks=N   the process kills itself once N chunks have been sent
//   hang-after-chunks=N  from then on it answers nothing, until its stdin ends
//   mutation=NAME        every scan has this mutation (core/mutation.h); in scanWorkerMutants alone
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

namespace understory {

class TestSwitches {
 public:
  // `text`: switches separated by commas. Throws UnderstoryError 'bad-input'.
  void read(const std::string& text);

  // Called after each chunk of any call. May not return.
  void afterChunk();
  // Called before each answer. Does not return once the worker hangs.
  void beforeAnswer() const;

 private:
  std::optional<std::uint64_t> dieAfterChunks_;
  std::optional<std::uint64_t> hangAfterChunks_;
  std::atomic<std::uint64_t> chunks_{0};
  std::atomic<bool> isHanging_{false};
};

}  // namespace understory
