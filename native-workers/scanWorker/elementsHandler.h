// The view of a learned model: `learn.elements`.
#pragma once

#include "protocol/rpc.h"
#include "scanWorker/viewCache.h"

namespace understory {

// Request and reply are those of src-main/contract/worker/learnedViews.ts.
Message handleElements(ViewCache& cache, const Frame& request, Call& call);

}  // namespace understory
