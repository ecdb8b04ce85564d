// `learn.model`: files of logs in, the file of a learned model out.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "protocol/rpc.h"

namespace understory {

// LearnRequest -> LearnReply of src-main/contract/worker/learn.ts. `engine`: what the model's header says of it.
Message handleLearn(const Frame& request, Call& call, const std::string& engine);

// Throws 'scene-too-large' where the work on `count` `items` ("beams") takes more memory than the limit.
void refuseAboveLimit(std::uint64_t bytes, std::uint64_t count, std::string_view items,
                      std::uint64_t limitBytes);

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace understory
