// `learn.evaluate`: the file of a learned model against a log. `log.compare`: two logs against each other.
#pragma once

#include <string>

#include "core/learned/learnedModel.h"
#include "core/watch.h"
#include "protocol/rpc.h"

namespace understory {

// EvaluateRequest -> EvaluateReply of src-main/contract/worker/evaluate.ts.
Message handleEvaluate(const Frame& request, Call& call);

// CompareRequest -> CompareReply.
Message handleCompare(const Frame& request, Call& call);

// The model of a file. Throws 'not-found' | 'io' | 'bad-input' | 'cancelled'.
LearnedModel learnedModelIn(const std::string& path, const Watch& watch);

}  // namespace understory
