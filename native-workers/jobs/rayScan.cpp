// Threads trace parts of batches and store their rows pulse by pulse; one more collects chunks.
#include "jobs/rayScan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/returns/noise.h"
#include "core/weather/sensorWeather.h"
#include "jobs/visitPulses.h"
#include "pulses/learnedContext.h"
#include "rows/scanColumns.h"

namespace understory {
namespace {

constexpr std::size_t maxRows = std::size_t{1} << 18U;  // of a chunk

void clearRows(RayRows& rows) {
  forEachColumnOfRayRows([](auto, auto& column) { column.clear(); }, rows);
}

// Rows of one part, pulses in the order in which they were traced.
struct PartRows {
  struct Pulse {
    std::size_t number = 0;  // in the batch
    std::size_t fromRow = 0;
    std::size_t toRow = 0;
  };
  TracedBatch traced;
  RayRows rows;
  std::vector<Pulse> pulses;

  void clear() {
    pulses.clear();
    clearRows(rows);
  }
};

void append(RayRows& to, const RayRows& from, std::size_t fromRow, std::size_t toRow) {
  forEachColumnOfRayRows(
      [&](auto, auto& target, const auto& source) {
        target.insert(target.end(), source.begin() + static_cast<std::ptrdiff_t>(fromRow),
                      source.begin() + static_cast<std::ptrdiff_t>(toRow));
      },
      to, from);
}

// From the pulses' traces to rows.
class RowMaker {
 public:
  RowMaker(const TracedScene& scene, const PulseJob& job)
      : scene_(scene),
        job_(job),
        noise_(job.sensor, job.seed,
               SensorWeather(scene.scene().weather, scene.scene().atmosphere, job.sensor).air()),
        learned_(LearnedContext::of(truth_, job.sensor, job.seed)) {}

  void add(const PulseTrace& trace, PartRows& out) const {
    PartRows::Pulse pulse{trace.numberInBatch, out.rows.size(), 0};
    // The return that each hit went into, by index in trace.hits.
    thread_local std::vector<std::uint8_t> returnOfHit;
    returnOfHit.assign(trace.hits.size(), 0);
    const std::vector<std::uint8_t> reported = reportedNumbers(trace);
    for (std::size_t hit = 0; hit < trace.signal.size(); ++hit) {
      returnOfHit[trace.signal[hit].index] = reported[trace.returnOfHit[hit]];
    }
    std::size_t index = 0;
    for (std::uint32_t ray = 0; ray < trace.rays.size(); ++ray) {
      std::uint8_t hitNo = 0;
      for (; index < trace.hits.size() && trace.rayOfHit[index] == ray; ++index) {
        addRow(trace, ray, ++hitNo, &trace.hits[index], returnOfHit[index], out.rows);
      }
      if (hitNo == 0) addRow(trace, ray, 0, nullptr, 0, out.rows);
    }
    pulse.toRow = out.rows.size();
    out.pulses.push_back(pulse);
  }

 private:
  // By number of the clean return: the number it is reported with, 0 where it was lost.
  std::vector<std::uint8_t> reportedNumbers(const PulseTrace& trace) const {
    std::vector<std::uint8_t> numbers{0};
    std::uint8_t count = 0;
    for (const PulseReturn& echo : trace.returns) {
      CleanReturn clean;
      clean.pulse = trace.name.number;
      clean.ring = ringOf(trace);
      clean.returnNo = static_cast<std::uint8_t>(numbers.size());
      clean.rangeM = echo.rangeM;
      clean.intensity = echo.intensity;
      clean.beamShare = echo.beamShare;
      const PathHit& hit = trace.hits[trace.signal[echo.decidingHit].index];
      clean.cosIncidence = hit.cosIncidence;
      clean.learnedSigmaM =
          learnedSigmaM(learned_.get(), hit.instance, hit.primitive, hit.cosIncidence);
      const bool isLost = noise_.isLost(clean) || !noise_.reported(clean);
      numbers.push_back(isLost ? std::uint8_t{0} : ++count);
    }
    return numbers;
  }

  std::uint16_t ringOf(const PulseTrace& trace) const {
    return job_.sensor.banks[trace.name.bank].rings[trace.name.laser];
  }

  void addRow(const PulseTrace& trace, std::uint32_t ray, std::uint8_t hitNo, const PathHit* hit,
              std::uint8_t returnNo, RayRows& rows) const {
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    const SlotFrame& frame = trace.aim.reported.frame;
    const StencilRay& own = trace.rays[ray];
    rows.timeNs.push_back(frame.timeNs);
    rows.pulse.push_back(trace.name.number);
    rows.ring.push_back(ringOf(trace));
    rows.ray.push_back(ray);
    rows.leftM.push_back(static_cast<float>(own.left));
    rows.upM.push_back(static_cast<float>(own.up));
    rows.weight.push_back(static_cast<float>(own.weight));
    rows.hitNo.push_back(hitNo);
    rows.rangeM.push_back(hit == nullptr ? none : hit->rangeM);
    rows.intensity.push_back(hit == nullptr ? none : hit->intensity);
    rows.share.push_back(hit == nullptr ? 0.0F : hit->share);
    rows.returnNo.push_back(returnNo);
    rows.incidenceRad.push_back(hit == nullptr ? none : incidenceRad(hit->normal, hit->arrival));
    const bool isObject = hit != nullptr && hit->instance != noInstance;
    const InstanceShading* object = isObject ? &scene_.truth().instances[hit->instance] : nullptr;
    rows.objectId.push_back(object == nullptr ? 0 : scene_.truth().instances.idOf(hit->instance));
    rows.classId.push_back(object != nullptr ? object->classId
                           : hit != nullptr  ? airClasses_[hit->air]
                                             : std::uint16_t{0});
    rows.materialId.push_back(hit == nullptr ? std::uint16_t{0} : hit->material);
    rows.triangleId.push_back(hit == nullptr ? 0 : hit->primitive);
    rows.mirrors.push_back(hit == nullptr ? std::uint8_t{0} : hit->mirrors);
    const Vec3d away =
        hit == nullptr ? Vec3d{} : toDouble(hit->towards) * static_cast<double>(hit->rangeM);
    const Vec3d pointM = frame.originM + away;
    rows.hitXM.push_back(hit == nullptr ? none : static_cast<float>(pointM.x));
    rows.hitYM.push_back(hit == nullptr ? none : static_cast<float>(pointM.y));
    rows.hitZM.push_back(hit == nullptr ? none : static_cast<float>(pointM.z));
  }

  const TracedScene& scene_;
  const PulseJob& job_;
  RangeNoise noise_;
  SceneTruth truth_{scene_.truth()};
  std::unique_ptr<const LearnedContext> learned_;  // null: no learned models
  AirClasses airClasses_{airClassesOf(scene_.scene())};
};

// Rows in chunks.
class ChunkMaker {
 public:
  ChunkMaker(const PulseJob& job, const RaySink& sink) : maxPulses_(job.chunkPulses), sink_(sink) {}

  void addPulse(const RayRows& rows, std::size_t fromRow, std::size_t toRow) {
    while (fromRow < toRow) {
      const std::size_t count = std::min(toRow - fromRow, maxRows - chunk_.size());
      append(chunk_, rows, fromRow, fromRow + count);
      fromRow += count;
      if (chunk_.size() == maxRows) flush();
    }
    if (++pulses_ == maxPulses_) flush();
  }

  void flush() {
    pulses_ = 0;
    if (chunk_.size() == 0) return;
    rows_ += chunk_.size();
    sink_.takeChunk(chunk_);
    clearRows(chunk_);
  }

  std::uint64_t rows() const { return rows_; }

 private:
  std::size_t maxPulses_;
  const RaySink& sink_;
  RayRows chunk_;
  std::size_t pulses_ = 0;
  std::uint64_t rows_ = 0;
};

}  // namespace

RayTotals scanRays(const TracedScene& scene, const PulseJob& job, const RaySink& sink) {
  const RowMaker maker(scene, job);
  ChunkMaker chunks(job, sink);
  const auto visited = visitPulses<PartRows>(
      scene, job, sink.watch,
      [&](const PulseTrace& pulse, PartRows& out) { maker.add(pulse, out); },
      [&](const PartRows& part) {
        for (const PartRows::Pulse& pulse : part.pulses) {
          chunks.addPulse(part.rows, pulse.fromRow, pulse.toRow);
        }
      });
  chunks.flush();
  return {visited.pulses, visited.rays, chunks.rows()};
}

}  // namespace understory
