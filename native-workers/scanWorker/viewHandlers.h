// Views of the beams of logs and of what models return for them: `log.cloud`, `learn.sample`, `learn.place`.
#pragma once

#include "protocol/rpc.h"
#include "scanWorker/viewCache.h"

namespace understory {

// Requests and replies are those of src-main/contract/worker/learnedViews.ts.
Message handleCloud(ViewCache& cache, const Frame& request, Call& call);
Message handleSample(ViewCache& cache, const Frame& request, Call& call);
Message handlePlace(ViewCache& cache, const Frame& request, Call& call);

}  // namespace understory
