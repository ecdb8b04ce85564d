// The scan.write method: a stored frame goes into the recording.
#pragma once

#include "protocol/rpc.h"
#include "scanWorker/storedFrames.h"

namespace understory {

// Throws UnderstoryError 'disk-full' and 'io' for what the file refuses.
Message handleWrite(StoredFrames& frames, const Frame& request);

}  // namespace understory
