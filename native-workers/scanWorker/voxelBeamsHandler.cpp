// Log by log, chunk by chunk: beside the voxels one chunk of beams is in memory.
#include "scanWorker/voxelBeamsHandler.h"

#include <limits>
#include <string>
#include <vector>

#include "core/fieldReader.h"
#include "core/log/logReader.h"
#include "learn/voxelBeams.h"
#include "scanWorker/learnHandler.h"
#include "scanWorker/scanHandler.h"
#include "scanWorker/viewRows.h"

namespace understory {
namespace {

struct VoxelBeamsJob {
  std::vector<std::string> logs;
  VoxelBeamsOptions options;
  std::uint64_t memoryLimitBytes = 0;
};

VoxelBeamsJob parseJob(FieldReader& body) {
  namespace at = fields::voxelBeamsRequest;
  VoxelBeamsJob job;
  job.logs = body.texts(at::logs);
  const std::vector<std::uint32_t> split = body.integerList<std::uint32_t>(at::split);
  const double edgeM = body.number(at::voxelM);
  job.options.space = {
      vectorOf(body.numbers<3>(at::minM)), {edgeM, edgeM, edgeM}, {split[0], split[1], split[2]}};
  job.options.leaves = LeafLaw(body.word(at::leafAngles));
  job.options.oneLeafM2 = body.number(at::oneLeafM2);
  job.memoryLimitBytes = body.integer<std::uint64_t>(at::memoryLimitBytes);
  return job;
}

struct SumRows {
  std::array<std::vector<double>, static_cast<std::size_t>(VoxelSum::count)> sums;

  void add(const VoxelBeams& voxels, std::size_t voxel) {
    for (std::size_t sum = 0; sum < sums.size(); ++sum) {
      sums[sum].push_back(voxels.sum(voxel, static_cast<VoxelSum>(sum)));
    }
  }
  std::vector<ColumnView> views() const {
    namespace at = columns::voxelBeams;
    const auto of = [&](VoxelSum sum) -> const std::vector<double>& {
      return sums[static_cast<std::size_t>(sum)];
    };
    return {viewOf(at::beams, of(VoxelSum::beams)),
            viewOf(at::lines, of(VoxelSum::lines)),
            viewOf(at::hits, of(VoxelSum::hits)),
            viewOf(at::pathM, of(VoxelSum::path)),
            viewOf(at::lineM, of(VoxelSum::line)),
            viewOf(at::freeM, of(VoxelSum::free)),
            viewOf(at::effectiveM, of(VoxelSum::effective)),
            viewOf(at::hitEffectiveM, of(VoxelSum::hitEffective)),
            viewOf(at::potentialM, of(VoxelSum::potential))};
  }
  void clear() {
    for (std::vector<double>& sum : sums) sum.clear();
  }
};

void sendSums(Call& call, const VoxelBeams& voxels, std::size_t count) {
  SumRows rows;
  std::size_t from = 0;
  inChunks(
      count, [&](std::size_t voxel) { rows.add(voxels, voxel); },
      [&](std::size_t sent) {
        send(call, {{"from", from}, {"rows", sent}}, rows.views());
        rows.clear();
        from += sent;
      });
}

}  // namespace

Message handleVoxelBeams(const Frame& request, Call& call) {
  VoxelBeamsJob job = readObject(request.header.at("body"), "request", parseJob);
  std::vector<LogReader> logs;
  std::uint64_t beams = 0;
  std::size_t chunks = 0;
  for (const std::string& path : job.logs) {
    const LogReader& log = logs.emplace_back(openLog(path));
    beams += log.counts().beams;
    chunks += log.chunks();
  }
  refuseAboveLimit(VoxelBeams::bytesOf(job.options.space), job.options.space.voxels(), "voxels",
                   job.memoryLimitBytes);
  const Watch watch = watchOf(call);
  VoxelBeams voxels(job.options);
  std::size_t done = 0;
  for (const LogReader& log : logs) {
    const LogHead& head = log.head();
    voxels.setRange(head.minRangeM.value_or(0.0),
                    head.maxRangeM.value_or(std::numeric_limits<double>::infinity()));
    Sha256 sum = log.headSum();
    for (std::size_t chunk = 0; chunk < log.chunks(); ++chunk) {
      Beams held;
      log.appendChunk(chunk, head.originM, held, sum, BeamParts::raysAndShares);
      voxels.add(held, head.originM, watch);
      if (watch.onProgress) watch.onProgress("beams", ++done, chunks);
    }
    log.expectHash(sum);
  }
  sendSums(call, voxels, job.options.space.voxels());
  Message reply;
  reply.body = {{"beams", beams}, {"peakRssBytes", peakRssBytes()}};
  return reply;
}

}  // namespace understory
