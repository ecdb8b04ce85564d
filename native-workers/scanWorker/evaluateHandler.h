// `learn.evaluate`: the file of a learned model against a log. `log.compare`: two logs against each other.
#pragma once

#include <string>

#include "core/learned/learnedModel.h"
#include "core/log/logReader.h"
#include "core/watch.h"
#include "protocol/rpc.h"

namespace understory {

// EvaluateRequest -> EvaluateReply of src-main/contract/worker/evaluate.ts.
Message handleEvaluate(const Frame& request, Call& call);

// CompareRequest -> CompareReply.
Message handleCompare(const Frame& request, Call& call);

// The model of a file. Throws 'not-found' | 'io' | 'bad-input' | 'cancelled'.
LearnedModel learnedModelIn(const std::string& path, const Watch& watch);

// The largest range of the sensor as the log states it, else as the model does. Throws 'bad-input' where neither does.
double statedMaxRangeM(const LogHead& head, const LearnedModel* model);

}  // namespace understory
