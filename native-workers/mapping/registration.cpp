// Row by row; poses are sampled every `stepNs`.
#include "mapping/registration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/maths/maths.h"
#include "core/mutation.h"
#include "core/unaligned.h"
#include "mapping/groundGrid.h"

namespace understory {
namespace {

// The box of the vehicle's body. Why in the vehicle's frame: on a slope a mast leans out of the footprint.
class BodyBox {
 public:
  explicit BodyBox(const BodyFilter& body)
      : vehicleFromSensor_(matrixOf({body.mountRotation[0], body.mountRotation[1],
                                     body.mountRotation[2], body.mountRotation[3]})),
        mountM_(vectorOf(body.mountPositionM)),
        centreM_(vectorOf(body.centreM)),
        reachM_(vectorOf(body.reachM)) {}

  bool holds(Vec3d sensorM) const {
    const Vec3d off = vehicleFromSensor_ * sensorM + mountM_ - centreM_;
    return std::abs(off.x) < reachM_.x && std::abs(off.y) < reachM_.y &&
           std::abs(off.z) < reachM_.z;
  }

 private:
  static Vec3d vectorOf(const std::array<double, 3>& m) { return {m[0], m[1], m[2]}; }

  Mat3d vehicleFromSensor_;
  Vec3d mountM_;
  Vec3d centreM_;
  Vec3d reachM_;
};

// Number of the sample nearest in time. Why the lower words: a tick is far shorter than 2^32 ns.
std::size_t sampleOf(const TickMap& map, std::int64_t timeNs, std::size_t samples) {
  const auto sinceNs = static_cast<std::uint32_t>(static_cast<std::uint64_t>(timeNs - map.fromNs));
  const auto stepNs = static_cast<std::uint64_t>(map.stepNs);
  return std::min<std::size_t>((2 * std::uint64_t{sinceNs} + stepNs) / (2 * stepNs), samples - 1);
}

}  // namespace

RegisteredReturns noReturns(const TickMap& map) {
  return {{}, LowestReturns(map.seesGround ? groundCellsOf(map) : 0)};
}

void registerReturns(const TickMapping& mapping, const SensorRows& rows, RegisteredReturns& out) {
  const TickMap& map = mapping.map;
  const GroundLayout ground(map);
  const auto body = map.body ? std::optional<BodyBox>(*map.body) : std::nullopt;
  const std::size_t samples = mapping.places.size() / 4;
  const double ownSquareM2 = map.ownLengthM * map.ownLengthM + map.ownWidthM * map.ownWidthM;
  for (std::size_t row = 0; row < rows.count; ++row) {
    const Vec3d own{static_cast<double>(valueAt<float>(rows.xM, row)),
                    static_cast<double>(valueAt<float>(rows.yM, row)),
                    static_cast<double>(valueAt<float>(rows.zM, row))};
    const double squareM2 = dot(own, own);
    if (!(squareM2 > 0)) continue;
    if (body && body->holds(own)) continue;
    std::size_t sample = sampleOf(map, valueAt<std::int64_t>(rows.timeNs, row), samples);
    if (activeMutation() == Mutation::mapPoseOfTick) sample = 0;
    const double* const m = &mapping.matrices[12 * sample];
    const double* const place = &mapping.places[4 * sample];
    const double xM = m[0] * own.x + m[1] * own.y + m[2] * own.z + m[3];
    const double yM = m[4] * own.x + m[5] * own.y + m[6] * own.z + m[7];
    const double dx = xM - place[0];
    const double dy = yM - place[1];
    if (dx * dx + dy * dy < ownSquareM2 &&
        std::abs(place[2] * dx + place[3] * dy) < map.ownLengthM &&
        std::abs(place[2] * dy - place[3] * dx) < map.ownWidthM) {
      continue;
    }
    const double zM = m[8] * own.x + m[9] * own.y + m[10] * own.z + m[11];
    out.points.push_back({xM, yM, zM, static_cast<float>(std::sqrt(squareM2))});
    if (!map.seesGround) continue;
    if (const auto cell = ground.cellAt(xM, yM)) {
      out.lowest.add(*cell, static_cast<float>(overPlaneM(map.plane, xM, yM, zM)));
    }
  }
}

}  // namespace understory
