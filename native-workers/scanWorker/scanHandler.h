// `scan`: request and trajectory in, chunks of columns out.
#pragma once

#include "core/fieldReader.h"
#include "jobs/scan.h"
#include "jobs/tracedScene.h"
#include "mapping/driveMapper.h"
#include "protocol/rpc.h"
#include "scanWorker/storedFrames.h"
#include "scanWorker/testSwitches.h"

namespace understory {

// Memory of a worker between the scans of a drive.
struct DriveMemory {
  DriveMapper& mapper;  // maps the returns of requests that ask for it
  StoredFrames& frames;
};

// ScanRequest -> ScanReply of src-main/contract/worker/worker.ts. `ranks`: null where this process traces alone.
Message handleScan(const TracedScene& scene, const Frame& request, Call& call,
                   TestSwitches& testSwitches, OtherRanks* ranks, const DriveMemory& drive);

// The ScanRequest of a frame. Throws UnderstoryError 'bad-input'.
ScanJob parseScanJob(const Frame& request);

// The fields of a ScanRequest, for requests that have more.
ScanJob parseScanFields(FieldReader& body, const Frame& request);

// The IntervalRequest or the RaysRequest of a frame: no columns, packings or sample.
ScanJob parseIntervalJob(const Frame& request);
PulseJob parseRaysJob(const Frame& request);

// The fields of every request about pulses of an interval: sensor, interval, seed and trajectory.
PulseJob parsePulseJob(FieldReader& body, const Frame& request);

// Reports the progress of work to a call, which can cancel it.
Watch watchOf(Call& call);

// Largest memory this process has had, in bytes.
std::uint64_t peakRssBytes();

}  // namespace understory
