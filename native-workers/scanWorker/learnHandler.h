// `learn.model`: files of logs in, the file of a learned model out. `learn.evaluate`: such a file against a log.
#pragma once

#include <string>

#include "protocol/rpc.h"

namespace understory {

// LearnRequest -> LearnReply of src-main/contract/worker/learn.ts. `engine`: what the model's header says of it.
Message handleLearn(const Frame& request, Call& call, const std::string& engine);

// EvaluateRequest -> EvaluateReply.
Message handleEvaluate(const Frame& request, Call& call);

}  // namespace understory
