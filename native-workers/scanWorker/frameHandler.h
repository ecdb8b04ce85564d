// The scan.write method: a kept frame goes into the recording.
#pragma once

#include "protocol/rpc.h"
#include "scanWorker/keptFrames.h"

namespace understory {

// Throws UnderstoryError 'not-found' for a frame that is not there, 'disk-full' and 'io' for what the file refuses.
Message handleWrite(KeptFrames& frames, const Frame& request);

}  // namespace understory
